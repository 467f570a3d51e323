package io.github.hedge4j.decorators;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import org.jspecify.annotations.Nullable;

/** Holds a permit of a bulkhead from before its source is started until it has ended or is no longer wanted. */
final class BulkheadStage<T> extends Around<T> {

    private final Bulkhead bulkhead;

    BulkheadStage(Bulkhead bulkhead) {
        this.bulkhead = bulkhead;
    }

    @Override
    void admit() {
        if (!bulkhead.tryAcquirePermission()) {
            throw BulkheadFullException.createBulkheadFullException(bulkhead);
        }
    }

    @Override
    void onEnd(@Nullable T value, @Nullable Throwable failure) {
        bulkhead.onComplete();
    }

    @Override
    void onCancel() {
        bulkhead.releasePermission();
    }
}
