package io.github.hedge4j;

import io.github.hedge4j.delay.DelayRule;
import java.time.Duration;
import java.util.function.IntFunction;

/**
 * When a hedge starts: how long after the start of the attempt before it. A description; every {@link Hedge} opens its own state from
 * it, so that one description may serve many hedges.
 */
public interface HedgeDelay {

    /** The same delay before every hedge; {@link Duration#ZERO} starts all attempts at once. */
    static HedgeDelay fixed(Duration delay) {
        return new FixedDelay(delay);
    }

    /**
     * A delay that this share of first attempts does not exceed: {@code percentile(0.95)} hedges the slowest 5 % of calls, whatever
     * their latencies are and however these change.
     *
     * @param percentile between 0 and 1, both excluded
     */
    static PercentileDelay percentile(double percentile) {
        return PercentileDelay.of(percentile);
    }

    /**
     * A delay computed for each hedge. The function is called by many threads at once, for some hedges more than once. If it throws, or returns
     * null or a negative duration, the call goes on without this hedge ({@link DenialReason#ERROR}).
     *
     * @param delays takes the number of the attempt about to start, 1 or more; the delay counts from the start of the one before
     */
    static HedgeDelay perAttempt(IntFunction<Duration> delays) {
        return new PerAttemptDelay(delays);
    }

    /** The rule that one hedge asks from now on, with its own state. */
    DelayRule open();
}
