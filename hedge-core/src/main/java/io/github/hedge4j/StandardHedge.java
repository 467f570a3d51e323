package io.github.hedge4j;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.budget.TokenBalance;
import io.github.hedge4j.delay.DelayRule;
import io.github.hedge4j.time.HedgeTimer;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/** A named hedge: its policy, its counters and its listeners. The policy is replaced as a whole, by {@link #changeConfig} only. */
final class StandardHedge implements Hedge {

    private final String name;
    private final Map<String, String> tags;
    final Counters counters;
    final Warnings warnings;
    final Publisher publisher;
    final Sampling sampling = new Sampling();

    /** Attempts beyond their call's first that have not really ended. */
    private final AtomicInteger hedgesInFlight = new AtomicInteger();

    private volatile Policy policy;

    StandardHedge(String name, HedgeConfig config, Map<String, String> tags) {
        this(name, config, tags, config.getExecutor());
    }

    StandardHedge(String name, HedgeConfig config, Map<String, String> tags, Executor starter) {
        this.name = name;
        this.tags = tags;
        this.counters = new Counters(this);
        this.warnings = new Warnings(name, HedgeTimer.system());
        this.publisher = new Publisher(name, warnings);
        DelayRule delay = config.getDelay().open();
        TokenBalance balance = config.getBudget().open(config.getTimer());
        this.policy = new Policy(this, config, starter, delay, balance);
    }

    @Override
    public <T> Supplier<CompletionStage<T>> decorateCompletionStage(
            Supplier<? extends CompletionStage<? extends T>> supplier) {
        return new Hedged<>(this, Work.<T>of(supplier));
    }

    @Override
    public <T> Supplier<CompletionStage<T>> decorateAttempts(
            Function<? super Attempt, ? extends CompletionStage<? extends T>> attempts) {
        return new Hedged<>(this, Work.<T>of(attempts));
    }

    @Override
    public <T> Supplier<CompletionStage<T>> decorateTargets(
            Map<String, ? extends Supplier<? extends CompletionStage<? extends T>>> targets) {
        Work<T> work = Work.inTurn(targets);
        counters.targetsAre(targets.keySet());
        return new Hedged<>(this, work);
    }

    @Override
    public <T> Supplier<CompletionStage<T>> decorateCallable(Callable<? extends T> callable, ExecutorService executor) {
        return new Hedged<>(this, Work.<T>of(callable, executor));
    }

    @Override
    public <T> HedgedFuture<T> start(Function<? super Attempt, ? extends CompletionStage<? extends T>> attempts) {
        return this.<T>newCall(Work.of(attempts)).begin();
    }

    <T> Call<T> newCall(Work<T> work) {
        Policy current = policy;
        return new Call<>(current, work, current.timer.nanoTime());
    }

    @Override
    public void discard(Object result) {
        policy.discard(requireNonNull(result, "result must not be null"));
    }

    @Override
    public synchronized void changeConfig(HedgeConfig newConfig) {
        requireNonNull(newConfig, "newConfig must not be null");
        Policy old = policy;
        DelayRule delay = newConfig.getDelay().equals(old.config.getDelay())
                ? old.delay
                : newConfig.getDelay().open();
        boolean keepsBalance = newConfig.getBudget().equals(old.config.getBudget());
        HedgeTimer clock = keepsBalance ? old.balanceClock : newConfig.getTimer();
        TokenBalance balance =
                keepsBalance ? old.balance : newConfig.getBudget().open(clock);
        policy = new Policy(this, newConfig, newConfig.getExecutor(), delay, balance, clock);
    }

    // ---- what calls need

    Policy policy() {
        return policy;
    }

    /** Whether somebody wants to know more of a call than its result. */
    boolean isWatched(Policy policy) {
        return publisher.hasConsumers() || policy.propagates;
    }

    /** A primary had succeeded when its supplier returned; its start is unread if nobody asked for it. */
    void succeededAtOnce(Policy policy, long startNanos, int weight) {
        counters.primaryWonAtOnce();
        policy.credit();
        if (weight > 0 || policy.learns) {
            long latencyNanos = policy.timer.nanoTime() - startNanos;
            policy.completedAtOnce(latencyNanos);
            if (weight > 0) {
                sampling.completed(latencyNanos, weight);
                counters.succeededAfter(latencyNanos, weight);
            }
        }
    }

    void attemptEnded(CallAttempt<?> attempt, AttemptOutcome outcome, boolean givenUp) {
        if (attempt.isHedge()) {
            leave();
        }
        counters.attemptEnded(attempt, outcome, givenUp);
    }

    /** Takes a place among the hedges in flight; false if there are {@code most} already. */
    boolean enter(int most) {
        if (hedgesInFlight.incrementAndGet() <= most) {
            return true;
        }
        hedgesInFlight.decrementAndGet();
        return false;
    }

    void leave() {
        hedgesInFlight.decrementAndGet();
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public Map<String, String> getTags() {
        return tags;
    }

    @Override
    public HedgeConfig getHedgeConfig() {
        return policy.config;
    }

    @Override
    public Metrics getMetrics() {
        return counters;
    }

    @Override
    public EventPublisher getEventPublisher() {
        return publisher;
    }

    @Override
    public String toString() {
        return "Hedge '" + name + "'";
    }
}
