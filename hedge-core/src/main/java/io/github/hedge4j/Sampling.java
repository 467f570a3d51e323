package io.github.hedge4j;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.delay.LatencyCurve;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A hedge's latency curve and the decision which calls it is told of: all of them until there are plenty, then one in eight, drawn
 * independently of everything, so that a busy hedge does not look at the clock once more for every call. Whether a call is drawn never
 * depends on how long it took.
 */
final class Sampling {

    /** As many calls are all measured: enough for a p99 within a few percent. */
    private static final int PLENTY = 1 << 16;

    private static final int ONE_IN = 8;

    private final LatencyCurve curve = new LatencyCurve();

    /** Written by drawn calls, losing some: how many there were matters roughly. */
    private int drawn;

    /** A call is drawn if its random number has none of these bits. */
    private volatile int mask;

    /** A thread's generator, in an array so that nothing of this library stays in the thread. */
    static long[] newState() {
        return new long[] {ThreadLocalRandom.current().nextLong() | 1};
    }

    /** Whether the call at hand is to be measured. */
    boolean draws(@Nullable Object[] slot) {
        int thinning = mask;
        return thinning == 0 || (next(slot) & thinning) == 0;
    }

    /** Marsaglia's xorshift: three operations on a thread's own state. */
    private static int next(@Nullable Object[] slot) {
        long[] state = (long[]) requireNonNull(slot[1]);
        long x = state[0];
        x ^= x << 13;
        x ^= x >>> 7;
        x ^= x << 17;
        state[0] = x;
        return (int) (x >>> 32);
    }

    void completed(long latencyNanos) {
        count();
        curve.completed(latencyNanos);
    }

    void censored(long elapsedNanos) {
        count();
        curve.censored(elapsedNanos);
    }

    private void count() {
        if (mask == 0 && ++drawn >= PLENTY) {
            mask = ONE_IN - 1;
        }
    }

    OptionalLong quantileNanos(double quantile) {
        return curve.quantileNanos(quantile);
    }
}
