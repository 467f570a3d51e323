package io.github.hedge4j.vavr;

import io.github.hedge4j.Attempt;
import io.vavr.concurrent.Future;
import io.vavr.control.Try;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A user's Vavr future as the JDK's: it ends as that does, and cancelling it cancels that. What Vavr's future only tells, on its executor,
 * when this one has been cancelled is discarded.
 */
final class SourceFuture<T> extends CompletableFuture<T> {

    private final Future<? extends T> source;

    /** Whose source it is; known if it was running. */
    private @Nullable Attempt attempt;

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
            future.attempt = Attempt.current().orElse(null);
            source.onComplete(future::end);
        }
        return future;
    }

    private void end(Try<? extends T> end) {
        if (end.isFailure()) {
            completeExceptionally(end.getCause());
        } else if (!complete(end.get()) && attempt != null && end.get() != null) {
            attempt.discard(end.get());
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        source.cancel(mayInterruptIfRunning);
        return super.cancel(mayInterruptIfRunning);
    }
}
