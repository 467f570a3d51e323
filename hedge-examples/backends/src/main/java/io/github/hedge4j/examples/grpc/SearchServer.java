package io.github.hedge4j.examples.grpc;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** A gRPC server on a free port that is slow now and then, stops working on calls that are cancelled, and counts. */
final class SearchServer implements AutoCloseable {

    private static final int USUAL_MILLIS = 3;
    private static final int SLOW_MILLIS = 200;

    private final Server server;
    private final double slowShare;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final LongAdder received = new LongAdder();
    private final LongAdder answered = new LongAdder();
    private final LongAdder cancelled = new LongAdder();

    SearchServer(double slowShare) throws IOException {
        this.slowShare = slowShare;
        this.server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(ServerServiceDefinition.builder(Rpc.SERVICE)
                        .addMethod(Rpc.FIND, ServerCalls.asyncUnaryCall(this::find))
                        .build())
                .build()
                .start();
    }

    String target() {
        return "localhost:" + server.getPort();
    }

    long received() {
        return received.sum();
    }

    /** Calls that the server was told nobody waits for. */
    long cancelled() {
        return cancelled.sum();
    }

    long inFlight() {
        return received.sum() - answered.sum() - cancelled.sum();
    }

    private void find(String query, StreamObserver<String> observer) {
        received.increment();
        var call = (ServerCallStreamObserver<String>) observer;
        int late = ThreadLocalRandom.current().nextDouble() < slowShare ? SLOW_MILLIS : USUAL_MILLIS;
        var ended = new AtomicBoolean();
        ScheduledFuture<?> due = timer.schedule(() -> answer(query, call, ended), late, MILLISECONDS);
        call.setOnCancelHandler(() -> {
            due.cancel(false);
            if (ended.compareAndSet(false, true)) {
                cancelled.increment();
            }
        });
    }

    private void answer(String query, ServerCallStreamObserver<String> call, AtomicBoolean ended) {
        if (ended.compareAndSet(false, true)) {
            answered.increment();
            call.onNext("found " + query);
            call.onCompleted();
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
        timer.shutdownNow();
    }
}
