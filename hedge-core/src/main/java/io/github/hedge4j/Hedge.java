package io.github.hedge4j;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.event.AttemptEnded;
import io.github.hedge4j.event.AttemptStarted;
import io.github.hedge4j.event.CallEnded;
import io.github.hedge4j.event.HedgeDenied;
import io.github.hedge4j.event.HedgeEvent;
import io.github.resilience4j.core.EventConsumer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A policy that starts a call a second time when its first attempt is slow or has failed, and hands out whichever success comes first.
 *
 * <p>The first attempt is made on the caller's thread; further ones, the hedges, are made on the configuration's executor, after the
 * delay and only as the budget allows. The result never waits for an attempt that lost: those are cancelled. Whatever the supplier
 * throws or fails with ends up in the returned stage, never in a throw from {@code get()}.
 *
 * <p>A hedge keeps the state that its calls share (what it learnt about latencies, its budget, its counters), so make one per kind of
 * call and keep it; it owns no thread and needs no closing. Safe for many threads. Any supplier may be invoked several times and
 * concurrently: hedge only what may safely be done twice.
 */
@SuppressWarnings("AmbiguousMethodReference") // the static forms are what users of Resilience4j look for
public interface Hedge {

    /** A hedge with {@link HedgeConfig#ofDefaults()}. */
    static Hedge ofDefaults(String name) {
        return of(name, HedgeConfig.ofDefaults());
    }

    /** A hedge with this configuration and no tags. */
    static Hedge of(String name, HedgeConfig config) {
        return of(name, config, Map.of());
    }

    /** A hedge with this configuration and these tags, which are copied. Fails with a {@link NullPointerException} for any null. */
    static Hedge of(String name, HedgeConfig config, Map<String, String> tags) {
        requireNonNull(name, "name must not be null");
        requireNonNull(config, "config must not be null");
        return new StandardHedge(name, config, Settings.noneNull("tags", tags));
    }

    /** {@link #decorateCompletionStage(Supplier)}, in the static form that Resilience4j's modules have. */
    static <T> Supplier<CompletionStage<T>> decorateCompletionStage(
            Hedge hedge, Supplier<? extends CompletionStage<? extends T>> supplier) {
        return hedge.decorateCompletionStage(supplier);
    }

    /** {@link #decorateAttempts(Function)}, in the static form that Resilience4j's modules have. */
    static <T> Supplier<CompletionStage<T>> decorateAttempts(
            Hedge hedge, Function<? super Attempt, ? extends CompletionStage<? extends T>> attempts) {
        return hedge.decorateAttempts(attempts);
    }

    /** {@link #decorateTargets(Map)}, in the static form that Resilience4j's modules have. */
    static <T> Supplier<CompletionStage<T>> decorateTargets(
            Hedge hedge, Map<String, ? extends Supplier<? extends CompletionStage<? extends T>>> targets) {
        return hedge.decorateTargets(targets);
    }

    /** {@link #decorateCallable(Callable, ExecutorService)}, in the static form that Resilience4j's modules have. */
    static <T> Supplier<CompletionStage<T>> decorateCallable(
            Hedge hedge, Callable<? extends T> callable, ExecutorService executor) {
        return hedge.decorateCallable(callable, executor);
    }

    /**
     * A supplier whose every {@code get()} is one hedged call of this supplier.
     *
     * <p>Stages are cancelled when they lose, on the very future that was supplied, so give it the one whose cancellation stops the work.
     */
    <T> Supplier<CompletionStage<T>> decorateCompletionStage(Supplier<? extends CompletionStage<? extends T>> supplier);

    /** As {@link #decorateCompletionStage(Supplier)}, with each attempt told which one it is. */
    <T> Supplier<CompletionStage<T>> decorateAttempts(
            Function<? super Attempt, ? extends CompletionStage<? extends T>> attempts);

    /**
     * A supplier whose every {@code get()} is one hedged call, attempt {@code n} of which asks the map's {@code n}-th entry, in the order
     * the map iterates now. A call makes no more attempts than there are targets ({@link DenialReason#NO_TARGET}).
     *
     * @param targets name to supplier, at least one; the names appear in reports and metrics. Copied.
     */
    <T> Supplier<CompletionStage<T>> decorateTargets(
            Map<String, ? extends Supplier<? extends CompletionStage<? extends T>>> targets);

    /**
     * A supplier whose every {@code get()} is one hedged call of this blocking callable, each attempt on a thread of the executor. An
     * attempt that loses is interrupted, or never starts if it is still queued.
     */
    <T> Supplier<CompletionStage<T>> decorateCallable(Callable<? extends T> callable, ExecutorService executor);

    /** Makes one hedged call of this supplier. */
    default <T> CompletionStage<T> executeCompletionStage(Supplier<? extends CompletionStage<? extends T>> supplier) {
        return this.<T>decorateCompletionStage(supplier).get();
    }

    /** Makes one hedged call and returns the future that also tells how the call went, and when its last attempt has really ended. */
    <T> HedgedFuture<T> start(Function<? super Attempt, ? extends CompletionStage<? extends T>> attempts);

    /**
     * Gives a result that a call of this hedge has delivered to its {@link HedgeConfig#getOnDiscard()}, on this thread; what that throws is
     * logged. For whoever stands between a call and its caller and finds that nobody waits any more.
     */
    void discard(Object result);

    /** {@link #decorateCompletionStage(Supplier)} as a function, for chains of decorators. */
    default <T> UnaryOperator<Supplier<CompletionStage<T>>> decorator() {
        return this::decorateCompletionStage;
    }

    /** The name that events, exceptions and metrics carry. */
    String getName();

    /** The tags that metrics carry; unmodifiable. */
    Map<String, String> getTags();

    /** The configuration that the next call will use. */
    HedgeConfig getHedgeConfig();

    /** What this hedge has done so far. */
    Metrics getMetrics();

    /** Where to listen to what this hedge does. Without listeners no event is made. */
    EventPublisher getEventPublisher();

    /**
     * Replaces the configuration from the next call on; calls in flight keep theirs. What was learnt about latencies and the budget's
     * balance are kept as long as the new configuration describes the same delay and the same budget.
     */
    void changeConfig(HedgeConfig newConfig);

    /**
     * What a hedge has done since it was made. Counters only grow. Each is exact once nothing is in flight; while calls are, two of them
     * may be read a moment apart.
     */
    interface Metrics {

        /** Calls that have ended, in whatever way. */
        long getNumberOfCalls();

        /** Calls that succeeded with the result of their first attempt. */
        long getNumberOfCallsWonByPrimary();

        /** Calls that succeeded with the result of a hedge. */
        long getNumberOfCallsWonByHedge();

        /** Calls that ended because their attempts failed. */
        long getNumberOfFailedCalls();

        /** Calls that their deadline ended. */
        long getNumberOfTimedOutCalls();

        /** Calls that were ended from outside. */
        long getNumberOfCancelledCalls();

        /** Attempts started, first ones included. */
        long getNumberOfAttempts();

        /** Attempts started beyond the first of their call. */
        long getNumberOfHedges();

        /** Hedges that were due and were not started. */
        long getNumberOfDeniedHedges();

        /** Hedges that were due and were not started for this reason. */
        long getNumberOfDeniedHedges(DenialReason reason);

        /** Losers that had not ended by the end of the grace that {@link HedgeConfig#getLoserGrace()} gives them. */
        long getNumberOfUnresponsiveLosers();

        /** Attempts running now, losers that have not ended yet included. */
        int getInFlightAttempts();

        /** The delay that the first hedge of a call would have now; empty while too little is known for one. */
        Optional<Duration> getCurrentDelay();

        /** How many hedges the budget would pay for now; positive infinity if it is unlimited. */
        double getAvailableBudget();

        /**
         * How each target has done so far, by its name; empty for a hedge that is not used with targets. A copy.
         *
         * <p>The first 100 names are told apart. Attempts on any further ones are counted together, under {@code other}, so that names
         * made up per call do not fill the memory.
         */
        Map<String, TargetMetrics> getTargets();

        /** How attempts have done that did not ask a named target. */
        TargetMetrics getUntargeted();

        /**
         * Tells of the targets: at once of those known so far, and of each further one when it is first decorated, on the thread that
         * does so. A name may be told twice. What the listener throws is logged.
         *
         * @param listener gets the keys of {@link #getTargets()}
         * @return what ends that; to be run once, by any thread
         */
        Runnable onTarget(Consumer<String> listener);

        /** How many calls got the result of the attempt with this number, for 0 and those that have won. A copy, in order. */
        Map<Integer, Long> getWinsByAttempt();

        /**
         * How long all successful calls together took, from their start to their result. Exact for calls that outlived their delay, or
         * had listeners, an attempt argument or targets. Of the others each counts until there were 65,536 of them; from then on some,
         * drawn at random, stand for all. So the mean over a hundred thousand calls is good to a few percent.
         */
        Duration getTotalTimeToSuccess();

        /**
         * The latency that this share of first attempts does not exceed, including what is known of those that were cancelled before
         * they ended. Empty while too little is known to say.
         *
         * @param quantile between 0 and 1
         */
        Optional<Duration> getLatency(double quantile);
    }

    /**
     * Where to listen to one hedge. Listeners run on the thread on which the thing happened, in the case of a call's end after its future
     * was completed; what they throw is logged. A listener cannot be removed again.
     */
    interface EventPublisher extends io.github.resilience4j.core.EventPublisher<HedgeEvent> {

        /** Listens to attempts, first ones and hedges, being started. */
        EventPublisher onAttemptStarted(EventConsumer<AttemptStarted> consumer);

        /** Listens to attempts having ended, or having been given up on. */
        EventPublisher onAttemptEnded(EventConsumer<AttemptEnded> consumer);

        /** Listens to hedges that were due and were not started. */
        EventPublisher onHedgeDenied(EventConsumer<HedgeDenied> consumer);

        /** Listens to calls having got their result. */
        EventPublisher onCallEnded(EventConsumer<CallEnded> consumer);
    }
}
