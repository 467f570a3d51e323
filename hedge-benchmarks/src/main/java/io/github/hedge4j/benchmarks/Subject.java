package io.github.hedge4j.benchmarks;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.Timeout;
import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.micrometer.TaggedHedgeMetrics;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** What can be put around a call: nothing, our hedge, and the others it is compared with. */
public enum Subject {
    RAW("nothing", new JdkFutures(), terms -> supplier -> supplier),
    HEDGE_FIXED("hedge, fixed delay", new JdkFutures(), Subject::fixedHedge),
    HEDGE_DEFAULTS("hedge, defaults and metrics", new JdkFutures(), Subject::defaultHedge),
    CIRCUIT_BREAKER("Resilience4j CircuitBreaker", new JdkFutures(), Subject::circuitBreaker),
    BULKHEAD("Resilience4j Bulkhead", new JdkFutures(), Subject::bulkhead),
    RETRY("Resilience4j Retry", new JdkFutures(), Subject::retry),
    TIME_LIMITER("Resilience4j TimeLimiter", new JdkFutures(), Subject::timeLimiter),
    OR_TIMEOUT("CompletableFuture.orTimeout", new JdkFutures(), Subject::orTimeout),
    RACE_OF_TWO("naive race of two at once", new JdkFutures(), terms -> new NaiveRace(2, terms.delay())),
    RACE_OF_ONE("naive race of one: its machinery", new JdkFutures(), terms -> new NaiveRace(1, terms.delay())),
    FAILSAFE_TIMEOUT("Failsafe Timeout", new JdkFutures(), Subject::failsafeTimeout),
    TWITTER_RAW("nothing, Twitter futures", new TwitterFutures(), terms -> supplier -> supplier),
    FINAGLE("Finagle BackupRequestFilter", new TwitterFutures(), BackupRequests::new);

    /** Enough for the percentile to be known and issued; the rest of its settling is the warm-up's. */
    private static final int CALLS_TO_LEARN_FROM = 1_000;

    private final String label;
    private final Function<Terms, Calls<?>> opening;

    <F> Subject(String label, Futures<F> futures, Function<Terms, Decorator<F>> opening) {
        this.label = label;
        this.opening = terms -> new Calls<>(futures, opening.apply(terms));
    }

    public String label() {
        return label;
    }

    /** The subject without anything around it, with the same kind of futures. */
    public Subject raw() {
        return this == FINAGLE || this == TWITTER_RAW ? TWITTER_RAW : RAW;
    }

    Calls<?> open(Terms terms) {
        return opening.apply(terms);
    }

    private static Decorator<CompletionStage<Object>> fixedHedge(Terms terms) {
        return decorator(Hedge.of("fixed", config(terms, HedgeDelay.fixed(terms.delay()))));
    }

    /**
     * The 95th percentile of the latencies, but held at the delay that all others have: the calls of a benchmark end within
     * nanoseconds, and a delay to match them would hedge most of what a scheduler's hiccup interrupts. Metrics are bound.
     */
    private static Decorator<CompletionStage<Object>> defaultHedge(Terms terms) {
        HedgeDelay learnt = HedgeDelay.percentile(0.95).withMin(terms.delay()).withMax(terms.delay());
        Hedge hedge = Hedge.of("defaults", config(terms, learnt));
        TaggedHedgeMetrics.ofHedge(hedge).bindTo(new SimpleMeterRegistry());
        JdkFutures futures = new JdkFutures();
        for (int i = 0; i < CALLS_TO_LEARN_FROM; i++) {
            CompletionStage<Object> primary = futures.pending();
            CompletionStage<Object> unused = hedge.executeCompletionStage(() -> primary);
            futures.succeed(primary);
        }
        if (hedge.getMetrics().getCurrentDelay().isEmpty()) {
            throw new IllegalStateException("the hedge is cold");
        }
        return decorator(hedge);
    }

    private static HedgeConfig config(Terms terms, HedgeDelay delay) {
        HedgeConfig.Builder config = HedgeConfig.custom().delay(delay);
        if (terms.everyCallHedges()) {
            config.budget(HedgeBudget.unlimited()).executor(Pools.HEDGES);
        }
        return config.build();
    }

    private static Decorator<CompletionStage<Object>> decorator(Hedge hedge) {
        return hedge::decorateCompletionStage;
    }

    private static Decorator<CompletionStage<Object>> circuitBreaker(Terms terms) {
        CircuitBreaker breaker = CircuitBreaker.ofDefaults("breaker");
        if (terms.everyCallHedges()) {
            breaker.transitionToMetricsOnlyState(); // or it would open when every primary fails
        }
        return breaker::decorateCompletionStage;
    }

    private static Decorator<CompletionStage<Object>> bulkhead(Terms terms) {
        BulkheadConfig config =
                BulkheadConfig.custom().maxConcurrentCalls(1_000_000).build();
        Bulkhead bulkhead = Bulkhead.of("bulkhead", config);
        return supplier -> Bulkhead.decorateCompletionStage(bulkhead, supplier);
    }

    private static Decorator<CompletionStage<Object>> retry(Terms terms) {
        Retry retry = Retry.of(
                "retry", RetryConfig.custom().waitDuration(Duration.ofMillis(1)).build());
        return supplier -> retry.decorateCompletionStage(Pools.SCHEDULER, supplier);
    }

    private static Decorator<CompletionStage<Object>> timeLimiter(Terms terms) {
        TimeLimiter limiter = TimeLimiter.of(terms.delay());
        return supplier -> limiter.decorateCompletionStage(Pools.SCHEDULER, supplier);
    }

    private static Decorator<CompletionStage<Object>> orTimeout(Terms terms) {
        long nanos = terms.delay().toNanos();
        return supplier -> () -> supplier.get().toCompletableFuture().orTimeout(nanos, TimeUnit.NANOSECONDS);
    }

    private static Decorator<CompletionStage<Object>> failsafeTimeout(Terms terms) {
        FailsafeExecutor<Object> failsafe = Failsafe.with(Timeout.of(terms.delay()));
        return supplier -> () -> failsafe.getStageAsync(supplier::get);
    }

    /** Made when first used: most subjects need none. */
    private static final class Pools {

        /** On two cores CompletableFuture's default starts a thread for every task, which would hide what a hedge costs. */
        static final Executor HEDGES = new ForkJoinPool(1);

        static final ScheduledExecutorService SCHEDULER = Executors.newScheduledThreadPool(1, task -> {
            Thread thread = new Thread(task, "scheduler");
            thread.setDaemon(true);
            return thread;
        });
    }
}
