package io.github.hedge4j;

import io.github.hedge4j.budget.TokenBalance;
import io.github.hedge4j.time.HedgeTimer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One balance for all hedges that hold this object; equal to itself only. */
final class SharedBudget implements HedgeBudget {

    private final HedgeBudget budget;

    /** Set by the first hedge that opens the budget, and never again. Two that race may both open it; one balance is dropped unused. */
    private final AtomicReference<@Nullable Opened> opened = new AtomicReference<>();

    SharedBudget(HedgeBudget budget) {
        this.budget = budget;
    }

    @Override
    public TokenBalance open(HedgeTimer timer) {
        var first = opened.updateAndGet(now -> now != null ? now : new Opened(budget.open(timer), timer));
        return first.clock() == timer ? first.balance() : new OtherClock(first.balance(), first.clock());
    }

    @Override
    public HedgeBudget shared() {
        return this;
    }

    @Override
    public String toString() {
        return budget + ".shared()";
    }

    private record Opened(TokenBalance balance, HedgeTimer clock) {}

    /** The balance for a hedge with another timer than the first one's: instants of two clocks must not meet in one balance. */
    private record OtherClock(TokenBalance balance, HedgeTimer clock) implements TokenBalance {

        @Override
        public boolean tryTake(long nowNanos) {
            return balance.tryTake(clock.nanoTime());
        }

        @Override
        public void giveBack() {
            balance.giveBack();
        }

        @Override
        public void credit() {
            balance.credit();
        }

        @Override
        public double available(long nowNanos) {
            return balance.available(clock.nanoTime());
        }
    }
}
