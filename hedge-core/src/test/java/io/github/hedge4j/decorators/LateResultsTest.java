package io.github.hedge4j.decorators;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.time.VirtualTimer;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.github.resilience4j.timelimiter.TimeLimiterConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Results that come when nobody waits for them any more reach {@code onDiscard} through every decorator, once. */
class LateResultsTest {

    /** A source that runs on when it is cancelled. */
    private static final class Deaf extends CompletableFuture<String> {
        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return false;
        }
    }

    private final VirtualTimer timer = new VirtualTimer();
    private final VirtualScheduler scheduler = new VirtualScheduler(timer);
    private final List<CompletableFuture<String>> sources = new ArrayList<>();
    private final List<Object> discarded = new CopyOnWriteArrayList<>();
    private final Bulkhead bulkhead = Bulkhead.of(
            "b",
            BulkheadConfig.custom().maxConcurrentCalls(4).maxWaitDuration(ZERO).build());
    private final RateLimiter rateLimiter = RateLimiter.of(
            "r", RateLimiterConfig.custom().limitForPeriod(1_000_000).build());
    private final Hedge hedge = Hedge.of(
            "h",
            HedgeConfig.custom()
                    .delay(HedgeDelay.fixed(ofMillis(50)))
                    .budget(HedgeBudget.unlimited())
                    .onDiscard(discarded::add)
                    .timer(timer)
                    .executor(Runnable::run)
                    .build());

    private final Map<String, UnaryOperator<HedgeDecorators<String>>> decorators = Map.of(
            "nothing", chain -> chain,
            "Bulkhead", chain -> chain.withBulkhead(bulkhead),
            "CircuitBreaker", chain -> chain.withCircuitBreaker(CircuitBreaker.ofDefaults("c")),
            "RateLimiter", chain -> chain.withRateLimiter(rateLimiter),
            "Retry", chain -> chain.withRetry(Retry.ofDefaults("y"), scheduler),
            "TimeLimiter", chain -> chain.withTimeLimiter(TimeLimiter.ofDefaults(), scheduler),
            "fallback", chain -> chain.withFallback(failure -> "instead"),
            "operator", chain -> chain.with(inner -> inner),
            "swallowing operator",
                    chain -> chain.with(inner -> () -> inner.get().thenApply(value -> value)),
            "hedge", chain -> chain.withHedge(hedge));

    private static Stream<String> names() {
        return new LateResultsTest().decorators.keySet().stream().filter(name -> !name.equals("hedge"));
    }

    private static Stream<Arguments> pairs() {
        return names().flatMap(one -> names().map(other -> Arguments.of(one, other)));
    }

    private HedgeDecorators<String> chain(String... insideOut) {
        HedgeDecorators<String> chain = HedgeDecorators.ofCompletionStage(() -> {
            sources.add(new Deaf());
            return sources.get(sources.size() - 1);
        });
        for (String name : insideOut) {
            chain = decorators.get(name).apply(chain);
        }
        return chain;
    }

    private CompletableFuture<String> callWithBothAttemptsRunning(String... insideOut) {
        CompletableFuture<String> call = chain(insideOut).get().toCompletableFuture();
        timer.advance(ofMillis(50));
        assertThat(sources).hasSize(2);
        return call;
    }

    @AfterEach
    void nothingIsPending() {
        assertThat(timer.pending()).isZero();
        assertThat(bulkhead.getMetrics().getAvailableConcurrentCalls()).isEqualTo(4);
        assertThat(hedge.getMetrics().getInFlightAttempts()).isZero();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void aLosersResultIsDiscarded(String one, String other) {
        CompletableFuture<String> call = callWithBothAttemptsRunning(one, other, "hedge");

        sources.get(1).complete("winner");
        sources.get(0).complete("late");

        assertThat(call).isCompletedWithValue("winner");
        assertThat(discarded).containsExactly("late");
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void resultsAfterTheCallersCancelAreDiscarded(String one, String other) {
        CompletableFuture<String> call = callWithBothAttemptsRunning(one, "hedge", other);

        call.cancel(true);
        for (int i = 0; i < sources.size(); i++) {
            sources.get(i).complete("late " + i);
        }

        assertThat(discarded).containsExactlyInAnyOrder("late 0", "late 1");
    }

    @ParameterizedTest
    @MethodSource("names")
    void aResultThatIsThereWhenItIsCancelledIsDiscarded(String name) {
        var hurried = new CompletableFuture<String>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                complete("at that instant");
                return false;
            }
        };
        CompletableFuture<String> call = decorators
                .get(name)
                .apply(HedgeDecorators.ofCompletionStage(() -> hurried))
                .withHedge(hedge)
                .get()
                .toCompletableFuture();

        call.cancel(true);

        assertThat(discarded).containsExactly("at that instant");
    }

    @Test
    void theVeryObjectThatTheCallerGetsIsNotDiscarded() {
        CompletableFuture<String> call = callWithBothAttemptsRunning("Bulkhead", "hedge");

        sources.get(1).complete("shared");
        sources.get(0).complete("shared");

        assertThat(call).isCompletedWithValue("shared");
        assertThat(discarded).isEmpty();
    }

    @Test
    void theResultOfATryThatIsCancelledWhileItStartsIsDiscarded() {
        var call = new AtomicReference<CompletableFuture<String>>();
        call.set(HedgeDecorators.ofCompletionStage(() -> {
                    sources.add(new Deaf());
                    if (sources.size() == 2) {
                        call.get().cancel(true);
                    }
                    return sources.get(sources.size() - 1);
                })
                .withRetry(
                        Retry.of(
                                "y",
                                RetryConfig.custom().waitDuration(ofMillis(1)).build()),
                        scheduler)
                .withHedge(hedge)
                .get()
                .toCompletableFuture());
        sources.get(0).completeExceptionally(new IOException());
        timer.advance(ofMillis(1));

        sources.get(1).complete("late");

        assertThat(call.get()).isCancelled();
        assertThat(discarded).containsExactly("late");
    }

    @Test
    void whatATimeLimiterGaveUpOnIsDiscarded() {
        var short20 = TimeLimiter.of(
                TimeLimiterConfig.custom().timeoutDuration(ofMillis(20)).build());
        CompletableFuture<String> inside = chain("Bulkhead")
                .withTimeLimiter(short20, scheduler)
                .withHedge(hedge)
                .get()
                .toCompletableFuture();
        timer.advance(ofMillis(20)); // the first attempt fails, which starts the second
        sources.get(1).complete("winner");
        sources.get(0).complete("late inside");

        CompletableFuture<String> outside =
                chain("hedge").withTimeLimiter(short20, scheduler).get().toCompletableFuture();
        timer.advance(ofMillis(20));
        sources.get(2).complete("late outside");

        assertThat(inside).isCompletedWithValue("winner");
        assertThat(outside).isCompletedExceptionally();
        assertThat(discarded).containsExactly("late inside", "late outside");
    }

    private static Stream<Arguments> orders() {
        return names().flatMap(name -> Stream.of(
                Arguments.of((Object) new String[] {name, "hedge"}),
                Arguments.of((Object) new String[] {"hedge", name}),
                Arguments.of((Object) new String[] {name, "hedge", name})));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void aResultAtTheInstantOfTheCancelIsReceivedOrDiscarded(String[] insideOut) throws Exception {
        ExecutorService backend = Executors.newSingleThreadExecutor();
        var start = new CyclicBarrier(2);
        try {
            for (int i = 0; i < 500; i++) {
                discarded.clear();
                CompletableFuture<String> call = chain(insideOut).get().toCompletableFuture();
                CompletableFuture<String> source = sources.get(sources.size() - 1);
                Future<Boolean> end = backend.submit(() -> {
                    start.await();
                    return source.complete("result");
                });
                start.await();
                for (int spin = i % 50 * 20; spin > 0; spin--) { // later and later
                    Thread.onSpinWait();
                }

                call.cancel(true);
                end.get();

                assertThat(discarded).hasSize(call.isCancelled() ? 1 : 0);
            }
        } finally {
            backend.shutdown();
        }
    }
}
