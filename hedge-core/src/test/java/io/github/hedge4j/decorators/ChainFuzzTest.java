package io.github.hedge4j.decorators;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
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
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Random chains, a hundred calls at a time through decorators that they share, with sources of every kind and callers who lose interest
 * at any time. When the last has ended, no permit, timer or future is left. A failure names its seed.
 */
class ChainFuzzTest {

    private static final int ROUNDS = 1000;
    private static final int CALLS_A_ROUND = 100;

    @Test
    void oneHundredThousandRandomChainsLeaveNothingBehind() {
        int cancelled = 0;
        int succeeded = 0;
        int sources = 0;
        for (long seed = 0; seed < ROUNDS; seed++) {
            Round round = new Round(seed);
            round.run();
            round.check();
            cancelled += round.count(CompletableFuture::isCancelled);
            succeeded += round.count(call -> !call.isCompletedExceptionally());
            sources += round.sources.size();
        }
        int calls = ROUNDS * CALLS_A_ROUND;
        assertThat(cancelled).as("of these calls, cancelled").isBetween(calls / 20, calls / 2);
        assertThat(succeeded).as("of these calls, successful").isBetween(calls / 10, calls * 9 / 10);
        assertThat(sources).as("work is done").isGreaterThan(calls / 2);
    }

    private static final class Round {

        private final long seed;
        private final RandomGenerator random;
        private final VirtualTimer timer = new VirtualTimer();
        private final VirtualScheduler scheduler = new VirtualScheduler(timer);
        private final List<CompletableFuture<String>> calls = new ArrayList<>();
        private final List<CompletableFuture<String>> sources = new ArrayList<>();

        private final Bulkhead narrow = bulkhead(3);
        private final Bulkhead wide = bulkhead(30);
        private final CircuitBreaker breaker;
        private final RateLimiter rateLimiter = RateLimiter.of(
                "r",
                RateLimiterConfig.custom()
                        .limitForPeriod(1000)
                        .limitRefreshPeriod(ofHours(1))
                        .timeoutDuration(ZERO)
                        .build());
        private final Retry retry = Retry.of(
                "y",
                RetryConfig.custom().maxAttempts(3).waitDuration(ofMillis(7)).build());
        private final Retry picky = Retry.of(
                "p",
                RetryConfig.<String>custom()
                        .maxAttempts(2)
                        .waitDuration(ofMillis(1))
                        .retryOnResult(String::isEmpty)
                        .build());
        private final TimeLimiter timeLimiter = TimeLimiter.of(ofMillis(40));
        private final TimeLimiter lenient = TimeLimiter.of(
                TimeLimiterConfig.custom().timeoutDuration(ofMillis(25)).build());
        private final Hedge eager;
        private final Hedge strict;

        Round(long seed) {
            this.seed = seed;
            this.random = new SplittableRandom(seed);
            breaker = CircuitBreaker.of(
                    "c",
                    CircuitBreakerConfig.custom()
                            .slidingWindowSize(10)
                            .minimumNumberOfCalls(10)
                            .failureRateThreshold(60)
                            .permittedNumberOfCallsInHalfOpenState(3)
                            .waitDurationInOpenState(ofMillis(20))
                            .clock(new VirtualClock(timer))
                            .build());
            HedgeConfig config = HedgeConfig.custom()
                    .delay(HedgeDelay.fixed(ofMillis(10)))
                    .maxAttempts(3)
                    .budget(HedgeBudget.unlimited())
                    .loserGrace(ofMillis(5))
                    .timer(timer)
                    .executor(Runnable::run)
                    .build();
            eager = Hedge.of("eager", config);
            strict = Hedge.of(
                    "strict",
                    HedgeConfig.from(config)
                            .maxAttempts(2)
                            .timeout(ofMillis(30))
                            .budget(HedgeBudget.ratio(0.3))
                            .build());
        }

        private static Bulkhead bulkhead(int permits) {
            return Bulkhead.of(
                    "b" + permits,
                    BulkheadConfig.custom()
                            .maxConcurrentCalls(permits)
                            .maxWaitDuration(ZERO)
                            .build());
        }

        void run() {
            for (int n = 0; n < CALLS_A_ROUND; n++) {
                timer.schedule(this::call, random.nextInt(200) * 1_000_000L);
            }
            timer.advance(ofSeconds(1));
            calls.forEach(call -> call.cancel(true)); // whose sources never end
            timer.advance(ofSeconds(1));
        }

        private void call() {
            HedgeDecorators<String> chain = HedgeDecorators.ofCompletionStage(this::source);
            for (int depth = random.nextInt(6); depth >= 0; depth--) {
                chain = decorated(chain);
            }
            CompletableFuture<String> call = chain.get().toCompletableFuture();
            calls.add(call);
            if (random.nextInt(3) == 0) {
                timer.schedule(() -> end(call), random.nextInt(40) * 1_000_000L);
            }
        }

        private HedgeDecorators<String> decorated(HedgeDecorators<String> chain) {
            return switch (random.nextInt(13)) {
                case 0 -> chain.withBulkhead(narrow);
                case 1 -> chain.withBulkhead(wide);
                case 2 -> chain.withCircuitBreaker(breaker);
                case 3 -> chain.withRateLimiter(rateLimiter);
                case 4 -> chain.withRetry(retry, scheduler);
                case 5 -> chain.withRetry(picky, scheduler);
                case 6 -> chain.withTimeLimiter(timeLimiter, scheduler);
                case 7 -> chain.withTimeLimiter(lenient, scheduler);
                case 8 -> chain.withFallback(IOException.class, failure -> "replaced");
                case 9 -> chain.with(inner -> () -> inner.get().thenApply(value -> value));
                case 10 -> chain.withHedge(strict);
                default -> chain.withHedge(eager);
            };
        }

        private CompletionStage<String> source() {
            CompletableFuture<String> source = new CompletableFuture<>();
            int kind = random.nextInt(20);
            if (kind == 0) {
                throw new IllegalStateException("thrown");
            }
            if (kind == 1) {
                return null;
            }
            sources.add(source);
            if (kind < 5) {
                source.complete("at once");
            } else if (kind < 11) {
                later(() -> source.complete("later"));
            } else if (kind < 12) {
                later(() -> source.complete(""));
            } else if (kind < 16) {
                later(() -> source.completeExceptionally(new IOException("down")));
            } else if (kind < 17) {
                later(() -> source.cancel(true));
            } // else it never ends
            return source;
        }

        private void later(Runnable action) {
            timer.schedule(action, random.nextInt(60) * 1_000_000L);
        }

        private void end(CompletableFuture<String> call) {
            switch (random.nextInt(5)) {
                case 0 -> call.complete("mine");
                case 1 -> call.completeExceptionally(new IOException("mine"));
                default -> call.cancel(true);
            }
        }

        void check() {
            String seeded = "seed " + seed;
            assertThat(timer.pending()).as("timers, %s", seeded).isZero();
            assertThat(calls).as("calls, %s", seeded).hasSize(CALLS_A_ROUND).allMatch(CompletableFuture::isDone);
            assertThat(sources).as("sources, %s", seeded).allMatch(CompletableFuture::isDone);
            assertThat(narrow.getMetrics().getAvailableConcurrentCalls())
                    .as(seeded)
                    .isEqualTo(3);
            assertThat(wide.getMetrics().getAvailableConcurrentCalls())
                    .as(seeded)
                    .isEqualTo(30);
            assertThat(eager.getMetrics().getInFlightAttempts()).as(seeded).isZero();
            assertThat(strict.getMetrics().getInFlightAttempts()).as(seeded).isZero();
            noPermissionOfTheBreakerIsHeld(seeded);
        }

        /** A half-open breaker lets through as many calls as it has not judged yet. */
        private void noPermissionOfTheBreakerIsHeld(String seeded) {
            if (breaker.getState() == CircuitBreaker.State.HALF_OPEN) {
                int left = 3 - breaker.getMetrics().getNumberOfBufferedCalls();
                for (int n = 0; n < left; n++) {
                    assertThat(breaker.tryAcquirePermission()).as(seeded).isTrue();
                }
            }
        }

        int count(Predicate<CompletableFuture<String>> predicate) {
            return (int) calls.stream().filter(predicate).count();
        }
    }

    private static final class VirtualClock extends Clock {

        private final VirtualTimer timer;

        VirtualClock(VirtualTimer timer) {
            this.timer = timer;
        }

        @Override
        public Instant instant() {
            return Instant.EPOCH.plusNanos(timer.nanoTime());
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
