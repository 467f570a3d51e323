package io.github.hedge4j.decorators;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.Hedge;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.timelimiter.TimeLimiter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A chain of decorators around a supplier: Resilience4j's and a hedge, in the order written, inside out. Cancelling the result of a call,
 * and losing in a hedge further out, reaches the source through every decorator of the chain.
 *
 * <pre>{@code
 * Supplier<CompletionStage<String>> search = HedgeDecorators.ofCompletionStage(() -> client.search(query))
 *         .withBulkhead(bulkhead)               // each attempt holds a permit
 *         .withHedge(hedge)
 *         .withCircuitBreaker(circuitBreaker)   // judges calls, not attempts
 *         .withRetry(retry, scheduler)
 *         .decorate();
 * }</pre>
 *
 * <p>A call that is ended from outside, in whatever way ({@code cancel}, {@code complete}, {@code orTimeout}, ...), is neither a success
 * nor a failure to a decorator of this chain: a circuit breaker's permission is released and nothing recorded, a bulkhead's permit comes
 * back at once, a retry tries no more, a time limiter's timer goes. Whatever goes wrong in a call is a failed stage and not an exception:
 * rejections, a supplier that throws or returns null, predicates that throw. What an event consumer throws is logged where the call is
 * past the event, and fails the call where it is about the call's admission.
 *
 * <p>Immutable, so that two chains may share a beginning. A chain is safe for many threads and many calls if its supplier is. Each
 * decorator costs a call one future. The Resilience4j modules are optional: a chain needs those that it names.
 *
 * @param <T> the type of the result
 */
public final class HedgeDecorators<T> {

    private final Supplier<CompletionStage<T>> chain;

    /** The outermost hedge so far. */
    private final @Nullable Hedge inner;

    private HedgeDecorators(Supplier<CompletionStage<T>> chain, @Nullable Hedge inner) {
        this.chain = chain;
        this.inner = inner;
    }

    /** A chain with nothing in it yet but the source. */
    public static <T> HedgeDecorators<T> ofCompletionStage(Supplier<? extends CompletionStage<? extends T>> supplier) {
        requireNonNull(supplier, "supplier must not be null");
        return new HedgeDecorators<>(() -> stageOf(supplier), null);
    }

    /** Each call holds a permit while it runs. Without one it fails with {@code BulkheadFullException}, after {@code maxWaitDuration}. */
    public HedgeDecorators<T> withBulkhead(Bulkhead bulkhead) {
        requireNonNull(bulkhead, "bulkhead must not be null");
        return around(() -> new BulkheadStage<T>(bulkhead));
    }

    /** Records each call unless it is ended from outside. One that is not permitted fails with {@code CallNotPermittedException}. */
    public HedgeDecorators<T> withCircuitBreaker(CircuitBreaker circuitBreaker) {
        requireNonNull(circuitBreaker, "circuitBreaker must not be null");
        return around(() -> new CircuitBreakerStage<T>(circuitBreaker));
    }

    /** {@link #withRateLimiter(RateLimiter, int)} for one permit. */
    public HedgeDecorators<T> withRateLimiter(RateLimiter rateLimiter) {
        return withRateLimiter(rateLimiter, 1);
    }

    /**
     * Each call spends permits, which do not come back. It waits for them, on the thread that makes it, as long as the rate limiter's
     * {@code timeoutDuration} allows, and fails with {@code RequestNotPermitted} if that is too short.
     */
    public HedgeDecorators<T> withRateLimiter(RateLimiter rateLimiter, int permits) {
        requireNonNull(rateLimiter, "rateLimiter must not be null");
        if (permits < 1) {
            throw new IllegalArgumentException("permits must be >= 1, but was " + permits);
        }
        return around(() -> new RateLimiterStage<T>(rateLimiter, permits));
    }

    /** Hedges what the chain has so far: see {@link Hedge#decorateCompletionStage(Supplier)}. */
    public HedgeDecorators<T> withHedge(Hedge hedge) {
        requireNonNull(hedge, "hedge must not be null");
        return new HedgeDecorators<>(hedge.decorateCompletionStage(chain), hedge);
    }

    /**
     * Tries again what fails, the first time on the thread that makes the call and then on the scheduler's. A first try that throws is
     * tried again as any other. Later tries belong to the attempt, {@link io.github.hedge4j.Attempt#current()}, that made the first one.
     * An {@code Error} is not tried again. Should the retry's own predicates, or the scheduler, fail, then there are no more tries.
     *
     * @param scheduler where later tries are started; not owned
     */
    public HedgeDecorators<T> withRetry(Retry retry, ScheduledExecutorService scheduler) {
        requireNonNull(retry, "retry must not be null");
        requireNonNull(scheduler, "scheduler must not be null");
        return around(() -> new RetryStage<T>(retry, scheduler, chain));
    }

    /**
     * Fails what takes too long with a {@code TimeoutException} and cancels it, unless the time limiter is configured with
     * {@code cancelRunningFuture(false)}. The time counts from when the source has been started.
     *
     * @param scheduler where timeouts happen, dependents of the failed stage included; not owned. Nothing stays on it when a call ends
     */
    public HedgeDecorators<T> withTimeLimiter(TimeLimiter timeLimiter, ScheduledExecutorService scheduler) {
        requireNonNull(timeLimiter, "timeLimiter must not be null");
        requireNonNull(scheduler, "scheduler must not be null");
        return around(() -> new TimeLimiterStage<T>(timeLimiter, scheduler));
    }

    /** Replaces results that the predicate accepts. */
    public HedgeDecorators<T> withFallback(Predicate<? super T> resultPredicate, UnaryOperator<T> resultHandler) {
        requireNonNull(resultPredicate, "resultPredicate must not be null");
        requireNonNull(resultHandler, "resultHandler must not be null");
        return recovering(FallbackStage.ofResult(resultPredicate, resultHandler));
    }

    /** Replaces every result and failure: the handler gets either, and null for the other. */
    public HedgeDecorators<T> withFallback(
            BiFunction<? super @Nullable T, ? super @Nullable Throwable, ? extends T> handler) {
        requireNonNull(handler, "handler must not be null");
        return recovering(handler::apply);
    }

    /** Replaces failures of these types; one that only wraps another, as the JDK and a hedge do, counts as the other too. */
    public HedgeDecorators<T> withFallback(
            List<? extends Class<? extends Throwable>> exceptionTypes,
            Function<? super Throwable, ? extends T> exceptionHandler) {
        List<Class<? extends Throwable>> types = List.copyOf(exceptionTypes);
        requireNonNull(exceptionHandler, "exceptionHandler must not be null");
        return recovering(FallbackStage.ofFailure(types, exceptionHandler));
    }

    /** Replaces failures of this type; one that only wraps another, as the JDK and a hedge do, counts as the other too. */
    public HedgeDecorators<T> withFallback(
            Class<? extends Throwable> exceptionType, Function<? super Throwable, ? extends T> exceptionHandler) {
        requireNonNull(exceptionType, "exceptionType must not be null");
        return withFallback(List.of(exceptionType), exceptionHandler);
    }

    /** Replaces every failure. */
    public HedgeDecorators<T> withFallback(Function<? super Throwable, ? extends T> exceptionHandler) {
        return withFallback(Throwable.class, exceptionHandler);
    }

    /**
     * Puts a decorator of any kind around what the chain has so far. It is applied once, here. If it does not pass cancellation on, what it
     * has asked of the chain on the calling thread is cancelled all the same; what it asks for later, on other threads, is its own affair.
     */
    public HedgeDecorators<T> with(UnaryOperator<Supplier<CompletionStage<T>>> decorator) {
        requireNonNull(decorator, "decorator must not be null");
        return new HedgeDecorators<>(new Foreign<>(chain, inner, decorator), inner);
    }

    /** The chain as a supplier: each {@code get()} is a call. It never throws, and its stage always ends if the source's does. */
    public Supplier<CompletionStage<T>> decorate() {
        return chain;
    }

    /** Makes one call. */
    public CompletionStage<T> get() {
        return chain.get();
    }

    private HedgeDecorators<T> recovering(FallbackStage.Handler<T> handler) {
        return around(() -> new FallbackStage<>(handler));
    }

    private HedgeDecorators<T> around(Supplier<Around<T>> decorator) {
        return new HedgeDecorators<>(() -> decorator.get().start(chain, inner), inner);
    }

    @SuppressWarnings("unchecked") // a stage only produces its value
    private static <T> CompletionStage<T> stageOf(Supplier<? extends CompletionStage<? extends T>> supplier) {
        try {
            return (CompletionStage<T>) requireNonNull(supplier.get(), "the supplier returned null");
        } catch (Throwable thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }
}
