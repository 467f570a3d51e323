package io.github.hedge4j.examples.demo;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * How long a replica takes to answer: log-normal with this mean and standard deviation, both in milliseconds, and a share of
 * stragglers that take {@code stragglerFactor} times as long.
 */
record LatencyLaw(double meanMillis, double sdMillis, double stragglerShare, double stragglerFactor) {

    private static final double NANOS_PER_MILLI = 1e6;

    /** Endless answer times in nanoseconds, the same for the same seed. For one thread. */
    LongSupplier sampler(long seed) {
        // A log-normal is the exponential of a normal; these two make its mean and deviation come out as asked.
        double variance = Math.log1p(Math.pow(sdMillis / meanMillis, 2));
        double median = meanMillis * Math.exp(-variance / 2);
        double spread = Math.sqrt(variance);
        var random = new SplittableRandom(seed);
        return () -> {
            double millis = median * Math.exp(spread * random.nextGaussian());
            double factor = random.nextDouble() < stragglerShare ? stragglerFactor : 1;
            return Math.round(millis * factor * NANOS_PER_MILLI);
        };
    }
}
