package io.github.hedge4j.budget;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A token bucket that successful calls fill: each credit adds {@code ratio} of a token, each second {@code perSecond}
 * tokens, up to {@code burst} tokens, and each hedge takes one. A new balance holds one token. So in every interval,
 * under any interleaving of any number of threads,
 *
 * <pre>{@code taken - given back <= burst + ratio * credits + perSecond * seconds}</pre>
 *
 * <p>The seconds are those between the clock readings that the takes bring along; a clock that goes backwards adds
 * nothing. The bound is exact, for all is counted in integers: {@code ratio} and {@code perSecond} are rounded down to
 * billionths, so that 0.29 is 0.29 and 2/3 is never more than two thirds.
 *
 * <p>{@link #credit} reads one field while the balance is full and otherwise adds to a striped count; it never waits.
 * The other methods hold a lock for some tens of nanoseconds. No method allocates.
 */
public final class RatioBalance implements TokenBalance {
    /*
     * Calls are many and hedges few. So a credit is only counted, and whoever takes a token works out what was earned
     * since the last take. The balance itself is not stored, only what it was when it was last settled:
     *
     *     balance = min(cap, settled + (credits counted - settledCredits) * ratio + refill since settledAtNanos)
     *
     * Counting a credit moves this balance as a credit should, and settling does not move it. The cap is the trap: a
     * take that paid from `settled` and left the credits for later would let what exceeds the cap be spent. With burst
     * 2, 1.5 settled and 1.9 not, that is three hedges in one instant. So every take settles first.
     *
     *                       a credit finds it full
     *     missing > 0  --------------------------------->  missing == 0
     *     credits are counted                              credits are dropped
     *                  <---------------------------------
     *                                a take
     *
     * Why this is a plain token bucket to every observer: takes and returned tokens follow each other under the lock. A
     * take settles the count as it was at one instant (see StripedCount); the credits counted by then stand before the
     * take, the others after it. A credit that is dropped finds `missing` 0. Then the balance is at its cap and the
     * credit is worth nothing; or a take has made room and is just about to say so, and the credit, which overlaps with
     * it, stands before it. (It may have begun after one that this take's sum just missed. Of two credits that overlap
     * with one take, either can be the one before it: they are worth the same.) So credit comes late or is dropped at
     * the cap, and none is invented.
     */

    /** Nano-tokens per token. */
    private static final long TOKEN = 1_000_000_000L;

    private final long cap;
    private final long ratio;
    private final long creditsWithinCap;
    private final Refill refill;

    private final ReentrantLock lock = new ReentrantLock();

    /** Written by every credit that does not find the balance full, without the lock. */
    private final StripedCount credits;

    /**
     * About how many credits are missing until the balance is full. 0 while it is full, or when credits are worth
     * nothing. Written under the lock, read by every credit.
     */
    private volatile long missing;

    /** The balance when it was last settled, 0 to cap. Guarded by the lock, as all below. */
    private long settled;

    /** How many of the counted credits are settled. */
    private long settledCredits;

    /** Time up to here is settled. */
    private long settledAtNanos;

    /** What {@link #refill} rounded off when it was settled. */
    private long remainder;

    /**
     * Opens a balance of one token.
     *
     * @param ratio tokens per credit; finite, at least 0
     * @param burst the most tokens that the balance can hold; at least 1
     * @param perSecond tokens per second, whatever is credited; finite, at least 0
     * @param nowNanos the current reading of the clock whose readings will be passed to the other methods
     * @throws IllegalArgumentException if one of them is out of range
     */
    public RatioBalance(double ratio, int burst, double perSecond, long nowNanos) {
        this(ratio, burst, perSecond, nowNanos, new StripedCount());
    }

    RatioBalance(double ratio, int burst, double perSecond, long nowNanos, StripedCount credits) {
        if (burst < 1) {
            throw new IllegalArgumentException("burst must be >= 1, but was " + burst);
        }
        this.cap = burst * TOKEN;
        this.ratio = Math.min(nanoTokens("ratio", ratio), cap);
        this.creditsWithinCap = this.ratio == 0 ? Long.MAX_VALUE : cap / this.ratio;
        this.refill = new Refill(nanoTokens("perSecond", perSecond), cap);
        this.credits = credits;
        this.settledCredits = credits.sum();
        this.settledAtNanos = nowNanos;
        this.settled = TOKEN;
        this.missing = creditsFor(cap - settled);
    }

    /** By way of the decimal digits: 0.29 * 1e9 is a little less than 290,000,000. */
    private static long nanoTokens(String name, double tokens) {
        if (!(tokens >= 0 && tokens < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(name + " must be finite and >= 0, but was " + tokens);
        }
        BigDecimal nanoTokens = BigDecimal.valueOf(tokens).movePointRight(9).setScale(0, RoundingMode.DOWN);
        return nanoTokens.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
    }

    @Override
    public void credit() {
        long missing = this.missing;
        if (missing == 0) {
            return;
        }
        long own = credits.increment();
        // Summing up every time would undo the striping. Once in about `missing` credits of a stripe is soon enough.
        if ((own & (Long.highestOneBit(missing) - 1)) == 0) {
            stopCountingIfFull();
        }
    }

    private void stopCountingIfFull() {
        // Under the lock, or a take in between would find its `missing` overwritten and wait in vain for credits.
        if (lock.tryLock()) {
            try {
                if (settled + worth(credits.sum()) >= cap) {
                    missing = 0;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public boolean tryTake(long nowNanos) {
        lock.lock();
        try {
            settle(nowNanos);
            if (settled < TOKEN) {
                return false;
            }
            settled -= TOKEN;
            missing = creditsFor(cap - settled);
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void giveBack() {
        lock.lock();
        try {
            settled = Math.min(cap, settled + TOKEN);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public double available(long nowNanos) {
        lock.lock();
        try {
            return (double) balance(credits.sum(), elapsedNanos(nowNanos)) / TOKEN;
        } finally {
            lock.unlock();
        }
    }

    private void settle(long nowNanos) {
        long counted = credits.sum();
        long elapsedNanos = elapsedNanos(nowNanos);
        settled = balance(counted, elapsedNanos);
        settledCredits = counted;
        settledAtNanos += elapsedNanos;
        remainder = settled == cap ? 0 : refill.remainder(elapsedNanos, remainder);
    }

    private long balance(long counted, long elapsedNanos) {
        return Math.min(cap, settled + worth(counted) + refill.earned(elapsedNanos, remainder));
    }

    private long worth(long counted) {
        long fresh = counted - settledCredits;
        return fresh > creditsWithinCap ? cap : fresh * ratio;
    }

    private long elapsedNanos(long nowNanos) {
        return Math.max(0, nowNanos - settledAtNanos);
    }

    private long creditsFor(long nanoTokens) {
        return ratio == 0 ? 0 : (nanoTokens + ratio - 1) / ratio;
    }
}
