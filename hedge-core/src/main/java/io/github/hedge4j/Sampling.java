package io.github.hedge4j;

import static io.github.hedge4j.CurrentAttempt.TO_SKIP;

import io.github.hedge4j.delay.LatencyCurve;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A hedge's latency curve and the decision which calls it is told of, so that a busy hedge does not look at the clock once or twice more
 * for every call. Calls that outlive their delay are few, cost more anyway and make up the tail: all of them. Of the others all until
 * there are plenty, and then some, drawn at random, each of which stands for as many as it was drawn from. A call's weight is the inverse
 * of its chance, so the curve is not biased (Horvitz and Thompson, 1952).
 */
final class Sampling {

    /** The first calls are all measured, as many as make a p99 within a few percent. */
    private static final int PLENTY = 1 << 16;

    /** Of primaries that have succeeded when their supplier returns, for which two looks at the clock are most of what a call costs. */
    private static final int ONE_IN_AT_ONCE = 32;

    private static final double LOG_OF_PASSING = Math.log1p(-1.0 / ONE_IN_AT_ONCE);

    /** Of primaries that were pending, one in eight. */
    private static final int PENDING_BITS = 3;

    /** 2^64 divided by the golden ratio: multiples of it are spread evenly. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final LatencyCurve curve = new LatencyCurve();

    /** Counted by measured calls, losing some: how many there were matters roughly. */
    private int measured;

    private volatile boolean plenty;

    /** How many calls the one about to be made stands for if its primary has succeeded by the time its supplier returns; or 0. */
    int weightAtOnce(long[] ofThread) {
        if (!plenty) {
            return 1;
        }
        if (ofThread[TO_SKIP] > 0) {
            ofThread[TO_SKIP]--;
            return 0;
        }
        ofThread[TO_SKIP] = untilNextAtOnce();
        return ONE_IN_AT_ONCE;
    }

    /** Calls to skip, so that each of all calls has the same chance: the gaps between independent draws are geometric. */
    static long untilNextAtOnce() {
        double chance = 1 - ThreadLocalRandom.current().nextDouble();
        return (long) (Math.log(chance) / LOG_OF_PASSING);
    }

    /**
     * How many calls the one at hand stands for whose primary was pending and has succeeded within its delay; or 0. The nanosecond of its
     * start, spread over the whole word, is as good as drawn and at hand.
     */
    int weightPending(long startNanos) {
        if (!plenty) {
            return 1;
        }
        return (startNanos * SPREAD) >>> (Long.SIZE - PENDING_BITS) == 0 ? 1 << PENDING_BITS : 0;
    }

    void completed(long latencyNanos, int weight) {
        curve.completed(latencyNanos, weight);
        if (!plenty && ++measured >= PLENTY) {
            plenty = true;
        }
    }

    void censored(long elapsedNanos) {
        curve.censored(elapsedNanos);
    }

    OptionalLong quantileNanos(double quantile) {
        return curve.quantileNanos(quantile);
    }
}
