package io.github.hedge4j;

import io.github.hedge4j.budget.RatioBalance;
import io.github.hedge4j.budget.TokenBalance;
import io.github.hedge4j.time.HedgeTimer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A budget in proportion to the calls that succeed: in every interval hedges stay below
 * {@code burst + hedgesPerCall * calls + perSecond * seconds}. Immutable: each {@code with} returns a new description.
 */
public final class RatioBudget implements HedgeBudget {

    private static final int DEFAULT_BURST = 10;

    private final double ratio;
    private final int burst;
    private final double perSecond;

    private RatioBudget(double ratio, int burst, double perSecond) {
        this.ratio = ratio;
        this.burst = burst;
        this.perSecond = perSecond;
    }

    static RatioBudget of(double ratio) {
        return new RatioBudget(Settings.finiteAndNotNegative("ratio", ratio), DEFAULT_BURST, 0);
    }

    /** How many tokens can be saved up, at least 1: what a backend gets at once when it slows down after a good time. Default 10. */
    public RatioBudget withBurst(int newBurst) {
        return new RatioBudget(ratio, Settings.atLeast("burst", 1, newBurst), perSecond);
    }

    /** Tokens that come with time alone, for hedges with few calls; finite, 0 or more. Default 0. */
    public RatioBudget withPerSecond(double newPerSecond) {
        return new RatioBudget(ratio, burst, Settings.finiteAndNotNegative("perSecond", newPerSecond));
    }

    /** Tokens per successful call. */
    public double getRatio() {
        return ratio;
    }

    /** The most tokens that can be saved up. */
    public int getBurst() {
        return burst;
    }

    /** Tokens per second. */
    public double getPerSecond() {
        return perSecond;
    }

    @Override
    public TokenBalance open(HedgeTimer timer) {
        return new RatioBalance(ratio, burst, perSecond, timer.nanoTime());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RatioBudget that
                && Double.compare(ratio, that.ratio) == 0
                && burst == that.burst
                && Double.compare(perSecond, that.perSecond) == 0;
    }

    @Override
    public int hashCode() {
        return Objects.hash(ratio, burst, perSecond);
    }

    @Override
    public String toString() {
        return "ratio(" + ratio + ", burst=" + burst + ", perSecond=" + perSecond + ")";
    }
}
