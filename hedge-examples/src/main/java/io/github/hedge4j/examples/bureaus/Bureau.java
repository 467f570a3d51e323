package io.github.hedge4j.examples.bureaus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.util.concurrent.CompletableFuture;

/** A client of one bureau, in both styles. Any status but 200 is a failure. */
record Bureau(String name, HttpClient http, URI uri) {

    private static final int OK = 200;

    /** Without a thread. The body's subscriber fails the client's own future, whose cancellation reaches the connection. */
    CompletableFuture<HttpResponse<String>> ask(int customer) {
        return http.sendAsync(request(customer), this::body);
    }

    /** On the caller's thread, whose interruption hangs up. */
    String askBlocking(int customer) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request(customer), BodyHandlers.ofString());
        if (response.statusCode() != OK) {
            throw new IOException(name + " answered " + response.statusCode());
        }
        return response.body();
    }

    private HttpRequest request(int customer) {
        return HttpRequest.newBuilder(uri.resolve("/score/" + customer))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    private BodySubscriber<String> body(ResponseInfo info) {
        return BodySubscribers.mapping(BodySubscribers.ofString(UTF_8), text -> {
            if (info.statusCode() != OK) {
                throw new UncheckedIOException(new IOException(name + " answered " + info.statusCode()));
            }
            return text;
        });
    }
}
