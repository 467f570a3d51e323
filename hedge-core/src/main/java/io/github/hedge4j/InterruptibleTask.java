package io.github.hedge4j;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Blocking work of one attempt, as the task its executor runs and as the stage the attempt listens to.
 *
 * <pre>
 *   null (queued) ----> the running thread ----> LEFT
 *      |                        |
 *      v                        v
 *   CANCELLED             INTERRUPTING ----> INTERRUPTED
 * </pre>
 *
 * {@code occupant} makes all these steps; the write that leaves null decides whether the work runs at all. Cancelling queued work
 * completes the stage at once; cancelling running work only interrupts its thread, and the stage completes when the thread has really
 * left the callable: that is what makes {@code settled()} true. The thread does not leave before a begun interrupt has arrived, and
 * clears it, so that no interrupt reaches whatever the pool's thread does next.
 */
final class InterruptibleTask<T> extends CompletableFuture<T> implements Runnable {

    private static final Object LEFT = new Object();
    private static final Object CANCELLED = new Object();
    private static final Object INTERRUPTING = new Object();
    private static final Object INTERRUPTED = new Object();

    private static final VarHandle OCCUPANT;

    static {
        try {
            OCCUPANT = MethodHandles.lookup().findVarHandle(InterruptibleTask.class, "occupant", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Callable<? extends T> callable;
    private final CallAttempt<T> attempt;

    /** Written through {@link #OCCUPANT} only. */
    private volatile @Nullable Object occupant;

    InterruptibleTask(Callable<? extends T> callable, CallAttempt<T> attempt) {
        this.callable = callable;
        this.attempt = attempt;
    }

    @Override
    public void run() {
        Thread thread = Thread.currentThread();
        if (!OCCUPANT.compareAndSet(this, null, thread)) {
            return; // lost while it was queued
        }
        T result = null;
        Throwable failure = null;
        try {
            result = attempt.callInContext(callable);
        } catch (Throwable thrown) {
            failure = thrown;
        }
        leave(thread);
        if (failure == null) {
            complete(result);
        } else {
            completeExceptionally(failure);
        }
    }

    private void leave(Thread thread) {
        if (OCCUPANT.compareAndSet(this, thread, LEFT)) {
            return;
        }
        while (occupant == INTERRUPTING) {
            Thread.onSpinWait();
        }
        Thread.interrupted();
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (OCCUPANT.compareAndSet(this, null, CANCELLED)) {
            return super.cancel(mayInterruptIfRunning);
        }
        if (mayInterruptIfRunning
                && occupant instanceof Thread thread
                && OCCUPANT.compareAndSet(this, thread, INTERRUPTING)) {
            try {
                thread.interrupt();
            } finally { // it closes the channel the thread blocks on, which may throw, and the thread waits for this
                occupant = INTERRUPTED;
            }
            return true;
        }
        return false;
    }
}
