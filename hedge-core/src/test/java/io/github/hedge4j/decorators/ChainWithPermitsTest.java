package io.github.hedge4j.decorators;

import static java.time.Duration.ofMillis;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.Attempt;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.io.IOException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Circuit breakers and bulkheads in a chain: configurations and listeners that do not keep a permit. */
class ChainWithPermitsTest extends ChainFixture {

    @Test
    void aHalfOpenBreakerWhoseOnlyPermittedCallLosesIsNotStuck() {
        circuitBreaker.transitionToOpenState();
        circuitBreaker.transitionToHalfOpenState();
        Supplier<CompletionStage<String>> guarded =
                chain().withCircuitBreaker(circuitBreaker).decorate();
        var search = HedgeDecorators.ofCompletionStage(
                        () -> Attempt.current().orElseThrow().isHedge() ? source() : guarded.get())
                .withHedge(hedge(2))
                .decorate();

        var call = search.get();
        advance(50);
        sources.get(1).complete("hedge");

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(sources.get(0).cancelledWith).containsExactly(true);
        assertThat(circuitBreaker.getState()).isEqualTo(CircuitBreaker.State.HALF_OPEN);
        var probe = guarded.get();
        sources.get(2).complete("probe");
        assertThat(probe).isCompletedWithValue("probe");
        assertThat(circuitBreaker.getState()).isEqualTo(CircuitBreaker.State.CLOSED);
    }

    @Test
    void theBreakersOwnClockTellsWhatIsSlow() {
        var millis = new AtomicLong(1000);
        var breaker = CircuitBreaker.of(
                "slow",
                CircuitBreakerConfig.custom()
                        .slowCallDurationThreshold(ofMillis(100))
                        .currentTimestampFunction(clock -> millis.get(), MILLISECONDS)
                        .build());
        var search = chain().withCircuitBreaker(breaker).decorate();

        var slow = search.get();
        millis.addAndGet(150);
        sources.get(0).complete("slow");
        var fast = search.get();
        millis.addAndGet(50);
        sources.get(1).complete("fast");

        assertThat(slow).isCompleted();
        assertThat(fast).isCompleted();
        assertThat(breaker.getMetrics().getNumberOfSlowCalls()).isOne();
    }

    @Test
    void whatTheBreakerIsConfiguredToIgnoreOrToRecordIsKept() {
        var breaker = CircuitBreaker.of(
                "choosy",
                CircuitBreakerConfig.custom()
                        .ignoreExceptions(IOException.class)
                        .recordResult("bad"::equals)
                        .build());
        var search = chain().withCircuitBreaker(breaker).decorate();

        var ignored = search.get();
        sources.get(0).completeExceptionally(new IOException());
        var bad = search.get();
        sources.get(1).complete("bad");

        assertThat(failureOf(ignored)).isInstanceOf(IOException.class);
        assertThat(bad).isCompletedWithValue("bad");
        assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isOne();
        assertThat(breaker.getMetrics().getNumberOfSuccessfulCalls()).isZero();
    }

    @Test
    void aBreakersPredicateThatThrowsKeepsNeitherTheCallNorAPermission() {
        var breaker = CircuitBreaker.of(
                "broken",
                CircuitBreakerConfig.custom()
                        .permittedNumberOfCallsInHalfOpenState(1)
                        .recordResult(result -> {
                            throw new IllegalStateException("broken predicate");
                        })
                        .build());
        breaker.transitionToOpenState();
        breaker.transitionToHalfOpenState();

        var call = chain().withCircuitBreaker(breaker).get();
        sources.get(0).complete("result");

        assertThat(call).isCompletedWithValue("result");
        assertThat(breaker.tryAcquirePermission()).isTrue();
        assertThat(breaker.tryAcquirePermission()).isFalse();
    }

    @Test
    void aBreakersListenerThatThrowsKeepsNeitherTheCallNorAPermission() {
        circuitBreaker.getEventPublisher().onEvent(event -> {
            throw new IllegalStateException("broken listener");
        });
        circuitBreaker.transitionToOpenState();
        circuitBreaker.transitionToHalfOpenState();

        var call = chain().withCircuitBreaker(circuitBreaker).get();
        sources.get(0).complete("result");

        assertThat(call).isCompletedWithValue("result");
        assertThat(circuitBreaker.getState()).isEqualTo(CircuitBreaker.State.CLOSED);
    }

    @Test
    void aBulkheadsListenerThatThrowsAtTheEndKeepsNeitherTheCallNorAPermit() {
        bulkhead.getEventPublisher().onCallFinished(event -> {
            throw new IllegalStateException("broken listener");
        });

        var call = chain().withBulkhead(bulkhead).get();
        sources.get(0).complete("result");

        assertThat(call).isCompletedWithValue("result");
        assertThat(freePermits()).isOne();
    }

    @Test
    void aBulkheadsListenerThatThrowsAtARejectionIsAFailedStage() {
        bulkhead.getEventPublisher().onCallRejected(event -> {
            throw new IllegalStateException("broken listener");
        });
        var search = chain().withBulkhead(bulkhead).decorate();
        var first = search.get();

        assertThat(failureOf(search.get())).hasMessage("broken listener");

        future(first).cancel(true);
        assertThat(freePermits()).isOne();
    }
}
