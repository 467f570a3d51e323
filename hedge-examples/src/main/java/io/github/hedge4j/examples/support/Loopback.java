package io.github.hedge4j.examples.support;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;

/** HTTP servers that only this machine can reach. */
public final class Loopback {

    /** Their address. */
    public static final String ADDRESS = "127.0.0.1";

    private Loopback() {}

    /**
     * Listens when it returns, for HTTP/1.1 only. In clear text, the JDK's client asks for HTTP/2 unless it is told not to, and then reads
     * a body that comes along with the answer to that as if it were frames.
     *
     * @param port 0 for any that is free
     * @throws java.util.concurrent.CompletionException if the port is not to be had
     */
    public static HttpServer listen(Vertx vertx, int port, Handler<HttpServerRequest> handler) {
        return vertx.createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false))
                .requestHandler(handler)
                .listen(port, ADDRESS)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    /** The server's root. */
    public static URI uri(HttpServer server) {
        return URI.create("http://" + ADDRESS + ":" + server.actualPort() + "/");
    }
}
