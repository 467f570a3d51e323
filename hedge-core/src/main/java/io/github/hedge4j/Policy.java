package io.github.hedge4j;

import io.github.hedge4j.budget.TokenBalance;
import io.github.hedge4j.delay.DelayRule;
import io.github.hedge4j.time.Expiry;
import io.github.hedge4j.time.HedgeTimer;
import io.github.hedge4j.time.Timeout;
import io.github.resilience4j.core.ContextPropagator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A configuration as calls use it, with the delay and the balance that were opened for its hedge. Immutable: a call keeps the one it was
 * made with. All user code that only has a say (delays, budgets, predicates, discards) is asked here, and here its exceptions end.
 */
final class Policy {

    /** Where work goes when the user's executor refuses it. */
    private static final Executor LAST_RESORT = new CompletableFuture<Void>().defaultExecutor();

    /** Instead of a delay: the rule threw. */
    static final long BROKEN = DelayRule.NONE - 1;

    /** What a failure means for its call. */
    enum Verdict {
        /** The next attempt starts. */
        NEXT,
        /** Attempts in flight may still win. */
        WAIT,
        /** Pushback: as {@link #WAIT}, and no further attempt starts. */
        STOP,
        /** The failure is the call's. */
        END,
        /** A predicate threw: as {@link #STOP}. */
        BROKEN
    }

    final StandardHedge hedge;
    final HedgeConfig config;
    final HedgeTimer timer;

    /** Where deadlines complete and cancel actions run, and where hedges start whose delay is over. */
    final Executor executor;

    /** Where hedges start that need not wait. */
    final Executor starter;

    final DelayRule delay;
    final TokenBalance balance;

    /** The clock that the balance was opened with; its readings must not mix with another one's. */
    final HedgeTimer balanceClock;

    final boolean learns;
    final int maxAttempts;
    final int maxConcurrentHedges;
    final boolean off;
    final boolean shadow;

    /** 0 for none. */
    final long timeoutNanos;

    final long graceNanos;
    final boolean hedgeOnFailure;
    final boolean cancelLosers;
    final @Nullable Consumer<Object> discard;
    final List<ContextPropagator<?>> propagators;
    final boolean propagates;

    private final Predicate<Throwable> hedgeOnException;
    private final @Nullable Predicate<Throwable> stopHedgingOn;
    private final @Nullable Predicate<Object> hedgeOnResult;

    /** The policy of a new hedge. */
    Policy(StandardHedge hedge, HedgeConfig config, Executor starter, DelayRule delay, TokenBalance balance) {
        this(hedge, config, starter, delay, balance, config.getTimer());
    }

    Policy(
            StandardHedge hedge,
            HedgeConfig config,
            Executor starter,
            DelayRule delay,
            TokenBalance balance,
            HedgeTimer balanceClock) {
        this.hedge = hedge;
        this.config = config;
        this.timer = config.getTimer();
        this.executor = config.getExecutor();
        this.starter = starter;
        this.delay = delay;
        this.balance = balance;
        this.balanceClock = balanceClock;
        this.learns = delay.learns() && config.getMode() != HedgeMode.OFF;
        this.off = config.getMode() == HedgeMode.OFF;
        this.maxAttempts = off ? 1 : config.getMaxAttempts();
        this.maxConcurrentHedges = config.getMaxConcurrentHedges();
        this.shadow = config.getMode() == HedgeMode.SHADOW;
        this.timeoutNanos = config.getTimeout().map(Durations::nanos).orElse(0L);
        this.graceNanos = Durations.nanos(config.getLoserGrace());
        this.hedgeOnFailure = config.isHedgeOnFailure();
        this.cancelLosers = config.isCancelLosers();
        this.discard = config.getOnDiscard().orElse(null);
        this.propagators = config.getContextPropagators();
        this.propagates = !propagators.isEmpty();
        this.hedgeOnException = config.getHedgeOnException();
        this.stopHedgingOn = config.getStopHedgingOn().orElse(null);
        this.hedgeOnResult = config.getHedgeOnResult().orElse(null);
    }

    /** Off, and without a deadline to hold: calls go through as if they were not decorated. */
    boolean isBypass() {
        return off && timeoutNanos == 0;
    }

    // ---- when

    /** Whether a call needs to know when its primary was invoked; otherwise it looks at the clock when it has to wait. */
    boolean readsClock() {
        return learns || timeoutNanos > 0;
    }

    /** The delay before this attempt: at once if not positive, {@link DelayRule#NONE} while cold, {@link #BROKEN} if the rule threw. */
    long delayNanos(int number) {
        try {
            return delay.delayNanos(number);
        } catch (Throwable failed) {
            hedge.warnings.warn("The delay of hedge '{}' failed; the call goes on unhedged", failed);
            return BROKEN;
        }
    }

    /** Whether the delay is to be told how long a primary took, and not only that it was in time. */
    boolean wantsLatency() {
        return learns && delay.wantsLatency();
    }

    /** A primary had succeeded when its supplier returned, which may have taken longer than the delay. */
    void completedAtOnce(long latencyNanos) {
        try {
            if (learns) {
                delay.completed(latencyNanos, delay.delayNanos(1));
            }
        } catch (Throwable failed) {
            broken("delay", failed);
        }
    }

    /** A primary succeeded; {@code latencyNanos} is 0 if all that is known is that it was in time. */
    void completed(long latencyNanos, boolean cold) {
        try {
            if (learns) {
                delay.completed(latencyNanos, cold ? DelayRule.NONE : 0);
            }
        } catch (Throwable failed) {
            broken("delay", failed);
        }
    }

    /** A primary outlasted its delay. */
    void exceeded(long waitedNanos) {
        try {
            if (learns) {
                delay.exceeded(waitedNanos);
            }
        } catch (Throwable failed) {
            broken("delay", failed);
        }
    }

    /** A primary outlasted its deadline, before its delay was over. */
    void timedOut(long waitedNanos) {
        try {
            if (learns) {
                delay.timedOut(waitedNanos);
            }
        } catch (Throwable failed) {
            broken("delay", failed);
        }
    }

    // ---- whether

    /** Null if a hedge may start: it then holds a token and a place among those in flight. */
    @Nullable
    DenialReason permit() {
        if (!hedge.enter(maxConcurrentHedges)) {
            return DenialReason.CONCURRENCY;
        }
        DenialReason reason = take();
        if (reason == null && shadow) {
            reason = DenialReason.SHADOW;
        }
        if (reason != null) {
            hedge.leave();
        }
        return reason;
    }

    private @Nullable DenialReason take() {
        try {
            return balance.tryTake(balanceClock.nanoTime()) ? null : DenialReason.BUDGET;
        } catch (Throwable failed) {
            hedge.warnings.warn("The budget of hedge '{}' failed; the call goes on unhedged", failed);
            return DenialReason.ERROR;
        }
    }

    /** A permitted hedge was not started. */
    void giveBack() {
        hedge.leave();
        try {
            balance.giveBack();
        } catch (Throwable failed) {
            broken("budget", failed);
        }
    }

    /** A call succeeded. */
    void credit() {
        try {
            balance.credit();
        } catch (Throwable failed) {
            broken("budget", failed);
        }
    }

    // ---- what counts

    /** Whether this result does not count as a success; a predicate that throws refuses nothing. */
    boolean refuses(@Nullable Object value) {
        if (hedgeOnResult == null) {
            return false;
        }
        try {
            return hedgeOnResult.test(value);
        } catch (Throwable failed) {
            broken("hedgeOnResult", failed);
            return false;
        }
    }

    boolean looksAtResults() {
        return hedgeOnResult != null;
    }

    Verdict judge(Throwable failure) {
        try {
            if (!hedgeOnException.test(failure)) {
                return Verdict.END;
            }
            if (stopHedgingOn != null && stopHedgingOn.test(failure)) {
                return Verdict.STOP;
            }
            return hedgeOnFailure ? Verdict.NEXT : Verdict.WAIT;
        } catch (Throwable failed) {
            hedge.warnings.warn("A predicate of hedge '{}' failed; the call goes on unhedged", failed);
            return Verdict.BROKEN;
        }
    }

    void discard(Object value) {
        try {
            if (discard != null) {
                discard.accept(value);
            }
        } catch (Throwable failed) {
            hedge.warnings.warn("onDiscard of hedge '{}' failed", failed);
        }
    }

    // ---- where and when to run

    /** Runs on the executor, or elsewhere if that refuses; never on this thread's behalf while it is the timer's. */
    void dispatch(Runnable task) {
        try {
            executor.execute(task);
        } catch (Throwable refused) {
            hedge.warnings.warn("The executor of hedge '{}' refused a task; it runs on the default executor", refused);
            LAST_RESORT.execute(task);
        }
    }

    /** Runs on the executor, or right here if that refuses. */
    void handOver(Runnable task) {
        try {
            executor.execute(task);
        } catch (Throwable refused) {
            task.run();
        }
    }

    /** Null if the timer refused. */
    @Nullable
    Timeout arm(Expiry task, long dueNanos) {
        try {
            return timer.scheduleAt(task, dueNanos);
        } catch (Throwable refused) {
            hedge.warnings.warn("The timer of hedge '{}' refused a task; the call goes on without", refused);
            return null;
        }
    }

    // ---- how calls fail

    Throwable allFailed(List<Throwable> failures, Throwable last) {
        return new AllAttemptsFailedException(hedge.getName(), failures, last, config.isWritableStackTraceEnabled());
    }

    Throwable timedOut(List<Throwable> failures) {
        return new HedgeTimeoutException(
                hedge.getName(), config.getTimeout().orElseThrow(), failures, config.isWritableStackTraceEnabled());
    }

    private void broken(String what, Throwable failure) {
        hedge.warnings.warn("The " + what + " of hedge '{}' failed; the call goes on without it", failure);
        hedge.counters.denied(DenialReason.ERROR);
    }
}
