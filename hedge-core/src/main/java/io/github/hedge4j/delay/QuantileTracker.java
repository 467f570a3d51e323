package io.github.hedge4j.delay;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * A delay that a promised share of calls outlasts: {@code 1 - p} of them, whatever their latencies are distributed like.
 *
 * <p>It is not computed from latencies. Each call shows whether its primary outlasted the delay that the call was issued with, and
 * moves the delay's logarithm: up by {@code gain * p} if it did (late), down by {@code gain * (1 - p)} if not (on time). The moves
 * cancel out where exactly {@code 1 - p} of calls are late. Since they add up to where the delay has gone,
 *
 * <pre>  share of late calls - (1 - p)  =  ln(last delay / first delay) / (gain * calls)</pre>
 *
 * holds for any sequence of latencies, independent or not, as long as the gain stays and no bound is touched. This is online
 * quantile tracking after Robbins and Monro, also known as adaptive conformal inference (Gibbs and Candès, 2021). Whether a call is
 * late is known when its delay expires, if not before, so that neither a hedge that wins nor a loser's cancellation biases it.
 *
 * <p>A step up is followed at {@code gain * p} per call, and a step down, which no call reports as such, at {@code gain * (1 - p)}:
 * for a tenth of the latency some 70 calls per {@code 1 - p} (1 300 at p95, 6 600 at p99). In return the delay jitters by about a
 * tenth around the true quantile; the share does not.
 *
 * <p>With many calls in flight the news is old when it comes: a thousand calls may be issued before the first of them is late. The
 * gain is reduced so that the delay does not swing, and what is said above about steps then takes a few dozen delays rather than so
 * many calls. That needs {@link #exceeded} to tell how long the call has waited.
 *
 * <p>Safe for many threads. A call costs one striped increment; reading the delay is a volatile read. There is no randomness and
 * no clock: used from one thread it is deterministic, to the last bit on every JVM. About 3 KB, and up to 4 KB more while cold.
 */
public final class QuantileTracker implements DelayRule {
    /*
     * Cold: the first samples go to ColdSamples under its lock, and the delay is the initial one or NONE.
     * Settling: seeded from them, with a gain that falls as 1/samples, for the seed is high by design.
     * Steady: the gain is constant, unless the news is late.
     *
     * Moves are additive, so they need not be made one by one. Late and on-time calls are counted in stripes, and whoever is the
     * first to see that it is time folds what has come since the last fold into the logarithm, all stripes at once. Every second
     * late call of a stripe tries (they are few, and a rise is urgent). One on time tries if it ends a run of some 4 / (1 - p) of
     * them in its stripe, twice the usual gap between two late calls; while settling, every call tries. A call that finds another
     * thread folding goes on: the counts are cumulative, so that nothing is lost and the next fold takes it along.
     */

    /**
     * One gain serves every p, because the jitter's variance gain * p * (1 - p) / (2 * density of the log latency) hardly
     * depends on p for the usual tails. This is about the smallest that brings p90, p95 and p99 back after a tenfold step up
     * within 2 000 calls for two-humped latencies as well.
     */
    private static final double STEADY_GAIN = 0.035;

    /**
     * While settling the gain is SETTLING / ((1 - p) * samples). 1 would be the best for a Pareto tail of index 1, were it not
     * that the seed exceeds the quantile nine times out of ten, and with such a tail easily fivefold. 3 makes up for that so
     * soon that the share of the first 10 000 calls, all told, keeps the promise too.
     */
    private static final double SETTLING = 3;

    /**
     * How far on-time calls may take the logarithm down within one lag. A loop with delayed feedback swings if gain * lag *
     * density exceeds a right angle. The density of the log latency at the quantile is (1 - p) times the local tail index, which is
     * 1 to 2 for heavy tails and some 10 for narrow ones; and the lag is seen at half its size.
     */
    private static final double DOWN_PER_LAG = 0.07;

    /**
     * A delay may exceed what a call has waited by this factor before that call stops counting as late. It bounds the run-away
     * where deadlines cut every call short, and where a stall makes all calls in flight late at once.
     */
    private static final int REACH = 4;

    /** How far the logarithm may pass a bound of the issued delay: a few times its jitter, so that a delay at its bound rests. */
    private static final double SLACK = StrictMath.log(1.25);

    private static final long SHORTEST_NANOS = 1_000;
    private static final long LONGEST_NANOS = 86_400_000_000_000L;
    private static final long UNKNOWN = 0;

    private static final int COLD = -1;
    private static final int SETTLING_MASK = 0;
    private static final int LARGEST_MASK = 1023;

    /** Of late calls there are fewer than 2^24 between two folds, and of those on time fewer than this. */
    private static final int LATE_SHIFT = 40;

    private static final long LATE = 1L << LATE_SHIFT;

    private static final int STRIPE_BITS = 3;
    private static final int STRIPES = 1 << STRIPE_BITS;

    // configuration
    private final double p;
    private final double steadyGain;
    private final long floorNanos;
    private final long ceilingNanos;
    private final double lowest;
    private final double highest;
    private final boolean hedgesWhileCold;
    private final int steadyMask;

    // state: read by every call; written by whoever holds `folding`, and at the end of the cold phase
    private volatile long delayNanos;

    /** An on-time call folds if its number in its stripe has none of these bits; or {@link #COLD}. */
    private volatile int foldMask = COLD;

    /**
     * In each stripe's cell the calls on time plus {@link #LATE} times the late ones, ever growing. One number, so that a thread which is
     * interrupted while it reads never has the late calls of a time without those on time. Differences are exact, whatever overflows.
     */
    private final AtomicLongArray counts = Stripes.counters(STRIPE_BITS);

    private final AtomicBoolean folding = new AtomicBoolean();

    // guarded by `folding` once warm
    private double logDelay;
    private long samples;
    private long folded;
    private final Lag lag = new Lag();

    private final Object lock = new Object();

    /** Guarded by {@code lock}; null once warm. */
    private @Nullable ColdSamples cold;

    /**
     * Starts cold.
     *
     * @param p the share of calls that the delay is to let finish, 0 &lt; p &lt; 1
     * @param minNanos the shortest delay to issue, at least 0; below a microsecond it means a microsecond, so that the delay is
     *     never zero
     * @param maxNanos the longest delay to issue, at least {@code minNanos}; above a day it means a day
     * @param initialNanos the delay while cold, within these bounds; {@link DelayRule#NONE} for no hedge until then
     * @param minSamples how many calls the cold phase takes, at least 1; {@link #defaultMinSamples} is the least with which the
     *     first delay is long enough nine times out of ten
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public QuantileTracker(double p, long minNanos, long maxNanos, long initialNanos, int minSamples) {
        this(p, minNanos, maxNanos, initialNanos, minSamples, STEADY_GAIN);
    }

    QuantileTracker(double p, long minNanos, long maxNanos, long initialNanos, int minSamples, double steadyGain) {
        requirePercentile(p);
        require(minNanos >= 0, "min must be >= 0 ns, but was ", minNanos);
        require(maxNanos >= Math.max(1, minNanos), "max must be >= 1 ns and >= min, but was ", maxNanos);
        require(
                initialNanos == NONE || (initialNanos >= minNanos && initialNanos <= maxNanos),
                "initial must be within min and max, but was ",
                initialNanos);
        require(minSamples >= 1, "minSamples must be >= 1, but was ", minSamples);
        this.p = p;
        this.steadyGain = steadyGain;
        this.ceilingNanos = Math.min(maxNanos, Math.max(minNanos, LONGEST_NANOS));
        this.floorNanos = Math.min(Math.max(minNanos, SHORTEST_NANOS), ceilingNanos);
        this.lowest = StrictMath.log((double) floorNanos) - SLACK;
        this.highest = StrictMath.log((double) ceilingNanos) + SLACK;
        this.hedgesWhileCold = initialNanos != NONE;
        this.steadyMask = Math.min(Integer.highestOneBit((int) (4 / (1 - p))) - 1, LARGEST_MASK);
        this.delayNanos = initialNanos;
        this.cold = new ColdSamples(p, minSamples);
    }

    /**
     * The least number of samples whose maximum exceeds the p-quantile nine times out of ten, {@code ln 0.1 / ln p}: 22 for p90,
     * 45 for p95, 230 for p99.
     *
     * @throws IllegalArgumentException unless 0 &lt; p &lt; 1
     */
    public static int defaultMinSamples(double p) {
        requirePercentile(p);
        return (int) Math.ceil(StrictMath.log(0.1) / StrictMath.log(p));
    }

    private static void requirePercentile(double p) {
        if (!(p > 0 && p < 1)) {
            throw new IllegalArgumentException("p must be > 0 and < 1, but was " + p);
        }
    }

    private static void require(boolean holds, String message, long value) {
        if (!holds) {
            throw new IllegalArgumentException(message + value);
        }
    }

    /** The same for every attempt; {@link DelayRule#NONE} or the initial delay while cold. After idling the last one stands. */
    @Override
    public long delayNanos(int number) {
        return delayNanos;
    }

    @Override
    public boolean learns() {
        return true;
    }

    @Override
    public boolean wantsLatency() {
        return foldMask == COLD;
    }

    /** A call that was issued no delay is judged by the present one, if there is one by now. */
    @Override
    public void completed(long latencyNanos, long issuedNanos) {
        if (foldMask == COLD && addedWhileCold(latencyNanos, true)) {
            return;
        }
        long allowedNanos = issuedNanos == NONE ? delayNanos : issuedNanos;
        if (latencyNanos <= allowedNanos || issuedNanos == UNKNOWN) {
            countOnTime();
        } else {
            countLate(latencyNanos, true);
        }
    }

    /**
     * While cold this counts as a sample of {@code waitedNanos}, the least that it can be. Without an initial delay, though, it
     * does not count towards {@code minSamples}: a backend that answers nothing has taught no delay.
     */
    @Override
    public void exceeded(long waitedNanos) {
        late(waitedNanos, true);
    }

    /** As {@link #exceeded}, but the wait is the deadline's and does not tell when the call was issued. */
    @Override
    public void timedOut(long waitedNanos) {
        late(waitedNanos, false);
    }

    private void late(long waitedNanos, boolean dated) {
        if (foldMask == COLD && addedWhileCold(waitedNanos == UNKNOWN ? delayNanos : waitedNanos, hedgesWhileCold)) {
            return;
        }
        countLate(waitedNanos, dated);
    }

    private boolean addedWhileCold(long nanos, boolean counts) {
        synchronized (lock) {
            ColdSamples seed = cold;
            if (seed == null) {
                return false; // another thread has ended the cold phase meanwhile
            }
            seed.add(nanos, counts);
            if (seed.enough()) {
                samples = seed.size();
                moveTo(StrictMath.log((double) Math.max(1, seed.delayNanos())));
                cold = null;
                foldMask = SETTLING_MASK; // only now do others count and fold
            }
            return true;
        }
    }

    private void countOnTime() {
        long inStripe = counts.incrementAndGet(Stripes.cell(Stripes.mine(STRIPE_BITS)));
        if ((inStripe & foldMask) == 0) {
            fold();
        }
    }

    private void countLate(long waitedNanos, boolean dated) {
        if (waitedNanos < delayNanos / REACH && waitedNanos != UNKNOWN) {
            return; // cut short, or issued long ago: no telling whether it would have outlasted today's delay
        }
        long inStripe = counts.addAndGet(Stripes.cell(Stripes.mine(STRIPE_BITS)), LATE);
        if ((inStripe >>> LATE_SHIFT & foldMask & 1) == 0) {
            fold(waitedNanos, dated);
        }
    }

    private void fold() {
        fold(UNKNOWN, false);
    }

    private void fold(long waitedNanos, boolean dated) {
        if (!folding.compareAndSet(false, true)) {
            return;
        }
        try {
            if (dated && waitedNanos != UNKNOWN) {
                lag.heardOf(waitedNanos, delayNanos, samples);
            }
            long news = -folded;
            for (int stripe = 0; stripe < STRIPES; stripe++) {
                news += counts.get(Stripes.cell(stripe));
            }
            folded += news;
            long late = news >>> LATE_SHIFT;
            long onTime = news & LATE - 1;
            double gain = gain();
            samples += onTime + late;
            moveTo(Math.min(logDelay + gain * (p * late - (1 - p) * onTime), reach(waitedNanos, gain)));
            if (gain <= steadyGain && foldMask != steadyMask) {
                foldMask = steadyMask;
            }
        } finally {
            folding.set(false);
        }
    }

    /**
     * How far up one fold may go. A thread that is interrupted while it folds leaves the delay as it is for all others, whose calls are
     * then late by dozens, each for the same reason. A little beyond the reach, so that the next late call finds itself out of it. If no
     * call told what it waited, that only matters while settling, when moves are large.
     */
    private double reach(long waitedNanos, double gain) {
        if (waitedNanos > UNKNOWN) {
            return Math.max(logDelay, StrictMath.log(1.05 * REACH * waitedNanos));
        }
        return gain > steadyGain ? logDelay + StrictMath.log(REACH) : Double.POSITIVE_INFINITY;
    }

    private double gain() {
        double settling = Math.min(1, SETTLING / ((1 - p) * samples));
        return Math.min(Math.max(settling, steadyGain), DOWN_PER_LAG / ((1 - p) * lag.calls()));
    }

    private void moveTo(double target) {
        logDelay = Math.min(Math.max(target, lowest), highest);
        delayNanos = Math.min(Math.max(Math.round(StrictMath.exp(logDelay)), floorNanos), ceilingNanos);
        lag.moved(delayNanos, samples);
    }

    /** The logarithm that the delay is issued from, all calls counted so far folded in. Exact while no call is reporting. */
    double logDelayNanos() {
        if (foldMask != COLD) {
            fold();
        }
        return logDelay;
    }
}
