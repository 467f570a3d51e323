package io.github.hedge4j;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one piece of work going, the newest: search as you type. Safe for many threads; no result is kept once its call has ended.
 *
 * @param <T> the type of the result
 */
public final class LatestWins<T> {

    private final AtomicReference<@Nullable Call<T>> latest = new AtomicReference<>();

    /**
     * Starts {@code work} on this thread after the previous call, if it is still running, has been cancelled and has failed with
     * {@link SupersededException}.
     *
     * @return the work's result, unless a later call supersedes it too
     */
    public CompletableFuture<T> call(Supplier<? extends CompletionStage<? extends T>> work) {
        requireNonNull(work, "work must not be null");
        Call<T> call = Race.single(work);
        CompletionStage<?> unused = call.whenComplete((any, failure) -> latest.compareAndSet(call, null));
        Call<T> previous = latest.getAndSet(call);
        if (previous != null) {
            previous.completeExceptionally(new SupersededException());
        }
        return call.begin();
    }
}
