package io.github.hedge4j;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.future.Stages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A supplier whose stages are handed, while they run, to the attempt that this thread is inside of. Holds nothing itself. */
final class Cancellable<T> implements Supplier<CompletionStage<T>> {

    private final Supplier<? extends CompletionStage<? extends T>> source;

    Cancellable(Supplier<? extends CompletionStage<? extends T>> source) {
        this.source = requireNonNull(source, "source must not be null");
    }

    @Override
    public CompletionStage<T> get() {
        if (CurrentAttempt.isCancelled()) {
            return cancelled();
        }
        CompletionStage<? extends T> stage = source.get();
        if (mayBeRunning(stage)) {
            CurrentAttempt.own(stage);
        }
        return covariant(stage);
    }

    /** Null is for the attempt to deal with, and what has ended need not be cancelled. */
    private static boolean mayBeRunning(@Nullable CompletionStage<?> stage) {
        return stage != null && !Stages.hasEnded(stage);
    }

    private static <T> CompletionStage<T> cancelled() {
        CompletableFuture<T> cancelled = new CompletableFuture<>();
        cancelled.cancel(true);
        return cancelled;
    }

    @SuppressWarnings("unchecked") // a stage only produces its value
    private static <T> CompletionStage<T> covariant(CompletionStage<? extends T> stage) {
        return (CompletionStage<T>) stage;
    }
}
