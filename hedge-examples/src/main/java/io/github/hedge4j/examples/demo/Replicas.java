package io.github.hedge4j.examples.demo;

import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The servers of one service, with what they share: event loops, and a timer finer than Vert.x's milliseconds. */
public final class Replicas implements AutoCloseable {

    private static final int COUNT = 3;

    private final Vertx vertx = Vertx.vertx();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(Replicas::daemon);
    private final List<ReplicaServer> servers = new ArrayList<>();

    /** Replicas A, B, C that follow the law, each in its own order of luck. */
    static Replicas following(LatencyLaw law, long seed) {
        var seeds = new SplittableRandom(seed);
        List<Supplier<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            LongSupplier latencyNanos = law.sampler(seeds.nextLong());
            replies.add(() -> Reply.ok(latencyNanos.getAsLong()));
        }
        return new Replicas(replies);
    }

    /** One server per entry, named A, B, C and so on. */
    public Replicas(List<Supplier<Reply>> replies) {
        for (Supplier<Reply> each : replies) {
            servers.add(new ReplicaServer(name(servers.size()), vertx, timer, each));
        }
    }

    static String name(int index) {
        return String.valueOf((char) ('A' + index));
    }

    /** Where they listen, in the order of their names. */
    public List<URI> uris() {
        return servers.stream().map(ReplicaServer::uri).toList();
    }

    /** What each has seen so far. */
    public List<ReplicaServer.Counts> counts() {
        return servers.stream().map(ReplicaServer::counts).toList();
    }

    /**
     * Waits until no server has a request in flight, at most {@code limit}; a hang-up takes a moment to arrive.
     *
     * @return the counts at the end of the wait
     */
    public List<ReplicaServer.Counts> awaitIdle(Duration limit) throws InterruptedException {
        long start = System.nanoTime();
        while (counts().stream().anyMatch(counts -> counts.inFlight() > 0)
                && System.nanoTime() - start < limit.toNanos()) {
            Thread.sleep(1);
        }
        return counts();
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        timer.shutdownNow();
    }

    private static Thread daemon(Runnable task) {
        var thread = new Thread(task, "replica-timer");
        thread.setDaemon(true);
        return thread;
    }
}
