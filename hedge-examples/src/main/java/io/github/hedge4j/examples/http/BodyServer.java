package io.github.hedge4j.examples.http;

import io.github.hedge4j.examples.support.Loopback;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.URI;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Answers {@code GET /n} with n bytes, as fast as the client takes them, over HTTP/1.1 and HTTP/2, and counts what became of its
 * connections and requests.
 */
final class BodyServer implements AutoCloseable {

    private static final int CHUNK = 1 << 16;

    private final HttpServer http;
    private final byte[] chunk = new byte[CHUNK];
    private final LongAdder opened = new LongAdder();
    private final LongAdder closed = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder answered = new LongAdder();
    private final LongAdder cancelled = new LongAdder();

    /** Closes an HTTP/2 connection whose client resets more streams than that in half a minute. */
    BodyServer(Vertx vertx, int resetsAllowed) {
        for (int i = 0; i < CHUNK; i++) {
            chunk[i] = byteAt(i);
        }
        http = vertx.createHttpServer(new HttpServerOptions().setHttp2RstFloodMaxRstFramePerWindow(resetsAllowed))
                .connectionHandler(this::count)
                .requestHandler(this::serve)
                .listen(0, Loopback.ADDRESS)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    /** What every body has at this place. */
    static byte byteAt(long position) {
        return (byte) (position % CHUNK % 251);
    }

    URI uri(long bytes) {
        return Loopback.uri(http).resolve(String.valueOf(bytes));
    }

    long connectionsOpened() {
        return opened.sum();
    }

    long connectionsOpen() {
        return opened.sum() - closed.sum();
    }

    long requests() {
        return received.sum();
    }

    /** Requests whose client hung up, or reset their stream, before it had the whole body. */
    long cancelled() {
        return cancelled.sum();
    }

    long inFlight() {
        return received.sum() - answered.sum() - cancelled.sum();
    }

    private void count(HttpConnection connection) {
        opened.increment();
        connection.closeHandler(gone -> closed.increment());
    }

    private void serve(HttpServerRequest request) {
        received.increment();
        long bytes = Long.parseLong(request.path().substring(1));
        HttpServerResponse response = request.response();
        var ended = new AtomicBoolean();
        Runnable cancel = () -> {
            if (ended.compareAndSet(false, true)) {
                cancelled.increment();
            }
        };
        response.exceptionHandler(reset -> cancel.run()).closeHandler(gone -> cancel.run());
        response.putHeader("content-length", String.valueOf(bytes));
        write(response, bytes, ended);
    }

    private void write(HttpServerResponse response, long bytes, AtomicBoolean ended) {
        long left = bytes;
        while (left > 0 && !ended.get()) {
            if (response.writeQueueFull()) {
                long rest = left;
                response.drainHandler(drained -> write(response, rest, ended));
                return;
            }
            int length = (int) Math.min(left, CHUNK);
            // A copy each time: a buffer is not to be shared by event loops.
            var unused = response.write(Buffer.buffer(Arrays.copyOf(chunk, length)));
            left -= length;
        }
        if (ended.compareAndSet(false, true)) {
            answered.increment();
            var unused = response.end();
        }
    }

    @Override
    public void close() {
        http.close().toCompletionStage().toCompletableFuture().join();
    }
}
