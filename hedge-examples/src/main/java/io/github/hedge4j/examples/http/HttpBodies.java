package io.github.hedge4j.examples.http;

import static java.util.concurrent.TimeUnit.MINUTES;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgedFuture;
import io.github.hedge4j.examples.support.Grid;
import io.github.hedge4j.examples.support.Lanes;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/**
 * Streams bodies from whichever of two servers answers first. The answer is there with its headers, so both may well have answered: the
 * winner's body is read to its last byte, the loser's is cancelled or, if it came all the same, closed unread.
 */
public final class HttpBodies {

    private static final int AT_A_TIME = 8;
    private static final int BUFFER = 1 << 14;
    private static final long QUIET_NANOS = 100_000_000L;
    private static final long IDLE_LIMIT_NANOS = 10_000_000_000L;

    /** So many calls for bodies of this size; losers are cancelled or left to answer late. */
    record Kind(HttpClient.Version version, int calls, long bytes, boolean cancelLosers) {}

    /** What became of them. Connections are those that the servers saw, at half time and at the end. */
    record Result(
            Kind kind,
            double seconds,
            long wholeBodies,
            long closedUnread,
            long requests,
            long cancelledAtServers,
            long opened,
            long openAtHalfTime,
            long openAtEnd,
            long inFlightAtEnd) {

        boolean isClean() {
            return wholeBodies == kind.calls && inFlightAtEnd == 0;
        }
    }

    private final LongAdder closedUnread = new LongAdder();
    private final LongAdder wholeBodies = new LongAdder();

    private HttpBodies() {}

    /** Argument: how many small bodies to ask for, half of them over each version, 10,000 if there is none. Ends the JVM with 1 if a body or a request was left behind. */
    public static void main(String[] args) throws Exception {
        int calls = args.length == 0 ? 10_000 : Integer.parseInt(args[0]);
        List<Result> results = new ArrayList<>();
        for (HttpClient.Version version : HttpClient.Version.values()) {
            results.add(run(new Kind(version, calls / 2, 1 << 10, true)));
            results.add(run(new Kind(version, 100, 512 << 10, true)));
            results.add(run(new Kind(version, 1_000, 4 << 10, false)));
            results.add(run(new Kind(version, 2, 50 << 20, true)));
        }
        System.out.println(table(results));
        if (!results.stream().allMatch(Result::isClean)) {
            System.exit(1);
        }
    }

    static Result run(Kind kind) throws Exception {
        return new HttpBodies().measure(kind);
    }

    private Result measure(Kind kind) throws Exception {
        HttpClient client = HttpClient.newBuilder().version(kind.version).build();
        Hedge hedge = Hedge.of(
                "bodies",
                HedgeConfig.from(HedgeConfig.racing(2))
                        .cancelLosers(kind.cancelLosers)
                        .onDiscard(this::closeUnread)
                        .build());
        Vertx vertx = Vertx.vertx();
        try (BodyServer a = new BodyServer(vertx);
                BodyServer b = new BodyServer(vertx)) {
            List<BodyServer> servers = List.of(a, b);
            connect(client, servers);
            long before = sum(servers, BodyServer::requests);
            long start = System.nanoTime();
            ask(kind, kind.calls / 2, hedge, client, servers);
            long unused = awaitIdle(servers);
            long openAtHalfTime = sum(servers, BodyServer::connectionsOpen);
            ask(kind, kind.calls - kind.calls / 2, hedge, client, servers);
            long inFlightAtEnd = awaitIdle(servers);
            return new Result(
                    kind,
                    (System.nanoTime() - start) / 1e9,
                    wholeBodies.sum(),
                    closedUnread.sum(),
                    sum(servers, BodyServer::requests) - before,
                    sum(servers, BodyServer::cancelled),
                    sum(servers, BodyServer::connectionsOpened),
                    openAtHalfTime,
                    sum(servers, BodyServer::connectionsOpen),
                    inFlightAtEnd);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    /** One request each, so that HTTP/2 is agreed on: when several ask for it at once in clear text, JDK 17's client may garble frames. */
    private static void connect(HttpClient client, List<BodyServer> servers) throws Exception {
        for (BodyServer server : servers) {
            HttpRequest request = HttpRequest.newBuilder(server.uri(1)).build();
            HttpResponse<Void> unused = client.send(request, BodyHandlers.discarding());
        }
    }

    private void ask(Kind kind, int calls, Hedge hedge, HttpClient client, List<BodyServer> servers) throws Exception {
        Lanes.run(calls, AT_A_TIME, call -> {
            HedgedFuture<HttpResponse<InputStream>> answer = hedge.start(attempt -> {
                BodyServer server = servers.get((call + attempt.number()) % servers.size());
                return client.sendAsync(
                        HttpRequest.newBuilder(server.uri(kind.bytes)).build(), BodyHandlers.ofInputStream());
            });
            InputStream body = answer.get(1, MINUTES).body();
            // Not needed, but the harder case: by now every loser is cancelled or closed.
            answer.settled().toCompletableFuture().get(1, MINUTES);
            if (isWhole(body, kind.bytes)) {
                wholeBodies.increment();
            }
        });
    }

    private void closeUnread(Object late) {
        if (late instanceof HttpResponse<?> response && response.body() instanceof InputStream body) {
            try {
                body.close();
                closedUnread.increment();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static boolean isWhole(InputStream body, long bytes) throws IOException {
        try (body) {
            byte[] buffer = new byte[BUFFER];
            long position = 0;
            for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
                for (int i = 0; i < read; i++) {
                    if (buffer[i] != BodyServer.byteAt(position + i)) {
                        return false;
                    }
                }
                position += read;
            }
            return position == bytes;
        }
    }

    /**
     * How many requests are in flight when there were none for a while, or when patience is over. A request that was cancelled on its way may
     * only just be arriving.
     */
    private static long awaitIdle(List<BodyServer> servers) throws InterruptedException {
        long start = System.nanoTime();
        long now = start;
        long busyAt = start;
        long inFlight = 0;
        while (now - busyAt < QUIET_NANOS && now - start < IDLE_LIMIT_NANOS) {
            Thread.sleep(1);
            now = System.nanoTime();
            inFlight = sum(servers, BodyServer::inFlight);
            busyAt = inFlight > 0 ? now : busyAt;
        }
        return inFlight;
    }

    private static long sum(List<BodyServer> servers, ToLongFunction<BodyServer> count) {
        return servers.stream().mapToLong(count).sum();
    }

    private static String table(List<Result> results) {
        Grid grid = new Grid(
                "",
                "calls",
                "body, KB",
                "losers cancelled",
                "whole bodies",
                "late bodies closed",
                "requests at servers",
                "cancelled there",
                "connections opened",
                "open at half time",
                "open at the end",
                "in flight at the end",
                "seconds");
        for (Result result : results) {
            Kind kind = result.kind;
            grid.row(
                    kind.version,
                    kind.calls,
                    kind.bytes >> 10,
                    kind.cancelLosers,
                    result.wholeBodies,
                    result.closedUnread,
                    result.requests,
                    result.cancelledAtServers,
                    result.opened,
                    result.openAtHalfTime,
                    result.openAtEnd,
                    result.inFlightAtEnd,
                    result.seconds);
        }
        return grid.toString();
    }
}
