package io.github.hedge4j.examples.writes;

import static java.util.concurrent.TimeUnit.MINUTES;

import io.github.hedge4j.Attempt;
import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.examples.support.Grid;
import io.github.hedge4j.examples.support.Lanes;
import io.github.hedge4j.examples.support.Latencies;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/**
 * Do not hedge this: payments of one euro each to an account of their own. The slow answer of a write says nothing about whether the
 * write was done, and cancelling it does not undo it. With {@code Attempt.callId()} as the key that makes the write idempotent, it is safe.
 */
public final class HedgedWrites {

    private static final int AT_A_TIME = 8;

    private static final HedgeConfig HEDGED = HedgeConfig.custom()
            .delay(HedgeDelay.fixed(Duration.ofMillis(30)))
            .budget(HedgeBudget.ratio(0.20))
            .build();

    /** What became of a number of payments. */
    record Run(String way, int payments, long requests, long booked, long bookedTwice, Latencies latencies) {}

    static {
        // The connection of a cancelled request may be in another one's hands; the JDK's client repeats a POST then
        // only if told to.
        System.setProperty("jdk.httpclient.enableAllMethodRetry", "true");
    }

    private HedgedWrites() {}

    /** Argument: how many payments to make in each way, 1,000 if there is none. Ends the JVM with 1 if the keys did not help. */
    public static void main(String[] args) throws Exception {
        List<Run> runs = run(args.length == 0 ? 1_000 : Integer.parseInt(args[0]));
        System.out.println(table(runs));
        Run withKey = runs.get(runs.size() - 1);
        if (withKey.booked != withKey.payments) {
            System.exit(1);
        }
    }

    static List<Run> run(int payments) throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        HedgeConfig once = HedgeConfig.custom().maxAttempts(1).build();
        List<Run> runs = new ArrayList<>();
        runs.add(pay("not hedged", once, payments, (attempt, request) -> request.build(), http));
        runs.add(pay("hedged, no key", HEDGED, payments, (attempt, request) -> request.build(), http));
        runs.add(pay("hedged, callId() as key", HEDGED, payments, HedgedWrites::withKey, http));
        return runs;
    }

    // tag::idempotency[]
    /** The same key for all attempts of a call, and another one for every call. */
    private static HttpRequest withKey(Attempt attempt, HttpRequest.Builder request) {
        return request.header("Idempotency-Key", attempt.callId().toString()).build();
    }
    // end::idempotency[]

    private static Run pay(
            String way,
            HedgeConfig config,
            int payments,
            BiFunction<Attempt, HttpRequest.Builder, HttpRequest> finish,
            HttpClient http)
            throws Exception {
        Hedge hedge = Hedge.of("payments", config);
        try (Ledger ledger = new Ledger()) {
            Latencies latencies = Lanes.run(payments, AT_A_TIME, account -> {
                CompletionStage<HttpResponse<String>> booked = hedge.start(attempt -> {
                    var request = HttpRequest.newBuilder(ledger.uri().resolve("/" + account))
                            .version(HttpClient.Version.HTTP_1_1)
                            .POST(BodyPublishers.noBody());
                    return http.sendAsync(finish.apply(attempt, request), BodyHandlers.ofString());
                });
                var unused = booked.toCompletableFuture().get(1, MINUTES);
            });
            return new Run(way, payments, ledger.requests(), ledger.total(), ledger.bookedTwice(), latencies);
        }
    }

    private static String table(List<Run> runs) {
        Grid grid = new Grid("", "payments", "requests", "euros booked", "accounts booked twice", "p50 ms", "p99 ms");
        for (Run run : runs) {
            grid.row(
                    run.way,
                    run.payments,
                    run.requests,
                    run.booked,
                    run.bookedTwice,
                    run.latencies.millisAt(0.50),
                    run.latencies.millisAt(0.99));
        }
        return grid.toString();
    }
}
