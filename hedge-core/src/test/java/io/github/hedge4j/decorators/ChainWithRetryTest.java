package io.github.hedge4j.decorators;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.Attempt;
import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import io.github.resilience4j.retry.MaxRetriesExceededException;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Retries in a chain, and rule R3: how many attempts retries and hedges make together. */
class ChainWithRetryTest extends ChainFixture {

    private Supplier<? extends CompletionStage<String>> supplier = this::source;

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
