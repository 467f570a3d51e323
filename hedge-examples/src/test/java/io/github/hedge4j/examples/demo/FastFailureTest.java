package io.github.hedge4j.examples.demo;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.AttemptOutcome;
import io.github.hedge4j.AttemptReport;
import io.github.hedge4j.CallOutcome;
import io.github.hedge4j.CallReport;
import io.github.hedge4j.HedgedFuture;
import io.github.hedge4j.Race;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("realtime")
class FastFailureTest {

    private final List<Supplier<Reply>> aFailsBAnswersCWouldTakeLonger = List.of(
            () -> new Reply(MILLISECONDS.toNanos(30), 503),
            () -> Reply.ok(MILLISECONDS.toNanos(80)),
            () -> Reply.ok(MILLISECONDS.toNanos(200)));

    /** The HTTP client's first request takes longer than all of these answers: it loads a few hundred classes. */
    private static HttpClient warmClient() throws Exception {
        var http = HttpClient.newHttpClient();
        try (var replicas = new Replicas(List.of(() -> Reply.ok(0)))) {
            var client = new ReplicaClient(http, replicas.uris());
            Race.firstSuccess(List.of(() -> client.ask(0))).get(10, SECONDS);
        }
        return http;
    }

    @Test
    void theFirstSuccessWinsOverAFasterFailureAndTheSlowestIsHungUpOn() throws Exception {
        try (var replicas = new Replicas(aFailsBAnswersCWouldTakeLonger)) {
            var client = new ReplicaClient(warmClient(), replicas.uris());

            HedgedFuture<HttpResponse<String>> call =
                    Race.firstSuccess(List.of(() -> client.ask(0), () -> client.ask(1), () -> client.ask(2)));

            assertThat(call.get(10, SECONDS).body()).isEqualTo("B");
            assertThat(replicas.awaitIdle(Duration.ofSeconds(10)))
                    .containsExactly(
                            new ReplicaServer.Counts(1, 1, 0),
                            new ReplicaServer.Counts(1, 1, 0),
                            new ReplicaServer.Counts(1, 0, 1));

            CallReport report = call.settled().toCompletableFuture().get(10, SECONDS);
            assertThat(report.outcome()).isEqualTo(CallOutcome.SUCCESS);
            assertThat(report.winner()).hasValue(1);
            assertThat(report.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(80));
            assertThat(report.attempts())
                    .extracting(AttemptReport::outcome)
                    .containsExactly(AttemptOutcome.FAILURE, AttemptOutcome.SUCCESS, AttemptOutcome.CANCELLED);
            assertThat(report.attempts().get(0).failure())
                    .hasValueSatisfying(failure -> assertThat(failure).hasRootCauseMessage("HTTP status 503 from A"));
        }
    }
}
