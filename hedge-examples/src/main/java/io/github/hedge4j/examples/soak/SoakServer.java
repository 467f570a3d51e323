package io.github.hedge4j.examples.soak;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.hedge4j.examples.support.Loopback;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * An HTTP server in a process of its own that answers every request, some milliseconds late, with its path. It is told on its standard
 * input how late ({@code delay 50}) and asked how many requests it is working on ({@code in-flight}), and ends when its parent does.
 */
public final class SoakServer {

    private static final int USUAL_MILLIS = 3;

    private final Vertx vertx = Vertx.vertx();
    private final LongAdder inFlight = new LongAdder();
    private volatile int delayMillis = USUAL_MILLIS;

    private SoakServer() {}

    /** Argument: the port, or 0 for any free one. Prints the port when it listens. */
    public static void main(String[] args) throws IOException {
        new SoakServer().serve(Integer.parseInt(args[0]));
        System.exit(0);
    }

    private void serve(int port) throws IOException {
        HttpServer http = Loopback.listen(vertx, port, this::answerLate);
        System.out.println(http.actualPort());
        var commands = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            if (command.equals("in-flight")) {
                System.out.println(inFlight.sum());
            } else {
                delayMillis = Integer.parseInt(command.substring("delay ".length()));
            }
        }
    }

    private void answerLate(HttpServerRequest request) {
        inFlight.increment();
        var ended = new AtomicBoolean();
        HttpServerResponse response = request.response();
        response.closeHandler(hungUp -> end(ended));
        int late = delayMillis + ThreadLocalRandom.current().nextInt(USUAL_MILLIS);
        vertx.setTimer(late, due -> {
            if (!response.closed()) {
                end(ended);
                var unused = response.end(request.path());
            }
        });
    }

    private void end(AtomicBoolean ended) {
        if (ended.compareAndSet(false, true)) {
            inFlight.decrement();
        }
    }
}
