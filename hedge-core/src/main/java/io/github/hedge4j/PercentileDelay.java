package io.github.hedge4j;

import io.github.hedge4j.delay.DelayRule;
import io.github.hedge4j.delay.QuantileTracker;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A delay learnt from the latencies of first attempts, between a microsecond and a day. Immutable: each {@code with} returns a new
 * description.
 */
public final class PercentileDelay implements HedgeDelay {

    private final double percentile;
    private final Duration min;
    private final @Nullable Duration max;
    private final @Nullable Duration initial;
    private final int minSamples;

    private PercentileDelay(
            double percentile, Duration min, @Nullable Duration max, @Nullable Duration initial, int minSamples) {
        this.percentile = percentile;
        this.min = min;
        this.max = max;
        this.initial = initial;
        this.minSamples = minSamples;
    }

    static PercentileDelay of(double percentile) {
        Settings.check(percentile > 0 && percentile < 1, "percentile", "> 0 and < 1", percentile);
        return new PercentileDelay(
                percentile, Duration.ZERO, null, null, QuantileTracker.defaultMinSamples(percentile));
    }

    /** Never hedges earlier than this, whatever was learnt; 0 or more, at most the maximum. Default {@link Duration#ZERO}. */
    public PercentileDelay withMin(Duration newMin) {
        Settings.atLeast("min", Duration.ZERO, newMin);
        return checked(new PercentileDelay(percentile, newMin, max, initial, minSamples));
    }

    /** Never waits longer than this, whatever was learnt; more than 0. None by default: below the true percentile it hedges more calls. */
    public PercentileDelay withMax(Duration newMax) {
        Settings.positive("max", newMax);
        return checked(new PercentileDelay(percentile, min, newMax, initial, minSamples));
    }

    /**
     * The delay until {@link #withMinSamples(int) enough} is known, 0 or more and within minimum and maximum. None by default: until
     * then nothing is hedged ({@link DenialReason#COLD}).
     */
    public PercentileDelay withInitial(Duration newInitial) {
        Settings.atLeast("initial", Duration.ZERO, newInitial);
        return checked(new PercentileDelay(percentile, min, max, newInitial, minSamples));
    }

    /**
     * How many latencies must be known before they are trusted, at least 1. By default as many as make the percentile, with 90 %
     * confidence, no higher than the highest of them: 22 for 0.9, 45 for 0.95, 230 for 0.99.
     */
    public PercentileDelay withMinSamples(int newMinSamples) {
        Settings.atLeast("minSamples", 1, newMinSamples);
        return new PercentileDelay(percentile, min, max, initial, newMinSamples);
    }

    /** The share of calls that are not hedged, between 0 and 1. */
    public double getPercentile() {
        return percentile;
    }

    /** The shortest delay, zero by default. */
    public Duration getMin() {
        return min;
    }

    /** The longest delay, if there is one. */
    public Optional<Duration> getMax() {
        return Optional.ofNullable(max);
    }

    /** The delay while too little is known, if there is one. */
    public Optional<Duration> getInitial() {
        return Optional.ofNullable(initial);
    }

    /** How many latencies must be known before they are trusted. */
    public int getMinSamples() {
        return minSamples;
    }

    @Override
    public DelayRule open() {
        return new QuantileTracker(
                percentile,
                Durations.nanos(min),
                max == null ? Durations.MAX_NANOS : Durations.nanos(max),
                initial == null ? DelayRule.NONE : Durations.nanos(initial),
                minSamples);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PercentileDelay that
                && Double.compare(percentile, that.percentile) == 0
                && min.equals(that.min)
                && Objects.equals(max, that.max)
                && Objects.equals(initial, that.initial)
                && minSamples == that.minSamples;
    }

    @Override
    public int hashCode() {
        return Objects.hash(percentile, min, max, initial, minSamples);
    }

    @Override
    public String toString() {
        return "percentile(" + percentile
                + ", min=" + min
                + (max == null ? "" : ", max=" + max)
                + (initial == null ? "" : ", initial=" + initial)
                + ", minSamples=" + minSamples + ")";
    }

    private static PercentileDelay checked(PercentileDelay delay) {
        var max = delay.max;
        var initial = delay.initial;
        if (max != null) {
            Settings.check(delay.min.compareTo(max) <= 0, "min", "<= max " + max, delay.min);
        }
        if (initial != null) {
            Settings.check(initial.compareTo(delay.min) >= 0, "initial", ">= min " + delay.min, initial);
            Settings.check(max == null || initial.compareTo(max) <= 0, "initial", "<= max " + max, initial);
        }
        return delay;
    }
}
