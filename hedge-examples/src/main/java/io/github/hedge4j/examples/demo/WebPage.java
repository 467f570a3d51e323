package io.github.hedge4j.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.hedge4j.examples.support.Loopback;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

/**
 * The demo over HTTP on loopback: a page at {@code /}, the numbers it shows at {@code /numbers}, and {@code /metrics} for Prometheus.
 * The page needs nothing from elsewhere: ECharts is inside.
 */
final class WebPage implements AutoCloseable {

    private static final String CHARTS = "/META-INF/resources/webjars/echarts/5.3.1/dist/echarts.min.js";
    private static final int NOT_FOUND = 404;

    private final Vertx vertx = Vertx.vertx();
    private final String template = resource("demo.html").replace("{{charts}}", resource(CHARTS));
    private final Supplier<JsonObject> numbers;
    private final Supplier<String> metrics;
    private final HttpServer http;

    /**
     * Listens when it returns. The suppliers are asked on an event loop.
     *
     * @param port 0 for any that is free
     * @throws java.util.concurrent.CompletionException if the port is not to be had
     */
    WebPage(int port, Supplier<JsonObject> numbers, Supplier<String> metrics) {
        this.numbers = numbers;
        this.metrics = metrics;
        try {
            this.http = Loopback.listen(vertx, port, this::serve);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    String url() {
        return Loopback.uri(http).toString();
    }

    private void serve(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        switch (request.path()) {
            case "/" -> send(response, "text/html; charset=utf-8", html());
            case "/numbers" -> send(response, "application/json", numbers.get().encode());
            case "/metrics" -> send(response, "text/plain; version=0.0.4; charset=utf-8", metrics.get());
            default -> response.setStatusCode(NOT_FOUND).end();
        }
    }

    private static void send(HttpServerResponse response, String type, String body) {
        response.putHeader("Content-Type", type)
                .putHeader("Cache-Control", "no-store")
                .end(body);
    }

    private String html() {
        return template.replace("{{numbers}}", numbers.get().encode().replace("<", "\\u003c"));
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private static String resource(String name) {
        try (InputStream in = WebPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("not on the class path: " + name);
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
