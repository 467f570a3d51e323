package io.github.hedge4j.decorators;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.Attempt;
import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.time.VirtualTimer;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.decorators.Decorators;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.timelimiter.TimeLimiter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A hedge among Resilience4j's own decorators, put together by hand or by its {@code Decorators}. */
class PlainNestingTest {

    private final VirtualTimer timer = new VirtualTimer();
    private final VirtualScheduler scheduler = new VirtualScheduler(timer);
    private final List<Source> sources = new ArrayList<>();
    private final Supplier<CompletionStage<String>> source = Attempt.cancellable(() -> {
        var started = new Source();
        sources.add(started);
        return started;
    });

    private final Hedge hedge = Hedge.of(
            "h",
            HedgeConfig.custom()
                    .delay(HedgeDelay.fixed(ofMillis(50)))
                    .budget(HedgeBudget.unlimited())
                    .timer(timer)
                    .executor(Runnable::run)
                    .build());
    private final Bulkhead bulkhead = Bulkhead.of(
            "b",
            BulkheadConfig.custom().maxConcurrentCalls(2).maxWaitDuration(ZERO).build());
    private final CircuitBreaker circuitBreaker =
            CircuitBreaker.of("c", breaking().build());
    private final Retry retry = Retry.of(
            "y", RetryConfig.custom().maxAttempts(3).waitDuration(ofMillis(100)).build());

    private static CircuitBreakerConfig.Builder breaking() {
        return CircuitBreakerConfig.custom().permittedNumberOfCallsInHalfOpenState(1);
    }

    @AfterEach
    void nothingIsLeft() {
        timer.advance(ofSeconds(2)); // of Resilience4j's own timers
        assertThat(timer.pending()).isZero();
        assertThat(bulkhead.getMetrics().getAvailableConcurrentCalls()).isEqualTo(2);
    }

    @Test
    void aHedgeAroundABulkheadByTheStaticForms() {
        var call = Hedge.decorateCompletionStage(hedge, Bulkhead.decorateCompletionStage(bulkhead, source))
                .get();
        timer.advance(ofMillis(50));
        assertThat(bulkhead.getMetrics().getAvailableConcurrentCalls()).isZero();

        sources.get(1).complete("hedge");

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(sources.get(0).cancelledWith).containsExactly(true);
    }

    @Test
    void aHedgeInResilience4jsDecorators() {
        var call = Decorators.ofCompletionStage(hedge.decorateCompletionStage(source))
                .withCircuitBreaker(circuitBreaker)
                .withRetry(retry, scheduler)
                .withTimeLimiter(TimeLimiter.of(ofSeconds(1)), scheduler)
                .withFallback(IOException.class, failure -> "replaced")
                .get();
        timer.advance(ofMillis(70));

        sources.get(1).complete("hedge");

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(sources.get(0).cancelledWith).containsExactly(true);
        assertThat(circuitBreaker.getMetrics().getNumberOfSuccessfulCalls()).isOne();
    }

    @Test
    void predicatesOnExceptionsLookThroughToWhyAllAttemptsFailed() {
        var onlyIo = Retry.of(
                "io",
                RetryConfig.custom()
                        .maxAttempts(2)
                        .waitDuration(ofMillis(100))
                        .retryExceptions(IOException.class)
                        .build());
        var call = Decorators.ofCompletionStage(hedge.decorateCompletionStage(source))
                .withRetry(onlyIo, scheduler)
                .withFallback(IOException.class, failure -> "for " + failure.getMessage())
                .get();

        for (int number = 0; number < 4; number++) {
            if (number == 2) {
                timer.advance(ofMillis(100));
            }
            sources.get(number).completeExceptionally(new IOException("failure " + number));
        }

        assertThat(call).isCompletedWithValue("for failure 3");
    }

    @Test
    void aHedgeInTheMiddleOfResilience4jsDecorators() {
        var guarded =
                Decorators.ofCompletionStage(source).withBulkhead(bulkhead).decorate();
        var call = Decorators.ofCompletionStage(hedge.decorateCompletionStage(guarded))
                .withCircuitBreaker(circuitBreaker)
                .get();
        timer.advance(ofMillis(50));

        sources.get(0).complete("primary");

        assertThat(call).isCompletedWithValue("primary");
        assertThat(sources.get(1).cancelledWith).containsExactly(true);
    }

    @Test
    void aHedgeInAFunctionalChain() {
        UnaryOperator<Supplier<CompletionStage<String>>> hedged = hedge.decorator();
        Function<Supplier<CompletionStage<String>>, Supplier<CompletionStage<String>>> guarded =
                inner -> Bulkhead.decorateCompletionStage(bulkhead, inner);

        var call = guarded.andThen(hedged).apply(source).get();
        timer.advance(ofMillis(70));
        sources.get(1).complete("hedge");

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(sources.get(0).cancelledWith).containsExactly(true);
    }

    @Test
    void aHalfOpenBreakerIsStuckWithALoserThatRunsOnAndOpensOnOneThatIsCancelledButNotIgnored() {
        var probes = breaking().build();
        var recipe = breaking().ignoreExceptions(CancellationException.class).build();

        assertThat(afterItsOnlyProbeLost(probes, Source::new)).isEqualTo("HALF_OPEN, no call permitted");
        assertThat(afterItsOnlyProbeLost(probes, Attempt.cancellable(Source::new)))
                .isEqualTo("OPEN, no call permitted");
        assertThat(afterItsOnlyProbeLost(recipe, Attempt.cancellable(Source::new)))
                .isEqualTo("HALF_OPEN, a call permitted");
    }

    private String afterItsOnlyProbeLost(
            CircuitBreakerConfig config, Supplier<? extends CompletionStage<String>> primary) {
        var breaker = CircuitBreaker.of("probed", config);
        breaker.transitionToOpenState();
        breaker.transitionToHalfOpenState();
        Supplier<CompletionStage<String>> probe = CircuitBreaker.decorateCompletionStage(breaker, primary::get);
        var call = hedge.decorateCompletionStage(
                        () -> Attempt.current().orElseThrow().isHedge() ? source.get() : probe.get())
                .get();
        timer.advance(ofMillis(50));
        sources.get(sources.size() - 1).complete("hedge");
        assertThat(call).isCompletedWithValue("hedge");
        return breaker.getState() + (breaker.tryAcquirePermission() ? ", a call permitted" : ", no call permitted");
    }

    @Test
    void aRetryInsideThatIsBoundToItsAttemptStopsWhenThatLoses() {
        var recipe = Retry.of(
                "recipe",
                RetryConfig.custom()
                        .maxAttempts(3)
                        .waitDuration(ofMillis(100))
                        .ignoreExceptions(CancellationException.class)
                        .build());
        var call = hedge.<String>start(attempt -> Retry.decorateCompletionStage(recipe, scheduler, attempt.bind(source))
                .get());
        sources.get(0).completeExceptionally(new IOException());
        timer.advance(ofMillis(100));
        assertThat(sources).as("the second try, and the hedge").hasSize(3);

        sources.get(1).complete("hedge");
        timer.advance(ofSeconds(1));

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(sources).hasSize(3);
        assertThat(sources.get(2).cancelledWith).containsExactly(true);
    }

    @Test
    void retryAndHedgeMakeAtMostTheProductInBothOrders() {
        failAll(Retry.decorateCompletionStage(retry, scheduler, hedge.decorateCompletionStage(source))
                .get());
        assertThat(sources).hasSize(3 * 2);
        sources.clear();

        failAll(hedge.decorateCompletionStage(Retry.decorateCompletionStage(retry, scheduler, source))
                .get());
        assertThat(sources).hasSize(2 * 3);
    }

    private void failAll(CompletionStage<String> call) {
        for (int number = 0; !call.toCompletableFuture().isDone(); number++) {
            while (sources.size() <= number) {
                assertThat(timer.advanceToNext()).isTrue();
            }
            sources.get(number).completeExceptionally(new IOException());
        }
    }
}
