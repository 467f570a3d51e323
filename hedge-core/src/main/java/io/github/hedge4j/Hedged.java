package io.github.hedge4j;

import static io.github.hedge4j.CurrentAttempt.START;
import static java.util.Objects.requireNonNull;

import io.github.hedge4j.future.Stages;
import io.github.hedge4j.time.HedgeTimer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A decorated supplier. The call that needs no hedge is all here: a primary that has succeeded by the time its supplier returns is handed
 * back as it is, without an object, a timer or, for a delay that learns nothing, a look at the clock. Everything else is a {@link Call}.
 */
final class Hedged<T> implements Supplier<CompletionStage<T>> {

    private final StandardHedge hedge;
    private final Work<T> work;

    Hedged(StandardHedge hedge, Work<T> work) {
        this.hedge = hedge;
        this.work = work;
    }

    @Override
    public CompletionStage<T> get() {
        Policy policy = hedge.policy();
        if (policy.isBypass() && !work.asksForAttempt()) {
            return undecorated();
        }
        if (work.asksForAttempt() || hedge.isWatched(policy)) {
            return newCall(Call.UNREAD).begin();
        }
        @Nullable Object[] slot = CurrentAttempt.slot();
        long[] numbers = CurrentAttempt.numbers(slot);
        int weight = hedge.sampling.weightAtOnce(numbers);
        long startNanos = weight > 0 || policy.readsClock() ? policy.timer.nanoTime() : Call.UNREAD;
        CompletionStage<? extends T> returned = null;
        Throwable thrown = null;
        Object outer = slot[0];
        long outerStartNanos = numbers[START];
        Object current;
        slot[0] = this;
        numbers[START] = startNanos;
        try {
            returned = work.invoke(null);
        } catch (Throwable failed) {
            thrown = failed;
        } finally {
            current = slot[0];
            slot[0] = outer;
            numbers[START] = outerStartNanos;
        }
        if (current != this) {
            return this.callOf(current).begin(returned, thrown);
        }
        if (returned != null && Stages.hasSucceeded(returned) && !policy.looksAtResults()) {
            hedge.succeededAtOnce(policy, startNanos, weight);
            return covariant(returned);
        }
        return new Call<>(policy, work, startNanos).begin(returned, thrown);
    }

    /** What hedging costs when it is off: a failed stage instead of an exception, and nothing else. */
    private CompletionStage<T> undecorated() {
        try {
            return covariant(requireNonNull(work.invoke(null), "the supplier returned null"));
        } catch (Throwable failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }

    /** A call of its own; also for whoever asks for the current attempt inside the supplier, while there is no call yet. */
    Call<T> newCall(long startNanos) {
        Policy policy = hedge.policy();
        HedgeTimer timer = policy.timer;
        return new Call<>(policy, work, startNanos != Call.UNREAD ? startNanos : timer.nanoTime());
    }

    @SuppressWarnings("unchecked") // the slot held this supplier, and newCall() made what replaced it
    private Call<T> callOf(@Nullable Object attempt) {
        return ((CallAttempt<T>) requireNonNull(attempt)).call;
    }

    @SuppressWarnings("unchecked") // a stage only produces its value
    private static <T> CompletionStage<T> covariant(CompletionStage<? extends T> stage) {
        return (CompletionStage<T>) stage;
    }
}
