package io.github.hedge4j.time;

/**
 * A clock and the timer that goes by it. Every delay, deadline and latency that a hedge measures comes from one of
 * these, so that replacing it, by a {@link VirtualTimer} for instance, replaces time itself.
 *
 * <p>An implementation is safe for many threads. It runs tasks on a thread of its own choice, possibly one for all of
 * them, so a task must neither block nor run code that might; it hands such work to an executor.
 */
public interface HedgeTimer {

    /**
     * The time now in nanoseconds, from an arbitrary origin as {@link System#nanoTime()} has it. Two times are compared
     * by subtraction, {@code a - b < 0} and not {@code a < b}, since they may overflow. Never blocks.
     */
    long nanoTime();

    /**
     * Runs {@code task} once, as soon as {@code delayNanos} have passed on {@link #nanoTime()} and never earlier,
     * unless it is cancelled before. Never runs it inside this call.
     *
     * @param delayNanos zero or less: due at once; there is no largest delay, but one of more than 146 years may be cut
     *     to that
     * @return the handle that cancels the task
     * @throws NullPointerException if {@code task} is null
     */
    Timeout schedule(Runnable task, long delayNanos);

    /**
     * As {@link #schedule}, for an instant on {@link #nanoTime()} instead of a delay: a caller that knows the time need not read the clock
     * again. By default the clock is read here.
     *
     * @param dueNanos less than 146 years from now; past or present: due at once
     */
    default Timeout scheduleAt(Runnable task, long dueNanos) {
        return schedule(task, dueNanos - nanoTime());
    }

    /**
     * The timer on {@link System#nanoTime()}, the same one for everybody: one daemon thread, {@code hedge-timer}, which
     * starts with the first task that anybody schedules and lives as long as the JVM without keeping it alive. It is
     * exact (no ticks; late by what the operating system takes to wake a thread), and its tasks run one after the
     * other. Scheduling and cancelling take no lock. What is cancelled is let go of at once, task and all; 32 bytes of
     * it stay until the thread next looks, some ten milliseconds while timers come in, and at most as many again as
     * there are live ones. A task that throws is logged and nothing else.
     */
    static HedgeTimer system() {
        return SystemTimer.SHARED;
    }
}
