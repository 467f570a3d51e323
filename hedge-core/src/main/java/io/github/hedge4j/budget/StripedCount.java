package io.github.hedge4j.budget;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A count that only grows, by ones, kept in stripes so that threads rarely write to the same cache line. What {@link
 * java.util.concurrent.atomic.LongAdder} does not do is to tell a writer how far its own stripe has come: so it can do
 * something once in a while without looking at what the others write.
 *
 * <p>{@link #sum} is right at one instant, although it reads the stripes one after the other. Each is read at a value
 * that it had during the sum, so the result lies between the count when the sum began and the count when it ended, and
 * a count that grows by ones has been at every value in between.
 */
final class StripedCount {

    /** Two cache lines, because processors fetch them in pairs. */
    private static final int LONGS_PER_STRIPE = 16;

    private static final int MAX_STRIPES = 64;

    /** 2^64 divided by the golden ratio: multiples of it spread evenly, whatever the step between the threads' ids. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** log2 of the number of stripes. */
    private final int bits;

    /** The stripes' cells are LONGS_PER_STRIPE apart, and so is the first from the array's length, which all read. */
    private final AtomicLongArray stripes;

    StripedCount() {
        this(2 * Runtime.getRuntime().availableProcessors());
    }

    /** With the given number of stripes, rounded up to a power of two between 2 and 64. */
    StripedCount(int stripes) {
        int atMost = Math.max(2, Math.min(stripes, MAX_STRIPES));
        this.bits = Integer.SIZE - Integer.numberOfLeadingZeros(atMost - 1);
        this.stripes = new AtomicLongArray(((1 << bits) + 1) * LONGS_PER_STRIPE);
    }

    /** Adds one and returns the new count of the calling thread's stripe. */
    long increment() {
        int stripe = (int) ((Thread.currentThread().getId() * SPREAD) >>> (Long.SIZE - bits));
        return stripes.incrementAndGet((stripe + 1) * LONGS_PER_STRIPE);
    }

    long sum() {
        long sum = 0;
        for (int i = LONGS_PER_STRIPE; i < stripes.length(); i += LONGS_PER_STRIPE) {
            sum += stripes.get(i);
        }
        return sum;
    }
}
