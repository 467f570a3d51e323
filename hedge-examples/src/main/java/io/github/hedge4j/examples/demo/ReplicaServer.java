package io.github.hedge4j.examples.demo;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.github.hedge4j.examples.support.Loopback;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.URI;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * A replica: an HTTP server on a free loopback port that answers every request late, stops working on one as soon as its client
 * hangs up, and counts what became of each.
 */
public final class ReplicaServer {

    private final String name;
    private final Supplier<Reply> replies;
    private final ScheduledExecutorService timer;
    private final HttpServer http;

    private final LongAdder received = new LongAdder();
    private final LongAdder answered = new LongAdder();
    private final LongAdder cancelled = new LongAdder();

    /** Listens when it returns. {@code replies} is asked once per request, by one thread at a time. */
    ReplicaServer(String name, Vertx vertx, ScheduledExecutorService timer, Supplier<Reply> replies) {
        this.name = name;
        this.replies = replies;
        this.timer = timer;
        this.http = Loopback.listen(vertx, 0, request -> serve(request, vertx.getOrCreateContext()));
    }

    URI uri() {
        return Loopback.uri(http);
    }

    /** What this server has seen so far. */
    Counts counts() {
        // Ends before beginnings: a request that comes in meanwhile may look in flight, never less than none.
        long ended = answered.sum();
        long hungUp = cancelled.sum();
        return new Counts(received.sum(), ended, hungUp);
    }

    private void serve(HttpServerRequest request, Context context) {
        received.increment();
        Reply reply = replies.get();
        HttpServerResponse response = request.response();
        ScheduledFuture<?> due = timer.schedule(
                () -> context.runOnContext(now -> answer(response, reply)), reply.delayNanos(), NANOSECONDS);
        response.closeHandler(hungUp -> {
            due.cancel(false);
            cancelled.increment();
        });
    }

    private void answer(HttpServerResponse response, Reply reply) {
        // The client may have hung up after the timer ran and before this did.
        if (response.closed()) {
            return;
        }
        answered.increment();
        response.setStatusCode(reply.status()).end(name);
    }

    /** Requests as the server saw them: {@code cancelled} are those whose client hung up before the answer. */
    public record Counts(long received, long answered, long cancelled) {

        public long inFlight() {
            return received - answered - cancelled;
        }
    }
}
