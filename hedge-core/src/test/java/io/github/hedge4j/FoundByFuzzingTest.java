package io.github.hedge4j;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.budget.TokenBalance;
import io.github.hedge4j.time.HedgeTimer;
import io.github.hedge4j.time.Timeout;
import io.github.hedge4j.time.VirtualTimer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Each of these went wrong once, in a script of {@link FuzzTest} or in the head of somebody who read the engine in order to break it.
 * What it takes another thread to do at just the wrong moment, user code that the engine calls at that moment does here.
 */
class FoundByFuzzingTest {

    private final VirtualTimer timer = new VirtualTimer();
    private final List<CompletableFuture<Object>> attempts = new ArrayList<>();
    private final List<Object> discarded = new ArrayList<>();

    @AfterEach
    void nothingIsPending() {
        assertThat(timer.pending()).isZero();
    }

    @Test
    void laterAttemptsThatWereStartedFasterWereReportedBeforeEarlierOnes() {
        // Starting attempt 1 plans attempt 2, which a direct executor starts before attempt 1 gets on.
        var hedge = hedge(config().delay(HedgeDelay.perAttempt(number -> number == 1 ? ofMillis(10) : Duration.ZERO))
                .maxAttempts(3));
        HedgedFuture<Object> call = hedge.start(this::attempt);
        timer.advance(ofMillis(10));

        attempts.forEach(attempt -> attempt.completeExceptionally(new IllegalStateException()));

        assertThat(report(call).attempts()).extracting(AttemptReport::number).containsExactly(0, 1, 2);
        assertThat(call).isCompletedExceptionally();
    }

    @Test
    void aHedgeWasDeniedAgainWhenTheOneBeforeItReachedItsExecutor() {
        Queue<Runnable> tasks = new ArrayDeque<>();
        var hedge = hedge(config().delay(HedgeDelay.fixed(Duration.ZERO))
                .maxAttempts(3)
                .executor(tasks::add)
                .budget(HedgeBudget.ratio(0)));

        HedgedFuture<Object> call = hedge.start(this::attempt);
        tasks.remove().run();

        assertThat(attempts).hasSize(2);
        attempts.get(0).complete("primary");
        assertThat(report(call).denials()).containsExactly(DenialReason.BUDGET);
        assertThat(hedge.getMetrics().getNumberOfDeniedHedges()).isOne();
    }

    @Test
    void aHedgeOfACallThatHadEndedWasStillDenied() {
        var call = new AtomicReference<HedgedFuture<Object>>();
        var hedge = hedge(config().budget(new Tokens(() -> {
            call.get().cancel(true);
            return false;
        })));
        call.set(hedge.start(this::attempt));

        timer.advance(ofMillis(50));

        assertThat(report(call.get()).denials()).isEmpty();
        assertThat(hedge.getMetrics().getNumberOfDeniedHedges()).isZero();
    }

    @Test
    void theSecondResultOfAStageWasDiscardedAndThenDeliveredByAnotherAttempt() {
        var shared = new Object();
        var listeners = new ArrayList<BiConsumer<Object, Throwable>>();
        var hedge = hedge(config().delay(HedgeDelay.fixed(Duration.ZERO)).hedgeOnFailure(false));
        HedgedFuture<Object> call =
                hedge.start(attempt -> attempt.isHedge() ? attempt(attempt) : new Chatty(listeners));
        listeners.get(0).accept(null, new IllegalStateException());

        listeners.get(0).accept(shared, null);
        attempts.get(0).complete(shared);

        assertThat(call).isCompletedWithValue(shared);
        assertThat(discarded).isEmpty();
    }

    @Test
    void aLoserThatHadJustEndedWasReportedAsCancelledWithoutAnEnd() {
        // The clock is read between the moment from which an attempt is not cancelled any more and the one at which it
        // has ended.
        var call = new AtomicReference<HedgedFuture<Object>>();
        var primaryEnds = new AtomicBoolean();
        var clock = new HookedTimer(() -> {
            if (primaryEnds.getAndSet(false)) {
                call.get().cancel(true);
            }
        });
        var hedge = hedge(config().timer(clock).loserGrace(Duration.ZERO));
        call.set(hedge.start(this::attempt));
        var failure = new IllegalStateException();

        primaryEnds.set(true);
        attempts.get(0).completeExceptionally(failure);

        assertThat(call.get()).isCancelled();
        AttemptReport primary = report(call.get()).attempts().get(0);
        assertThat(primary.outcome()).isEqualTo(AttemptOutcome.FAILURE);
        assertThat(primary.failure()).containsSame(failure);
        assertThat(primary.end()).isPresent();
        assertThat(hedge.getMetrics().getNumberOfUnresponsiveLosers()).isZero();
    }

    @Test
    void aHedgeWasStartedForATargetThatThereIsNot() {
        // The primary's failure asks for attempt 1; while it is being paid for, its delay ends and it starts.
        var delayEnds = new AtomicBoolean(true);
        var hedge = hedge(config().maxAttempts(3).budget(new Tokens(() -> {
            if (delayEnds.getAndSet(false)) {
                timer.advance(ofMillis(50));
            }
            return true;
        })));
        Map<String, Supplier<CompletionStage<Object>>> targets = new LinkedHashMap<>();
        targets.put("a", () -> attempt(null));
        targets.put("b", () -> attempt(null));
        CompletionStage<Object> call = hedge.<Object>decorateTargets(targets).get();

        attempts.get(0).completeExceptionally(new IllegalStateException("a"));
        assertThat(attempts).hasSize(2);
        attempts.get(1).completeExceptionally(new IllegalStateException("b"));

        assertThat(call.toCompletableFuture()).isCompletedExceptionally();
        assertThat(hedge.getMetrics().getInFlightAttempts()).isZero();
        assertThat(hedge.enter(1)).isTrue();
    }

    @Test
    void aHedgeWasStartedAndDeniedWhenPushbackCameWhileItWasPaidFor() {
        var hedge = hedge(config().delay(HedgeDelay.perAttempt(number -> number == 1 ? Duration.ZERO : ofMillis(50)))
                .maxAttempts(3)
                .stopHedgingOn(IllegalStateException.class::isInstance)
                .budget(new Tokens(() -> {
                    if (attempts.size() == 2) {
                        attempts.get(1).completeExceptionally(new IllegalStateException("stop"));
                    }
                    return true;
                })));
        HedgedFuture<Object> call = hedge.start(this::attempt);

        timer.advance(ofMillis(50));

        assertThat(attempts).hasSize(2);
        attempts.get(0).complete("primary");
        assertThat(report(call).denials()).containsExactly(DenialReason.PUSHBACK);
        assertThat(hedge.enter(1)).isTrue();
    }

    @Test
    void aHedgeThatPushbackCaughtOnItsWayWasForgottenIfTheCallFailedJustThen() {
        var tasks = new QueueExecutor();
        var tokens = new FakeBudget(3).onGiveBack(() -> {
            if (!attempts.get(2).isDone()) {
                attempts.get(2).completeExceptionally(new IllegalStateException("last"));
            }
        });
        var hedge = hedge(config().delay(HedgeDelay.fixed(Duration.ZERO))
                .maxAttempts(4)
                .executor(tasks)
                .stopHedgingOn(UnsupportedOperationException.class::isInstance)
                .budget(tokens));
        HedgedFuture<Object> call = hedge.start(this::attempt);
        while (attempts.size() < 3) {
            tasks.runOne();
        }

        attempts.get(0).completeExceptionally(new IllegalStateException("asks for another"));
        attempts.get(1).completeExceptionally(new UnsupportedOperationException("stop"));
        tasks.runAll();

        assertThat(call).isCompletedExceptionally();
        assertThat(attempts).hasSize(3);
        assertThat(report(call).denials()).containsExactly(DenialReason.PUSHBACK);
        assertThat(hedge.getMetrics().getNumberOfDeniedHedges()).isOne();
    }

    @Test
    void runningWorkWasForgottenIfTheRaceWasWonJustBeforeItWasLookedAt() throws Exception {
        var running = new AtomicReference<CompletableFuture<String>>();
        var over = new AtomicBoolean();
        var winner = new Thread(() -> {
            while (!over.get()) {
                CompletableFuture<String> next = running.getAndSet(null);
                if (next != null) {
                    next.complete("won");
                }
            }
        });
        winner.start();
        try {
            for (int i = 0; i < 20_000; i++) {
                var first = new CompletableFuture<String>();
                var second = new CompletableFuture<String>();
                running.set(first);

                HedgedFuture<String> race = Race.firstSuccessOf(List.of(first, second), ofHours(1));

                race.settled().toCompletableFuture().join();
                assertThat(second.isCancelled()).isTrue();
            }
        } finally {
            over.set(true);
            winner.join();
        }
    }

    // ---- what is hedged

    private HedgeConfig.Builder config() {
        return HedgeConfig.custom()
                .delay(HedgeDelay.fixed(ofMillis(50)))
                .budget(HedgeBudget.unlimited())
                .timer(timer)
                .executor(Runnable::run)
                .onDiscard(discarded::add);
    }

    private static StandardHedge hedge(HedgeConfig.Builder config) {
        return new StandardHedge("found", config.build(), Map.of());
    }

    private CompletableFuture<Object> attempt(Attempt attempt) {
        var future = new CompletableFuture<Object>();
        attempts.add(future);
        return future;
    }

    private static CallReport report(HedgedFuture<?> call) {
        return call.settled().toCompletableFuture().join();
    }

    /** A balance on which something happens while a token is taken. */
    private record Tokens(Supplier<Boolean> take) implements HedgeBudget, TokenBalance {

        @Override
        public TokenBalance open(HedgeTimer timer) {
            return this;
        }

        @Override
        public boolean tryTake(long nowNanos) {
            return take.get();
        }

        @Override
        public void giveBack() {}

        @Override
        public void credit() {}

        @Override
        public double available(long nowNanos) {
            return 1;
        }
    }

    /** The test's timer; something happens while it is read. */
    private final class HookedTimer implements HedgeTimer {

        private final Runnable hook;

        HookedTimer(Runnable hook) {
            this.hook = hook;
        }

        @Override
        public long nanoTime() {
            hook.run();
            return timer.nanoTime();
        }

        @Override
        public Timeout schedule(Runnable task, long delayNanos) {
            return timer.schedule(task, delayNanos);
        }
    }

    /** Leaves its listeners to the test, which may call them as often as it likes. */
    private static final class Chatty extends CompletableFuture<Object> {

        private final List<BiConsumer<Object, Throwable>> listeners;

        Chatty(List<BiConsumer<Object, Throwable>> listeners) {
            this.listeners = listeners;
        }

        @Override
        @SuppressWarnings("unchecked")
        public CompletableFuture<Object> whenComplete(BiConsumer<? super Object, ? super Throwable> listener) {
            listeners.add((BiConsumer<Object, Throwable>) listener);
            return this;
        }
    }
}
