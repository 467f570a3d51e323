package io.github.hedge4j.decorators;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.ratelimiter.RequestNotPermitted;
import org.junit.jupiter.api.Test;

/** What a decorator rejects is a failed stage, and starts nothing. */
class ChainRejectionsTest extends ChainFixture {

    @Test
    void aFullBulkheadIsAFailedStageAndStartsNothing() {
        var search = chain().withBulkhead(bulkhead).decorate();
        var first = search.get();

        assertThat(failureOf(search.get())).isInstanceOf(BulkheadFullException.class);

        assertThat(sources).hasSize(1);
        sources.get(0).complete("first");
        assertThat(first).isCompletedWithValue("first");
    }

    @Test
    void anOpenCircuitBreakerIsAFailedStageAndStartsNothing() {
        circuitBreaker.transitionToOpenState();

        assertThat(failureOf(chain().withCircuitBreaker(circuitBreaker).get()))
                .isInstanceOf(CallNotPermittedException.class);
        assertThat(sources).isEmpty();
    }

    @Test
    void anExhaustedRateLimiterIsAFailedStageAndStartsNothing() {
        var limiter = rateLimiter(3);
        var search = chain().withRateLimiter(limiter, 2).decorate();
        var first = search.get();

        assertThat(failureOf(search.get())).isInstanceOf(RequestNotPermitted.class);

        assertThat(sources).hasSize(1);
        future(first).cancel(true);
        assertThat(limiter.getMetrics().getAvailablePermissions())
                .as("spent for good")
                .isOne();
    }

    @Test
    void aRejectionReachesWhatIsAround() {
        circuitBreaker.transitionToOpenState();

        var call = chain().withCircuitBreaker(circuitBreaker)
                .withBulkhead(bulkhead)
                .withRetry(retry, scheduler)
                .withFallback(CallNotPermittedException.class, failure -> "cached")
                .get();
        advance(1000);

        assertThat(call).isCompletedWithValue("cached");
        assertThat(circuitBreaker.getMetrics().getNumberOfNotPermittedCalls()).isEqualTo(3);
    }
}
