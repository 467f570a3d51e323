package io.github.hedge4j.decorators;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A task that a user's scheduler runs once, unless it is taken back before: then the scheduler has nothing left of it. A cancelled task
 * would stay in a {@link ScheduledThreadPoolExecutor}'s queue until it is due, so it is removed; where that cannot be done, what stays
 * refers to nothing.
 */
final class Alarm implements Runnable {

    private final AtomicReference<@Nullable Runnable> task;

    /** Written by {@link #set}, which looks afterwards whether the task has been taken back meanwhile. */
    private volatile @Nullable Future<?> entry;

    private volatile @Nullable ScheduledExecutorService scheduler;

    Alarm(Runnable task) {
        this.task = new AtomicReference<>(task);
    }

    void set(ScheduledExecutorService scheduler, long delay, TimeUnit unit) {
        this.scheduler = scheduler;
        entry = scheduler.schedule(this, delay, unit);
        if (task.get() == null) {
            remove();
        }
    }

    @Override
    public void run() {
        Runnable due = task.getAndSet(null);
        if (due != null) {
            due.run();
        }
    }

    void cancel() {
        if (task.getAndSet(null) != null) {
            remove();
        }
    }

    private void remove() {
        Future<?> scheduled = entry;
        if (scheduled != null) {
            scheduled.cancel(false);
            if (scheduler instanceof ScheduledThreadPoolExecutor pool && scheduled instanceof Runnable queued) {
                pool.remove(queued);
            }
        }
    }
}
