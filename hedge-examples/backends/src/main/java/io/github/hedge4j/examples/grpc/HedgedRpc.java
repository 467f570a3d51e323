package io.github.hedge4j.examples.grpc;

import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.github.hedge4j.Attempt;
import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.HedgedFuture;
import io.github.hedge4j.examples.support.Grid;
import io.github.hedge4j.examples.support.Lanes;
import io.github.hedge4j.examples.support.Latencies;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/** Calls to two gRPC servers, each of which is slow now and then: one alone, hedged, and raced. */
public final class HedgedRpc {

    private static final int AT_A_TIME = 8;
    private static final double SLOW_SHARE = 0.05;
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    /** What became of a number of calls made in one way; the counts are those of the servers. */
    record Run(
            String way, int calls, long wrong, Latencies latencies, long received, long cancelled, long inFlightAtEnd) {

        boolean isClean() {
            return wrong == 0 && inFlightAtEnd == 0;
        }
    }

    private HedgedRpc() {}

    /** Argument: how many calls to make in each way, 2,000 if there is none. Ends the JVM with 1 if a call was left behind. */
    public static void main(String[] args) throws Exception {
        List<Run> runs = run(args.length == 0 ? 2_000 : Integer.parseInt(args[0]));
        System.out.println(table(runs));
        if (!runs.stream().allMatch(Run::isClean)) {
            System.exit(1);
        }
    }

    static List<Run> run(int calls) throws Exception {
        HedgeConfig once = HedgeConfig.custom().maxAttempts(1).timeout(DEADLINE).build();
        HedgeConfig hedged = HedgeConfig.custom()
                .delay(HedgeDelay.fixed(Duration.ofMillis(20)))
                .timeout(DEADLINE)
                .build();
        HedgeConfig raced =
                HedgeConfig.from(HedgeConfig.racing(2)).timeout(DEADLINE).build();
        Run unusedWarmUp = measure("warm-up", raced, calls / 10 + 1);
        List<Run> runs = new ArrayList<>();
        runs.add(measure("one server", once, calls));
        runs.add(measure("hedged after 20 ms", hedged, calls));
        runs.add(measure("raced", raced, calls));
        return runs;
    }

    private static Run measure(String way, HedgeConfig config, int calls) throws Exception {
        Hedge hedge = Hedge.of(way, config);
        var wrong = new LongAdder();
        try (var a = new SearchServer(SLOW_SHARE);
                var b = new SearchServer(SLOW_SHARE)) {
            List<ManagedChannel> channels = List.of(channel(a), channel(b));
            Latencies latencies = Lanes.run(calls, AT_A_TIME, number -> {
                String query = "query " + number;
                HedgedFuture<String> found = hedge.start(
                        attempt -> find(channels.get((number + attempt.number()) % channels.size()), query, attempt));
                if (!found.get(1, MINUTES).equals("found " + query)) {
                    wrong.increment();
                }
            });
            awaitIdle(a, b);
            channels.forEach(ManagedChannel::shutdownNow);
            return new Run(
                    way,
                    calls,
                    wrong.sum(),
                    latencies,
                    a.received() + b.received(),
                    a.cancelled() + b.cancelled(),
                    a.inFlight() + b.inFlight());
        }
    }

    private static CompletableFuture<String> find(Channel channel, String query, Attempt attempt) {
        CallOptions options = attempt.remaining()
                .map(left -> CallOptions.DEFAULT.withDeadlineAfter(left.toNanos(), NANOSECONDS))
                .orElse(CallOptions.DEFAULT);
        return Rpc.stage(ClientCalls.futureUnaryCall(channel.newCall(Rpc.FIND, options), query));
    }

    private static ManagedChannel channel(SearchServer server) {
        return Grpc.newChannelBuilder(server.target(), InsecureChannelCredentials.create())
                .build();
    }

    private static void awaitIdle(SearchServer a, SearchServer b) throws InterruptedException {
        long start = System.nanoTime();
        while (a.inFlight() + b.inFlight() > 0 && System.nanoTime() - start < DEADLINE.toNanos()) {
            Thread.sleep(1);
        }
    }

    private static String table(List<Run> runs) {
        Grid grid = new Grid(
                "", "calls", "p50 ms", "p99 ms", "RPCs at the servers", "CANCELLED there", "in flight at the end");
        for (Run run : runs) {
            grid.row(
                    run.way,
                    run.calls,
                    run.latencies.millisAt(0.50),
                    run.latencies.millisAt(0.99),
                    run.received,
                    run.cancelled,
                    run.inFlightAtEnd);
        }
        return grid.toString();
    }
}
