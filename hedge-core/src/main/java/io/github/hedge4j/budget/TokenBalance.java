package io.github.hedge4j.budget;

/**
 * The tokens that hedges are paid with. A hedge that is due takes one token, or does not start; a call that succeeds credits
 * the balance. The unit is one hedge.
 *
 * <p>All methods are called from many threads at once, often while a call is being completed or on the timer's thread, so an
 * implementation is thread-safe, waits for nothing but other calls of the same few instructions, and does not throw. Time is
 * passed in: {@code nowNanos} is the reading of a monotonic clock in nanoseconds, with an arbitrary origin, that may wrap
 * around; two readings are compared by their difference.
 */
public interface TokenBalance {

    /** A balance that always has a token, {@link Double#POSITIVE_INFINITY} of them: every hedge may start. */
    static TokenBalance unlimited() {
        return ConstantBalance.UNLIMITED;
    }

    /** A balance that never has a token: no hedge starts. */
    static TokenBalance none() {
        return ConstantBalance.NONE;
    }

    /**
     * Takes one whole token if there is one. Called once for each hedge that is due.
     *
     * @param nowNanos the current reading of the clock; one that is older than a reading seen before counts as that one
     * @return true if a token was taken, false if there was less than one
     */
    boolean tryTake(long nowNanos);

    /**
     * Returns the token of a hedge that was not started after all. Called at most once for each successful {@link #tryTake},
     * and as soon as that is known: a token that is out does not count towards the limit of the balance, so one that comes
     * back late can find the balance full and is then dropped.
     */
    void giveBack();

    /** Notes that a call succeeded. Called for every such call, so it should cost no more than a few nanoseconds. */
    void credit();

    /**
     * Tells how many tokens there are, fractions included. For gauges: by the time the caller looks, another thread may have
     * taken them.
     *
     * @param nowNanos the current reading of the clock; reading ahead of it changes nothing
     * @return the number of tokens, not negative; {@link Double#POSITIVE_INFINITY} when unlimited
     */
    double available(long nowNanos);
}
