package io.github.hedge4j.decorators;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.time.VirtualTimer;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.github.resilience4j.timelimiter.TimeLimiterConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;

/** Each of the decorators that a chain may have, and the sources that it asked for. Afterwards nothing is pending and no permit is missing. */
abstract class ChainFixture {

    final VirtualTimer timer = new VirtualTimer();
    final VirtualScheduler scheduler = new VirtualScheduler(timer);
    final List<Source> sources = new ArrayList<>();
    final List<Boolean> attempts = new ArrayList<>();

    final Bulkhead bulkhead = Bulkhead.of(
            "b",
            BulkheadConfig.custom().maxConcurrentCalls(1).maxWaitDuration(ZERO).build());
    final CircuitBreaker circuitBreaker = CircuitBreaker.of(
            "c",
            CircuitBreakerConfig.custom()
                    .minimumNumberOfCalls(100)
                    .permittedNumberOfCallsInHalfOpenState(1)
                    .build());
    final RateLimiter rateLimiter = rateLimiter(1);
    final Retry retry = Retry.of(
            "y", RetryConfig.custom().maxAttempts(3).waitDuration(ofMillis(100)).build());
    final TimeLimiter timeLimiter = TimeLimiter.of(
            "t", TimeLimiterConfig.custom().timeoutDuration(ofMillis(500)).build());

    Source source() {
        var source = new Source();
        sources.add(source);
        return source;
    }

    HedgeDecorators<String> chain() {
        return HedgeDecorators.ofCompletionStage(this::source);
    }

    Hedge hedge(int maxAttempts) {
        return Hedge.of(
                "h",
                HedgeConfig.custom()
                        .delay(HedgeDelay.fixed(ofMillis(50)))
                        .maxAttempts(maxAttempts)
                        .budget(HedgeBudget.unlimited())
                        .timer(timer)
                        .executor(Runnable::run)
                        .build());
    }

    static RateLimiter rateLimiter(int limit) {
        return RateLimiter.of(
                "r",
                RateLimiterConfig.custom()
                        .limitForPeriod(limit)
                        .limitRefreshPeriod(ofHours(1))
                        .timeoutDuration(ZERO)
                        .build());
    }

    static Throwable failureOf(CompletionStage<?> call) {
        var failure = call.<Throwable>handle((value, thrown) -> thrown).toCompletableFuture();
        assertThat(failure).isCompletedWithValueMatching(thrown -> thrown != null, "is a failure");
        return failure.join();
    }

    static CompletableFuture<String> future(CompletionStage<String> call) {
        return call.toCompletableFuture();
    }

    void advance(long millis) {
        timer.advance(ofMillis(millis));
    }

    int freePermits() {
        return bulkhead.getMetrics().getAvailableConcurrentCalls();
    }

    /** The calls that a half-open circuit breaker would let through now. It is open for them afterwards no more. */
    int permittedCalls() {
        int permitted = 0;
        while (permitted < 10 && circuitBreaker.tryAcquirePermission()) {
            permitted++;
        }
        return permitted;
    }

    @AfterEach
    void nothingIsPending() {
        assertThat(timer.pending()).as("timers").isZero();
        assertThat(freePermits()).as("permits of the bulkhead").isOne();
    }
}
