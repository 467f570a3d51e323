package io.github.hedge4j;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for other threads, never for long and never for a certain time. */
final class Threads {

    private static final long PATIENCE_SECONDS = 20;

    private Threads() {}

    static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE_SECONDS, SECONDS))
                    .as("latch opened")
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    static void awaitEnd(CompletableFuture<?> future) {
        try {
            future.handle((value, failure) -> value).get(PATIENCE_SECONDS, SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("did not end", e);
        }
    }

    /** Waits for what another thread is about to do, where nothing tells when it has. */
    static void until(BooleanSupplier condition) {
        long start = System.nanoTime();
        for (int turn = 1; !condition.getAsBoolean(); turn++) {
            pause(turn);
            if (System.nanoTime() - start > SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new AssertionError("waited for another thread for too long");
            }
        }
    }

    /** Spins at first, for what happens at once, and then lets others have the processor. */
    static void pause(int turn) {
        if (turn % 1000 == 0) {
            LockSupport.parkNanos(1);
        } else {
            Thread.onSpinWait();
        }
    }

    /** Runs this on another thread and waits for it: a lock that this thread holds, and the action needs, fails the test. */
    static void elsewhere(Runnable action) {
        var done = new CompletableFuture<Void>();
        var thread = new Thread(
                () -> {
                    try {
                        action.run();
                        done.complete(null);
                    } catch (Throwable e) {
                        done.completeExceptionally(e);
                    }
                },
                "elsewhere");
        thread.setDaemon(true);
        thread.start();
        try {
            done.get(PATIENCE_SECONDS, SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("could not be done on another thread meanwhile", e);
        }
    }

    static void end(ExecutorService executor) throws InterruptedException {
        executor.shutdownNow();
        assertThat(executor.awaitTermination(PATIENCE_SECONDS, SECONDS))
                .as("executor terminated")
                .isTrue();
    }
}
