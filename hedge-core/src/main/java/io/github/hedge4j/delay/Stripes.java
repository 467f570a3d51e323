package io.github.hedge4j.delay;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Spreads threads over a few cells of a counter, so that two cores seldom write to the same cache line. Neighbouring thread ids,
 * which is what pools have, get different cells; with more threads than cells some share one, which costs time and nothing else.
 */
final class Stripes {
    /** Cells this many longs apart share no cache line, nor a pair of lines that is fetched together. */
    private static final int LONGS_APART = 16;

    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private Stripes() {}

    /** The calling thread's stripe among {@code 1 << bits}, {@code bits >= 1}. */
    static int mine(int bits) {
        return (int) ((Thread.currentThread().getId() * GOLDEN_RATIO) >>> (Long.SIZE - bits));
    }

    /**
     * Counters for {@code 1 << bits} stripes. The room before the first cell is left unused: the reference to the array, which
     * everybody reads, tends to lie just there.
     */
    static AtomicLongArray counters(int bits) {
        return new AtomicLongArray(cell(1 << bits));
    }

    /** Index of the stripe's cell in {@link #counters}; those up to the next stripe's cell are its own as well. */
    static int cell(int stripe) {
        return (stripe + 1) * LONGS_APART;
    }
}
