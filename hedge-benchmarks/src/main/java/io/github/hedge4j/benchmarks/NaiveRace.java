package io.github.hedge4j.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The race that one writes without a library: all attempts at once, the first success completes the result and cancels the others, and a
 * timeout on the result.
 */
final class NaiveRace implements Decorator<CompletionStage<Object>> {

    private final int attempts;
    private final long timeoutNanos;

    NaiveRace(int attempts, Duration timeout) {
        this.attempts = attempts;
        this.timeoutNanos = timeout.toNanos();
    }

    @Override
    public Supplier<CompletionStage<Object>> decorate(Supplier<CompletionStage<Object>> supplier) {
        return () -> {
            List<CompletableFuture<Object>> racers = new ArrayList<>(attempts);
            for (int i = 0; i < attempts; i++) {
                racers.add(supplier.get().toCompletableFuture());
            }
            return firstSuccess(racers).orTimeout(timeoutNanos, TimeUnit.NANOSECONDS);
        };
    }

    private static CompletableFuture<Object> firstSuccess(List<CompletableFuture<Object>> racers) {
        CompletableFuture<Object> result = new CompletableFuture<>();
        AtomicInteger failed = new AtomicInteger();
        for (CompletableFuture<Object> racer : racers) {
            CompletableFuture<Object> unused = racer.whenComplete((value, failure) -> {
                if (failure != null) {
                    if (failed.incrementAndGet() == racers.size()) {
                        result.completeExceptionally(failure);
                    }
                } else if (result.complete(value)) {
                    racers.forEach(loser -> loser.cancel(true));
                }
            });
        }
        return result;
    }
}
