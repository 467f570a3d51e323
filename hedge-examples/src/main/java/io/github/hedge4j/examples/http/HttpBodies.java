package io.github.hedge4j.examples.http;

import static java.util.concurrent.TimeUnit.MINUTES;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgedFuture;
import io.github.hedge4j.examples.support.Grid;
import io.github.hedge4j.examples.support.Lanes;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/**
 * Streams bodies from whichever of two servers answers first. The answer is there with its headers, so both may well have answered: the
 * winner's body is read to its last byte, the loser's is cancelled or, if it came all the same, closed unread.
 */
public final class HttpBodies {

    private static final int AT_A_TIME = 8;
    private static final int BUFFER = 1 << 14;
    private static final int USUAL_RESETS = HttpServerOptions.DEFAULT_HTTP2_RST_FLOOD_MAX_RST_FRAME_PER_WINDOW;
    private static final int HELD = 1 << 20;
    private static final long QUIET_NANOS = 100_000_000L;
    private static final long IDLE_LIMIT_NANOS = 10_000_000_000L;

    /** So many calls for bodies of this size; losers are cancelled or left to answer late. */
    record Kind(HttpClient.Version version, int calls, long bytes, boolean cancelLosers, int resetsAllowed) {

        /** To servers that mind no resets: a race makes one a call. */
        Kind(HttpClient.Version version, int calls, long bytes, boolean cancelLosers) {
            this(version, calls, bytes, cancelLosers, Integer.MAX_VALUE);
        }
    }

    /** What became of them. Connections are those that the servers saw; {@code lost} ones are open, but not in the client's pool. */
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
            long lost,
            long inFlightAtEnd) {

        boolean isClean() {
            return wholeBodies == kind.calls && inFlightAtEnd == 0 && lost == 0;
        }
    }

    private final LongAdder closedUnread = new LongAdder();
    private final LongAdder wholeBodies = new LongAdder();

    private HttpBodies() {}

    /** Argument: how many small bodies to ask for, half of them over each version, 10,000 if there is none. Ends the JVM with 1 if a body, a request or a connection was left behind. */
    public static void main(String[] args) throws Exception {
        int calls = args.length == 0 ? 10_000 : Integer.parseInt(args[0]);
        List<Result> results = new ArrayList<>();
        for (HttpClient.Version version : HttpClient.Version.values()) {
            results.add(run(new Kind(version, calls / 2, 1 << 10, true)));
            results.add(run(new Kind(version, 100, 512 << 10, true)));
            results.add(run(new Kind(version, 1_000, 4 << 10, false)));
            results.add(run(new Kind(version, 2, 50 << 20, true)));
        }
        results.add(run(new Kind(HttpClient.Version.HTTP_2, calls / 2, 1 << 10, true, USUAL_RESETS)));
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
        try (BodyServer a = new BodyServer(vertx, kind.resetsAllowed);
                BodyServer b = new BodyServer(vertx, kind.resetsAllowed)) {
            List<BodyServer> servers = List.of(a, b);
            connect(client, servers);
            long before = sum(servers, BodyServer::requests);
            long start = System.nanoTime();
            ask(kind, kind.calls / 2, hedge, client, servers);
            long unused = awaitIdle(servers);
            long openAtHalfTime = sum(servers, BodyServer::connectionsOpen);
            ask(kind, kind.calls - kind.calls / 2, hedge, client, servers);
            long inFlightAtEnd = awaitIdle(servers);
            double seconds = (System.nanoTime() - start) / 1e9;
            long requests = sum(servers, BodyServer::requests) - before;
            long cancelled = sum(servers, BodyServer::cancelled);
            long opened = sum(servers, BodyServer::connectionsOpened);
            long openAtEnd = sum(servers, BodyServer::connectionsOpen);
            long lost = connectionsLost(client, servers);
            return new Result(
                    kind,
                    seconds,
                    wholeBodies.sum(),
                    closedUnread.sum(),
                    requests,
                    cancelled,
                    opened,
                    openAtHalfTime,
                    openAtEnd,
                    lost,
                    inFlightAtEnd);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    /** One small body from each, so that HTTP/2 is agreed on: one that comes with the answer to that garbles the frames of JDK's client. */
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

    /**
     * How many connections are opened when each that is open is needed at the same time: as many as are not in the client's pool. One may
     * only just be on its way there, so the last of a few rounds counts; what is really lost is missing in every round.
     */
    private static long connectionsLost(HttpClient client, List<BodyServer> servers) throws Exception {
        long start = System.nanoTime();
        long lost;
        do {
            long opened = sum(servers, BodyServer::connectionsOpened);
            for (BodyServer server : servers) {
                useAtOnce(client, server, server.connectionsOpen());
            }
            lost = sum(servers, BodyServer::connectionsOpened) - opened;
            long unused = awaitIdle(servers);
        } while (lost > 0 && System.nanoTime() - start < IDLE_LIMIT_NANOS);
        return lost;
    }

    /** Bodies too large for any buffer keep their connections until they are read, and none is before all have begun. */
    private static void useAtOnce(HttpClient client, BodyServer server, long connections) throws Exception {
        List<CompletableFuture<HttpResponse<InputStream>>> answers = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            answers.add(
                    client.sendAsync(HttpRequest.newBuilder(server.uri(HELD)).build(), BodyHandlers.ofInputStream()));
        }
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).get(1, MINUTES);
        for (CompletableFuture<HttpResponse<InputStream>> answer : answers) {
            try (InputStream body = answer.join().body()) {
                body.skipNBytes(HELD);
            }
        }
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
                "resets allowed",
                "whole bodies",
                "late bodies closed",
                "requests at servers",
                "cancelled there",
                "connections opened",
                "open at half time",
                "open at the end",
                "lost",
                "in flight at the end",
                "seconds");
        for (Result result : results) {
            Kind kind = result.kind;
            grid.row(
                    kind.version,
                    kind.calls,
                    kind.bytes >> 10,
                    kind.cancelLosers,
                    kind.resetsAllowed == Integer.MAX_VALUE ? "any" : kind.resetsAllowed,
                    result.wholeBodies,
                    result.closedUnread,
                    result.requests,
                    result.cancelledAtServers,
                    result.opened,
                    result.openAtHalfTime,
                    result.openAtEnd,
                    result.lost,
                    result.inFlightAtEnd,
                    result.seconds);
        }
        return grid.toString();
    }
}
