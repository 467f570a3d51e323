package io.github.hedge4j.examples.simulation;

import java.util.Arrays;

/** How long calls took. A call that failed took for ever. */
final class Latencies {

    static final long FAILED = Long.MAX_VALUE;

    private final long[] sortedNanos;

    /** Of each call, in any order; {@link #FAILED} if it failed. */
    Latencies(long[] nanos) {
        this.sortedNanos = nanos.clone();
        Arrays.sort(sortedNanos);
    }

    int calls() {
        return sortedNanos.length;
    }

    /** The shortest first. */
    long[] sortedNanos() {
        return sortedNanos.clone();
    }

    /** The least latency that this share of calls does not exceed; infinite if so many failed. */
    double millisAt(double quantile) {
        int rank = (int) Math.ceil(quantile * calls() - 1e-9);
        return millis(sortedNanos[Math.max(rank, 1) - 1]);
    }

    /** The mean; infinite if a call failed. */
    double meanMillis() {
        double sum = 0;
        for (long nanos : sortedNanos) {
            sum += millis(nanos);
        }
        return sum / calls();
    }

    /** The share of calls that took longer. */
    double slowerThan(long nanos) {
        int low = 0;
        int high = calls();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sortedNanos[middle] > nanos) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return (double) (calls() - low) / calls();
    }

    private static double millis(long nanos) {
        return nanos == FAILED ? Double.POSITIVE_INFINITY : nanos / 1e6;
    }
}
