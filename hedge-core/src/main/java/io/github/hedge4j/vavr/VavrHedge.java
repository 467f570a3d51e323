package io.github.hedge4j.vavr;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeConfig;
import io.vavr.Function1;
import io.vavr.concurrent.Future;
import io.vavr.control.Try;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hedged calls in Vavr's types. Failures in a {@link Try} are what the call failed with, as they are; the few that Vavr calls fatal and
 * refuses to hold (an {@link InterruptedException}, a {@link LinkageError}, a {@link VirtualMachineError}) come as the cause of a
 * {@link CompletionException}.
 */
public final class VavrHedge {

    private VavrHedge() {}

    /** {@link Hedge#decorator()} as a Vavr function, for {@code andThen} and {@code compose}. */
    public static <T> Function1<Supplier<CompletionStage<T>>, Supplier<CompletionStage<T>>> decorator(Hedge hedge) {
        requireNonNull(hedge, "hedge must not be null");
        return hedge::decorateCompletionStage;
    }

    /**
     * A supplier whose every {@code get()} is one hedged call of this supplier of Vavr's futures. A loser's future is cancelled with
     * {@code true}; so is every attempt's when the returned future is cancelled, or given up on by an {@code await} that times out or is
     * interrupted, which by Vavr's rules completes it.
     *
     * <p>What cancelling a future does is Vavr's business: it completes as cancelled and the thread that computes it is interrupted, but
     * what is still queued is computed all the same. A future tells its end on its own executor, and if that refuses, it tells nobody.
     * The returned future runs what depends on it on the hedge's {@link HedgeConfig#getExecutor()}, which is also its
     * {@link Future#executor()}.
     */
    public static <T> Supplier<Future<T>> decorateFuture(
            Hedge hedge, Supplier<? extends Future<? extends T>> supplier) {
        requireNonNull(supplier, "supplier must not be null");
        Supplier<CompletionStage<T>> calls = hedge.decorateCompletionStage(() -> SourceFuture.<T>of(supplier.get()));
        return () -> {
            Executor executor = hedge.getHedgeConfig().getExecutor();
            return new CallFuture<>(calls.get().toCompletableFuture(), executor);
        };
    }

    /**
     * Makes one hedged call of this supplier, whose failure is a result like any other. The stage ends exceptionally only if it is ended from outside
     * (cancelled, say). However it is, the call's attempts are cancelled then.
     */
    public static <T> CompletionStage<Try<T>> executeTry(
            Hedge hedge, Supplier<? extends CompletionStage<? extends T>> supplier) {
        CompletableFuture<T> call = hedge.<T>executeCompletionStage(supplier).toCompletableFuture();
        CompletableFuture<Try<T>> result = new CompletableFuture<>();
        CompletionStage<?> unused = call.handle((value, failure) -> {
            if (!result.complete(toTry(value, failure)) && value != null) {
                hedge.discard(value); // the caller was gone by then
            }
            return null;
        });
        CompletionStage<?> unusedToo = result.whenComplete((value, failure) -> call.cancel(true));
        return result;
    }

    static <T> Try<T> toTry(T value, @Nullable Throwable failure) {
        return failure == null ? Try.success(value) : failed(failure);
    }

    private static <T> Try<T> failed(Throwable failure) {
        try {
            return Try.failure(failure);
        } catch (Throwable fatal) {
            return Try.failure(new CompletionException(failure));
        }
    }
}
