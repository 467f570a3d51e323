package io.github.hedge4j.decorators;

import io.github.resilience4j.ratelimiter.RateLimiter;
import org.jspecify.annotations.Nullable;

/** Takes permits of a rate limiter before its source is started. They are spent: a rate limiter takes none back. */
final class RateLimiterStage<T> extends Around<T> {

    private final RateLimiter rateLimiter;
    private final int permits;

    RateLimiterStage(RateLimiter rateLimiter, int permits) {
        this.rateLimiter = rateLimiter;
        this.permits = permits;
    }

    @Override
    void admit() {
        RateLimiter.waitForPermission(rateLimiter, permits);
    }

    @Override
    void onEnd(@Nullable T value, @Nullable Throwable failure) {
        if (failure == null) {
            rateLimiter.onResult(value);
        } else {
            rateLimiter.onError(failure);
        }
    }
}
