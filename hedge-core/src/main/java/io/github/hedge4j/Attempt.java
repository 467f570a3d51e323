package io.github.hedge4j;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * One invocation of the supplier within a call, as the supplier sees it. Safe for many threads; may be kept for as long as the attempt
 * runs and is harmless afterwards.
 */
public interface Attempt {

    /**
     * The attempt that the current thread is starting. Present while the supplier is being invoked, on the invoking thread only; empty
     * otherwise, in particular inside the stages that the supplier builds.
     */
    static Optional<Attempt> current() {
        return CurrentAttempt.get();
    }

    /**
     * A supplier of {@code source}'s own stages, which the attempt that is {@linkplain #current() current} when it is invoked cancels, with
     * {@code true}, when it loses. Whatever stands between the source and the hedge thus need not pass cancellation on: none of
     * Resilience4j's decorators does, nor does a dependent stage such as {@code thenApply} makes.
     *
     * <pre>{@code
     * hedge.decorateCompletionStage(Bulkhead.decorateCompletionStage(bulkhead, Attempt.cancellable(source)));
     * }</pre>
     *
     * <p>One attempt may start many sources; each is let go of when it ends, and those of a winner are left alone. If the attempt has been
     * cancelled already, the source is not invoked and its stage is a cancelled one; if it is cancelled while the source is being invoked,
     * the stage is cancelled at once. What the source throws, and null if that is what it returns, is passed on as it is.
     *
     * <p>Outside of any attempt this is the source and nothing else. Take care with a decorator that invokes it again later, on a thread of
     * its own, where no attempt is current: {@link #bind} the supplier, or have {@code HedgeDecorators} retry, which does so itself.
     *
     * @param source asked anew by each {@code get()}
     * @return safe for many threads and many calls if {@code source} is; for a stage that is running, costs one dependent
     */
    static <T> Supplier<CompletionStage<T>> cancellable(Supplier<? extends CompletionStage<? extends T>> source) {
        return new Cancellable<>(source);
    }

    /** The number of this attempt within its call: 0 for the primary, 1 and up for hedges. */
    int number();

    /** Whether this is not the call's first attempt. */
    default boolean isHedge() {
        return number() > 0;
    }

    /** The name of the target that this attempt asks; empty unless the call was made with named targets. */
    Optional<String> target();

    /** One random id per call, the same for all of its attempts, so that it can serve as idempotency key. Made when first asked for. */
    UUID callId();

    /** The time left until the call's deadline, never negative; empty if the call has none. */
    Optional<Duration> remaining();

    /** Whether the result of this attempt is no longer wanted: another one won, or the call has ended. */
    boolean isCancelled();

    /**
     * Has this action run once, on the configuration's executor, when this attempt is cancelled; at once and on this thread if it
     * already is; never if it wins or ends first. The action may block. What it throws is logged.
     */
    void onCancel(Runnable action);

    /**
     * Gives a successful result that this attempt has got and will not return to the hedge's {@link HedgeConfig#getOnDiscard()}: once, on
     * this thread or, if what the caller gets is not decided yet, when it is; and not if it turns out to be the very object the caller
     * gets. For whoever stands between the source and the hedge and finds that nobody waits any more; what a stage delivers to the hedge
     * itself needs no such care.
     */
    void discard(Object result);

    /**
     * A supplier that does {@code work} as a part of this attempt, on whatever thread it is invoked: meanwhile this attempt is
     * {@linkplain #current() current} and the hedge's context propagators have put the caller's context in place. For what goes on
     * elsewhere, such as a retry on a scheduler:
     *
     * <pre>{@code
     * hedge.decorateAttempts(attempt ->
     *         Retry.decorateCompletionStage(retry, scheduler, attempt.bind(Attempt.cancellable(source))).get());
     * }</pre>
     *
     * @return what {@code work} returns or throws; usable any number of times, also after this attempt has ended
     */
    <R> Supplier<R> bind(Supplier<? extends R> work);
}
