package io.github.hedge4j.delay;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** What latencies look like: well-behaved, heavy-tailed, two-humped. Some 10 ms at the median. */
enum Latency {
    LOG_NORMAL,
    NARROW_LOG_NORMAL,
    PARETO,
    SHIFTED_EXPONENTIAL,
    ONE_IN_10_SLOW,
    SIX_PERCENT_SLOW,
    TWO_PERCENT_SLOW;

    long nanos(RandomGenerator random) {
        return (long) (1e6 * millis(random));
    }

    private double millis(RandomGenerator random) {
        return switch (this) {
            case LOG_NORMAL -> 10 * Math.exp(random.nextGaussian());
            case NARROW_LOG_NORMAL -> 10 * Math.exp(0.5 * random.nextGaussian());
            case PARETO -> 2 * Math.pow(1 - random.nextDouble(), -1 / 1.1);
            case SHIFTED_EXPONENTIAL -> 5 - 5 * Math.log(1 - random.nextDouble());
            case ONE_IN_10_SLOW -> twoHumps(0.10, random);
            case SIX_PERCENT_SLOW -> twoHumps(0.06, random);
            case TWO_PERCENT_SLOW -> twoHumps(0.02, random);
        };
    }

    private static double twoHumps(double slow, RandomGenerator random) {
        return random.nextDouble() < slow
                ? 200 * Math.exp(0.3 * random.nextGaussian())
                : 10 * Math.exp(0.2 * random.nextGaussian());
    }

    /** To within a percent or two at p99, from 200 000 draws. */
    long quantileNanos(double q) {
        var random = new SplittableRandom(4711);
        long[] draws = new long[200_000];
        Arrays.setAll(draws, i -> nanos(random));
        Arrays.sort(draws);
        return draws[(int) (q * draws.length)];
    }
}
