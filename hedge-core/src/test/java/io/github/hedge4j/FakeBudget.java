package io.github.hedge4j;

import io.github.hedge4j.budget.TokenBalance;
import io.github.hedge4j.time.HedgeTimer;
import java.util.concurrent.atomic.AtomicInteger;

/** A budget of so many tokens, which only come back if they are given back. */
final class FakeBudget implements HedgeBudget, TokenBalance {

    private final AtomicInteger tokens;
    private final AtomicInteger credits = new AtomicInteger();
    private Runnable onTake = () -> {};
    private Runnable onGiveBack = () -> {};

    FakeBudget(int tokens) {
        this.tokens = new AtomicInteger(tokens);
    }

    /** Does this whenever a token is asked for, before it is taken. */
    FakeBudget onTake(Runnable action) {
        onTake = action;
        return this;
    }

    /** Does this whenever a token has been given back. */
    FakeBudget onGiveBack(Runnable action) {
        onGiveBack = action;
        return this;
    }

    void add(int more) {
        tokens.addAndGet(more);
    }

    int tokens() {
        return tokens.get();
    }

    int credits() {
        return credits.get();
    }

    @Override
    public TokenBalance open(HedgeTimer timer) {
        return this;
    }

    @Override
    public boolean tryTake(long nowNanos) {
        onTake.run();
        return tokens.getAndUpdate(now -> Math.max(0, now - 1)) > 0;
    }

    @Override
    public void giveBack() {
        tokens.incrementAndGet();
        onGiveBack.run();
    }

    @Override
    public void credit() {
        credits.incrementAndGet();
    }

    @Override
    public double available(long nowNanos) {
        return tokens.get();
    }
}
