package io.github.hedge4j.examples.writes;

import io.github.hedge4j.examples.support.Loopback;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A bank's ledger behind HTTP: {@code POST /account} books one euro to the account, at once and for good. The answer comes later, now and
 * then much later. A request with an {@code Idempotency-Key} that was seen before books nothing and is answered like the first.
 */
final class Ledger implements AutoCloseable {

    private static final int USUAL_MILLIS = 5;
    private static final int SLOW_MILLIS = 100;
    private static final double SLOW_SHARE = 0.10;

    private final Vertx vertx = Vertx.vertx();
    private final SplittableRandom random = new SplittableRandom(1);
    private final Map<String, LongAdder> balances = new ConcurrentHashMap<>();
    private final Set<String> keys = ConcurrentHashMap.newKeySet();
    private final LongAdder received = new LongAdder();
    private final HttpServer http = Loopback.listen(vertx, 0, this::book);

    URI uri() {
        return Loopback.uri(http);
    }

    long requests() {
        return received.sum();
    }

    /** Euros booked, over all accounts. */
    long total() {
        return balances.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /** Accounts that were booked to more than once. */
    long bookedTwice() {
        return balances.values().stream().filter(euros -> euros.sum() > 1).count();
    }

    private void book(HttpServerRequest request) {
        received.increment();
        String key = request.getHeader("Idempotency-Key");
        if (key == null || keys.add(key)) {
            balances.computeIfAbsent(request.path(), path -> new LongAdder()).increment();
        }
        vertx.setTimer(random.nextDouble() < SLOW_SHARE ? SLOW_MILLIS : USUAL_MILLIS, due -> {
            if (!request.response().closed()) {
                var unused = request.response().end("booked");
            }
        });
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
