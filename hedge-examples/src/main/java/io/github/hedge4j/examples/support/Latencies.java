package io.github.hedge4j.examples.support;

import java.util.Arrays;

/** How long each of several things took. */
public final class Latencies {

    private final long[] sortedNanos;

    /** Of these, in nanoseconds, in any order; copied. */
    public Latencies(long[] nanos) {
        sortedNanos = nanos.clone();
        Arrays.sort(sortedNanos);
    }

    /** The latency that this share of all does not exceed, in milliseconds. */
    public double millisAt(double quantile) {
        int rank = (int) Math.ceil(quantile * sortedNanos.length);
        return sortedNanos[Math.max(rank, 1) - 1] / 1e6;
    }
}
