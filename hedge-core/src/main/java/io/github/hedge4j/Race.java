package io.github.hedge4j;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.budget.TokenBalance;
import io.github.hedge4j.delay.DelayRule;
import io.github.hedge4j.future.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The first success of several equivalent pieces of work, without a policy: all start at once, a failure never wins while another racer
 * may still succeed, losers are cancelled and every failure is kept. For all but latency at any price use a {@link Hedge}: a race
 * multiplies the load.
 *
 * <p>Racers are started on the caller's thread, in order, until one has succeeded; so they must not block. Deadlines complete and cancel
 * actions run on {@link CompletableFuture}'s default executor.
 */
public final class Race {

    /** Makes all races' calls; its name is what their exceptions and reports carry. */
    private static final StandardHedge HEDGE = new StandardHedge("race", HedgeConfig.racing(1), Map.of());

    private static final DelayRule AT_ONCE = DelayRule.fixed(0);

    private Race() {}

    /**
     * Starts all racers.
     *
     * @return the first success; if all fail, the failure of the only one or an {@link AllAttemptsFailedException} with all of them
     * @throws IllegalArgumentException if there are no racers
     */
    public static <T> HedgedFuture<T> firstSuccess(
            Collection<? extends Supplier<? extends CompletionStage<? extends T>>> racers) {
        return call(Work.<T>inTurn(copy("racers", racers)), racers.size(), null).begin();
    }

    /** As {@link #firstSuccess(Collection)}; fails with {@link HedgeTimeoutException} after {@code timeout}, which must be positive. */
    public static <T> HedgedFuture<T> firstSuccess(
            Collection<? extends Supplier<? extends CompletionStage<? extends T>>> racers, Duration timeout) {
        requireNonNull(timeout, "timeout must not be null");
        return call(Work.<T>inTurn(copy("racers", racers)), racers.size(), timeout)
                .begin();
    }

    /**
     * As {@link #firstSuccess(Collection, Duration)} for work that runs already. Whatever is still running when the race is over is
     * cancelled, also if it was over before all of it had been looked at.
     */
    public static <T> HedgedFuture<T> firstSuccessOf(
            Collection<? extends CompletionStage<? extends T>> running, Duration timeout) {
        requireNonNull(timeout, "timeout must not be null");
        List<Running<T>> racers = new ArrayList<>();
        copy("running", running).forEach(stage -> racers.add(new Running<>(stage)));
        Call<T> call = Race.<T>call(Work.inTurn(racers), racers.size(), timeout).begin();
        racers.forEach(Running::cancelUnlessStarted);
        return call;
    }

    /** Work that runs already, as a racer. Read and written by the thread that starts the race. */
    private static final class Running<T> implements Supplier<CompletionStage<? extends T>> {

        private final CompletionStage<? extends T> stage;
        private boolean started;

        Running(CompletionStage<? extends T> stage) {
            this.stage = stage;
        }

        @Override
        public CompletionStage<? extends T> get() {
            started = true;
            return stage;
        }

        /** The call knows nothing of work that it did not start: neither would it cancel that. */
        void cancelUnlessStarted() {
            if (!started) {
                Stages.cancel(stage);
            }
        }
    }

    /**
     * Runs {@code work} until {@code stop} completes, in whatever way: then the work is cancelled and the future fails with
     * {@link StoppedException}. Work is not started if the signal has completed already. Nothing stays registered on a
     * {@link CompletableFuture} used as signal once the work has ended, so a signal may live as long as the process.
     */
    public static <T> HedgedFuture<T> unlessStopped(
            CompletionStage<?> stop, Supplier<? extends CompletionStage<? extends T>> work) {
        requireNonNull(stop, "stop must not be null");
        requireNonNull(work, "work must not be null");
        Call<T> call = single(work);
        CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
        // Of all the JDK's dependents only those of anyOf are removed from a source when another source is done.
        CompletableFuture<?> either = CompletableFuture.anyOf(future(stop), ended);
        CompletionStage<?> unusedStop = either.whenComplete((any, failure) -> {
            if (!ended.isDone()) {
                call.completeExceptionally(new StoppedException(failure == null ? null : Stages.unwrap(failure)));
            }
        });
        CompletionStage<?> unusedEnd = call.whenComplete((any, failure) -> ended.complete(null));
        return call.begin();
    }

    /** The stage's own future, or one that follows it if it gives none. */
    private static CompletableFuture<?> future(CompletionStage<?> stop) {
        try {
            return stop.toCompletableFuture();
        } catch (UnsupportedOperationException none) {
            CompletableFuture<@Nullable Void> following = new CompletableFuture<>();
            CompletionStage<?> unused = stop.whenComplete((any, failure) -> {
                if (failure == null) {
                    following.complete(null);
                } else {
                    following.completeExceptionally(failure);
                }
            });
            return following;
        }
    }

    /** A call of one attempt that has not begun. */
    static <T> Call<T> single(Supplier<? extends CompletionStage<? extends T>> work) {
        return call(Work.of(work), 1, null);
    }

    private static <T> Call<T> call(Work<T> work, int racers, @Nullable Duration timeout) {
        HedgeConfig.Builder config = HedgeConfig.from(HedgeConfig.racing(racers));
        if (timeout != null) {
            config.timeout(timeout);
        }
        Policy policy = new Policy(HEDGE, config.build(), Runnable::run, AT_ONCE, TokenBalance.unlimited());
        return new Call<>(policy, work, policy.timer.nanoTime());
    }

    private static <E> List<E> copy(String property, Collection<E> elements) {
        requireNonNull(elements, () -> property + " must not be null");
        if (elements.isEmpty()) {
            throw new IllegalArgumentException(property + " must not be empty");
        }
        List<E> copy = new ArrayList<>(elements);
        copy.forEach(element -> requireNonNull(element, () -> property + " must not contain null"));
        return copy;
    }
}
