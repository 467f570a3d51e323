package io.github.hedge4j.decorators;

import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Around a decorator of which nothing is known. What that has asked of the chain under it is cancelled too, in case it does not do so. */
final class ForeignStage<T> extends Around<T> {

    private final Foreign<T> decorator;
    private final Queue<CompletionStage<?>> asked = new ConcurrentLinkedQueue<>();

    ForeignStage(Foreign<T> decorator) {
        this.decorator = decorator;
    }

    boolean isOf(Foreign<?> other) {
        return decorator == other;
    }

    void own(CompletionStage<?> inner) {
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
        for (CompletionStage<?> inner = asked.poll(); inner != null; inner = asked.poll()) {
            cancel(inner);
        }
    }
}
