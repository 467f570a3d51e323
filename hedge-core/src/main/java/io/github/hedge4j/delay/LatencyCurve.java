package io.github.hedge4j.delay;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How long primaries take, including those that were cut short. A primary that succeeded is an event; one that was cancelled or
 * timed out is censored: all that is known is that it takes longer. Counting it as a latency, or leaving it out, makes the tail
 * look short just where hedging works. The curve is the product-limit estimate of Kaplan and Meier (1958), which is right at every
 * quantile if primaries and hedges are independent, and in any case up to the delay, before which nothing is censored.
 *
 * <p>For primaries only: how long a hedge had been running when it lost depends on when it was started.
 *
 * <p>Values are kept in buckets of 1/32 of an octave from 1 &micro;s to 73 minutes, and interpolated inside them: an error of at
 * most 3 %, apart from that of the sample. An answer rests on as few of the latest calls as keep its standard deviation, by
 * Greenwood's formula (1926), within 2.5 %, and on 65 536 at least if there are as many; the far tail, where most primaries are
 * censored, needs up to all of the last million. So a change shows soon in the median, and later the farther out one asks.
 *
 * <p>Safe for many threads. Recording is a striped increment and allocates nothing; a query reads up to 63 KB.
 */
public final class LatencyCurve {
    /*
     * Calls are counted in the current slice. When it has had its share, it is emptied into a slice of its own, and slices of the
     * same size are merged, as a binary counter carries:
     *
     *     current (share)    level 0 (1 share or empty)    level 1 (2 shares or empty)    ...    level 3 (8 shares or empty)
     *       newest  ------------------------------------------------------------------------------------------->  oldest
     *
     * What comes out of the last level is forgotten. Emptying takes each cell by an atomic exchange, so every call is in just one
     * slice, also those that are counted meanwhile. Within the current slice the stripes have an array of events each and share
     * one of censored calls, which are rarer; a level has one of each.
     */

    private static final int SHARE = 1 << 16;
    private static final int LEVELS = 4;

    private static final int SUB_BITS = 5;

    /** A bucket is at least 32 ns wide, so that the first octave of 32 buckets starts at 1 us. */
    private static final int SMALLEST_BITS = 5;

    private static final int LARGEST_BITS = 42;
    private static final long LARGEST = (1L << LARGEST_BITS) - 1;
    private static final int BUCKETS = (LARGEST_BITS - SMALLEST_BITS - SUB_BITS + 1) << SUB_BITS;

    private static final int STRIPE_BITS = 2;
    private static final int STRIPES = 1 << STRIPE_BITS;
    private static final int CENSORED = STRIPES * BUCKETS;

    /** A stripe reports every so many of its calls to {@link #unshared}, as a fraction of a share. */
    private static final int REPORTS_PER_SHARE = 64;

    /** Quantiles are asked for as decimal fractions, which neither 1 - q nor the product-limit reproduces exactly. */
    private static final double ROUNDING = 1e-9;

    /** An answer is sharp enough if two standard deviations of the survival, up or down, move it by no more than this share. */
    private static final double SHARP = 0.05;

    /** Nor does a deviation mean anything that fewer calls than this bear out by outlasting the answer. */
    private static final int WITNESSES = 30;

    private final int share;

    private final AtomicIntegerArray current = new AtomicIntegerArray(CENSORED + BUCKETS);

    /** Calls per stripe. */
    private final AtomicLongArray recorded = Stripes.counters(STRIPE_BITS);

    /** Calls since the current slice was last emptied, as far as the stripes have reported them. */
    private final AtomicLong unshared = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();

    /** Events, then censored calls; null if empty. Guarded by {@code lock}. */
    private final int[] @Nullable [] levels = new int[LEVELS][];

    /** Arrays of slices that were merged into others, to be used again. Guarded by {@code lock}. */
    private final ArrayDeque<int[]> spare = new ArrayDeque<>(LEVELS);

    /** An empty curve. */
    public LatencyCurve() {
        this(SHARE);
    }

    /** @param share the calls of the current slice; a power of two, at least 64 */
    LatencyCurve(int share) {
        this.share = share;
    }

    /** A primary succeeded after so long. Less than 0 counts as 0, more than 73 minutes as 73 minutes. */
    public void completed(long latencyNanos) {
        completed(latencyNanos, 1);
    }

    /** As {@link #completed(long)}, for a call that was drawn at random and stands for {@code weight} calls like it. */
    public void completed(long latencyNanos, int weight) {
        int stripe = Stripes.mine(STRIPE_BITS);
        current.getAndAdd(stripe * BUCKETS + bucket(latencyNanos), weight);
        count(stripe);
    }

    /** A primary was still running after so long and then cut short: cancelled, timed out or given up. Limits as above. */
    public void censored(long elapsedNanos) {
        current.getAndIncrement(CENSORED + bucket(elapsedNanos));
        count(Stripes.mine(STRIPE_BITS));
    }

    private void count(int stripe) {
        // not atomic: where threads share a stripe some counts are lost, and the slice lasts a little longer
        int cell = Stripes.cell(stripe);
        long calls = recorded.getOpaque(cell) + 1;
        recorded.setOpaque(cell, calls);
        int report = share / REPORTS_PER_SHARE;
        if ((calls & (report - 1)) == 0 && unshared.addAndGet(report) >= share) {
            passOn();
        }
    }

    private void passOn() {
        if (!lock.tryLock()) {
            return; // a query is reading, or another thread is at it; the next report tries again
        }
        try {
            if (unshared.get() >= share) {
                unshared.addAndGet(-share);
                carry(emptied());
            }
        } finally {
            lock.unlock();
        }
    }

    private int[] emptied() {
        int[] used = spare.poll();
        int[] slice = used == null ? new int[2 * BUCKETS] : used;
        Arrays.fill(slice, 0);
        for (int i = 0; i < current.length(); i++) {
            if (current.get(i) != 0) {
                slice[cell(i)] += current.getAndSet(i, 0);
            }
        }
        return slice;
    }

    /** Where the current slice's cell is in a level, whose stripes are merged. */
    private static int cell(int i) {
        return i < CENSORED ? i % BUCKETS : i - CENSORED + BUCKETS;
    }

    private void carry(int[] slice) {
        for (int level = 0; level < LEVELS; level++) {
            int[] same = levels[level];
            boolean last = level == LEVELS - 1;
            if (same == null || last) {
                levels[level] = slice;
                if (same != null) {
                    spare.add(same); // forgotten
                }
                return;
            }
            for (int i = 0; i < slice.length; i++) {
                slice[i] += same[i];
            }
            levels[level] = null;
            spare.add(same);
        }
    }

    /**
     * The time within which a share {@code q} of primaries succeed, if they are left alone.
     *
     * <p>Empty while no primary has succeeded. If so many were cut short that the data end before {@code q}, the answer is the
     * longest time that any primary is known to have run: the true one is not below it. Costs some 10 &micro;s for each slice it
     * needs; may wait for another query.
     *
     * @throws IllegalArgumentException unless 0 &lt;= q &lt;= 1
     */
    public OptionalLong quantileNanos(double q) {
        if (!(q >= 0 && q <= 1)) {
            throw new IllegalArgumentException("quantile must be >= 0 and <= 1, but was " + q);
        }
        Product product = new Product();
        lock.lock();
        try {
            for (int i = 0; i < current.length(); i++) {
                product.counts[cell(i)] += current.get(i);
            }
            for (int level = 0; level < LEVELS; level++) {
                int[] slice = levels[level];
                if (slice != null) {
                    if (product.calls() >= share && product.isSharp(q)) {
                        break;
                    }
                    product.add(slice);
                }
            }
        } finally {
            lock.unlock();
        }
        return product.quantileNanos(q);
    }

    /** The product-limit estimate of some slices together. */
    private static final class Product {

        /** Events, then censored calls. */
        final long[] counts = new long[2 * BUCKETS];

        void add(int[] slice) {
            for (int i = 0; i < slice.length; i++) {
                counts[i] += slice[i];
            }
        }

        long calls() {
            long calls = 0;
            for (long count : counts) {
                calls += count;
            }
            return calls;
        }

        OptionalLong quantileNanos(double q) {
            long atRisk = calls();
            double surviving = 1;
            long longest = -1;
            for (int bucket = 0; bucket < BUCKETS && atRisk > 0; bucket++) {
                long events = counts[bucket];
                long censored = counts[BUCKETS + bucket];
                if (events > 0) {
                    double dying = surviving * events / exposed(atRisk, censored);
                    if (surviving - dying <= 1 - q + ROUNDING) {
                        double within = Math.min(1, Math.max(0, (surviving - (1 - q)) / dying));
                        return OptionalLong.of(lowerBound(bucket) + (long) (within * width(bucket)));
                    }
                    surviving -= dying;
                }
                if (events + censored > 0) {
                    longest = lowerBound(bucket);
                }
                atRisk -= events + censored;
            }
            return surviving == 1 ? OptionalLong.empty() : OptionalLong.of(longest);
        }

        /** Of those censored in a bucket, half were still at risk when the average event in it happened. */
        private static double exposed(long atRisk, long censored) {
            return atRisk - censored / 2.0;
        }

        /** Whether the quantile hardly moves if the survival is off by twice its standard deviation. */
        boolean isSharp(double q) {
            double deviation = 2 * relativeDeviation(q);
            if (deviation == Double.POSITIVE_INFINITY) {
                return false;
            }
            double above = (1 - q) * StrictMath.exp(-deviation);
            double below = Math.min(1, (1 - q) * StrictMath.exp(deviation));
            OptionalLong low = quantileNanos(1 - below);
            OptionalLong high = quantileNanos(1 - above);
            return low.isPresent()
                    && high.isPresent()
                    && high.getAsLong() - low.getAsLong() <= 2 * SHARP * Math.max(1, low.getAsLong());
        }

        /** Of the survival at the quantile, by Greenwood's formula; infinite if too few calls outlast it. */
        private double relativeDeviation(double q) {
            long atRisk = calls();
            double surviving = 1;
            double variance = 0;
            for (int bucket = 0; bucket < BUCKETS && atRisk > 0; bucket++) {
                double exposed = exposed(atRisk, counts[BUCKETS + bucket]);
                double left = surviving * (1 - counts[bucket] / exposed);
                boolean reached = left <= 1 - q + ROUNDING;
                double outlasting = exposed * Math.max(left, 1 - q) / surviving;
                if (outlasting < WITNESSES) {
                    return Double.POSITIVE_INFINITY;
                }
                variance += (exposed - outlasting) / (exposed * outlasting);
                if (reached) {
                    return Math.sqrt(variance);
                }
                surviving = left;
                atRisk -= counts[bucket] + counts[BUCKETS + bucket];
            }
            return Double.POSITIVE_INFINITY;
        }
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
