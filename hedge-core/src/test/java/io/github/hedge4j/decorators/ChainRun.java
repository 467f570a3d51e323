package io.github.hedge4j.decorators;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;

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
import io.github.resilience4j.core.CompletionStageUtils;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.github.resilience4j.timelimiter.TimeLimiterConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * One call through a hedge and one decorator, and what became of everything. A hedge starts after 50 ms; a source that fails does so in
 * 10 ms; a retry pauses for 100 ms and tries three times; a time limiter's limit is half a second.
 */
final class ChainRun {

    enum Part {
        BULKHEAD("Bulkhead"),
        CIRCUIT_BREAKER("CircuitBreaker"),
        RATE_LIMITER("RateLimiter"),
        RETRY("Retry"),
        TIME_LIMITER("TimeLimiter"),
        FALLBACK("fallback");

        final String title;

        Part(String title) {
            this.title = title;
        }
    }

    /** Where the decorator is: around each attempt, or around the whole call. */
    enum Place {
        INSIDE,
        OUTSIDE
    }

    /** How it ends; {@code LOSES}: the primary does, to the hedge. */
    enum End {
        WINS,
        LOSES,
        FAILS,
        CANCEL,
        DEADLINE
    }

    /** How the two are put together. */
    enum Style {
        CHAIN("`HedgeDecorators`"),
        NESTED("nested"),
        CANCELLABLE("nested, `Attempt.cancellable`"),
        RECIPE("the same, and `ignoreExceptions(CancellationException.class)`");

        final String title;

        Style(String title) {
            this.title = title;
        }
    }

    private final Part part;
    private final Style style;
    private final VirtualTimer timer = new VirtualTimer();
    private final VirtualScheduler scheduler = new VirtualScheduler(timer);
    private final List<Source> sources = new ArrayList<>();
    private final AtomicInteger replaced = new AtomicInteger();
    private final List<String> timeLimiterEvents = new ArrayList<>();

    private final Bulkhead bulkhead = Bulkhead.of(
            "b",
            BulkheadConfig.custom()
                    .maxConcurrentCalls(10)
                    .maxWaitDuration(Duration.ZERO)
                    .build());
    private final CircuitBreaker circuitBreaker;
    private final RateLimiter rateLimiter = RateLimiter.of(
            "r",
            RateLimiterConfig.custom()
                    .limitForPeriod(10)
                    .limitRefreshPeriod(ofHours(1))
                    .timeoutDuration(Duration.ZERO)
                    .build());
    private final Retry retry;
    private final TimeLimiter timeLimiter = TimeLimiter.of(
            "t", TimeLimiterConfig.custom().timeoutDuration(ofMillis(500)).build());

    private End end;
    private CompletableFuture<String> result;
    private int timersAtEnd;
    private long cancelledAtEnd;
    private long runningAtEnd;

    ChainRun(Part part, Style style) {
        this.part = part;
        this.style = style;
        var breaking = CircuitBreakerConfig.custom().minimumNumberOfCalls(10);
        var retrying = RetryConfig.custom().maxAttempts(3).waitDuration(ofMillis(100));
        if (style == Style.RECIPE) {
            breaking.ignoreExceptions(CancellationException.class);
            retrying.ignoreExceptions(CancellationException.class);
        }
        circuitBreaker = CircuitBreaker.of("c", breaking.build());
        retry = Retry.of("y", retrying.build());
        timeLimiter
                .getEventPublisher()
                .onEvent(event -> timeLimiterEvents.add(event.getEventType().name()));
    }

    ChainRun run(Place place, End end) {
        this.end = end;
        var config = HedgeConfig.custom()
                .delay(HedgeDelay.fixed(ofMillis(50)))
                .budget(HedgeBudget.unlimited())
                .timer(timer)
                .executor(Runnable::run);
        if (end == End.DEADLINE) {
            config.timeout(ofMillis(200));
        }
        Hedge hedge = Hedge.of("h", config.build());
        result = chain(hedge, place).get().toCompletableFuture();
        play();
        timersAtEnd = timer.pending();
        cancelledAtEnd = sources.stream()
                .filter(source -> source.cancelledWith.contains(true))
                .count();
        runningAtEnd = sources.stream().filter(source -> !source.isDone()).count();
        timer.advance(ofHours(1)); // for retries that nobody waits for any more
        return this;
    }

    private void play() {
        switch (end) {
            case WINS -> {
                timer.advance(ofMillis(10));
                sources.get(0).complete("primary");
            }
            case LOSES -> {
                timer.advance(ofMillis(70));
                sources.get(1).complete("hedge");
            }
            case FAILS, DEADLINE -> {
                while (!result.isDone() && timer.advanceToNext()) {
                    // on to its end
                }
            }
            case CANCEL -> {
                timer.advance(ofMillis(70));
                result.cancel(true);
            }
        }
    }

    private Source source() {
        var source = new Source();
        sources.add(source);
        if (end == End.FAILS) {
            timer.schedule(() -> source.completeExceptionally(new IOException("down")), 10_000_000);
        }
        return source;
    }

    private Supplier<CompletionStage<String>> chain(Hedge hedge, Place place) {
        if (style == Style.CHAIN) {
            HedgeDecorators<String> chain = HedgeDecorators.ofCompletionStage(this::source);
            return (place == Place.INSIDE ? with(chain).withHedge(hedge) : with(chain.withHedge(hedge))).decorate();
        }
        Supplier<CompletionStage<String>> source = this::source;
        if (style != Style.NESTED) {
            source = Attempt.cancellable(source);
        }
        return place == Place.INSIDE
                ? Hedge.decorateCompletionStage(hedge, nested(source))
                : nested(Hedge.decorateCompletionStage(hedge, source));
    }

    private HedgeDecorators<String> with(HedgeDecorators<String> chain) {
        return switch (part) {
            case BULKHEAD -> chain.withBulkhead(bulkhead);
            case CIRCUIT_BREAKER -> chain.withCircuitBreaker(circuitBreaker);
            case RATE_LIMITER -> chain.withRateLimiter(rateLimiter);
            case RETRY -> chain.withRetry(retry, scheduler);
            case TIME_LIMITER -> chain.withTimeLimiter(timeLimiter, scheduler);
            case FALLBACK -> chain.withFallback(this::replace);
        };
    }

    private Supplier<CompletionStage<String>> nested(Supplier<CompletionStage<String>> source) {
        return switch (part) {
            case BULKHEAD -> Bulkhead.decorateCompletionStage(bulkhead, source);
            case CIRCUIT_BREAKER -> CircuitBreaker.decorateCompletionStage(circuitBreaker, source);
            case RATE_LIMITER -> RateLimiter.decorateCompletionStage(rateLimiter, source);
            case RETRY -> Retry.decorateCompletionStage(retry, scheduler, source);
            case TIME_LIMITER -> TimeLimiter.decorateCompletionStage(timeLimiter, scheduler, source);
            case FALLBACK -> CompletionStageUtils.recover(source, this::replace);
        };
    }

    private String replace(Throwable failure) {
        replaced.incrementAndGet();
        return "replaced";
    }

    // ---- what became of it

    /** What the caller got. */
    String result() {
        if (!result.isDone()) {
            return "nothing";
        }
        return result.<String>handle((value, failure) ->
                        value != null ? value : failure.getClass().getSimpleName())
                .join();
    }

    /** Sources that had been cancelled when the call had ended. */
    long cancelledAtEnd() {
        return cancelledAtEnd;
    }

    /** Sources that ran on when the call had ended. */
    long runningAtEnd() {
        return runningAtEnd;
    }

    /** How often the source was asked, tries that nobody waited for any more included. */
    int calls() {
        return sources.size();
    }

    /** Timers that were left when the call had ended. */
    int timersAtEnd() {
        return timersAtEnd;
    }

    /** What the decorator has noted, and what it still holds. */
    String noted() {
        return switch (part) {
            case BULKHEAD -> 10 - bulkhead.getMetrics().getAvailableConcurrentCalls() + " permits held";
            case CIRCUIT_BREAKER -> {
                var metrics = circuitBreaker.getMetrics();
                yield metrics.getNumberOfSuccessfulCalls() + " ok, " + metrics.getNumberOfFailedCalls() + " failed";
            }
            case RATE_LIMITER -> 10 - rateLimiter.getMetrics().getAvailablePermissions() + " permits spent";
            case RETRY -> calls() + " tries";
            case TIME_LIMITER ->
                timeLimiterEvents.isEmpty()
                        ? "nothing"
                        : String.join(", ", timeLimiterEvents).toLowerCase(Locale.ROOT);
            case FALLBACK -> replaced + " replaced";
        };
    }
}
