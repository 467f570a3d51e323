package io.github.hedge4j;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.delay.LatencyCurve;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A hedge's latency curve and the decision which calls it is told of, so that a busy hedge does not look at the clock once more for
 * every call. Calls that outlive their delay are few, cost more anyway and make up the tail: all of them. Of the others all until there
 * are plenty, then one in eight, drawn at random, which stands for eight. Each call's weight is the inverse of its chance, so the curve
 * is not biased (Horvitz and Thompson, 1952).
 */
final class Sampling {

    /** The first calls are all measured, as many as make a p99 within a few percent. */
    private static final int PLENTY = 1 << 16;

    private static final int ONE_IN = 8;

    private final LatencyCurve curve = new LatencyCurve();

    /** Counted by measured calls, losing some: how many there were matters roughly. */
    private int measured;

    /** A call is measured if its random number has none of these bits. */
    private volatile int mask;

    /** A thread's generator, in an array so that nothing of this library stays in the thread. */
    static long[] newState() {
        return new long[] {ThreadLocalRandom.current().nextLong() | 1};
    }

    /** How many calls the one at hand stands for if it ends within its delay; 0 if it need not be measured. */
    int weight(@Nullable Object[] slot) {
        int thinning = mask;
        if (thinning == 0) {
            return 1;
        }
        return (next(slot) & thinning) == 0 ? ONE_IN : 0;
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

    void completed(long latencyNanos, int weight) {
        curve.completed(latencyNanos, weight);
        if (mask == 0 && ++measured >= PLENTY) {
            mask = ONE_IN - 1;
        }
    }

    void censored(long elapsedNanos) {
        curve.censored(elapsedNanos);
    }

    OptionalLong quantileNanos(double quantile) {
        return curve.quantileNanos(quantile);
    }
}
