package io.github.hedge4j.examples.bureaus;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.HdrHistogram.ConcurrentHistogram;

/** What else the service does: a short task every few milliseconds, where a program's asynchronous tasks run unless told otherwise. */
final class OtherWork implements AutoCloseable {

    private static final int EVERY_MILLIS = 5;
    private static final int SIGNIFICANT_DIGITS = 3;

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final ConcurrentHistogram nanos = new ConcurrentHistogram(SIGNIFICANT_DIGITS);

    /** How many tasks there were, and how long all but one in a hundred took from being handed in to being done. */
    record Seen(long tasks, double p99Millis) {}

    OtherWork() {
        var unused = clock.scheduleAtFixedRate(this::handIn, EVERY_MILLIS, EVERY_MILLIS, MILLISECONDS);
    }

    private void handIn() {
        long start = System.nanoTime();
        CompletionStage<?> unused = CompletableFuture.runAsync(() -> nanos.recordValue(System.nanoTime() - start));
    }

    Seen seen() {
        return new Seen(nanos.getTotalCount(), nanos.getValueAtPercentile(99) / 1e6);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
