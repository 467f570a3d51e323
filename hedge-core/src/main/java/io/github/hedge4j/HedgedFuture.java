package io.github.hedge4j;

import io.github.hedge4j.future.WorkFuture;
import java.util.concurrent.CompletionStage;

/**
 * The result of one hedged call: complete as soon as the call has its one result, while {@link #settled()} waits for the losers too.
 *
 * <p>Ending it from outside ({@code cancel}, {@code complete}, {@code completeExceptionally}, {@code orTimeout}, ...) ends the call: its
 * attempts are cancelled, its timers are gone and it is counted as cancelled. It is made by {@link Hedge#start} and {@link Race}.
 *
 * @param <T> the type of the result
 */
public abstract sealed class HedgedFuture<T> extends WorkFuture<T> permits CallState {

    HedgedFuture() {}

    /**
     * Completes, never exceptionally, when every attempt of this call has really ended or was given up on after
     * {@link HedgeConfig#getLoserGrace() loserGrace}. What the call's request object refers to can be reused from then on if no attempt is
     * {@link AttemptOutcome#UNRESPONSIVE}. Cancelling it has no effect on the call.
     *
     * @return the call's report; dependents run on the thread that ended the last attempt, or on the hedge's executor
     */
    public abstract CompletionStage<CallReport> settled();
}
