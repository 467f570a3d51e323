package io.github.hedge4j.decorators;

import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Puts something else in the place of what its source came to; not of a call that is ended from outside. */
final class FallbackStage<T> extends Around<T> {

    /** What to return instead of this result or failure, of which one is there; or what to throw. */
    @FunctionalInterface
    interface Handler<T> {
        @Nullable
        T instead(@Nullable T value, @Nullable Throwable failure) throws Throwable;
    }

    private final Handler<T> handler;

    FallbackStage(Handler<T> handler) {
        this.handler = handler;
    }

    static <T> Handler<T> ofResult(Predicate<? super T> predicate, UnaryOperator<T> handler) {
        return (value, failure) -> {
            if (failure != null) {
                throw failure;
            }
            return predicate.test(value) ? handler.apply(value) : value;
        };
    }

    /** For failures of certain types only. */
    static <T> Handler<T> ofFailure(
            List<? extends Class<? extends Throwable>> types, Function<? super Throwable, ? extends T> handler) {
        return (value, failure) -> {
            if (failure == null) {
                return value;
            }
            if (isAny(types, failure)) {
                return handler.apply(failure);
            }
            Throwable cause = causeOf(failure);
            if (cause != null && isAny(types, cause)) {
                return handler.apply(cause);
            }
            throw failure;
        };
    }

    private static boolean isAny(List<? extends Class<? extends Throwable>> types, Throwable failure) {
        return types.stream().anyMatch(type -> type.isInstance(failure));
    }

    /** What Resilience4j looks through to, in its predicates on exceptions too. */
    private static @Nullable Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException || failure instanceof ExecutionException
                ? failure.getCause()
                : null;
    }

    @Override
    void sourceEnded(@Nullable T value, @Nullable Throwable failure) {
        if (isEnded()) {
            discard(value);
            return;
        }
        T instead;
        try {
            instead = handler.instead(value, failure);
        } catch (Throwable thrown) {
            end(null, thrown);
            return;
        }
        end(instead, null);
    }
}
