package io.github.hedge4j.decorators;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A chain as such: its order, broken suppliers, and calls that are ended from outside. */
class HedgeDecoratorsTest extends ChainFixture {

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
}
