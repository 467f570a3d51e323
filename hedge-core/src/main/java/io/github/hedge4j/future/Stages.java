package io.github.hedge4j.future;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The three things that are done to a user's stage: listen to it, cancel it, and look at its failure. */
public final class Stages {

    private static final Logger LOG = LoggerFactory.getLogger(Stages.class);

    /** The class of {@code completedStage} and {@code minimalCompletionStage}: futures that refuse to be used as one. */
    private static final Class<?> MINIMAL =
            CompletableFuture.completedStage(null).getClass();

    private Stages() {}

    /**
     * Who is told how a stage ends. A {@link BiFunction} too, because the dependent that {@code whenComplete} makes wraps a failure in an
     * exception of its own, stack trace and all, and the one of {@code handle} does not.
     */
    public interface Listener<T>
            extends BiConsumer<@Nullable T, @Nullable Throwable>,
                    BiFunction<@Nullable T, @Nullable Throwable, @Nullable Void> {

        @Override
        default @Nullable Void apply(@Nullable T value, @Nullable Throwable failure) {
            accept(value, failure);
            return null;
        }
    }

    /** Tells {@code listener} once how {@code stage} ends; a stage that is null or cannot be listened to has failed. */
    public static <T> void listen(
            @Nullable CompletionStage<? extends T> stage, @Nullable Throwable thrown, Listener<T> listener) {
        if (stage == null) {
            listener.accept(null, thrown != null ? thrown : new NullPointerException("the supplier returned null"));
            return;
        }
        try {
            // A user's own stage may only care for whenComplete, which is the usual way to listen.
            CompletionStage<?> unused =
                    stage.getClass() == CompletableFuture.class ? stage.handle(listener) : stage.whenComplete(listener);
        } catch (Throwable refused) {
            listener.accept(null, refused);
        }
    }

    /**
     * Cancels the very object the supplier returned, with {@code true}: the JDK's HttpClient closes its connection only then. A stage that
     * is no {@link Future} is asked for its own; a minimal one of the JDK's cannot be cancelled, nor can its copy do it.
     */
    public static void cancel(CompletionStage<?> stage) {
        if (stage.getClass() == MINIMAL) {
            return;
        }
        try {
            Future<?> future = stage instanceof Future<?> itself ? itself : stage.toCompletableFuture();
            future.cancel(true);
        } catch (Throwable refused) {
            LOG.warn("A stage could not be cancelled", refused);
        }
    }

    /** The failure itself, without the wrapper that dependent stages put around it. */
    public static Throwable unwrap(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure.getClass() == CompletionException.class && cause != null ? cause : failure;
    }

    /** Whether it is known to have ended; of many stages that cannot be asked. */
    public static boolean hasEnded(@Nullable CompletionStage<?> stage) {
        return stage instanceof CompletableFuture<?> future && stage.getClass() != MINIMAL && future.isDone();
    }

    /** As {@link #hasEnded}, and with a result. */
    public static boolean hasSucceeded(@Nullable CompletionStage<?> stage) {
        return hasEnded(stage) && stage instanceof CompletableFuture<?> future && !future.isCompletedExceptionally();
    }
}
