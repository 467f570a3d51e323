package io.github.hedge4j;

import io.github.hedge4j.budget.TokenBalance;
import io.github.hedge4j.time.HedgeTimer;

/**
 * How much extra load hedging may add. A description: every {@link Hedge} opens its own balance from it, unless it is
 * {@link #shared()}.
 */
public interface HedgeBudget {

    /**
     * Each successful call deposits this much of a token, each hedge withdraws one, so that in every interval hedges stay below
     * {@code burst + hedgesPerCall * calls}. A new balance holds one token.
     *
     * @param hedgesPerCall finite, 0 or more
     */
    static RatioBudget ratio(double hedgesPerCall) {
        return RatioBudget.of(hedgesPerCall);
    }

    /** Every hedge is paid for. */
    static HedgeBudget unlimited() {
        return FlatBudget.UNLIMITED;
    }

    /** No hedge is paid for. */
    static HedgeBudget none() {
        return FlatBudget.NONE;
    }

    /** The balance that one hedge draws on from now on. The timer is the clock of the {@code nowNanos} that it will be given. */
    TokenBalance open(HedgeTimer timer);

    /**
     * A budget with a single balance, on which all hedges that are given the returned object draw. It is opened when the first of them
     * is made.
     */
    default HedgeBudget shared() {
        return new SharedBudget(this);
    }
}
