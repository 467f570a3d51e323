package io.github.hedge4j.decorators;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.hedge4j.Attempt;
import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.time.VirtualTimer;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RequestNotPermitted;
import io.github.resilience4j.retry.MaxRetriesExceededException;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.github.resilience4j.timelimiter.TimeLimiterConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each decorator of a chain does beyond the table: rejections, broken suppliers, configurations and listeners. */
class HedgeDecoratorsTest {

    private final VirtualTimer timer = new VirtualTimer();
    private final VirtualScheduler scheduler = new VirtualScheduler(timer);
    private final List<Source> sources = new ArrayList<>();
    private final List<Boolean> attempts = new ArrayList<>();

    private final Bulkhead bulkhead = Bulkhead.of(
            "b",
            BulkheadConfig.custom().maxConcurrentCalls(1).maxWaitDuration(ZERO).build());
    private final CircuitBreaker circuitBreaker = CircuitBreaker.of(
            "c",
            CircuitBreakerConfig.custom()
                    .minimumNumberOfCalls(100)
                    .permittedNumberOfCallsInHalfOpenState(1)
                    .build());
    private final RateLimiter rateLimiter = rateLimiter(1);
    private final Retry retry = Retry.of(
            "y", RetryConfig.custom().maxAttempts(3).waitDuration(ofMillis(100)).build());
    private final TimeLimiter timeLimiter = TimeLimiter.of(
            "t", TimeLimiterConfig.custom().timeoutDuration(ofMillis(500)).build());

    private Source source() {
        var source = new Source();
        sources.add(source);
        return source;
    }

    private HedgeDecorators<String> chain() {
        return HedgeDecorators.ofCompletionStage(this::source);
    }

    private Hedge hedge(int maxAttempts) {
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

    private static RateLimiter rateLimiter(int limit) {
        return RateLimiter.of(
                "r",
                RateLimiterConfig.custom()
                        .limitForPeriod(limit)
                        .limitRefreshPeriod(ofHours(1))
                        .timeoutDuration(ZERO)
                        .build());
    }

    private static Throwable failureOf(CompletionStage<?> call) {
        var failure = call.<Throwable>handle((value, thrown) -> thrown).toCompletableFuture();
        assertThat(failure).isCompletedWithValueMatching(thrown -> thrown != null, "is a failure");
        return failure.join();
    }

    private static CompletableFuture<String> future(CompletionStage<String> call) {
        return call.toCompletableFuture();
    }

    private void advance(long millis) {
        timer.advance(ofMillis(millis));
    }

    private int freePermits() {
        return bulkhead.getMetrics().getAvailableConcurrentCalls();
    }

    /** The calls that a half-open circuit breaker would let through now. It is open for them afterwards no more. */
    private int permittedCalls() {
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

    // ---- the chain as such

    @Test
    void decoratorsAreAppliedInTheOrderWrittenInsideOut() {
        List<String> trail = new ArrayList<>();
        Function<String, UnaryOperator<Supplier<CompletionStage<String>>>> named = name -> inner -> () -> {
            trail.add(name);
            return inner.get();
        };

        var call = HedgeDecorators.ofCompletionStage(() -> CompletableFuture.completedFuture("result"))
                .with(named.apply("inner"))
                .withHedge(hedge(2))
                .with(named.apply("outer"))
                .get();

        assertThat(call).isCompletedWithValue("result");
        assertThat(trail).containsExactly("outer", "inner");
    }

    @Test
    void twoChainsMayShareABeginning() {
        var beginning = chain().withFallback(failure -> "replaced");
        var limited = beginning.withBulkhead(bulkhead);

        var call = beginning.get();
        sources.get(0).completeExceptionally(new IOException());

        assertThat(call).isCompletedWithValue("replaced");
        assertThat(limited).isNotSameAs(beginning);
        assertThat(bulkhead.getMetrics().getAvailableConcurrentCalls()).isOne();
    }

    @Test
    void eachGetIsACallOfItsOwn() {
        var search = chain().withHedge(hedge(1)).withRateLimiter(rateLimiter(2)).decorate();

        var first = search.get();
        var second = search.get();
        sources.get(1).complete("second");
        sources.get(0).complete("first");

        assertThat(first).isCompletedWithValue("first");
        assertThat(second).isCompletedWithValue("second");
    }

    static Stream<Named<Function<HedgeDecoratorsTest, HedgeDecorators<String>>>> eachDecorator() {
        return Stream.of(
                decorator("no decorator", (test, chain) -> chain),
                decorator("bulkhead", (test, chain) -> chain.withBulkhead(test.bulkhead)),
                decorator("circuit breaker", (test, chain) -> chain.withCircuitBreaker(test.circuitBreaker)),
                decorator("rate limiter", (test, chain) -> chain.withRateLimiter(test.rateLimiter)),
                decorator("hedge", (test, chain) -> chain.withHedge(test.hedge(1))),
                decorator(
                        "retry",
                        (test, chain) -> chain.withRetry(
                                Retry.of(
                                        "one",
                                        RetryConfig.custom().maxAttempts(1).build()),
                                test.scheduler)),
                decorator("time limiter", (test, chain) -> chain.withTimeLimiter(test.timeLimiter, test.scheduler)),
                decorator(
                        "fallback",
                        (test, chain) -> chain.withFallback(ArithmeticException.class, failure -> "replaced")),
                decorator(
                        "a foreign one",
                        (test, chain) -> chain.with(inner -> () -> inner.get().thenApply(value -> value))),
                decorator(
                        "all of them",
                        (test, chain) -> chain.withBulkhead(test.bulkhead)
                                .withCircuitBreaker(test.circuitBreaker)
                                .withRateLimiter(test.rateLimiter)
                                .with(inner -> () -> inner.get().thenApply(value -> value))
                                .withFallback(ArithmeticException.class, failure -> "replaced")
                                .withTimeLimiter(test.timeLimiter, test.scheduler)
                                .withRetry(
                                        Retry.of(
                                                "one",
                                                RetryConfig.custom()
                                                        .maxAttempts(1)
                                                        .build()),
                                        test.scheduler)
                                .withHedge(test.hedge(1))));
    }

    private interface Decorator {
        HedgeDecorators<String> apply(HedgeDecoratorsTest test, HedgeDecorators<String> chain);
    }

    private Supplier<? extends CompletionStage<String>> supplier = this::source;

    private static Named<Function<HedgeDecoratorsTest, HedgeDecorators<String>>> decorator(
            String name, Decorator decorator) {
        return Named.of(
                name, test -> decorator.apply(test, HedgeDecorators.ofCompletionStage(() -> test.supplier.get())));
    }

    @ParameterizedTest
    @MethodSource("eachDecorator")
    void aSupplierThatThrowsIsAFailedStage(Function<HedgeDecoratorsTest, HedgeDecorators<String>> decorated) {
        var thrown = new StackOverflowError();
        supplier = () -> {
            throw thrown;
        };

        assertThat(rootOf(failureOf(decorated.apply(this).get()))).isSameAs(thrown);
    }

    @ParameterizedTest
    @MethodSource("eachDecorator")
    void aSupplierThatReturnsNullIsAFailedStage(Function<HedgeDecoratorsTest, HedgeDecorators<String>> decorated) {
        supplier = () -> null;

        assertThat(rootOf(failureOf(decorated.apply(this).get()))).isInstanceOf(NullPointerException.class);
    }

    private static Throwable rootOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    @ParameterizedTest
    @MethodSource("eachDecorator")
    void aResultIsPassedOnAlsoIfItIsNull(Function<HedgeDecoratorsTest, HedgeDecorators<String>> decorated) {
        var call = decorated.apply(this).get();

        sources.get(0).complete(null);

        assertThat(call).isCompletedWithValue(null);
        assertThat(sources.get(0).cancelledWith).isEmpty();
    }

    static Stream<Named<Consumer<CompletableFuture<String>>>> outsideEnds() {
        return Stream.of(
                Named.of("cancel(true)", call -> call.cancel(true)),
                Named.of("cancel(false)", call -> call.cancel(false)),
                Named.of("complete", call -> call.complete("mine")),
                Named.of("completeExceptionally", call -> call.completeExceptionally(new IOException("mine"))),
                Named.of("orTimeout", call -> awaitEnd(call.orTimeout(1, MILLISECONDS))),
                Named.of("completeOnTimeout", call -> awaitEnd(call.completeOnTimeout("mine", 1, MILLISECONDS))),
                Named.of("completeAsync", call -> call.completeAsync(() -> "mine", Runnable::run)),
                Named.of(
                        "completeAsync that throws",
                        call -> call.completeAsync(
                                () -> {
                                    throw new IllegalStateException("mine");
                                },
                                Runnable::run)),
                Named.of("obtrudeValue", call -> call.obtrudeValue("mine")),
                Named.of("obtrudeException", call -> call.obtrudeException(new IOException("mine"))));
    }

    private static void awaitEnd(CompletableFuture<?> call) {
        try {
            call.handle((value, failure) -> value).get(20, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("did not end", e);
        }
    }

    @ParameterizedTest
    @MethodSource("outsideEnds")
    void howeverACallIsEndedItsSourceIsCancelledAndEverythingGivenBackOnce(Consumer<CompletableFuture<String>> end) {
        circuitBreaker.transitionToOpenState();
        circuitBreaker.transitionToHalfOpenState();
        var call = future(chain().withBulkhead(bulkhead)
                .withRetry(retry, scheduler)
                .withTimeLimiter(timeLimiter, scheduler)
                .with(inner -> () -> inner.get().thenApply(value -> value))
                .withFallback(failure -> "replaced")
                .withCircuitBreaker(circuitBreaker)
                .get());
        assertThat(freePermits()).isZero();

        end.accept(call);
        end.accept(call);
        sources.get(0).complete("late");

        assertThat(call).isDone();
        assertThat(sources).hasSize(1);
        assertThat(sources.get(0).cancelledWith).containsExactly(true);
        assertThat(freePermits()).isOne();
        assertThat(circuitBreaker.getMetrics().getNumberOfBufferedCalls()).isZero();
        assertThat(permittedCalls()).isOne();
    }

    @Test
    void completeExceptionallyWithNullChangesNothing() {
        var call = future(chain().withBulkhead(bulkhead).get());

        assertThatNullPointerException().isThrownBy(() -> call.completeExceptionally(null));

        assertThat(call).isNotDone();
        sources.get(0).complete("result");
        assertThat(call).isCompletedWithValue("result");
    }

    @Test
    void whatIsGivenBackIsGivenBackBeforeTheCallersDependentsRun() {
        List<Integer> seen = new ArrayList<>();
        var call = chain().withBulkhead(bulkhead).get();
        var unused = call.thenRun(() -> seen.add(freePermits()));

        sources.get(0).complete("result");

        assertThat(seen).containsExactly(1);
    }

    @Test
    void aFailureIsPassedOnWithoutTheWrapperOfTheJdk() {
        var failure = new IOException("down");

        var call = HedgeDecorators.ofCompletionStage(() -> source().thenApply(value -> value))
                .withBulkhead(bulkhead)
                .withCircuitBreaker(circuitBreaker)
                .get();
        sources.get(0).completeExceptionally(failure);

        assertThat(failureOf(call)).isSameAs(failure);
    }

    @Test
    void nullsAndImpossiblePermitsAreRefusedWhenTheChainIsBuilt() {
        var chain = chain();
        assertThatNullPointerException().isThrownBy(() -> HedgeDecorators.ofCompletionStage(null));
        assertThatNullPointerException().isThrownBy(() -> chain.withBulkhead(null));
        assertThatNullPointerException().isThrownBy(() -> chain.withCircuitBreaker(null));
        assertThatNullPointerException().isThrownBy(() -> chain.withRateLimiter(null));
        assertThatNullPointerException().isThrownBy(() -> chain.withHedge(null));
        assertThatNullPointerException().isThrownBy(() -> chain.withRetry(null, scheduler));
        assertThatNullPointerException().isThrownBy(() -> chain.withRetry(retry, null));
        assertThatNullPointerException().isThrownBy(() -> chain.withTimeLimiter(null, scheduler));
        assertThatNullPointerException().isThrownBy(() -> chain.withTimeLimiter(timeLimiter, null));
        assertThatNullPointerException().isThrownBy(() -> chain.with(null));
        assertThatNullPointerException().isThrownBy(() -> chain.with(inner -> null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> chain.withRateLimiter(rateLimiter, 0))
                .withMessage("permits must be >= 1, but was 0");
    }

    // ---- rejections

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

    // ---- circuit breaker

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

    // ---- bulkhead

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

    // ---- retry

    @Test
    void aRetryStopsWhenItIsCancelledInItsPause() {
        var call = future(chain().withRetry(retry, scheduler).get());
        sources.get(0).completeExceptionally(new IOException());
        assertThat(timer.pending()).isOne();

        call.cancel(true);

        assertThat(timer.pending()).isZero();
        advance(1000);
        assertThat(sources).hasSize(1);
    }

    @Test
    void aRetryStopsWhenItIsCancelledInALaterTry() {
        var call = future(chain().withRetry(retry, scheduler).get());
        sources.get(0).completeExceptionally(new IOException());
        advance(100);

        call.cancel(true);
        advance(1000);

        assertThat(sources).hasSize(2);
        assertThat(sources.get(1).cancelledWith).containsExactly(true);
    }

    @Test
    void aRetryThatIsCancelledWhileItStartsATryCancelsThatTry() {
        List<CompletableFuture<String>> call = new ArrayList<>();
        supplier = () -> {
            if (!call.isEmpty()) {
                call.get(0).cancel(true);
            }
            return source();
        };
        call.add(future(HedgeDecorators.ofCompletionStage(() -> supplier.get())
                .withRetry(retry, scheduler)
                .get()));
        sources.get(0).completeExceptionally(new IOException());
        advance(100);

        assertThat(sources.get(1).cancelledWith).containsExactly(true);
        assertThat(sources).hasSize(2);
    }

    @Test
    void aFirstTryThatThrowsAndALaterOneThatReturnsNullAreTriesLikeAnyOther() {
        var tries = new AtomicInteger();
        var call = HedgeDecorators.<String>ofCompletionStage(() -> {
                    int number = tries.incrementAndGet();
                    if (number == 1) {
                        throw new IllegalStateException("first");
                    }
                    return number == 2 ? null : source();
                })
                .withRetry(retry, scheduler)
                .get();

        advance(200);
        sources.get(0).complete("third");

        assertThat(call).isCompletedWithValue("third");
        assertThat(retry.getMetrics().getNumberOfSuccessfulCallsWithRetryAttempt())
                .isOne();
    }

    @Test
    void aRetryWhoseTriesAllThrowEnds() {
        var tries = new AtomicInteger();
        var call = HedgeDecorators.<String>ofCompletionStage(() -> {
                    throw new IllegalStateException("try " + tries.incrementAndGet());
                })
                .withRetry(retry, scheduler)
                .get();

        advance(1000);

        assertThat(failureOf(call)).hasMessage("try 3");
        assertThat(retry.getMetrics().getNumberOfFailedCallsWithRetryAttempt()).isOne();
    }

    @Test
    void anErrorIsNotTriedAgain() {
        var call = chain().withRetry(retry, scheduler).get();

        sources.get(0).completeExceptionally(new OutOfMemoryError());

        assertThat(failureOf(call)).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void resultsAreTriedAgainAndTheLastOneIsReturnedOrTooMany() {
        var config = RetryConfig.<String>custom()
                .maxAttempts(2)
                .waitDuration(ofMillis(100))
                .retryOnResult("bad"::equals);
        var last =
                chain().withRetry(Retry.of("last", config.build()), scheduler).get();
        sources.get(0).complete("bad");
        advance(100);
        sources.get(1).complete("bad");
        assertThat(last).isCompletedWithValue("bad");

        var none = chain().withRetry(
                        Retry.of("none", config.failAfterMaxAttempts(true).build()), scheduler)
                .get();
        sources.get(2).complete("bad");
        advance(100);
        sources.get(3).complete("bad");
        assertThat(failureOf(none)).isInstanceOf(MaxRetriesExceededException.class);
    }

    @Test
    void aRetryThatBreaksEndsWithWhatThereIs() {
        var failure = new IOException("down");
        var predicate = Retry.of(
                "predicate",
                RetryConfig.custom()
                        .retryOnException(any -> {
                            throw new IllegalStateException("broken predicate");
                        })
                        .build());
        var call = chain().withRetry(predicate, scheduler).get();
        sources.get(0).completeExceptionally(failure);
        assertThat(failureOf(call)).isSameAs(failure);

        retry.getEventPublisher().onEvent(event -> {
            throw new IllegalStateException("broken listener");
        });
        var heard = chain().withRetry(retry, scheduler).get();
        sources.get(1).completeExceptionally(failure);
        assertThat(failureOf(heard)).isSameAs(failure);
    }

    @Test
    void aSchedulerThatRefusesEndsARetryWithWhatThereIs() {
        var failure = new IOException("down");
        scheduler.refuse();

        var call = chain().withRetry(retry, scheduler).get();
        sources.get(0).completeExceptionally(failure);

        assertThat(failureOf(call)).isSameAs(failure);
    }

    @Test
    void laterTriesBelongToTheAttemptThatMadeTheFirst() {
        List<UUID> callIds = new ArrayList<>();
        var call = HedgeDecorators.ofCompletionStage(Attempt.cancellable(() -> {
                    var attempt = Attempt.current().orElseThrow();
                    callIds.add(attempt.callId());
                    attempts.add(attempt.isHedge());
                    return source();
                }))
                .with(inner -> () -> inner.get().thenApply(value -> value))
                .withRetry(retry, scheduler)
                .withHedge(hedge(2))
                .get();
        advance(50);
        sources.get(0).completeExceptionally(new IOException());
        sources.get(1).completeExceptionally(new IOException());
        advance(100);

        assertThat(attempts).containsExactly(false, true, false, true);
        assertThat(callIds).containsOnly(callIds.get(0));
        future(call).cancel(true);
        assertThat(sources.get(2).cancelledWith).containsExactly(true);
        assertThat(sources.get(3).cancelledWith).containsExactly(true);
        assertThat(Attempt.current()).isEmpty();
    }

    // ---- time limiter

    @Test
    void aTimeLimiterCancelsItsSourceWhenItsTimeIsOver() {
        List<String> events = new ArrayList<>();
        timeLimiter
                .getEventPublisher()
                .onEvent(event -> events.add(event.getEventType().name()));

        var call = chain().withBulkhead(bulkhead)
                .withTimeLimiter(timeLimiter, scheduler)
                .get();
        advance(499);
        assertThat(call.toCompletableFuture()).isNotDone();
        advance(1);

        assertThat(failureOf(call)).isInstanceOf(TimeoutException.class).hasMessageContaining("'t'");
        assertThat(sources.get(0).cancelledWith).containsExactly(true);
        assertThat(events).containsExactly("TIMEOUT");
    }

    @Test
    void aTimeLimiterThatShallNotCancelLetsItsSourceRun() {
        var lenient = TimeLimiter.of(TimeLimiterConfig.custom()
                .timeoutDuration(ofMillis(500))
                .cancelRunningFuture(false)
                .build());

        var timedOut = chain().withTimeLimiter(lenient, scheduler).get();
        advance(500);
        var cancelled = future(chain().withTimeLimiter(lenient, scheduler).get());
        cancelled.cancel(true);

        assertThat(failureOf(timedOut)).isInstanceOf(TimeoutException.class);
        assertThat(sources.get(0).cancelledWith).isEmpty();
        assertThat(sources.get(1).cancelledWith).containsExactly(true);
    }

    @Test
    void aTimeLimiterAroundAHedgeCancelsAllItsAttempts() {
        var call = chain().withHedge(hedge(3))
                .withTimeLimiter(timeLimiter, scheduler)
                .get();

        advance(500);

        assertThat(failureOf(call)).isInstanceOf(TimeoutException.class);
        assertThat(sources)
                .hasSize(3)
                .allSatisfy(source -> assertThat(source.cancelledWith).containsExactly(true));
    }

    @Test
    void aCallThatIsDoneAtOnceSetsNoTimer() {
        scheduler.refuse();

        var call = HedgeDecorators.ofCompletionStage(() -> CompletableFuture.completedFuture("result"))
                .withTimeLimiter(timeLimiter, scheduler)
                .get();

        assertThat(call).isCompletedWithValue("result");
    }

    @Test
    void aTimeLimiterThatCannotSetItsTimerFailsTheCallAndCancelsIt() {
        scheduler.refuse();

        var call = chain().withBulkhead(bulkhead)
                .withTimeLimiter(timeLimiter, scheduler)
                .get();

        assertThat(failureOf(call)).isInstanceOf(RejectedExecutionException.class);
        assertThat(sources.get(0).cancelledWith).containsExactly(true);
    }

    @Test
    void nothingStaysInTheQueueOfARealScheduler() {
        var real = new ScheduledThreadPoolExecutor(1);
        try {
            var limited = chain().withRetry(retry, real)
                    .withTimeLimiter(TimeLimiter.of(ofHours(1)), real)
                    .decorate();
            for (int n = 0; n < 100; n++) {
                var call = future(limited.get());
                if (n % 4 == 0) {
                    sources.get(n).complete("result");
                } else if (n % 4 == 1) {
                    sources.get(n).completeExceptionally(new OutOfMemoryError());
                } else {
                    if (n % 4 == 2) {
                        sources.get(n).completeExceptionally(new IOException());
                    }
                    call.cancel(true);
                }
                assertThat(call).isDone();
            }

            assertThat(real.getQueue()).isEmpty();
        } finally {
            real.shutdownNow();
        }
    }

    // ---- fallback

    @Test
    void aFallbackReplacesWhatItsFormSays() {
        assertThat(failing(new IOException("down"))
                        .withFallback(failure -> "for " + failure.getMessage())
                        .get())
                .isCompletedWithValue("for down");
        assertThat(failing(new IOException("down"))
                        .withFallback(IOException.class, failure -> "typed")
                        .get())
                .isCompletedWithValue("typed");
        assertThat(failing(new IOException("down"))
                        .withFallback(List.of(ArithmeticException.class, IOException.class), failure -> "listed")
                        .get())
                .isCompletedWithValue("listed");
        assertThat(failing(new IOException("down"))
                        .withFallback((value, failure) -> value + " or " + failure.getMessage())
                        .get())
                .isCompletedWithValue("null or down");
        assertThat(returning("empty")
                        .withFallback("empty"::equals, value -> "not " + value)
                        .get())
                .isCompletedWithValue("not empty");
        assertThat(returning("full")
                        .withFallback("empty"::equals, value -> "not " + value)
                        .get())
                .isCompletedWithValue("full");
        assertThat(returning("full")
                        .withFallback((value, failure) -> value + " and " + failure)
                        .get())
                .isCompletedWithValue("full and null");
    }

    @Test
    void whatAFallbackIsNotForIsPassedOn() {
        var failure = new IOException("down");

        assertThat(failureOf(failing(failure)
                        .withFallback(ArithmeticException.class, any -> "no")
                        .get()))
                .isSameAs(failure);
        assertThat(failureOf(failing(failure)
                        .withFallback("empty"::equals, any -> "no")
                        .get()))
                .isSameAs(failure);
        assertThat(returning("full").withFallback(any -> "no").get()).isCompletedWithValue("full");
    }

    @Test
    void aTypedFallbackLooksThroughToWhyAllAttemptsFailed() {
        var call = chain().withHedge(hedge(2))
                .withFallback(IOException.class, failure -> "for " + failure.getMessage())
                .get();

        sources.get(0).completeExceptionally(new IOException("first"));
        sources.get(1).completeExceptionally(new IOException("second"));

        assertThat(call).isCompletedWithValue("for second");
    }

    @Test
    void aFallbackThatThrowsIsAFailedStage() {
        var thrown = new IllegalStateException("no fallback");

        assertThat(failureOf(failing(new IOException())
                        .withFallback(failure -> {
                            throw thrown;
                        })
                        .get()))
                .isSameAs(thrown);
    }

    @Test
    void aCallThatIsCancelledIsNotReplaced() {
        var replaced = new AtomicInteger();
        var call = future(chain().withFallback(failure -> "replaced " + replaced.incrementAndGet())
                .get());

        call.cancel(true);

        assertThat(call).isCancelled();
        assertThat(replaced).hasValue(0);
    }

    private static HedgeDecorators<String> failing(Throwable failure) {
        return HedgeDecorators.ofCompletionStage(() -> CompletableFuture.failedFuture(failure));
    }

    private static HedgeDecorators<String> returning(String value) {
        return HedgeDecorators.ofCompletionStage(() -> CompletableFuture.completedFuture(value));
    }

    // ---- foreign decorators

    @Test
    void cancellingReachesTheSourceThroughDecoratorsThatSwallowIt() {
        var calls = new AtomicInteger();
        UnaryOperator<Supplier<CompletionStage<String>>> mapping = inner -> {
            calls.incrementAndGet();
            return () -> inner.get().thenApply(String::strip);
        };
        var search = chain().with(mapping)
                .with(inner -> Bulkhead.decorateCompletionStage(bulkhead, inner))
                .with(mapping)
                .decorate();

        var first = future(search.get());
        first.cancel(true);
        var second = future(search.get());
        sources.get(1).complete(" second ");

        assertThat(sources.get(0).cancelledWith).containsExactly(true);
        assertThat(sources.get(1).cancelledWith).isEmpty();
        assertThat(second).isCompletedWithValue("second");
        assertThat(calls).as("applied when the chain is built").hasValue(2);
    }

    @Test
    void aHedgesDecoratorFitsIn() {
        var call = chain().with(hedge(2).decorator()).withBulkhead(bulkhead).get();
        advance(70);

        sources.get(1).complete("hedge");

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(sources.get(0).cancelledWith).containsExactly(true);
    }

    @Test
    void aForeignDecoratorThatThrowsIsAFailedStageAndItsSourceNoWorry() {
        var call = chain().withBulkhead(bulkhead)
                .with(inner -> () -> {
                    var unused = inner.get();
                    throw new IllegalStateException("broken");
                })
                .get();

        assertThat(failureOf(call)).hasMessage("broken");
        sources.get(0).complete("nobody waits for it");
    }

    // ---- rule R3

    @Test
    void retryAroundAHedgeMakesAtMostTheProductOfBoth() {
        var call = chain().withHedge(hedge(2)).withRetry(retry, scheduler).get();

        failAllUntilDone(call);

        assertThat(sources).hasSize(3 * 2);
    }

    @Test
    void aHedgeAroundARetryMakesAtMostTheProductOfBoth() {
        var call = chain().withRetry(retry, scheduler).withHedge(hedge(2)).get();

        failAllUntilDone(call);

        assertThat(sources).hasSize(2 * 3);
    }

    @Test
    void aBudgetOfNothingLeavesTheRetriesAlone() {
        var stingy = Hedge.of(
                "stingy",
                HedgeConfig.from(hedge(2).getHedgeConfig())
                        .budget(HedgeBudget.none())
                        .build());

        failAllUntilDone(chain().withHedge(stingy).withRetry(retry, scheduler).get());
        assertThat(sources).hasSize(3);
        sources.clear();

        failAllUntilDone(chain().withRetry(retry, scheduler).withHedge(stingy).get());
        assertThat(sources).hasSize(3);
    }

    @Test
    void aBudgetOfOneAddsOneAttemptToAllRetriesTogether() {
        var thrifty = Hedge.of(
                "thrifty",
                HedgeConfig.from(hedge(2).getHedgeConfig())
                        .budget(HedgeBudget.ratio(0.1))
                        .build());

        failAllUntilDone(chain().withHedge(thrifty).withRetry(retry, scheduler).get());
        assertThat(sources).hasSize(3 + 1);
        sources.clear();

        failAllUntilDone(chain().withRetry(retry, scheduler).withHedge(thrifty).get());
        assertThat(sources).as("it has spent its token, and failures earn none").hasSize(3);
    }

    @Test
    void retriesWithSlowTriesMakeTheProductToo() {
        var call = chain().withHedge(hedge(2)).withRetry(retry, scheduler).get();
        for (int turn = 0; turn < 3; turn++) {
            advance(50);
            sources.get(2 * turn).completeExceptionally(new IOException());
            sources.get(2 * turn + 1).completeExceptionally(new IOException());
            advance(100);
        }

        assertThat(failureOf(call)).isInstanceOf(CompletionException.class);
        assertThat(sources).hasSize(6);
    }

    private void failAllUntilDone(CompletionStage<String> call) {
        for (int number = 0; !call.toCompletableFuture().isDone(); number++) {
            while (sources.size() <= number) {
                assertThat(timer.advanceToNext()).isTrue();
            }
            sources.get(number).completeExceptionally(new IOException("failure " + number));
        }
        assertThat(failureOf(call)).isNotInstanceOf(CancellationException.class);
    }
}
