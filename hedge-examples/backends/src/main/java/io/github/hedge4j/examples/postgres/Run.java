package io.github.hedge4j.examples.postgres;

import static java.util.concurrent.TimeUnit.MINUTES;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgedFuture;
import io.github.hedge4j.examples.support.Lanes;
import io.github.hedge4j.examples.support.Latencies;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * What became of a number of reads made in one way.
 *
 * @param activeAfterwards queries of settled reads that a server was still working on
 * @param connectionsInUse taken from the pools when all reads had settled
 */
record Run(
        String way,
        int reads,
        Latencies latencies,
        Latencies untilSettled,
        long wrong,
        long queries,
        long cancelled,
        long activeAfterwards,
        int connectionsInUse) {

    /** Makes the reads, some at a time, and asks the servers after each whether any of its queries is left. */
    static Run of(String way, Reads reads, Hedge hedge, List<Replica> replicas, int count, int atATime)
            throws Exception {
        var wrong = new LongAdder();
        var active = new LongAdder();
        long[] nanos = new long[count];
        long[] settledNanos = new long[count];
        var unused = Lanes.run(count, atATime, customer -> {
            long start = System.nanoTime();
            HedgedFuture<Integer> read = reads.read(hedge, customer);
            int score = read.get(1, MINUTES);
            nanos[customer] = System.nanoTime() - start;
            if (score != 700 + customer % 100) {
                wrong.increment();
            }
            var unusedReport = read.settled().toCompletableFuture().get(1, MINUTES);
            settledNanos[customer] = System.nanoTime() - start;
            for (Replica replica : replicas) {
                active.add(replica.active("customer " + customer + "."));
            }
        });
        return new Run(
                way,
                count,
                new Latencies(nanos),
                new Latencies(settledNanos),
                wrong.sum(),
                reads.started(),
                reads.cancelled(),
                active.sum(),
                replicas.stream().mapToInt(Replica::connectionsInUse).sum());
    }

    boolean isClean() {
        return wrong == 0 && activeAfterwards == 0 && connectionsInUse == 0;
    }
}
