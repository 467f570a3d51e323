package io.github.hedge4j.decorators;

import io.github.hedge4j.future.Stages;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Around a decorator of which nothing is known. What that has asked of the chain under it is cancelled too, in case it does not do so. If
 * it then has no result, those that come to what it has asked are received by nobody.
 */
final class ForeignStage<T> extends Around<T> {

    private final Foreign<T> decorator;
    private final Queue<CompletionStage<T>> asked = new ConcurrentLinkedQueue<>();
    private final Queue<CompletionStage<T>> cancelled = new ConcurrentLinkedQueue<>();

    ForeignStage(Foreign<T> decorator) {
        this.decorator = decorator;
    }

    /** If it is of this decorator, whose type of result is then its own. */
    @SuppressWarnings("unchecked")
    static <T> @Nullable ForeignStage<T> of(Foreign<T> decorator, @Nullable ForeignStage<?> stage) {
        return stage != null && stage.decorator == decorator ? (ForeignStage<T>) stage : null;
    }

    void own(CompletionStage<T> inner) {
        asked.add(inner);
        if (isEnded()) { // whoever cancelled this may have looked before it was there
            onCancel();
        }
    }

    @Override
    void onEnd(@Nullable T value, @Nullable Throwable failure) {
        asked.clear();
    }

    @Override
    void onCancel() {
        for (CompletionStage<T> inner = asked.poll(); inner != null; inner = asked.poll()) {
            cancelled.add(inner);
            Stages.cancel(inner);
        }
    }

    @Override
    void sourceCancelled(CompletionStage<?> source) {
        boolean failed = Stages.hasEnded(source) && !Stages.hasSucceeded(source);
        for (CompletionStage<T> inner = cancelled.poll(); inner != null; inner = cancelled.poll()) {
            if (failed) {
                CompletionStage<?> unused = inner.thenAccept(this::discard);
            }
        }
    }
}
