package io.github.hedge4j.stress;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.HedgedFuture;
import io.github.hedge4j.time.VirtualTimer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** A call with its primary in flight, and its hedge too or soon. */
final class TwoAttempts {

    private static final Duration DELAY = Duration.ofMillis(1);

    private static final Object NOTHING = "nothing";

    final CompletableFuture<String> primary = new CompletableFuture<>();
    final CompletableFuture<String> hedge = new CompletableFuture<>();
    final HedgedFuture<String> result;

    private final VirtualTimer timer = new VirtualTimer();
    private final AtomicReference<Object> discarded = new AtomicReference<>(NOTHING);
    private final Hedge hedging = Hedge.of(
            "two",
            HedgeConfig.custom()
                    .delay(HedgeDelay.fixed(DELAY))
                    .budget(HedgeBudget.unlimited())
                    .timer(timer)
                    .executor(Runnable::run)
                    .onDiscard(value -> discarded.accumulateAndGet(value, TwoAttempts::both))
                    .build());

    TwoAttempts(boolean hedged) {
        result = hedging.start(attempt -> attempt.isHedge() ? hedge : primary);
        if (hedged) {
            passDelay();
        }
    }

    void passDelay() {
        timer.advance(DELAY);
    }

    /** What the caller got, what was discarded, and how many ends were counted; "..., still running" if anything is left. */
    void end(LLL_Result end) {
        Hedge.Metrics metrics = hedging.getMetrics();
        end.r1 = result.handle((value, failure) ->
                        failure == null ? value : failure.getClass().getSimpleName())
                .getNow("no result");
        end.r2 = discarded.get();
        boolean isOver = timer.pending() == 0
                && metrics.getInFlightAttempts() == 0
                && result.settled().toCompletableFuture().isDone();
        end.r3 = metrics.getNumberOfCalls() + (isOver ? "" : " still running");
    }

    private static Object both(Object before, Object next) {
        return before == NOTHING ? next : before + " and " + next;
    }
}
