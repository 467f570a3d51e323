package io.github.hedge4j.benchmarks;

import io.github.hedge4j.time.HedgeTimer;
import io.github.hedge4j.time.Timeout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What can call back after a while. */
public enum Timers {
    HEDGE("HedgeTimer.system()", Ours::new),
    POOL_REMOVING("ScheduledThreadPoolExecutor, removeOnCancel", () -> new Pool(true)),
    POOL("ScheduledThreadPoolExecutor", () -> new Pool(false)),
    OR_TIMEOUT("CompletableFuture.orTimeout", OrTimeout::new);

    private final String label;
    private final Supplier<Timer<?>> opening;

    Timers(String label, Supplier<Timer<?>> opening) {
        this.label = label;
        this.opening = opening;
    }

    public String label() {
        return label;
    }

    Timer<?> open() {
        return opening.get();
    }

    /** @param <H> what a scheduled task is cancelled by */
    interface Timer<H> {

        H schedule(Runnable task, long nanos);

        void cancel(H handle);

        default void scheduleAndCancel(Runnable task, long nanos) {
            cancel(schedule(task, nanos));
        }
    }

    private static final class Ours implements Timer<Timeout> {

        private final HedgeTimer timer = HedgeTimer.system();

        @Override
        public Timeout schedule(Runnable task, long nanos) {
            return timer.schedule(task, nanos);
        }

        @Override
        public void cancel(Timeout handle) {
            handle.cancel();
        }
    }

    private static final class Pool implements Timer<Future<?>> {

        private final ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "pool");
            thread.setDaemon(true);
            return thread;
        });

        Pool(boolean removeOnCancel) {
            pool.setRemoveOnCancelPolicy(removeOnCancel);
        }

        @Override
        public Future<?> schedule(Runnable task, long nanos) {
            return pool.schedule(task, nanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public void cancel(Future<?> handle) {
            handle.cancel(false);
        }
    }

    /** Its task is fixed: to fail the future. */
    private static final class OrTimeout implements Timer<CompletableFuture<Void>> {

        @Override
        public CompletableFuture<Void> schedule(Runnable task, long nanos) {
            return new CompletableFuture<Void>().orTimeout(nanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public void cancel(CompletableFuture<Void> handle) {
            handle.complete(null);
        }
    }
}
