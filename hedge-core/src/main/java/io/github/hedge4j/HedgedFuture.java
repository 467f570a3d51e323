package io.github.hedge4j;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The result of one hedged call: complete as soon as the call has its one result, while {@link #settled()} waits for the losers too.
 *
 * <p>Ending it from outside ({@code cancel}, {@code complete}, {@code completeExceptionally}, {@code orTimeout}, ...) ends the call: its
 * attempts are cancelled, its timers are gone and it is counted as cancelled. It is made by {@link Hedge#start} and {@link Race}.
 *
 * @param <T> the type of the result
 */
public abstract sealed class HedgedFuture<T> extends CompletableFuture<T> permits CallState {

    HedgedFuture() {}

    /**
     * Completes, never exceptionally, when every attempt of this call has really ended or was given up on after
     * {@link HedgeConfig#getLoserGrace() loserGrace}. What the call's request object refers to can be reused from then on if no attempt is
     * {@link AttemptOutcome#UNRESPONSIVE}. Cancelling it has no effect on the call.
     *
     * @return the call's report; dependents run on the thread that ended the last attempt, or on the hedge's executor
     */
    public abstract CompletionStage<CallReport> settled();

    // ---- from JDK 23 on these throw a CancellationException of their own, around the one that tells why

    /**
     * As specified, and an {@link AllAttemptsFailedException} is suppressed in what is thrown: the JDK unwraps it, and the cause is the
     * last failure alone.
     */
    @Override
    public T get() throws InterruptedException, ExecutionException {
        try {
            return super.get();
        } catch (CancellationException thrown) {
            throw reason(thrown);
        } catch (ExecutionException thrown) {
            throw withAllFailures(thrown);
        }
    }

    /** As {@link #get()}. */
    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return super.get(timeout, unit);
        } catch (CancellationException thrown) {
            throw reason(thrown);
        } catch (ExecutionException thrown) {
            throw withAllFailures(thrown);
        }
    }

    @Override
    public T join() {
        try {
            return super.join();
        } catch (CancellationException thrown) {
            throw reason(thrown);
        }
    }

    @Override
    public T getNow(@Nullable T valueIfAbsent) {
        try {
            return super.getNow(valueIfAbsent);
        } catch (CancellationException thrown) {
            throw reason(thrown);
        }
    }

    private ExecutionException withAllFailures(ExecutionException thrown) {
        CompletionStage<T> unused = whenComplete((value, failure) -> {
            if (failure instanceof AllAttemptsFailedException all) {
                thrown.addSuppressed(all);
            }
        });
        return thrown;
    }

    private static CancellationException reason(CancellationException thrown) {
        return thrown.getCause() instanceof CancellationException own && own.getClass() != CancellationException.class
                ? own
                : thrown;
    }
}
