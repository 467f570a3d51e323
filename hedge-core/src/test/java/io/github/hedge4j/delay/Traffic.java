package io.github.hedge4j.delay;

import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/**
 * Calls with a primary and a hedge, simulated in virtual time. Rule and curve are told what an engine would tell them, at the times
 * at which it would. Nothing denies a hedge, and a loser is cancelled when the other one wins.
 */
final class Traffic {
    private final DelayRule rule;
    private final LatencyCurve curve;
    private final RandomGenerator random;
    private final PriorityQueue<Report> reports = new PriorityQueue<>((a, b) -> Long.compare(a.atNanos, b.atNanos));

    private Latency latency = Latency.LOG_NORMAL;
    private double slowdown = 1;
    private double meanGapNanos;
    private double correlation;
    private long timeoutNanos = Long.MAX_VALUE;

    private long nowNanos;
    private long judged;
    private long late;

    private record Report(long atNanos, Runnable report) {}

    Traffic(DelayRule rule, LatencyCurve curve, RandomGenerator random) {
        this.rule = rule;
        this.curve = curve;
        this.random = random;
    }

    Traffic(DelayRule rule, RandomGenerator random) {
        this(rule, new LatencyCurve(), random);
    }

    Traffic latency(Latency shape) {
        latency = shape;
        return this;
    }

    /** Multiplies all latencies from now on. */
    Traffic slowdown(double factor) {
        slowdown = factor;
        return this;
    }

    /** Calls start at random, so far apart on average. By default each waits for the one before. */
    Traffic every(long meanNanos) {
        meanGapNanos = meanNanos;
        return this;
    }

    /** The share of calls whose hedge takes as long as its primary; of the others it takes as long as it takes. */
    Traffic correlation(double share) {
        correlation = share;
        return this;
    }

    Traffic timeout(long nanos) {
        timeoutNanos = nanos;
        return this;
    }

    /** Makes so many calls, and returns which share of those that were judged meanwhile was late. */
    double lateAmong(int calls) {
        judged = 0;
        late = 0;
        for (int i = 0; i < calls; i++) {
            start();
            nowNanos += (long) (-meanGapNanos * Math.log(1 - random.nextDouble()));
            while (!reports.isEmpty() && (meanGapNanos == 0 || reports.peek().atNanos <= nowNanos)) {
                reports.remove().report.run();
            }
        }
        return (double) late / judged;
    }

    private void start() {
        long primaryNanos = latencyNanos();
        long hedgeNanos = random.nextDouble() < correlation ? primaryNanos : latencyNanos();
        long issuedNanos = rule.delayNanos(1);

        long expiresNanos = Math.min(issuedNanos, timeoutNanos);
        if (primaryNanos <= expiresNanos) {
            after(primaryNanos, () -> judge(false, primaryNanos, issuedNanos));
        } else {
            after(expiresNanos, () -> judge(true, expiresNanos, issuedNanos));
        }
        long endNanos = issuedNanos < timeoutNanos ? Math.min(issuedNanos + hedgeNanos, timeoutNanos) : timeoutNanos;
        if (primaryNanos <= endNanos) {
            after(primaryNanos, () -> curve.completed(primaryNanos));
        } else {
            after(endNanos, () -> curve.censored(endNanos));
        }
    }

    private long latencyNanos() {
        return (long) (slowdown * latency.nanos(random));
    }

    private void after(long nanos, Runnable report) {
        reports.add(new Report(nowNanos + nanos, report));
    }

    private void judge(boolean isLate, long nanos, long issuedNanos) {
        judged++;
        if (isLate) {
            late++;
            rule.exceeded(nanos);
        } else {
            rule.completed(nanos, issuedNanos);
        }
    }
}
