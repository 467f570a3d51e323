package io.github.hedge4j.examples.shutdown;

import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.github.hedge4j.HedgedFuture;
import io.github.hedge4j.Race;
import io.github.hedge4j.StoppedException;
import io.github.hedge4j.examples.demo.ReplicaServer;
import io.github.hedge4j.examples.demo.Replicas;
import io.github.hedge4j.examples.demo.Reply;
import io.github.hedge4j.examples.support.Grid;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Requests that would take a minute when the service is told to stop: all end at once, at the server too, and no further one starts. */
public final class GracefulShutdown {

    private static final int REQUESTS = 50;

    /** What happened; times count from the signal. */
    record Result(
            int inFlightBefore,
            int stopped,
            double stoppedMillis,
            double serverIdleMillis,
            boolean refusedAfterwards,
            int startedAfterwards,
            int registeredOnSignal) {}

    private GracefulShutdown() {}

    /** Takes no arguments. */
    public static void main(String[] args) throws Exception {
        Result unusedWarmUp = run();
        Result result = run();
        System.out.println(new Grid(
                        "requests in flight",
                        "ended by the signal",
                        "within ms",
                        "server idle after ms",
                        "started afterwards",
                        "left on the signal")
                .row(
                        result.inFlightBefore,
                        result.stopped,
                        result.stoppedMillis,
                        result.serverIdleMillis,
                        result.startedAfterwards,
                        result.registeredOnSignal));
    }

    static Result run() throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        try (Replicas server = new Replicas(List.of(() -> Reply.ok(SECONDS.toNanos(60))))) {
            URI uri = server.uris().get(0);
            // One for the life of the process: what a shutdown hook completes.
            CompletableFuture<Void> stop = new CompletableFuture<>();
            List<HedgedFuture<HttpResponse<String>>> work = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                work.add(Race.unlessStopped(stop, () -> ask(http, uri)));
            }
            awaitReceived(server);
            int inFlight = (int) server.counts().get(0).inFlight();

            long start = System.nanoTime();
            stop.complete(null);
            int stopped = 0;
            for (HedgedFuture<?> each : work) {
                stopped += isStopped(each) ? 1 : 0;
            }
            double stoppedMillis = (System.nanoTime() - start) / 1e6;
            ReplicaServer.Counts after = server.awaitIdle(Duration.ofSeconds(5)).get(0);
            double idleMillis = (System.nanoTime() - start) / 1e6;

            boolean refused = isStopped(Race.unlessStopped(stop, () -> ask(http, uri)));
            int startedAfterwards = (int) (server.counts().get(0).received() - after.received());
            return new Result(
                    inFlight,
                    stopped,
                    stoppedMillis,
                    idleMillis,
                    refused,
                    startedAfterwards,
                    stop.getNumberOfDependents());
        }
    }

    private static CompletableFuture<HttpResponse<String>> ask(HttpClient http, URI uri) {
        HttpRequest request =
                HttpRequest.newBuilder(uri).version(HttpClient.Version.HTTP_1_1).build();
        return http.sendAsync(request, BodyHandlers.ofString());
    }

    private static void awaitReceived(Replicas server) throws InterruptedException {
        while (server.counts().get(0).received() < REQUESTS) {
            Thread.sleep(1);
        }
    }

    private static boolean isStopped(CompletableFuture<?> work) throws Exception {
        return work.handle((answer, failure) -> failure instanceof StoppedException)
                .get(1, MINUTES);
    }
}
