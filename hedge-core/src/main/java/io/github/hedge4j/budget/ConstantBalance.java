package io.github.hedge4j.budget;

/** Balances that nothing changes. */
enum ConstantBalance implements TokenBalance {
    UNLIMITED(Double.POSITIVE_INFINITY),
    NONE(0);

    private final double tokens;

    ConstantBalance(double tokens) {
        this.tokens = tokens;
    }

    @Override
    public boolean tryTake(long nowNanos) {
        return tokens >= 1;
    }

    @Override
    public void giveBack() {}

    @Override
    public void credit() {}

    @Override
    public double available(long nowNanos) {
        return tokens;
    }
}
