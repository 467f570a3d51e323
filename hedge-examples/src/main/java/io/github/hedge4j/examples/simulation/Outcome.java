package io.github.hedge4j.examples.simulation;

import java.util.List;

/**
 * What calls made by one policy came to. Of calls after the warm-up, but for the seconds and the server's work.
 *
 * @param policy its name
 * @param latencies how long each took
 * @param hedges how many attempts beyond the first were started
 * @param good calls that succeeded in good time
 * @param utilisation the share of the backend's slots that was busy on average until the last call arrived
 * @param seconds calls by the second in which they arrived
 */
record Outcome(String policy, Latencies latencies, long hedges, long good, double utilisation, List<Second> seconds) {

    /** The calls that arrived in one second. */
    record Second(int calls, int good, int hedges) {

        private static Second sum(Second a, Second b) {
            return new Second(a.calls + b.calls, a.good + b.good, a.hedges + b.hedges);
        }
    }

    int calls() {
        return latencies.calls();
    }

    /** The least latency that this share of calls does not exceed; infinite if so many failed. */
    double millisAt(double quantile) {
        return latencies.millisAt(quantile);
    }

    /** The mean latency; infinite if a call failed. */
    double meanMillis() {
        return latencies.meanMillis();
    }

    /** Failed calls, as a share of all. */
    double failed() {
        return latencies.slowerThan(Latencies.FAILED - 1);
    }

    /** Hedges per call. */
    double extraCalls() {
        return (double) hedges / calls();
    }

    /** Good calls, as a share of all. */
    double goodput() {
        return (double) good / calls();
    }

    /** All calls that arrived from one second on until before another, as if in one second. */
    Second between(int fromSecond, int untilSecond) {
        return seconds.subList(fromSecond, Math.min(untilSecond, seconds.size())).stream()
                .reduce(new Second(0, 0, 0), Second::sum);
    }

    /** Good calls, as a share of those that arrived in these seconds. */
    double goodput(int fromSecond, int untilSecond) {
        Second sum = between(fromSecond, untilSecond);
        return (double) sum.good() / sum.calls();
    }
}
