package io.github.hedge4j.benchmarks;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** How late tasks run that are due in 20 ms: a program that asks two timers by turns, one task a millisecond. */
public final class Lateness {

    private static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Timers[] ASKED = {Timers.HEDGE, Timers.POOL_REMOVING};

    private Lateness() {}

    /**
     * The arguments are the number of rounds and of tasks in each. Prints the timer's name, its p50 and its p99 in nanoseconds, for each
     * round and timer.
     */
    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        int tasks = Integer.parseInt(args[1]);
        Timers.Timer<?>[] timers = {ASKED[0].open(), ASKED[1].open()};
        measure(timers, tasks); // the first round warms up
        for (int round = 0; round < rounds; round++) {
            long[][] lateNanos = measure(timers, tasks);
            for (int i = 0; i < timers.length; i++) {
                Arrays.sort(lateNanos[i]);
                System.out.printf(
                        Locale.ROOT,
                        "%s %d %d%n",
                        ASKED[i],
                        lateNanos[i][tasks / 2],
                        lateNanos[i][(int) (tasks * 0.99)]);
            }
        }
    }

    private static long[][] measure(Timers.Timer<?>[] timers, int tasks) throws InterruptedException {
        long[][] lateNanos = new long[timers.length][tasks];
        CountDownLatch running = new CountDownLatch(timers.length * tasks);
        for (int task = 0; task < tasks; task++) {
            for (int i = 0; i < timers.length; i++) {
                long[] late = lateNanos[i];
                int number = task;
                long dueNanos = System.nanoTime() + DELAY_NANOS;
                timers[i].schedule(
                        () -> {
                            late[number] = System.nanoTime() - dueNanos;
                            running.countDown();
                        },
                        DELAY_NANOS);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        running.await();
        return lateNanos;
    }
}
