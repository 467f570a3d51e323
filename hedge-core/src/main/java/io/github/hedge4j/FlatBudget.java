package io.github.hedge4j;

import io.github.hedge4j.budget.TokenBalance;
import io.github.hedge4j.time.HedgeTimer;
import java.util.Locale;

/** The two budgets that have nothing to remember. */
enum FlatBudget implements HedgeBudget {
    UNLIMITED,
    NONE;

    @Override
    public TokenBalance open(HedgeTimer timer) {
        return this == UNLIMITED ? TokenBalance.unlimited() : TokenBalance.none();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT) + "()";
    }
}
