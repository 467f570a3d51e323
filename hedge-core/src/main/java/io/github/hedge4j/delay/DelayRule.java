package io.github.hedge4j.delay;

/**
 * How long an attempt gets before the next one is due. A rule that {@linkplain #learns() learns} is told how each call's
 * primary fared, and only that: hedges say nothing about how long a primary takes.
 *
 * <p>Of a call whose primary lives long enough to tell, a learning rule hears exactly one of three things:
 *
 * <ul>
 *   <li>{@link #exceeded}, at the moment the issued delay expires with the primary still running. What the primary does
 *       later no longer matters here.
 *   <li>{@link #timedOut}, if the call's deadline comes first.
 *   <li>{@link #completed}, if the primary succeeded before that.
 * </ul>
 *
 * It hears nothing of a primary that failed before, nor of one whose call was abandoned before: neither tells how long a
 * success takes. It does hear of calls whose hedge was due and then denied; the delay expired all the same.
 *
 * <p>Implementations are safe for many threads. None of the methods blocks, and none is called with a lock held.
 */
public interface DelayRule {
    /** The delay that never expires: no hedge, for nothing is known yet. */
    long NONE = Long.MAX_VALUE;

    /** A rule that never learns: every attempt gets {@code nanos}, which is at least 0 (all at once) or {@link #NONE}. */
    static DelayRule fixed(long nanos) {
        if (nanos < 0) {
            throw new IllegalArgumentException("delay must be >= 0 ns, but was " + nanos);
        }
        return number -> nanos;
    }

    /**
     * The delay before attempt {@code number} (1 is the first hedge), counted from the start of the attempt before it, in
     * nanoseconds: at least 0, or {@link #NONE}. Called for every call and so no more than a field read where possible. May
     * throw if it runs a user's code.
     */
    long delayNanos(int number);

    /** Whether {@link #completed} and {@link #exceeded} are wanted. A rule that does not learn spares its calls the clock. */
    default boolean learns() {
        return false;
    }

    /**
     * Whether {@link #completed} is to be told how long the primary took. If not, 0 will do, and calls need not look at the clock
     * when they end. May change at any time.
     */
    default boolean wantsLatency() {
        return learns();
    }

    /**
     * The primary succeeded before its call's delay expired.
     *
     * @param latencyNanos what it took, or 0 unless the rule {@linkplain #wantsLatency() wants it}. Anything goes; after a clock's
     *     mishap, also less than 0.
     * @param issuedNanos the delay that the call was issued with: {@link #NONE} if none, 0 if the call has not kept it. More
     *     latency than that means that the delay had expired and the timer had yet to say so.
     */
    default void completed(long latencyNanos, long issuedNanos) {}

    /**
     * The primary has outlasted its call's delay.
     *
     * @param waitedNanos what it has taken until now: the issued delay, or anything that the clock may have added to it.
     *     {@link #NONE} if the call was issued no delay and the time is not at hand, 0 if it was issued one and has not kept it.
     */
    default void exceeded(long waitedNanos) {}

    /**
     * The primary has outlasted its call's deadline, which came before its delay was over or when there was none.
     *
     * @param waitedNanos what it has taken until now: the call's timeout, or anything that the clock may have added to it
     */
    default void timedOut(long waitedNanos) {
        exceeded(waitedNanos);
    }
}
