package io.github.hedge4j;

/**
 * The one word a {@link Call} is decided on: three counters and a few flags in a {@code long}, so that "the last attempt failed and
 * nothing is to start" and "one more starts" can never both be true.
 *
 * <pre>
 *   started   attempts whose number has been given out          bits  0..16
 *   starting  attempts handed to the executor, no number yet    bits 17..33
 *   finished  attempts that have ended or were given up on      bits 34..50
 * </pre>
 */
final class CallState {

    /** More attempts than this do not fit the counters. */
    static final int MAX_ATTEMPTS = 100_000;

    static final long ONE_STARTED = 1L;
    static final long ONE_STARTING = 1L << 17;
    static final long ONE_FINISHED = 1L << 34;
    private static final long MASK = (1L << 17) - 1;

    /** The deciding write has been made: no attempt starts any more. */
    static final long ENDED = 1L << 51;
    /** The caller's future is complete: what ends from here on looks after its own value and event. */
    static final long CLOSED = 1L << 52;
    /** Losers that are still running are given up on. */
    static final long GRACE_OVER = 1L << 53;
    /** A thread owns the pump. */
    static final long PUMPING = 1L << 54;
    /** Something happened that the pump's owner may have missed. */
    static final long AGAIN = 1L << 55;
    /** The delay before the next attempt has been dealt with; cleared when that attempt's number is claimed or offered. */
    static final long PLANNED = 1L << 56;
    /** The primary ended the call on the short path, without a trail. */
    static final long PRIMARY_ENDED = 1L << 57;
    /** The primary outlived the delay it was issued with. */
    static final long LATE = 1L << 58;
    /** The call was made while its delay was not known. */
    static final long COLD = 1L << 59;
    /** An attempt's failure asked for no further attempts. */
    static final long PUSHBACK = 1L << 60;
    /** There is a trail, or somebody is making one: the short path is closed. */
    static final long TRAILED = 1L << 61;

    /** The primary is being invoked, and its caller's thread owns the pump. */
    static final long NEW = ONE_STARTED | PUMPING;

    private CallState() {}

    static int started(long state) {
        return (int) (state & MASK);
    }

    private static int starting(long state) {
        return (int) (state >>> 17 & MASK);
    }

    private static int finished(long state) {
        return (int) (state >>> 34 & MASK);
    }

    /** The number the next attempt would get if none in transit were lost. */
    static int next(long state) {
        return started(state) + starting(state);
    }

    static boolean isInTransit(long state) {
        return starting(state) > 0;
    }

    static boolean isIdle(long state) {
        return started(state) == finished(state) && starting(state) == 0;
    }

    /** The caller's future is complete and no attempt is left but those that were given up on. */
    static boolean isSettled(long state) {
        return has(state, CLOSED) && started(state) == finished(state);
    }

    static boolean has(long state, long flag) {
        return (state & flag) != 0;
    }
}
