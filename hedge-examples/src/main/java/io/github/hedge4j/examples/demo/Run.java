package io.github.hedge4j.examples.demo;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** What became of a number of calls made in one way. Latencies are in nanoseconds, from the call to its answer. */
record Run(String strategy, int calls, long failures, Histogram latencies, List<ReplicaServer.Counts> servers) {

    private static final int SIGNIFICANT_DIGITS = 3;
    private static final Duration LONGEST_HANG_UP = Duration.ofSeconds(5);

    /**
     * Makes the calls and waits until they and the servers are done.
     *
     * @param afterEach runs after each call, on any thread
     */
    static Run of(Strategy strategy, ReplicaClient client, Replicas replicas, Load load, Runnable afterEach)
            throws InterruptedException {
        var latencies = new ConcurrentHistogram(SIGNIFICANT_DIGITS);
        var failures = new LongAdder();
        var slots = new Semaphore(load.concurrency());
        for (int request = 0; request < load.calls(); request++) {
            slots.acquire();
            long startNanos = System.nanoTime();
            strategy.asking().ask(client, request).whenComplete((answer, failure) -> {
                latencies.recordValue(System.nanoTime() - startNanos);
                if (failure != null) {
                    failures.increment();
                }
                afterEach.run();
                slots.release();
            });
        }
        slots.acquire(load.concurrency());
        return new Run(strategy.name(), load.calls(), failures.sum(), latencies, replicas.awaitIdle(LONGEST_HANG_UP));
    }

    /** This run and one that went on against the same servers. */
    Run and(Run next) {
        Histogram both = latencies.copy();
        both.add(next.latencies);
        return new Run(strategy, calls + next.calls, failures + next.failures, both, next.servers);
    }

    double millisAt(double percentile) {
        return latencies.getValueAtPercentile(percentile) / 1e6;
    }

    /** As the servers counted them; the client's own retries included. */
    double backendCallsPerRequest() {
        return (double) servers.stream()
                        .mapToLong(ReplicaServer.Counts::received)
                        .sum()
                / calls;
    }

    /** Requests that ended because their client hung up. */
    long cancelled() {
        return servers.stream().mapToLong(ReplicaServer.Counts::cancelled).sum();
    }

    /** Requests that had not ended when the run had, server by server. */
    List<Long> inFlight() {
        return servers.stream().map(ReplicaServer.Counts::inFlight).toList();
    }

    /** True if every call got an answer and every server is idle. */
    boolean isClean() {
        return failures == 0 && inFlight().stream().allMatch(count -> count == 0);
    }
}
