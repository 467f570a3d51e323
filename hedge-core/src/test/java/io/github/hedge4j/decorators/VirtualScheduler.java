package io.github.hedge4j.decorators;

import io.github.hedge4j.time.Timeout;
import io.github.hedge4j.time.VirtualTimer;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A scheduler on virtual time: its tasks run on the thread that advances the timer, and are among what the timer has pending. */
final class VirtualScheduler extends AbstractExecutorService implements ScheduledExecutorService {

    private final VirtualTimer timer;
    private boolean refusing;

    VirtualScheduler(VirtualTimer timer) {
        this.timer = timer;
    }

    /** From now on it refuses every task. */
    void refuse() {
        refusing = true;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return schedule(
                () -> {
                    task.run();
                    return null;
                },
                delay,
                unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        if (refusing) {
            throw new RejectedExecutionException("shut down");
        }
        return new Entry<>(task, unit.toNanos(delay));
    }

    private final class Entry<V> extends FutureTask<V> implements ScheduledFuture<V> {

        private final Timeout timeout;

        Entry(Callable<V> task, long delayNanos) {
            super(task);
            timeout = timer.schedule(this, delayNanos);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            timeout.cancel();
            return super.cancel(mayInterruptIfRunning);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int compareTo(Delayed other) {
            throw new UnsupportedOperationException();
        }
    }

    @Override
    public void execute(Runnable task) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void shutdown() {
        refuse();
    }

    @Override
    public List<Runnable> shutdownNow() {
        refuse();
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return refusing;
    }

    @Override
    public boolean isTerminated() {
        return refusing;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return refusing;
    }
}
