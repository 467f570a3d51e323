package io.github.hedge4j.vavr;

import io.vavr.concurrent.Future;
import io.vavr.control.Try;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A user's Vavr future as the JDK's: it ends as that does, and cancelling it cancels that. */
final class SourceFuture<T> extends CompletableFuture<T> {

    private final Future<? extends T> source;

    private SourceFuture(Future<? extends T> source) {
        this.source = source;
    }

    /** Null for null, which is a failed attempt. */
    static <T> @Nullable SourceFuture<T> of(@Nullable Future<? extends T> source) {
        if (source == null) {
            return null;
        }
        SourceFuture<T> future = new SourceFuture<>(source);
        if (source.isCompleted()) {
            future.end(source.getValue().get()); // here and now: a listener would be called on the source's executor
        } else {
            source.onComplete(future::end);
        }
        return future;
    }

    private void end(Try<? extends T> end) {
        if (end.isSuccess()) {
            complete(end.get());
        } else {
            completeExceptionally(end.getCause());
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        source.cancel(mayInterruptIfRunning);
        return super.cancel(mayInterruptIfRunning);
    }
}
