package io.github.hedge4j.budget;

import java.math.BigInteger;

/** A token bucket with nothing clever about it: one level that every operation moves at once, for one thread. */
final class TextbookBucket implements TokenBalance {

    private static final BigInteger TOKEN = BigInteger.valueOf(1_000_000_000_000_000_000L);

    private final BigInteger cap;
    private final BigInteger credit;
    private final BigInteger perNano;
    private BigInteger level = TOKEN;
    private long nowNanos;

    TextbookBucket(long creditNanoTokens, int burst, long nanoTokensPerSecond, long nowNanos) {
        this.cap = TOKEN.multiply(BigInteger.valueOf(burst));
        this.credit = BigInteger.valueOf(creditNanoTokens).multiply(BigInteger.valueOf(1_000_000_000));
        this.perNano = BigInteger.valueOf(nanoTokensPerSecond);
        this.nowNanos = nowNanos;
    }

    @Override
    public boolean tryTake(long nowNanos) {
        advance(nowNanos);
        if (level.compareTo(TOKEN) < 0) {
            return false;
        }
        level = level.subtract(TOKEN);
        return true;
    }

    @Override
    public void giveBack() {
        add(TOKEN);
    }

    @Override
    public void credit() {
        add(credit);
    }

    @Override
    public double available(long nowNanos) {
        BigInteger tokens = level.add(earned(nowNanos)).min(cap);
        return tokens.divide(BigInteger.valueOf(1_000_000_000)).doubleValue() / 1e9;
    }

    private void advance(long toNanos) {
        add(earned(toNanos));
        nowNanos += Math.max(0, toNanos - nowNanos);
    }

    private BigInteger earned(long toNanos) {
        return perNano.multiply(BigInteger.valueOf(Math.max(0, toNanos - nowNanos)));
    }

    private void add(BigInteger tokens) {
        level = level.add(tokens).min(cap);
    }
}
