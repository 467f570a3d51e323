package io.github.hedge4j.decorators;

import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import org.jspecify.annotations.Nullable;

/** Tells a circuit breaker how its source has ended, and nothing of one that is no longer wanted: its permission is released. */
final class CircuitBreakerStage<T> extends Around<T> {

    private final CircuitBreaker circuitBreaker;

    /** In the circuit breaker's own time and unit. */
    private long start;

    CircuitBreakerStage(CircuitBreaker circuitBreaker) {
        this.circuitBreaker = circuitBreaker;
    }

    @Override
    void admit() {
        if (!circuitBreaker.tryAcquirePermission()) {
            throw CallNotPermittedException.createCallNotPermittedException(circuitBreaker);
        }
        start = circuitBreaker.getCurrentTimestamp();
    }

    @Override
    void onEnd(@Nullable T value, @Nullable Throwable failure) {
        try {
            record(value, failure);
        } catch (Throwable unrecorded) { // a predicate of its configuration has failed: the call still holds its
            // permission
            circuitBreaker.releasePermission();
            throw unrecorded;
        }
    }

    private void record(@Nullable T value, @Nullable Throwable failure) {
        long elapsed = circuitBreaker.getCurrentTimestamp() - start;
        if (failure == null) {
            circuitBreaker.onResult(elapsed, circuitBreaker.getTimestampUnit(), value);
        } else {
            circuitBreaker.onError(elapsed, circuitBreaker.getTimestampUnit(), failure);
        }
    }

    @Override
    void onCancel() {
        circuitBreaker.releasePermission();
    }
}
