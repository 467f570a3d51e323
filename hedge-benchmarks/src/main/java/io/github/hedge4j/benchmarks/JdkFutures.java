package io.github.hedge4j.benchmarks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The JDK's own, as nearly everybody has them. */
final class JdkFutures implements Futures<CompletionStage<Object>> {

    @Override
    public CompletionStage<Object> pending() {
        return new CompletableFuture<>();
    }

    @Override
    public CompletionStage<Object> succeeded() {
        return CompletableFuture.completedFuture(VALUE);
    }

    @Override
    public CompletionStage<Object> failed() {
        return CompletableFuture.failedFuture(FAILURE);
    }

    @Override
    public void succeed(CompletionStage<Object> pending) {
        pending.toCompletableFuture().complete(VALUE);
    }

    @Override
    public boolean isDone(CompletionStage<Object> future) {
        return future.toCompletableFuture().isDone();
    }
}
