package io.github.hedge4j.time;

import java.time.Duration;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A timer whose time stands still until it is advanced, for tests and simulations. Tasks run on the thread that
 * advances, in this order: by due time; at one instant an {@link Expiry} after everything else; then as they were
 * scheduled. While a task runs, {@link #nanoTime()} is exactly its due time.
 *
 * <pre>{@code
 * VirtualTimer timer = new VirtualTimer();
 * timer.schedule(() -> trail.add("at " + timer.nanoTime()), 50_000_000);
 *
 * timer.advance(Duration.ofMillis(70));   // trail: "at 50000000"; and timer.nanoTime() == 70_000_000
 * }</pre>
 *
 * <p>Safe for many threads, and no lock is held while a task runs. A task may schedule, cancel and advance: an advance
 * within an advance runs what is due until its own end, and the outer one goes on from there. Advances by several
 * threads at once overlap rather than add up, and share the tasks; whoever wants one timeline advances on one thread.
 *
 * <p>An exception that a task throws comes out of the advance that ran the task. Time then stands at that task's due
 * time, and the tasks behind it wait for the next advance.
 *
 * <p>Scheduling and running take time logarithmic in the number of tasks, cancelling takes constant time on average.
 */
public final class VirtualTimer implements HedgeTimer {

    private static final long LONGEST_DELAY = Long.MAX_VALUE / 2;
    private static final Duration LONGEST_DURATION = Duration.ofNanos(LONGEST_DELAY);
    private static final int ALWAYS_TOLERATED = 64;

    private final PriorityQueue<Entry> queue = new PriorityQueue<>();

    // Written under the lock, which is the queue's monitor; only the time is read without.
    private volatile long nowNanos;
    private long scheduled;
    private int live; // entries in the queue that have their task; the others were cancelled

    /** A timer whose time begins at zero. */
    public VirtualTimer() {
        this(0);
    }

    /**
     * A timer whose time begins at {@code startNanos}. Starting shortly before {@link Long#MAX_VALUE} shows whether
     * times are compared by subtraction, as {@link #nanoTime()} demands.
     */
    public VirtualTimer(long startNanos) {
        nowNanos = startNanos;
    }

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    /**
     * {@inheritDoc}
     *
     * <p>What is due at once waits for the next advance too, if only by {@link Duration#ZERO}.
     */
    @Override
    public Timeout schedule(Runnable task, long delayNanos) {
        Objects.requireNonNull(task, "task must not be null");
        long cappedNanos = Math.min(Math.max(delayNanos, 0), LONGEST_DELAY);
        synchronized (queue) {
            Entry entry = new Entry(task, nowNanos + cappedNanos, scheduled++);
            queue.add(entry);
            live++;
            return entry;
        }
    }

    /**
     * Moves time on by {@code duration}, from one due time to the next, and runs all tasks that are due until then,
     * those included that are scheduled meanwhile.
     *
     * @param duration zero runs what is due now; one of more than 146 years is cut to that
     * @throws IllegalArgumentException if {@code duration} is negative
     * @throws NullPointerException if {@code duration} is null
     */
    public void advance(Duration duration) {
        Objects.requireNonNull(duration, "duration must not be null");
        if (duration.isNegative()) {
            throw new IllegalArgumentException("duration must be >= 0, but was " + duration);
        }
        long nanos = duration.compareTo(LONGEST_DURATION) < 0 ? duration.toNanos() : LONGEST_DELAY;
        advanceTo(nowNanos + nanos);
    }

    /**
     * Moves time on to the next instant at which a task is due, and runs all tasks that are due then, those included
     * that are scheduled for the same instant meanwhile. A loop over this runs a simulation to its end.
     *
     * @return false if nothing was pending, and time did not move
     */
    public boolean advanceToNext() {
        long nextNanos;
        synchronized (queue) {
            Entry next = first();
            if (next == null) {
                return false;
            }
            nextNanos = next.dueNanos;
        }
        advanceTo(nextNanos);
        return true;
    }

    /** The number of tasks that have neither begun nor been cancelled. */
    public int pending() {
        synchronized (queue) {
            return live;
        }
    }

    /** How many entries the queue holds, pending or cancelled. */
    int queued() {
        synchronized (queue) {
            return queue.size();
        }
    }

    private void advanceTo(long targetNanos) {
        Runnable task = next(targetNanos);
        while (task != null) {
            task.run();
            task = next(targetNanos);
        }
    }

    /**
     * The next task that is due by {@code targetNanos}, with time moved on to its due time; null, and time at the
     * target, if none is.
     */
    private @Nullable Runnable next(long targetNanos) {
        synchronized (queue) {
            Entry next = first();
            if (next == null || next.dueNanos - targetNanos > 0) {
                moveOnTo(targetNanos);
                return null;
            }
            queue.remove();
            moveOnTo(next.dueNanos);
            return next.take();
        }
    }

    /** The first live entry; the cancelled ones before it leave the queue. */
    private @Nullable Entry first() {
        Entry first = queue.peek();
        while (first != null && first.task == null) {
            queue.remove();
            first = queue.peek();
        }
        return first;
    }

    // Never back: an advance within this one, or on another thread, may have gone further.
    private void moveOnTo(long nanos) {
        if (nanos - nowNanos > 0) {
            nowNanos = nanos;
        }
    }

    private void sweep() {
        int cancelled = queue.size() - live;
        if (cancelled > ALWAYS_TOLERATED && cancelled > live) {
            queue.removeIf(entry -> entry.task == null);
        }
    }

    /** For reading in a failed test: the time and the number of pending tasks. */
    @Override
    public String toString() {
        return "VirtualTimer[nanoTime=" + nowNanos + ", pending=" + pending() + "]";
    }

    private final class Entry implements Timeout, Comparable<Entry> {
        private final long dueNanos;
        private final long number;
        private final boolean expiry;
        private @Nullable Runnable task; // guarded by the queue's monitor

        Entry(Runnable task, long dueNanos, long number) {
            this.task = task;
            this.dueNanos = dueNanos;
            this.number = number;
            this.expiry = task instanceof Expiry;
        }

        @Override
        public int compareTo(Entry other) {
            if (dueNanos != other.dueNanos) {
                return dueNanos - other.dueNanos < 0 ? -1 : 1;
            }
            return expiry == other.expiry ? Long.compare(number, other.number) : Boolean.compare(expiry, other.expiry);
        }

        @Override
        public boolean cancel() {
            synchronized (queue) {
                if (task == null) {
                    return false;
                }
                take();
                sweep();
                return true;
            }
        }

        private @Nullable Runnable take() {
            Runnable taken = task;
            task = null;
            live--;
            return taken;
        }
    }
}
