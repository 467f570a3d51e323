package io.github.hedge4j.budget;

import java.math.BigInteger;

/**
 * What time alone adds to a balance, in whole nano-tokens. What is left of a span after rounding down is handed on to
 * the next, so that a million short spans earn exactly as much as the long one that they make up.
 */
final class Refill {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final long rate;
    private final long cap;
    private final long nanosToFill;

    /**
     * @param rate nano-tokens per second, not negative
     * @param cap nano-tokens, positive: the most that is earned at once
     */
    Refill(long rate, long cap) {
        this.rate = rate;
        this.cap = cap;
        this.nanosToFill = rate == 0 ? Long.MAX_VALUE : nanosToFill(rate, cap);
    }

    private static long nanosToFill(long rate, long cap) {
        BigInteger nanos = BigInteger.valueOf(cap)
                .multiply(BigInteger.valueOf(NANOS_PER_SECOND))
                .divide(BigInteger.valueOf(rate));
        return nanos.min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
    }

    /**
     * Whole nano-tokens earned in a span that began with a remainder.
     *
     * @param elapsedNanos not negative
     */
    long earned(long elapsedNanos, long remainder) {
        if (elapsedNanos > nanosToFill) {
            return cap; // here the products below could overflow
        }
        long seconds = elapsedNanos / NANOS_PER_SECOND;
        long nanos = elapsedNanos % NANOS_PER_SECOND;
        return seconds * rate
                + nanos * (rate / NANOS_PER_SECOND)
                + (nanos * (rate % NANOS_PER_SECOND) + remainder) / NANOS_PER_SECOND;
    }

    /** What {@link #earned} rounded off, in billionths of a nano-token: 0 to 999,999,999. */
    long remainder(long elapsedNanos, long remainder) {
        return ((elapsedNanos % NANOS_PER_SECOND) * (rate % NANOS_PER_SECOND) + remainder) % NANOS_PER_SECOND;
    }
}
