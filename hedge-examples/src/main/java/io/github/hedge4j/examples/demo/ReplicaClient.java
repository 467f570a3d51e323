package io.github.hedge4j.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Asks replicas over HTTP/1.1, where cancelling a request closes its connection. */
final class ReplicaClient {

    private static final int OK = 200;

    private final HttpClient http;
    private final List<HttpRequest> requests;

    ReplicaClient(HttpClient http, List<URI> replicas) {
        this.http = http;
        this.requests = replicas.stream().map(ReplicaClient::get).toList();
    }

    /** How many replicas there are. */
    int size() {
        return requests.size();
    }

    /** All replicas by their names, A, B, C and so on, beginning with the one whose turn it is. */
    Map<String, Supplier<CompletionStage<HttpResponse<String>>>> inTurn(int turn) {
        Map<String, Supplier<CompletionStage<HttpResponse<String>>>> replicas = new LinkedHashMap<>();
        for (int i = turn; i < turn + size(); i++) {
            int mine = Math.floorMod(i, size());
            replicas.put(Replicas.name(mine), () -> ask(mine));
        }
        return replicas;
    }

    /**
     * Asks the replica whose turn it is; {@code turn} may be any number. Any status but 200 is a failure. The future is the
     * HTTP client's own, as only cancelling that one, with {@code cancel(true)}, reaches the connection.
     */
    CompletableFuture<HttpResponse<String>> ask(int turn) {
        return http.sendAsync(requests.get(Math.floorMod(turn, requests.size())), ReplicaClient::body);
    }

    private static HttpRequest get(URI uri) {
        return HttpRequest.newBuilder(uri).version(HttpClient.Version.HTTP_1_1).build();
    }

    private static BodySubscriber<String> body(ResponseInfo info) {
        return BodySubscribers.mapping(BodySubscribers.ofString(UTF_8), text -> {
            if (info.statusCode() != OK) {
                throw new UncheckedIOException(new IOException("HTTP status " + info.statusCode() + " from " + text));
            }
            return text;
        });
    }
}
