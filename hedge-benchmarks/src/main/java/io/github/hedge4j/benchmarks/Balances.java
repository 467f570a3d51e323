package io.github.hedge4j.benchmarks;

import io.github.hedge4j.budget.RatioBalance;
import io.github.hedge4j.budget.TokenBalance;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Budgets of one hedge per ten calls. */
public enum Balances {
    HEDGE("our balance", () -> new RatioBalance(0.10, 10, 0, 0)),
    COMPARE_AND_SET("one AtomicLong, compare-and-set", OneWord::new);

    private final String label;
    private final Supplier<TokenBalance> opening;

    Balances(String label, Supplier<TokenBalance> opening) {
        this.label = label;
        this.opening = opening;
    }

    public String label() {
        return label;
    }

    TokenBalance open() {
        return opening.get();
    }

    /** The usual token bucket: its tokens, in tenths, are one word that everybody writes. */
    private static final class OneWord implements TokenBalance {

        private static final long TOKEN = 10;
        private static final long CAP = 10 * TOKEN;

        private final AtomicLong tenths = new AtomicLong(TOKEN);

        @Override
        public void credit() {
            add(1);
        }

        @Override
        public void giveBack() {
            add(TOKEN);
        }

        private void add(long added) {
            long before;
            do {
                before = tenths.get();
            } while (before < CAP && !tenths.compareAndSet(before, Math.min(CAP, before + added)));
        }

        @Override
        public boolean tryTake(long nowNanos) {
            long before;
            do {
                before = tenths.get();
                if (before < TOKEN) {
                    return false;
                }
            } while (!tenths.compareAndSet(before, before - TOKEN));
            return true;
        }

        @Override
        public double available(long nowNanos) {
            return (double) tenths.get() / TOKEN;
        }
    }
}
