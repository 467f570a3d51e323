package io.github.hedge4j;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The one word a {@link Call} is decided on, and every way in which it changes: three counters and a few flags in a {@code long}, so
 * that "the last attempt failed and nothing is to start" and "one more starts" can never both be true.
 *
 * <pre>
 *   started   attempts whose number has been given out          bits  0..16
 *   starting  attempts handed to the executor, no number yet    bits 17..33
 *   finished  attempts that have ended or were given up on      bits 34..50
 * </pre>
 */
abstract sealed class CallState<T> extends HedgedFuture<T> permits Call {

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

    /** Instead of a number: the call has ended. */
    static final int TOO_LATE = -1;

    /** Instead of a number: no further attempt starts in this call. */
    static final int STOPPED = -2;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(CallState.class, "state", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Read and written through {@link #STATE}: a volatile field would cost every call a fence in the constructor. */
    @SuppressWarnings("unused")
    private long state = NEW;

    final long state() {
        return (long) STATE.getVolatile(this);
    }

    // ---- reading a state

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

    // ---- starting attempts

    /** Gives out this number, if it is the next one and attempts may still start. */
    final boolean claim(int number) {
        for (; ; ) {
            long s = state();
            if (has(s, ENDED | PUSHBACK) || next(s) != number) {
                return false;
            }
            if (STATE.compareAndSet(this, s, (s + ONE_STARTED) & ~PLANNED)) {
                return true;
            }
        }
    }

    /** Lets an attempt go to its executor, if this is the next number. */
    final boolean send(int number) {
        for (; ; ) {
            long s = state();
            if (has(s, ENDED) || next(s) != number) {
                return false;
            }
            if (STATE.compareAndSet(this, s, (s + ONE_STARTING) & ~PLANNED)) {
                return true;
            }
        }
    }

    /** An attempt in transit has arrived: its number, {@link #TOO_LATE} or {@link #STOPPED}. */
    final int arrive() {
        for (; ; ) {
            long s = state();
            if (has(s, ENDED)) {
                return TOO_LATE;
            }
            if (has(s, PUSHBACK)) {
                return STOPPED;
            }
            if (STATE.compareAndSet(this, s, s - ONE_STARTING + ONE_STARTED)) {
                return started(s);
            }
        }
    }

    /** An attempt in transit does not start. */
    final void turnBack() {
        STATE.getAndAdd(this, -ONE_STARTING);
    }

    // ---- owning the pump

    /** True for a thread that owns it from now on; otherwise its owner will look again, or there is nothing to do any more. */
    final boolean takePump() {
        for (; ; ) {
            long s = state();
            if (has(s, ENDED)) {
                return false;
            }
            if (STATE.compareAndSet(this, s, s | (has(s, PUMPING) ? AGAIN : PUMPING))) {
                return !has(s, PUMPING);
            }
        }
    }

    /** False if something has happened since {@code s} was seen: then the owner stays and looks again. */
    final boolean leavePump(long s, boolean planned) {
        long left = has(s, AGAIN) ? s & ~AGAIN : s & ~PUMPING;
        return STATE.compareAndSet(this, s, planned ? left | PLANNED : left) && !has(s, AGAIN);
    }

    // ---- ending

    /** The one deciding write. True for the one thread that made it; {@code finished} is counted by the same write. */
    final boolean decide(long finished) {
        for (; ; ) {
            long s = state();
            if (has(s, ENDED)) {
                return false;
            }
            if (STATE.compareAndSet(this, s, (s | ENDED) + finished)) {
                return true;
            }
        }
    }

    /** The same, if nothing has happened since {@code s} was seen. */
    final boolean decideIf(long s) {
        return STATE.compareAndSet(this, s, s | ENDED);
    }

    /**
     * The same for the short path, which knows of nothing but the primary. A trail may come about at any time, with a hedge that would
     * run on, or with a second thread that has another end of the same primary to tell; so it leaves its mark in the deciding word.
     */
    final boolean decideAlone() {
        for (; ; ) {
            long s = state();
            if (has(s, ENDED | TRAILED)) {
                return false;
            }
            if (STATE.compareAndSet(this, s, (s | ENDED | CLOSED | PRIMARY_ENDED) + ONE_FINISHED)) {
                return true;
            }
        }
    }

    /** Counts an attempt that has ended or is given up on; the new state. */
    final long addFinished() {
        return (long) STATE.getAndAdd(this, ONE_FINISHED) + ONE_FINISHED;
    }

    /** Sets a flag for good; the state before. */
    final long raise(long flag) {
        return (long) STATE.getAndBitwiseOr(this, flag);
    }
}
