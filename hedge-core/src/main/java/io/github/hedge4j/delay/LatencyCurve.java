package io.github.hedge4j.delay;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How long primaries take, including those that were cut short. A primary that succeeded is an event; one that was cancelled or
 * timed out is censored: all that is known is that it takes longer. Counting it as a latency, or leaving it out, makes the tail
 * look short just where hedging works. The curve is the product-limit estimate of Kaplan and Meier (1958), which is right at every
 * quantile if primaries and hedges are independent, and in any case up to the delay, before which nothing is censored.
 *
 * <p>For primaries only: how long a hedge had been running when it lost depends on when it was started.
 *
 * <p>It covers the last 65 536 to 131 072 calls. Values are kept in buckets of 1/32 of an octave from 1 &micro;s to 73 minutes, and
 * interpolated inside them: an error of at most 3 %, apart from that of the sample. Sampling is the greater one in the far tail,
 * where most primaries are censored. At p99 its standard deviation is 3 % for a log-normal latency that is hedged at p95, and 6 % if
 * it is hedged at the median; for a Pareto tail of index 1.1 it is 12 % and 19 %.
 *
 * <p>Safe for many threads. Recording is a striped increment and allocates nothing; a query reads all of the 43 KB.
 */
public final class LatencyCurve {
    /*
     * Two slices: writers fill the current one, the other holds what came before. When the current one has had its share, the
     * other is cleared and they change places, so that a query never sees less than one full slice. A writer that has picked its
     * slice just before they change still counts in the window; only one that sleeps through a whole slice may hit a clear.
     *
     * Within a slice the stripes have an array of events each and share one of censored calls, which are rarer.
     */

    private static final int SLICE_CALLS = 1 << 16;

    private static final int SUB_BITS = 5;

    /** A bucket is at least 32 ns wide, so that the first octave of 32 buckets starts at 1 us. */
    private static final int SMALLEST_BITS = 5;

    private static final int LARGEST_BITS = 42;
    private static final long LARGEST = (1L << LARGEST_BITS) - 1;
    private static final int BUCKETS = (LARGEST_BITS - SMALLEST_BITS - SUB_BITS + 1) << SUB_BITS;

    private static final int STRIPE_BITS = 2;
    private static final int STRIPES = 1 << STRIPE_BITS;
    private static final int CENSORED = STRIPES * BUCKETS;

    /** A stripe reports every so many of its calls to {@link #unrotated}, as a fraction of a slice. */
    private static final int REPORTS_PER_SLICE = 64;

    /** Quantiles are asked for as decimal fractions, which neither 1 - q nor the product-limit reproduces exactly. */
    private static final double ROUNDING = 1e-9;

    private final int sliceCalls;
    private final AtomicIntegerArray[] slices = {
        new AtomicIntegerArray(CENSORED + BUCKETS), new AtomicIntegerArray(CENSORED + BUCKETS)
    };

    /** Index of the slice that is written to. Changes under {@code rotation} only. */
    private volatile int current;

    /** Calls per stripe. */
    private final AtomicLongArray recorded = Stripes.counters(STRIPE_BITS);

    /** Calls since the slices last changed places, as far as the stripes have reported them. */
    private final AtomicLong unrotated = new AtomicLong();

    private final ReentrantLock rotation = new ReentrantLock();

    /** An empty curve. */
    public LatencyCurve() {
        this(SLICE_CALLS);
    }

    /** @param sliceCalls a power of two, at least 64 */
    LatencyCurve(int sliceCalls) {
        this.sliceCalls = sliceCalls;
    }

    /** A primary succeeded after so long. Less than 0 counts as 0, more than 73 minutes as 73 minutes. */
    public void completed(long latencyNanos) {
        int stripe = Stripes.mine(STRIPE_BITS);
        slices[current].getAndIncrement(stripe * BUCKETS + bucket(latencyNanos));
        count(stripe);
    }

    /** A primary was still running after so long and then cut short: cancelled, timed out or given up. Limits as above. */
    public void censored(long elapsedNanos) {
        slices[current].getAndIncrement(CENSORED + bucket(elapsedNanos));
        count(Stripes.mine(STRIPE_BITS));
    }

    private void count(int stripe) {
        // not atomic: where threads share a stripe some counts are lost, and the slices last a little longer
        int cell = Stripes.cell(stripe);
        long calls = recorded.getOpaque(cell) + 1;
        recorded.setOpaque(cell, calls);
        int report = sliceCalls / REPORTS_PER_SLICE;
        if ((calls & (report - 1)) == 0 && unrotated.addAndGet(report) >= sliceCalls) {
            rotate();
        }
    }

    private void rotate() {
        if (!rotation.tryLock()) {
            return; // a query is reading, or another thread is at it; the next report tries again
        }
        try {
            if (unrotated.get() < sliceCalls) {
                return;
            }
            unrotated.addAndGet(-sliceCalls);
            int next = 1 - current;
            AtomicIntegerArray oldest = slices[next];
            for (int i = 0; i < oldest.length(); i++) {
                oldest.setPlain(i, 0);
            }
            current = next;
        } finally {
            rotation.unlock();
        }
    }

    /**
     * The time within which a share {@code q} of primaries succeed, if they are left alone.
     *
     * <p>Empty while no primary has succeeded. If so many were cut short that the data end before {@code q}, the answer is the
     * longest time that any primary is known to have run: the true one is not below it. Costs some 10 &micro;s; may wait for
     * another query.
     *
     * @throws IllegalArgumentException unless 0 &lt;= q &lt;= 1
     */
    public OptionalLong quantileNanos(double q) {
        if (!(q >= 0 && q <= 1)) {
            throw new IllegalArgumentException("quantile must be >= 0 and <= 1, but was " + q);
        }
        long[] events = new long[BUCKETS];
        long[] censored = new long[BUCKETS];
        read(events, censored);
        return quantileNanos(q, events, censored);
    }

    private void read(long[] events, long[] censored) {
        rotation.lock();
        try {
            for (AtomicIntegerArray slice : slices) {
                for (int bucket = 0; bucket < BUCKETS; bucket++) {
                    for (int stripe = 0; stripe < STRIPES; stripe++) {
                        events[bucket] += slice.get(stripe * BUCKETS + bucket);
                    }
                    censored[bucket] += slice.get(CENSORED + bucket);
                }
            }
        } finally {
            rotation.unlock();
        }
    }

    private static OptionalLong quantileNanos(double q, long[] events, long[] censored) {
        long atRisk = 0;
        long successes = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            successes += events[bucket];
            atRisk += events[bucket] + censored[bucket];
        }
        if (successes == 0) {
            return OptionalLong.empty();
        }
        double surviving = 1;
        long longest = 0;
        for (int bucket = 0; bucket < BUCKETS && atRisk > 0; bucket++) {
            if (events[bucket] + censored[bucket] == 0) {
                continue;
            }
            // of those censored in the bucket, half were still at risk when the average event happened
            double dying = surviving * events[bucket] / (atRisk - censored[bucket] / 2.0);
            if (events[bucket] > 0 && surviving - dying <= 1 - q + ROUNDING) {
                double within = Math.min(1, Math.max(0, (surviving - (1 - q)) / dying));
                return OptionalLong.of(lowerBound(bucket) + (long) (within * width(bucket)));
            }
            surviving -= dying;
            atRisk -= events[bucket] + censored[bucket];
            longest = lowerBound(bucket);
        }
        return OptionalLong.of(longest);
    }

    /** Linear up to 64 times the smallest width, then 32 to the octave: the leading one and the next five bits, and the octave. */
    private static int bucket(long nanos) {
        long value = Math.min(Math.max(nanos, 0), LARGEST);
        int shift = Math.max(SMALLEST_BITS, Long.SIZE - 1 - SUB_BITS - Long.numberOfLeadingZeros(value));
        return ((shift - SMALLEST_BITS) << SUB_BITS) + (int) (value >>> shift);
    }

    private static int shift(int bucket) {
        return SMALLEST_BITS + Math.max(0, (bucket >>> SUB_BITS) - 1);
    }

    private static long lowerBound(int bucket) {
        int shift = shift(bucket);
        return (long) (bucket - ((shift - SMALLEST_BITS) << SUB_BITS)) << shift;
    }

    private static long width(int bucket) {
        return 1L << shift(bucket);
    }
}
