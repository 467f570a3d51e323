package io.github.hedge4j.examples.postgres;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.examples.support.Grid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Reads from two PostgreSQL replicas, each of which is slow now and then: from one alone, hedged, and raced. Says what the callers
 * waited for, and what the servers themselves say of the queries that lost.
 */
public final class PostgresReplicas {

    private static final int AT_A_TIME = 4;
    private static final double SLOW_SHARE = 0.05;

    private PostgresReplicas() {}

    /** Argument: how many reads to make in each way, 1,000 if there is none. Ends the JVM with 1 if a query was left behind. */
    public static void main(String[] args) throws Exception {
        int reads = args.length == 0 ? 1_000 : Integer.parseInt(args[0]);
        List<Run> runs = run(reads, reads);
        System.out.println(table(runs));
        if (!runs.stream().allMatch(Run::isClean)) {
            System.exit(1);
        }
    }

    static List<Run> run(int plainReads, int races) throws Exception {
        // Room for each read's own attempt and its hedge; the pool of connections is no larger, so that nobody waits
        // for one.
        ExecutorService threads = Executors.newFixedThreadPool(2 * AT_A_TIME);
        // A cancel is a round trip to the server: on the queries' own threads it would wait for a query to end.
        ExecutorService cancels = Executors.newFixedThreadPool(AT_A_TIME);
        HedgeConfig once = HedgeConfig.custom().maxAttempts(1).build();
        HedgeConfig hedged = HedgeConfig.custom()
                .delay(HedgeDelay.fixed(Duration.ofMillis(20)))
                .executor(cancels)
                .build();
        HedgeConfig raced =
                HedgeConfig.from(HedgeConfig.racing(2)).executor(cancels).build();
        try (Replica a = new Replica("a", 2 * AT_A_TIME);
                Replica b = new Replica("b", 2 * AT_A_TIME)) {
            List<Replica> replicas = List.of(a, b);
            List<Run> runs = new ArrayList<>();
            jdbc("warm-up", once, plainReads / 10 + 1, replicas, threads);
            List<Set<Integer>> connections = List.of(a.backends(), b.backends());
            runs.add(jdbc("JDBC, one replica", once, plainReads, replicas, threads));
            runs.add(jdbc("JDBC, hedged after 20 ms", hedged, plainReads, replicas, threads));
            runs.add(jdbc("JDBC, raced", raced, races, replicas, threads));
            runs.add(nonBlocking("non-blocking, hedged after 20 ms", hedged, plainReads, replicas));
            runs.add(nonBlocking("non-blocking, raced", raced, races, replicas));
            awaitOnly(connections, replicas);
            return runs;
        } finally {
            threads.shutdown();
            cancels.shutdown();
        }
    }

    /** The servers' processes are those that they were; one whose connection was closed takes a moment to go. */
    private static void awaitOnly(List<Set<Integer>> connections, List<Replica> replicas) throws Exception {
        for (int tries = 0; tries < 100; tries++) {
            if (connections.equals(
                    List.of(replicas.get(0).backends(), replicas.get(1).backends()))) {
                return;
            }
            Thread.sleep(100);
        }
        throw new IllegalStateException("a connection was lost with its query, or left open");
    }

    private static Run jdbc(String way, HedgeConfig config, int count, List<Replica> replicas, ExecutorService threads)
            throws Exception {
        var reads = new JdbcReads(replicas, SLOW_SHARE, threads);
        return Run.of(way, reads, Hedge.of(way, config), replicas, count, AT_A_TIME);
    }

    private static Run nonBlocking(String way, HedgeConfig config, int count, List<Replica> replicas) throws Exception {
        try (var reads = new NonBlockingReads(replicas, SLOW_SHARE, 2 * AT_A_TIME)) {
            return Run.of(way, reads, Hedge.of(way, config), replicas, count, AT_A_TIME);
        }
    }

    private static String table(List<Run> runs) {
        Grid grid = new Grid(
                "",
                "reads",
                "p50 ms",
                "p99 ms",
                "p99 ms until losers are gone",
                "queries per 100 reads",
                "cancelled by the server",
                "active after their read");
        for (Run run : runs) {
            grid.row(
                    run.way(),
                    run.reads(),
                    run.latencies().millisAt(0.50),
                    run.latencies().millisAt(0.99),
                    run.untilSettled().millisAt(0.99),
                    100 * run.queries() / run.reads(),
                    run.cancelled(),
                    run.activeAfterwards());
        }
        return grid.toString();
    }
}
