package io.github.hedge4j.future;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A future that stands for work: ending it from outside, in any of the ways that there are, ends the work. And what it was ended with is
 * told as it is by {@code get} and {@code join}, or at least not lost.
 *
 * @param <T> the type of the result
 */
public abstract class WorkFuture<T> extends CompletableFuture<T> {

    /** For subclasses. */
    protected WorkFuture() {}

    /**
     * Ends the work, unless it has ended, and then runs {@code completion}.
     *
     * @return false if the work had ended, and nothing was done
     */
    protected abstract boolean endFromOutside(Runnable completion);

    /** The work has this result. */
    protected final boolean completeFromInside(@Nullable T value) {
        return super.complete(value);
    }

    /** The work has failed. */
    protected final boolean failFromInside(Throwable failure) {
        return super.completeExceptionally(failure);
    }

    // ---- every way to end the future from outside ends the work

    @Override
    public final boolean complete(@Nullable T value) {
        return endFromOutside(() -> super.complete(value));
    }

    @Override
    public final boolean completeExceptionally(Throwable failure) {
        requireNonNull(failure);
        return endFromOutside(() -> super.completeExceptionally(failure));
    }

    @Override
    public final boolean cancel(boolean mayInterruptIfRunning) {
        return endFromOutside(() -> super.cancel(mayInterruptIfRunning)) || isCancelled();
    }

    @Override
    public final CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
        executor.execute(() -> {
            if (isDone()) {
                return;
            }
            try {
                complete(supplier.get());
            } catch (Throwable failure) {
                completeExceptionally(failure);
            }
        });
        return this;
    }

    @Override
    public final CompletableFuture<T> completeAsync(Supplier<? extends T> supplier) {
        return completeAsync(supplier, defaultExecutor());
    }

    @Override
    public final void obtrudeValue(@Nullable T value) {
        complete(value);
        super.obtrudeValue(value);
    }

    @Override
    public final void obtrudeException(Throwable failure) {
        completeExceptionally(failure);
        super.obtrudeException(failure);
    }

    // ---- from JDK 23 on these throw a CancellationException of their own, around the one that tells why

    /**
     * As specified. If the failure is a {@link CompletionException} with a meaning of its own, it is suppressed in what is thrown: the JDK
     * unwraps it, and the cause is its cause.
     */
    @Override
    public final T get() throws InterruptedException, ExecutionException {
        try {
            return super.get();
        } catch (CancellationException thrown) {
            throw reason(thrown);
        } catch (ExecutionException thrown) {
            throw withWhatWasUnwrapped(thrown);
        }
    }

    /** As {@link #get()}. */
    @Override
    public final T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return super.get(timeout, unit);
        } catch (CancellationException thrown) {
            throw reason(thrown);
        } catch (ExecutionException thrown) {
            throw withWhatWasUnwrapped(thrown);
        }
    }

    @Override
    public final T join() {
        try {
            return super.join();
        } catch (CancellationException thrown) {
            throw reason(thrown);
        }
    }

    @Override
    public final T getNow(@Nullable T valueIfAbsent) {
        try {
            return super.getNow(valueIfAbsent);
        } catch (CancellationException thrown) {
            throw reason(thrown);
        }
    }

    private ExecutionException withWhatWasUnwrapped(ExecutionException thrown) {
        CompletionStage<?> unused = handle((value, failure) -> {
            if (failure instanceof CompletionException && failure.getClass() != CompletionException.class) {
                thrown.addSuppressed(failure);
            }
            return null;
        });
        return thrown;
    }

    private static CancellationException reason(CancellationException thrown) {
        return thrown.getCause() instanceof CancellationException own && own.getClass() != CancellationException.class
                ? own
                : thrown;
    }
}
