package io.github.hedge4j.delay;

/**
 * How late the news of late calls is, in calls heard of meanwhile. A call that outlasts its delay says so when the delay has long
 * been moved on by others; it tells how long it has waited, and the delay's history tells when that was the delay.
 *
 * <p>While the delay rises this is exact. Where it wavers the same delay has been passed more than once, the last time counts, and
 * the answer is a bit less than half of the truth on average. Calls that waited longer than today's delay show nothing, so that a
 * timer that fires late does not look like a lag.
 *
 * <p>Not safe for threads.
 */
final class Lag {
    private static final int KEPT = 64;

    /** The history spans this many lags at least: KEPT entries, each this fraction of a lag after the one before. */
    private static final int ENTRIES_PER_LAG = 16;

    /** Averages over this many late calls; quicker, the estimate would be low whenever the delay happens to fall. */
    private static final int MEMORY = 64;

    /** Halving for ever would end in subnormal numbers, which are slow to reckon with. */
    private static final double NEGLIGIBLE = 1e-3;

    private final long[] delayNanos = new long[KEPT];
    private final long[] since = new long[KEPT];
    private int latest;
    private double calls;

    /** From this call on, the delay is so long. */
    void moved(long toNanos, long call) {
        if (call - since[latest] >= calls / ENTRIES_PER_LAG) {
            latest = (latest + 1) % KEPT;
            delayNanos[latest] = toNanos;
            since[latest] = call;
        }
    }

    /** A call that has waited so long is heard of when the delay is {@code nowNanos}. */
    void heardOf(long waitedNanos, long nowNanos, long call) {
        if (waitedNanos >= nowNanos) {
            calls = calls < NEGLIGIBLE ? 0 : calls - calls / (4 * MEMORY);
            return;
        }
        int entry = latest;
        for (int older = 1; older < KEPT && delayNanos[entry] > waitedNanos; older++) {
            entry = (entry + KEPT - 1) % KEPT;
        }
        calls += (call - since[entry] - calls) / MEMORY;
    }

    double calls() {
        return calls;
    }
}
