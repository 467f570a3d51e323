package io.github.hedge4j.delay;

import java.util.Arrays;

/**
 * The first latencies of a stream, and the delay that they justify: an upper order statistic, which is right about any
 * distribution. Of {@code n} samples the {@code k}-th largest exceeds the p-quantile exactly if at least {@code k} samples do,
 * and that number is binomial. So we take the largest {@code k} that still does so with {@link #CONFIDENCE}. With the least
 * {@code n} for which that works at all, {@link QuantileTracker#defaultMinSamples}, it is the maximum.
 *
 * <p>Not safe for threads; the tracker locks it, and forgets it once warm.
 */
final class ColdSamples {
    private static final double CONFIDENCE = 0.9;

    /** Keeps the memory small whatever {@code n} is. Fewer than justified make a longer delay, never a bolder one. */
    private static final int MAX_KEPT = 512;

    private final int wanted;
    private int taken;
    private long longestKnown;

    /** The largest samples in ascending order, 0 where there is none yet. */
    private final long[] largest;

    ColdSamples(double p, int wanted) {
        this.wanted = wanted;
        this.largest = new long[rank(p, wanted)];
    }

    /** The largest k such that k or more of n samples exceed the p-quantile with confidence; 1 if n is too small for any. */
    private static int rank(double p, int n) {
        double logExactly = n * StrictMath.log(p); // that no sample exceeds it; then one, two, ...
        double fewer = StrictMath.exp(logExactly);
        int rank = 1;
        while (rank < Math.min(n, MAX_KEPT)) {
            logExactly += StrictMath.log((1 - p) / p * (n - rank + 1) / rank);
            fewer += StrictMath.exp(logExactly);
            if (fewer > 1 - CONFIDENCE) {
                break;
            }
            rank++;
        }
        return rank;
    }

    /** Takes part in the order in any case; {@code counts} tells whether it brings the end of the cold phase nearer. */
    void add(long nanos, boolean counts) {
        if (counts) {
            taken++;
        }
        if (nanos != DelayRule.NONE) {
            longestKnown = Math.max(longestKnown, nanos);
        }
        if (nanos <= largest[0]) {
            return;
        }
        int place = Arrays.binarySearch(largest, nanos);
        int end = (place < 0 ? -place - 1 : place) - 1;
        System.arraycopy(largest, 1, largest, 0, end);
        largest[end] = nanos;
    }

    int size() {
        return taken;
    }

    boolean enough() {
        return taken >= wanted;
    }

    /** The delay in nanoseconds; the longest known sample where the order statistic is one of unknown length. */
    long delayNanos() {
        return Math.min(largest[0], longestKnown);
    }
}
