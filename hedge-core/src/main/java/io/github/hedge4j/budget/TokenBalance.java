package io.github.hedge4j.budget;

/**
 * The tokens that hedges are paid with, one each. A hedge that is due takes a token or does not start; a call that
 * succeeds credits the balance, with whatever that is worth.
 *
 * <p>All methods are called by many threads at once, in the middle of other people's calls: an implementation is
 * thread-safe, takes well under a microsecond, and does not throw. Time is passed in: {@code nowNanos} is a reading of
 * a monotonic clock in nanoseconds, whose origin is arbitrary and which may wrap around, so readings are compared by
 * their difference.
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
     * Returns the token of a hedge that was not started after all. Called at most once for each token taken, and as
     * soon as that is known: a token that is out leaves room for others, so one that comes back late may find the
     * balance full, and is lost, or be spent in an interval that it was not meant for.
     */
    void giveBack();

    /** Notes that a call succeeded. Called for every call that does, so this is the method that must be cheap. */
    void credit();

    /**
     * Tells how many tokens there are, fractions included, and changes nothing. For gauges: by the time that the caller
     * looks, another thread may have taken them.
     *
     * @param nowNanos the current reading of the clock
     * @return the number of tokens, not negative; {@link Double#POSITIVE_INFINITY} when unlimited
     */
    double available(long nowNanos);
}
