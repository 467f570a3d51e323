package io.github.hedge4j.examples.bureaus;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.github.hedge4j.Attempt;
import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.HedgeTimeoutException;
import io.github.hedge4j.Race;
import io.github.hedge4j.examples.demo.ReplicaServer;
import io.github.hedge4j.examples.demo.Replicas;
import io.github.hedge4j.examples.demo.Reply;
import io.github.hedge4j.examples.support.Grid;
import io.github.hedge4j.examples.support.Lanes;
import io.github.hedge4j.examples.support.Latencies;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A credit score from one of three bureaus within 500 ms: the first usually answers in 60 ms and one time in thirty in two seconds, the
 * second fails one time in five, the third is steady and takes 110 ms. Asked alone, hedged by blocking and by asynchronous clients,
 * and raced.
 */
public final class CreditBureaus {

    private static final int AT_A_TIME = 8;
    private static final Duration DEADLINE = Duration.ofMillis(500);

    /** The attempts of all calls at a time, and a few losers that are just leaving. */
    private static final int BUREAU_THREADS = 3 * AT_A_TIME;

    private static final HedgeConfig HEDGED = HedgeConfig.custom()
            .delay(HedgeDelay.fixed(Duration.ofMillis(100)))
            .maxAttempts(3)
            .budget(HedgeBudget.ratio(0.20).withBurst(10))
            .timeout(DEADLINE)
            .build();

    /** What became of a number of calls made in one way. */
    record Run(
            String way,
            int calls,
            long late,
            long failures,
            Latencies latencies,
            long requests,
            long inFlight,
            OtherWork.Seen other) {

        double requestsPerCall() {
            return (double) requests / calls;
        }

        boolean isClean() {
            return failures == 0 && inFlight == 0;
        }
    }

    /** Gets the score of one customer. */
    private interface Way {
        CompletionStage<?> score(int customer);
    }

    private final HttpClient http;
    private final int calls;
    private final List<Run> runs = new ArrayList<>();

    private CreditBureaus(HttpClient http, int calls) {
        this.http = http;
        this.calls = calls;
    }

    /** Argument: how many calls to make in each way, 600 if there is none. Ends the JVM with 1 if a call failed. */
    public static void main(String[] args) throws Exception {
        List<Run> runs = run(args.length == 0 ? 600 : Integer.parseInt(args[0]));
        System.out.println(table(runs));
        if (!runs.stream().allMatch(Run::isClean)) {
            System.exit(1);
        }
    }

    static List<Run> run(int calls) throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        new CreditBureaus(http, 50).measureAll();
        CreditBureaus measured = new CreditBureaus(http, calls);
        measured.measureAll();
        return measured.runs;
    }

    private void measureAll() throws Exception {
        measure("one bureau", bureaus -> customer -> bureaus.get(0).ask(customer));
        ThreadPoolExecutor threads = pool();
        try {
            measure("hedged, blocking", bureaus -> hedgedBlocking(bureaus, threads));
        } finally {
            threads.shutdown();
        }
        measure("hedged, async", CreditBureaus::hedgedAsync);
        measure("raced, async", CreditBureaus::raced);
    }

    // tag::bureau-pool[]
    /** For bureaus and nothing else, and bounded: a full pool refuses an attempt instead of piling up behind slow ones. */
    private static ThreadPoolExecutor pool() {
        return new ThreadPoolExecutor(
                BUREAU_THREADS, BUREAU_THREADS, 1, MILLISECONDS, new ArrayBlockingQueue<>(BUREAU_THREADS));
    }
    // end::bureau-pool[]

    private static Way hedgedBlocking(List<Bureau> bureaus, ThreadPoolExecutor threads) {
        Hedge hedge = Hedge.of("bureaus", HEDGED);
        return customer -> hedge.<String>decorateCallable(
                        () -> bureaus.get(attemptNumber()).askBlocking(customer), threads)
                .get();
    }

    private static int attemptNumber() {
        return Attempt.current().orElseThrow().number();
    }

    private static Way hedgedAsync(List<Bureau> bureaus) {
        Hedge hedge = Hedge.of("bureaus", HEDGED);
        return customer -> hedge.<HttpResponse<String>>decorateTargets(targets(bureaus, customer))
                .get();
    }

    private static Map<String, Supplier<CompletionStage<HttpResponse<String>>>> targets(
            List<Bureau> bureaus, int customer) {
        Map<String, Supplier<CompletionStage<HttpResponse<String>>>> targets = new LinkedHashMap<>();
        for (Bureau bureau : bureaus) {
            targets.put(bureau.name(), () -> bureau.ask(customer));
        }
        return targets;
    }

    private static Way raced(List<Bureau> bureaus) {
        return customer -> Race.<HttpResponse<String>>firstSuccess(
                targets(bureaus, customer).values(), DEADLINE);
    }

    private void measure(String way, Function<List<Bureau>, Way> waysOfAsking) throws Exception {
        try (Replicas servers = new Replicas(List.of(mostlyFast(), flaky(), CreditBureaus::steady));
                OtherWork other = new OtherWork()) {
            List<Bureau> bureaus = new ArrayList<>();
            for (URI uri : servers.uris()) {
                bureaus.add(new Bureau("bureau " + (bureaus.size() + 1), http, uri));
            }
            Way asking = waysOfAsking.apply(bureaus);
            var late = new LongAdder();
            var failures = new LongAdder();
            Latencies latencies = Lanes.run(calls, AT_A_TIME, customer -> {
                try {
                    asking.score(customer).toCompletableFuture().join();
                } catch (CompletionException failed) {
                    (failed.getCause() instanceof HedgeTimeoutException ? late : failures).increment();
                }
            });
            List<ReplicaServer.Counts> counts = servers.awaitIdle(Duration.ofSeconds(5));
            runs.add(new Run(
                    way,
                    calls,
                    late.sum(),
                    failures.sum(),
                    latencies,
                    counts.stream().mapToLong(ReplicaServer.Counts::received).sum(),
                    counts.stream().mapToLong(ReplicaServer.Counts::inFlight).sum(),
                    other.seen()));
        }
    }

    private static Supplier<Reply> mostlyFast() {
        var random = new SplittableRandom(1);
        return () -> Reply.ok(MILLISECONDS.toNanos(random.nextDouble() < 0.033 ? 2_000 : 60));
    }

    private static Supplier<Reply> flaky() {
        var random = new SplittableRandom(2);
        return () -> random.nextDouble() < 0.20
                ? new Reply(MILLISECONDS.toNanos(10), 503)
                : Reply.ok(MILLISECONDS.toNanos(100));
    }

    private static Reply steady() {
        return Reply.ok(MILLISECONDS.toNanos(110));
    }

    private static String table(List<Run> runs) {
        Grid grid = new Grid(
                "",
                "calls",
                "timed out",
                "failed",
                "p50 ms",
                "p99 ms",
                "requests per 100 calls",
                "in flight at the end",
                "other work done",
                "other work, p99 ms");
        for (Run run : runs) {
            grid.row(
                    run.way,
                    run.calls,
                    run.late,
                    run.failures,
                    run.latencies.millisAt(0.50),
                    run.latencies.millisAt(0.99),
                    Math.round(100 * run.requestsPerCall()),
                    run.inFlight,
                    run.other.tasks(),
                    run.other.p99Millis());
        }
        return grid.toString();
    }
}
