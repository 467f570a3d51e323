package io.github.hedge4j;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The three things that are done to a user's stage: listen to it, cancel it, and look at its failure. */
final class Stages {

    private static final Logger LOG = LoggerFactory.getLogger(Stages.class);

    private Stages() {}

    /** Tells {@code listener} once how {@code stage} ends; a stage that is null or cannot be listened to has failed. */
    static <T> void listen(
            @Nullable CompletionStage<? extends T> stage,
            @Nullable Throwable thrown,
            BiConsumer<@Nullable T, @Nullable Throwable> listener) {
        if (stage == null) {
            listener.accept(null, thrown != null ? thrown : new NullPointerException("the supplier returned null"));
            return;
        }
        try {
            CompletionStage<?> unused = stage.whenComplete(listener);
        } catch (Throwable refused) {
            listener.accept(null, refused);
        }
    }

    /**
     * Cancels the very object the supplier returned, with {@code true}: the JDK's HttpClient closes its connection only then. A stage that
     * is no {@link Future} is asked for its own.
     */
    static void cancel(CompletionStage<?> stage) {
        try {
            Future<?> future = stage instanceof Future<?> itself ? itself : stage.toCompletableFuture();
            future.cancel(true);
        } catch (Throwable refused) {
            LOG.warn("A losing attempt could not be cancelled", refused);
        }
    }

    /** The failure itself, without the wrapper that dependent stages put around it. */
    static Throwable unwrap(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure.getClass() == CompletionException.class && cause != null ? cause : failure;
    }

    static boolean isSuccess(CompletableFuture<?> future) {
        return future.isDone() && !future.isCompletedExceptionally();
    }
}
