package io.github.hedge4j;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

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
}
