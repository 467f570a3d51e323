package io.github.hedge4j.examples.soak;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.examples.support.Grid;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Hedged calls to three server processes that are paused, slowed, killed and restarted all the while. At the end every call must have
 * ended once and with its own answer, nothing may be in flight anywhere, and threads and heap must be back to where they started.
 */
public final class Soak {

    private static final int LANES = 8;
    private static final int BETWEEN_CALLS_MILLIS = 4;
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration DEADLINE = Duration.ofSeconds(1);

    /** Well past the deadline, even on a machine that is busy with other things. */
    private static final int LOST_AFTER_SECONDS = 20;

    private static final int MORE_THREADS = 8;
    private static final long MORE_HEAP_BYTES = 16L << 20;

    /** How much of the JVM is in use. */
    record Footprint(int threads, long heapBytes) {

        static Footprint now() throws InterruptedException {
            for (int i = 0; i < 3; i++) {
                System.gc();
                Thread.sleep(50);
            }
            return new Footprint(
                    ManagementFactory.getThreadMXBean().getThreadCount(),
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
    }

    /** What a soak came to; {@code counted} is the hedge's own count of ended calls, {@code reported} that of its events. */
    record Result(
            long calls,
            long answered,
            long failed,
            long lost,
            long wrong,
            long counted,
            long reported,
            Hedge.Metrics metrics,
            Map<Trouble.Kind, Integer> trouble,
            long inFlightAtServers,
            Footprint before,
            Footprint after) {

        boolean isClean() {
            return lost == 0
                    && wrong == 0
                    && counted == calls
                    && reported == calls
                    && inFlightAtServers == 0
                    && metrics.getInFlightAttempts() == 0
                    && after.threads <= before.threads + MORE_THREADS
                    && after.heapBytes <= before.heapBytes + MORE_HEAP_BYTES;
        }
    }

    private final ExecutorService clientThreads = Executors.newFixedThreadPool(4);
    private final HttpClient http = HttpClient.newBuilder()
            .executor(clientThreads)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    private final Hedge hedge = Hedge.of(
            "soak",
            HedgeConfig.custom()
                    .delay(HedgeDelay.percentile(0.95).withInitial(Duration.ofMillis(20)))
                    .maxAttempts(3)
                    .budget(HedgeBudget.ratio(0.5).withBurst(100))
                    .timeout(DEADLINE)
                    .build());
    private final AtomicLong calls = new AtomicLong();
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder wrong = new LongAdder();
    private final LongAdder reported = new LongAdder();

    private Soak() {
        hedge.getEventPublisher().onCallEnded(ended -> reported.increment());
    }

    /** Argument: for how many minutes, half a one if there is none. Ends the JVM with 1 if something was lost or left. */
    public static void main(String[] args) throws Exception {
        double minutes = args.length == 0 ? 0.5 : Double.parseDouble(args[0]);
        Result result = run(Duration.ofMillis(Math.round(minutes * 60_000)));
        System.out.println(table(result));
        if (!result.isClean()) {
            System.err.println("Something was lost or left behind.");
            System.exit(1);
        }
    }

    static Result run(Duration length) throws Exception {
        return new Soak().measure(length);
    }

    private Result measure(Duration length) throws Exception {
        List<ServerProcess> servers = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                servers.add(new ServerProcess());
            }
            var trouble = new Trouble(servers, 1);
            callWhile(servers, () -> Thread.sleep(WARM_UP.toMillis()));
            long unusedWarmUp = awaitIdle(servers);
            Footprint before = Footprint.now();
            callWhile(servers, () -> {
                long start = System.nanoTime();
                while (System.nanoTime() - start < length.toNanos() || !trouble.wasOfEveryKind()) {
                    trouble.make();
                }
            });
            long inFlight = awaitIdle(servers);
            return new Result(
                    calls.get(),
                    answered.sum(),
                    failed.sum(),
                    lost.sum(),
                    wrong.sum(),
                    hedge.getMetrics().getNumberOfCalls(),
                    reported.sum(),
                    hedge.getMetrics(),
                    trouble.made(),
                    inFlight,
                    before,
                    Footprint.now());
        } finally {
            for (ServerProcess server : servers) {
                server.kill();
            }
            clientThreads.shutdown();
        }
    }

    private interface Meanwhile {
        void run() throws Exception;
    }

    private void callWhile(List<ServerProcess> servers, Meanwhile meanwhile) throws Exception {
        List<URI> uris = servers.stream().map(ServerProcess::uri).toList();
        var enough = new AtomicBoolean();
        ExecutorService lanes = Executors.newFixedThreadPool(LANES);
        List<Future<?>> running = new ArrayList<>();
        for (int lane = 0; lane < LANES; lane++) {
            running.add(lanes.submit(() -> {
                while (!enough.get()) {
                    call(uris, calls.getAndIncrement());
                    Thread.sleep(BETWEEN_CALLS_MILLIS);
                }
                return null;
            }));
        }
        try {
            meanwhile.run();
        } finally {
            enough.set(true);
            for (Future<?> lane : running) {
                lane.get();
            }
            lanes.shutdown();
            boolean unused = lanes.awaitTermination(LOST_AFTER_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void call(List<URI> uris, long number) throws InterruptedException {
        String path = "/" + number;
        try {
            HttpResponse<String> answer = hedge.<HttpResponse<String>>start(attempt -> {
                        int server = Math.toIntExact((number + attempt.number()) % uris.size());
                        HttpRequest request = HttpRequest.newBuilder(
                                        uris.get(server).resolve(path))
                                .build();
                        return http.sendAsync(request, BodyHandlers.ofString());
                    })
                    .get(LOST_AFTER_SECONDS, TimeUnit.SECONDS);
            (answer.body().equals(path) ? answered : wrong).increment();
        } catch (ExecutionException e) {
            failed.increment();
        } catch (TimeoutException e) {
            lost.increment();
        }
    }

    private long awaitIdle(List<ServerProcess> servers) throws Exception {
        long start = System.nanoTime();
        long inFlight;
        do {
            Thread.sleep(10);
            inFlight = 0;
            for (ServerProcess server : servers) {
                inFlight += server.inFlight();
            }
        } while ((inFlight > 0 || hedge.getMetrics().getInFlightAttempts() > 0)
                && System.nanoTime() - start
                        < Duration.ofSeconds(LOST_AFTER_SECONDS).toNanos());
        return inFlight;
    }

    private static String table(Result result) {
        Hedge.Metrics metrics = result.metrics;
        return new Grid("", "")
                .row("calls", result.calls)
                .row("answered", result.answered)
                .row("answered by a hedge", metrics.getNumberOfCallsWonByHedge())
                .row("failed", metrics.getNumberOfFailedCalls())
                .row("timed out", metrics.getNumberOfTimedOutCalls())
                .row("lost", result.lost)
                .row("wrong answer", result.wrong)
                .row("counted by the hedge", result.counted)
                .row("reported by its events", result.reported)
                .row("hedges", metrics.getNumberOfHedges())
                .row("hedges denied", metrics.getNumberOfDeniedHedges())
                .row("servers paused", result.trouble.getOrDefault(Trouble.Kind.PAUSED, 0))
                .row("slowed", result.trouble.getOrDefault(Trouble.Kind.SLOW, 0))
                .row("killed", result.trouble.getOrDefault(Trouble.Kind.KILLED, 0))
                .row("restarted at once", result.trouble.getOrDefault(Trouble.Kind.RESTARTED, 0))
                .row("in flight at the end, hedge", metrics.getInFlightAttempts())
                .row("in flight at the end, servers", result.inFlightAtServers)
                .row("threads before", result.before.threads)
                .row("threads after", result.after.threads)
                .row("heap before, KB", result.before.heapBytes >> 10)
                .row("heap after, KB", result.after.heapBytes >> 10)
                .toString();
    }
}
