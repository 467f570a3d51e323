package io.github.hedge4j.examples.demo;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReplicaServerTest {

    private static final Duration LONG_ENOUGH = Duration.ofSeconds(10);

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void answersWithItsName() throws Exception {
        try (var replicas = new Replicas(List.of(() -> Reply.ok(0), () -> Reply.ok(0)))) {
            var client = new ReplicaClient(http, replicas.uris());

            assertThat(client.ask(0).get(10, SECONDS).body()).isEqualTo("A");
            assertThat(client.ask(3).get(10, SECONDS).body()).isEqualTo("B");

            assertThat(replicas.awaitIdle(LONG_ENOUGH))
                    .containsExactly(new ReplicaServer.Counts(1, 1, 0), new ReplicaServer.Counts(1, 1, 0));
        }
    }

    @Test
    void anErrorStatusIsAFailureAndAnAnswer() throws Exception {
        try (var replicas = new Replicas(List.of(() -> new Reply(0, 503)))) {
            var client = new ReplicaClient(http, replicas.uris());

            assertThatThrownBy(() -> client.ask(0).get(10, SECONDS))
                    .hasRootCauseInstanceOf(IOException.class)
                    .hasRootCauseMessage("HTTP status 503 from A");

            assertThat(replicas.awaitIdle(LONG_ENOUGH)).containsExactly(new ReplicaServer.Counts(1, 1, 0));
        }
    }

    @Test
    void aClientThatHangsUpIsSeenAndItsAnswerNeverWritten() throws Exception {
        var arrived = new CompletableFuture<Void>();
        try (var replicas = new Replicas(List.of(() -> {
            arrived.complete(null);
            return Reply.ok(HOURS.toNanos(1));
        }))) {
            var answer = new ReplicaClient(http, replicas.uris()).ask(0);
            arrived.get(10, SECONDS);
            assertThat(replicas.counts()).containsExactly(new ReplicaServer.Counts(1, 0, 0));

            answer.cancel(true);

            assertThat(replicas.awaitIdle(LONG_ENOUGH)).containsExactly(new ReplicaServer.Counts(1, 0, 1));
        }
    }
}
