package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAfter;
import static io.github.hedge4j.Scenario.failsAtOnce;
import static io.github.hedge4j.Scenario.failureOf;
import static io.github.hedge4j.Scenario.hangs;
import static io.github.hedge4j.Scenario.stubborn;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static io.github.hedge4j.Scenario.throwing;
import static java.time.Duration.ofMillis;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.junit.jupiter.api.Named.named;

import io.github.hedge4j.budget.TokenBalance;
import io.github.hedge4j.time.HedgeTimer;
import io.github.hedge4j.time.Timeout;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules F: what a call that does not succeed fails with, and what does not make a call fail. */
class FailingTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    static Stream<Named<Throwable>> failures() {
        return Stream.of(
                named("checked", new IOException("reset")),
                named("unchecked", new IllegalStateException("reset")),
                named("error", new NoClassDefFoundError("reset")),
                named("timeout", new TimeoutException("reset")),
                named("wrapped otherwise", new ExecutionException(new IOException("reset"))),
                named("cancelled by somebody else", new CancellationException("reset")));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void theFailureOfAnOnlyAttemptIsPassedThroughAsItIs(Throwable failure) {
        scenario.configured(config -> config.maxAttempts(1)).primary(failsAfter(10, failure));

        var call = scenario.start();
        scenario.advance(10);

        assertThat(failureOf(call)).isSameAs(failure);
        assertThat(failure.getSuppressed()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void theFailureOfAnOnlyAttemptIsUnwrappedOnce(Throwable failure) {
        scenario.configured(config -> config.maxAttempts(1)).primary(failsAfter(10, new CompletionException(failure)));

        var call = scenario.start();
        scenario.advance(10);

        assertThat(failureOf(call)).isSameAs(failure);
    }

    @Test
    void theFailureOfADependentStageIsTheOneOfItsSource() {
        var failure = new IOException("reset");
        scenario.configured(config -> config.maxAttempts(1))
                .primary(source -> failsAfter(10, failure).play(source).thenApply(value -> value));

        var call = scenario.start();
        scenario.advance(10);

        assertThat(failureOf(call)).isSameAs(failure);
    }

    @Test
    void onlyTheOutermostCompletionExceptionIsUnwrapped() {
        var inner = new CompletionException(new IOException("reset"));
        scenario.configured(config -> config.maxAttempts(1)).primary(failsAfter(10, new CompletionException(inner)));

        var call = scenario.start();
        scenario.advance(10);

        assertThat(failureOf(call)).isSameAs(inner);
    }

    @Test
    void aCompletionExceptionWithoutACauseIsKept() {
        var failure = new CompletionException("reset", null);
        scenario.configured(config -> config.maxAttempts(1)).primary(throwing(failure));

        var call = scenario.start();

        assertThat(failureOf(call)).isSameAs(failure);
    }

    @Test
    void aThrownCompletionExceptionIsUnwrappedToo() {
        var failure = new IOException("reset");
        scenario.configured(config -> config.maxAttempts(1)).primary(throwing(new CompletionException(failure)));

        var call = scenario.start();

        assertThat(failureOf(call)).isSameAs(failure);
    }

    @Test
    void severalFailuresComeTogetherWithTheLastOneAsCause() {
        var first = new IOException("0");
        var second = new IllegalStateException("1");
        var third = new TimeoutException("2");
        scenario.configured(config -> config.maxAttempts(3))
                .primary(failsAfter(10, first))
                .hedge(failsAfter(10, second))
                .attempt(2, failsAfter(10, third));

        var call = scenario.start();
        scenario.advance(30);

        assertThat(failureOf(call))
                .asInstanceOf(type(AllAttemptsFailedException.class))
                .satisfies(failure -> {
                    assertThat(failure.getCause()).isSameAs(third);
                    assertThat(failure.getFailures()).containsExactly(first, second, third);
                    assertThat(failure.getSuppressed()).containsExactly(first, second);
                    assertThat(failure).hasMessageContaining("scenario").hasMessageContaining("3");
                });
        assertThat(Stream.of(first, second, third).flatMap(failure -> Stream.of(failure.getSuppressed())))
                .isEmpty();
        assertThat(first).hasNoCause();
    }

    @Test
    void failuresAreInTheOrderOfTheAttemptsAndTheCauseIsTheOneThatCameLast() {
        var primary = new IOException("0");
        var hedge = new IllegalStateException("1");
        scenario.primary(failsAfter(100, primary)).hedge(failsAfter(10, hedge));

        var call = scenario.start();
        scenario.advance(100);

        assertThat(failureOf(call))
                .asInstanceOf(type(AllAttemptsFailedException.class))
                .satisfies(failure -> {
                    assertThat(failure.getCause()).isSameAs(primary);
                    assertThat(failure.getFailures()).containsExactly(primary, hedge);
                    assertThat(failure.getSuppressed()).containsExactly(hedge);
                });
    }

    @Test
    void severalFailuresAreEachUnwrappedOnce() {
        var first = new IOException("0");
        var second = new IOException("1");
        scenario.primary(failsAtOnce(new CompletionException(first)))
                .hedge(failsAtOnce(new CompletionException(second)));

        var call = scenario.start();

        assertThat(failureOf(call))
                .asInstanceOf(type(AllAttemptsFailedException.class))
                .satisfies(failure -> assertThat(failure.getFailures()).containsExactly(first, second));
    }

    @Test
    void oneInstanceThatAllAttemptsFailedWithIsNoProblem() {
        var cached = new IOException("cached, as connection pools do");
        scenario.configured(config -> config.maxAttempts(3))
                .primary(failsAtOnce(cached))
                .hedge(failsAtOnce(cached))
                .attempt(2, failsAtOnce(cached));

        var call = scenario.start();

        assertThat(failureOf(call))
                .asInstanceOf(type(AllAttemptsFailedException.class))
                .satisfies(failure -> {
                    assertThat(failure.getCause()).isSameAs(cached);
                    assertThat(failure.getFailures()).containsExactly(cached, cached, cached);
                    assertThat(failure.getSuppressed()).isEmpty();
                });
        assertThat(cached.getSuppressed()).isEmpty();
    }

    @Test
    void failuresCannotBeChanged() {
        scenario.primary(failsAtOnce(new IOException("0"))).hedge(failsAtOnce(new IOException("1")));

        var call = scenario.start();

        assertThat(failureOf(call))
                .asInstanceOf(type(AllAttemptsFailedException.class))
                .satisfies(failure -> assertThatThrownBy(
                                () -> failure.getFailures().clear())
                        .isInstanceOf(UnsupportedOperationException.class));
    }

    @Test
    void whatTheJdkLooksThroughIsSuppressedInWhatItThrows() {
        scenario.primary(failsAtOnce(new IOException("0"))).hedge(failsAtOnce(new IOException("1")));

        var call = scenario.start();

        assertThatThrownBy(call::get)
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).containsExactly(failureOf(call)));
        assertThatThrownBy(() -> call.get(1, SECONDS))
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).containsExactly(failureOf(call)));
    }

    @Test
    void aFailureThatIsTheOnlyOneIsNotSuppressedToo() {
        var only = new IOException("0");
        scenario.configured(config -> config.maxAttempts(1)).primary(failsAtOnce(only));

        var call = scenario.start();

        assertThatThrownBy(call::get).hasCause(only).hasNoSuppressedExceptions();
    }

    @Test
    void theJdkLooksThroughToTheLastFailure() {
        var last = new IOException("1");
        scenario.primary(failsAtOnce(new IOException("0"))).hedge(failsAtOnce(last));

        var call = scenario.start();

        assertThatThrownBy(call::get).isInstanceOf(ExecutionException.class).hasCause(last);
        assertThatThrownBy(() -> call.get(1, SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCause(last);
        assertThatThrownBy(call::join)
                .isInstanceOf(AllAttemptsFailedException.class)
                .hasCause(last);
        assertThat(failureOf(call.thenApply(value -> value))).isInstanceOf(AllAttemptsFailedException.class);
    }

    @Test
    void theFailuresOfAHedgeWithinAHedgeAreKeptTogether() {
        var inner = Hedge.of(
                "inner",
                HedgeConfig.from(HedgeConfig.racing(2)).executor(Runnable::run).build());
        var failure = new IOException("inner");
        scenario.configured(config -> config.maxAttempts(1))
                .primary(source -> inner.start(attempt -> CompletableFuture.failedFuture(failure)));

        var call = scenario.start();
        Threads.awaitEnd(call);

        assertThat(failureOf(call))
                .asInstanceOf(type(AllAttemptsFailedException.class))
                .satisfies(kept -> {
                    assertThat(kept.getHedgeName()).isEqualTo("inner");
                    assertThat(kept.getFailures()).containsExactly(failure, failure);
                });
    }

    @Test
    void theFailuresOfHedgesWithinAHedgeAreOneFailureEach() {
        var inner = Hedge.of(
                "inner",
                HedgeConfig.from(HedgeConfig.racing(2)).executor(Runnable::run).build());
        scenario.primary(source -> inner.start(attempt -> CompletableFuture.failedFuture(new IOException("a"))))
                .hedge(source -> inner.<Object>start(attempt -> CompletableFuture.failedFuture(new IOException("b")))
                        .thenApply(value -> value));

        var call = scenario.start();

        assertThat(failureOf(call))
                .asInstanceOf(type(AllAttemptsFailedException.class))
                .satisfies(outer -> assertThat(outer.getFailures())
                        .hasSize(2)
                        .hasOnlyElementsOfType(AllAttemptsFailedException.class));
    }

    @Test
    void anIgnoredFailureEndsTheCallAtOnceAndCancelsTheOthers() {
        var ignored = new FileNotFoundException("404");
        scenario.configured(config ->
                        config.ignoreExceptions(FileNotFoundException.class).maxAttempts(3))
                .hedge(failsAfter(10, ignored));

        var call = scenario.start();
        scenario.advance(60);

        assertThat(failureOf(call)).isSameAs(ignored);
        assertThat(scenario.trail).contains("60 ms: attempt 0 cancelled(true)").hasSize(4);
    }

    @Test
    void anIgnoredFailureAfterAnotherOneComesTogetherWithIt() {
        var first = new IOException("0");
        var ignored = new FileNotFoundException("404");
        scenario.configured(config ->
                        config.ignoreExceptions(FileNotFoundException.class).maxAttempts(3))
                .primary(failsAfter(10, first))
                .hedge(failsAfter(10, new CompletionException(ignored)));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(failureOf(call))
                .asInstanceOf(type(AllAttemptsFailedException.class))
                .satisfies(failure -> {
                    assertThat(failure.getCause()).isSameAs(ignored);
                    assertThat(failure.getFailures()).containsExactly(first, ignored);
                });
        assertThat(scenario.invocations()).isEqualTo(2);
    }

    @Test
    void onlyTheFailuresGivenAreOutrun() {
        var failure = new IllegalStateException();
        scenario.configured(config -> config.hedgeExceptions(IOException.class)).primary(failsAfter(10, failure));

        var call = scenario.start();
        scenario.advance(10);

        assertThat(failureOf(call)).isSameAs(failure);
        assertThat(scenario.invocations()).isOne();
    }

    @Test
    void predicatesSeeTheUnwrappedFailure() {
        List<Throwable> seen = new ArrayList<>();
        var failure = new FileNotFoundException();
        scenario.configured(config -> config.hedgeExceptions(IOException.class)
                        .hedgeOnException(other -> !seen.add(other))
                        .stopHedgingOn(other -> !seen.add(other)))
                .primary(failsAfter(10, new CompletionException(failure)))
                .hedge(succeedsAfter(10, "hedge"));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(seen).isNotEmpty().allMatch(other -> other == failure);
    }

    @Test
    void theDeadlineFailsTheCallWithItsNameAndCancelsAllAttempts() {
        scenario.configured(config -> config.timeout(ofMillis(250)).maxAttempts(2));

        var call = scenario.start();
        scenario.advance(249);
        assertThat(call).isNotDone();
        scenario.advance(1);

        assertThat(failureOf(call))
                .asInstanceOf(type(HedgeTimeoutException.class))
                .satisfies(failure -> {
                    assertThat(failure.getHedgeName()).isEqualTo("scenario");
                    assertThat(failure).hasMessageContaining("scenario").hasMessageContaining("0.25");
                    assertThat(failure.getSuppressed()).isEmpty();
                });
        assertThat(scenario.trail)
                .startsWith("0 ms: attempt 0 started", "50 ms: attempt 1 started")
                .contains("250 ms: attempt 0 cancelled(true)", "250 ms: attempt 1 cancelled(true)")
                .endsWith("250 ms: call failed with HedgeTimeoutException");
        assertThat(scenario.report(call).outcome()).isEqualTo(CallOutcome.TIMEOUT);
        assertThat(scenario.metrics().getNumberOfTimedOutCalls()).isOne();
    }

    @Test
    void theDeadlineKeepsTheFailuresSoFar() {
        var first = new IOException("0");
        var second = new IOException("1");
        scenario.configured(config -> config.timeout(ofMillis(90)).maxAttempts(3))
                .primary(failsAfter(10, first))
                .hedge(failsAfter(10, new CompletionException(second)));

        var call = scenario.start();
        scenario.advance(90);

        assertThat(failureOf(call))
                .isInstanceOf(HedgeTimeoutException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).containsExactly(first, second));
        assertThat(first.getSuppressed()).isEmpty();
    }

    @Test
    void theDeadlineNeedsNoHedging() {
        scenario.configured(config -> config.timeout(ofMillis(90)).maxAttempts(1));

        var call = scenario.start();
        scenario.advance(90);

        assertThat(failureOf(call)).isInstanceOf(HedgeTimeoutException.class);
    }

    @Test
    void theDeadlineHoldsAlsoIfTheExecutorRefuses() {
        scenario.configured(
                config -> config.timeout(ofMillis(90)).maxAttempts(1).executor(task -> {
                    throw new RejectedExecutionException("shut down");
                }));

        var call = scenario.start();
        scenario.advance(90);
        Threads.awaitEnd(call);

        assertThat(failureOf(call)).isInstanceOf(HedgeTimeoutException.class);
        Threads.awaitEnd(call.settled().toCompletableFuture());
    }

    @Test
    void aHedgeThatWouldBeDueAtTheDeadlineOrLaterIsNotScheduled() {
        scenario.configured(config -> config.timeout(ofMillis(100)).maxAttempts(4));

        var call = scenario.start();
        scenario.advance(50);
        assertThat(scenario.timer.pending()).as("the deadline's alone").isOne();
        scenario.advance(50);

        assertThat(failureOf(call)).isInstanceOf(HedgeTimeoutException.class);
        assertThat(scenario.invocations()).isEqualTo(2);
        assertThat(scenario.report(call).denials()).containsExactly(DenialReason.DEADLINE);
    }

    @Test
    void aDelayBeyondTheDeadlineIsNotCutDownToIt() {
        scenario.configured(
                        config -> config.timeout(ofMillis(100)).delay(HedgeDelay.perAttempt(number -> ofMillis(150))))
                .primary(succeedsAfter(99, "primary"));

        var call = scenario.start();
        scenario.advance(99);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.invocations()).isOne();
        assertThat(scenario.report(call).denials()).containsExactly(DenialReason.DEADLINE);
    }

    @Test
    void aFailureStillStartsTheHedgeThatSlownessWouldHaveStartedTooLate() {
        scenario.configured(
                        config -> config.timeout(ofMillis(100)).delay(HedgeDelay.perAttempt(number -> ofMillis(150))))
                .primary(failsAfter(10, new IOException()))
                .hedge(succeedsAfter(10, "hedge"));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(call).isCompletedWithValue("hedge");
    }

    @Test
    void theWaysToEndAreToldApartByTheirTypes() {
        var stop = new CompletableFuture<>();
        var latest = new LatestWins<String>();
        var superseded = latest.call(CompletableFuture::new);
        var newest = latest.call(CompletableFuture::new);
        var stopped = Race.unlessStopped(stop, CompletableFuture::new);
        stop.complete("stop");
        scenario.configured(config -> config.timeout(ofMillis(60)));
        var cancelled = scenario.start();
        cancelled.cancel(true);
        var timedOut = scenario.start();
        scenario.advance(60);
        scenario.primary(failsAtOnce(new IOException())).hedge(failsAtOnce(new IOException()));
        var failed = scenario.start();

        assertThat(Stream.of(cancelled, timedOut, stopped, superseded, failed)
                        .map(call -> failureOf(call).getClass().getSimpleName()))
                .containsExactly(
                        "CancellationException",
                        "HedgeTimeoutException",
                        "StoppedException",
                        "SupersededException",
                        "AllAttemptsFailedException");
        newest.cancel(true);
    }

    @Test
    void theLastRefusedResultIsReturnedIfNothingBetterCame() {
        scenario.configured(config -> config.hedgeOnResult(result -> true))
                .primary(succeedsAfter(100, "refused last"))
                .hedge(succeedsAfter(10, "refused first"));

        var call = scenario.start();
        scenario.advance(100);

        assertThat(call).isCompletedWithValue("refused last");
        assertThat(scenario.discarded).containsExactly("refused first");
        assertThat(scenario.report(call).outcome()).isEqualTo(CallOutcome.SUCCESS);
        assertThat(scenario.report(call).winner()).hasValue(0);
        assertThat(scenario.report(call).attempts())
                .extracting(AttemptReport::outcome)
                .containsExactly(AttemptOutcome.REJECTED_RESULT, AttemptOutcome.REJECTED_RESULT);
    }

    @Test
    void aRefusedResultIsReturnedRatherThanAFailureThatCameAfterIt() {
        scenario.configured(config -> config.hedgeOnResult(result -> true))
                .primary(succeedsAfter(10, "refused"))
                .hedge(failsAfter(10, new IOException()));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(call).isCompletedWithValue("refused");
    }

    @Test
    void aRefusedResultIsReturnedRatherThanAFailureThatCameBefore() {
        scenario.configured(config -> config.hedgeOnResult(result -> true))
                .primary(failsAfter(10, new IOException()))
                .hedge(succeedsAfter(10, "refused"));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(call).isCompletedWithValue("refused");
    }

    @Test
    void aRefusedResultOfAnOnlyAttemptIsReturnedAtOnce() {
        scenario.configured(config -> config.hedgeOnResult(result -> true)
                        .budget(HedgeBudget.none())
                        .timeout(ofMillis(500)))
                .primary(succeedsAfter(10, "refused"));

        var call = scenario.start();
        scenario.advance(10);

        assertThat(call).isCompletedWithValue("refused");
        assertThat(scenario.discarded).isEmpty();
    }

    @Test
    void aRefusedNullIsReturnedToo() {
        scenario.configured(config -> config.hedgeOnResult(result -> result == null))
                .primary(succeedsAfter(10, null))
                .hedge(succeedsAfter(10, null));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(call).isCompletedWithValue(null);
    }

    @Test
    void anIgnoredFailureEndsACallThatHasARefusedResult() {
        var ignored = new FileNotFoundException();
        scenario.configured(
                        config -> config.hedgeOnResult("refused"::equals).ignoreExceptions(FileNotFoundException.class))
                .primary(succeedsAfter(10, "refused"))
                .hedge(failsAfter(10, ignored));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(call).isDone();
    }

    static Stream<Named<IntFunction<Duration>>> badDelays() {
        return Stream.of(
                named("throws", number -> {
                    throw new IllegalStateException("delay");
                }),
                named("throws an error", number -> {
                    throw new StackOverflowError("delay");
                }),
                named("null", number -> null),
                named("negative", number -> ofMillis(-1)));
    }

    @ParameterizedTest
    @MethodSource("badDelays")
    void aDelayFunctionThatDoesNotWorkLeavesTheCallUnhedged(IntFunction<Duration> delays) {
        scenario.configured(config -> config.delay(HedgeDelay.perAttempt(delays)))
                .primary(succeedsAfter(500, "primary"));

        var call = scenario.start();
        scenario.advance(500);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.report(call).denials()).containsExactly(DenialReason.ERROR);
        assertThat(scenario.metrics().getNumberOfDeniedHedges(DenialReason.ERROR))
                .isOne();
    }

    @Test
    void aDelayFunctionThatThrowsIsLogged() {
        try (var log = new CapturedLog()) {
            scenario.configured(config -> config.delay(HedgeDelay.perAttempt(number -> {
                        throw new IllegalStateException("delay");
                    })))
                    .primary(succeedsAfter(500, "primary"));

            scenario.begin();
            scenario.advance(500);

            assertThat(log.thrown()).containsExactly("delay");
        }
    }

    @Test
    void aDelayFunctionThatThrowsForALaterHedgeStopsThatOneOnly() {
        scenario.configured(config -> config.maxAttempts(3).delay(HedgeDelay.perAttempt(number -> {
                    if (number == 2) {
                        throw new IllegalStateException("delay");
                    }
                    return ofMillis(50);
                })))
                .hedge(succeedsAfter(200, "hedge"));

        var call = scenario.start();
        scenario.advance(250);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(scenario.invocations()).isEqualTo(2);
        assertThat(scenario.report(call).denials()).containsExactly(DenialReason.ERROR);
    }

    @Test
    void aBudgetThatThrowsWhenAskedLeavesTheCallUnhedged() {
        scenario.configured(config -> config.budget(new FakeBudget(1).onTake(() -> {
                    throw new IllegalStateException("budget");
                })))
                .primary(succeedsAfter(500, "primary"));

        var call = scenario.start();
        scenario.advance(500);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.report(call).denials()).containsExactly(DenialReason.ERROR);
    }

    @Test
    void aBudgetThatThrowsAfterAFailureFailsTheCallWithThatFailure() {
        var failure = new IOException();
        scenario.configured(config -> config.budget(new FakeBudget(1).onTake(() -> {
                    throw new IllegalStateException("budget");
                })))
                .primary(failsAfter(10, failure));

        var call = scenario.start();
        scenario.advance(10);

        assertThat(failureOf(call)).isSameAs(failure);
    }

    @Test
    void aBudgetThatCannotBeCreditedKeepsNoResult() {
        scenario.configured(config -> config.budget(timer -> throwingBalance())).hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(70);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(scenario.source(0)).isCancelled();
    }

    @Test
    void aBudgetThatTakesNothingBackDoesNotKeepTheExecutorsRefusal() {
        scenario.configured(config -> config.budget(timer -> throwingBalance()).executor(task -> {
                    throw new RejectedExecutionException("shut down");
                }))
                .primary(succeedsAfter(500, "primary"));

        var call = scenario.start();
        scenario.advance(500);

        assertThat(call).isCompletedWithValue("primary");
    }

    @Test
    void aPushbackPredicateThatThrowsDoesNotFailTheCall() {
        try (var log = new CapturedLog()) {
            scenario.configured(config -> config.stopHedgingOn(failure -> {
                        throw new IllegalStateException("pushback");
                    }))
                    .primary(succeedsAfter(500, "primary"))
                    .hedge(failsAfter(10, new IOException()));

            var call = scenario.start();
            scenario.advance(500);

            assertThat(call).isCompletedWithValue("primary");
            assertThat(log.thrown()).contains("pushback");
        }
    }

    @Test
    void aFailurePredicateThatThrowsDoesNotKeepTheCallFromEnding() {
        scenario.configured(config -> config.hedgeOnException(failure -> {
                    throw new IllegalStateException("predicate");
                }))
                .primary(failsAfter(10, new IOException()))
                .hedge(failsAfter(10, new IOException()));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(call).isCompletedExceptionally();
    }

    @Test
    void aResultPredicateThatThrowsDoesNotKeepTheCallFromEndingNorLosesTheResult() {
        scenario.configured(config -> config.hedgeOnResult(result -> {
                    throw new IllegalStateException("predicate");
                }))
                .primary(succeedsAfter(10, "primary"))
                .hedge(failsAfter(10, new IOException()));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(call).isDone();
    }

    @Test
    void aListenerThatThrowsIsLoggedAndTheOthersAreStillCalled() {
        List<Object> events = new ArrayList<>();
        try (var log = new CapturedLog()) {
            scenario.primary(succeedsAfter(10, "primary"));
            scenario.hedge().getEventPublisher().onCallEnded(event -> {
                throw new IllegalStateException("listener");
            });
            scenario.hedge().getEventPublisher().onCallEnded(events::add);

            var call = scenario.start();
            scenario.advance(10);

            assertThat(call).isCompletedWithValue("primary");
            assertThat(events).hasSize(1);
            assertThat(log.thrown()).containsExactly("listener");
        }
    }

    @Test
    void aListenerThatThrowsAtEveryEventChangesNothing() {
        scenario.configured(config -> config.maxAttempts(3).loserGrace(ofMillis(10)))
                .primary(stubborn())
                .hedge(failsAfter(10, new IOException()))
                .attempt(2, succeedsAfter(10, "hedge 2"));
        scenario.hedge().getEventPublisher().onEvent(event -> {
            throw new IllegalStateException("listener");
        });

        var call = scenario.start();
        scenario.advance(100);

        assertThat(call).isCompletedWithValue("hedge 2");
        assertThat(scenario.report(call).attempts()).hasSize(3);
        scenario.source(0).complete("late");
    }

    @Test
    void aTimerThatRefusesTheDelayLeavesTheCallUnhedged() {
        scenario.configured(config -> config.timer(refusing(scenario.timer))).primary(succeedsAfter(500, "primary"));

        var call = scenario.start();
        scenario.advance(500);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.report(call).denials()).containsExactly(DenialReason.ERROR);
    }

    @Test
    void aTimerThatRefusesTheDeadlineLeavesTheCallWithoutOne() {
        scenario.configured(config -> config.timer(refusing(scenario.timer))
                        .timeout(ofMillis(100))
                        .maxAttempts(1))
                .primary(succeedsAfter(90, "primary"));

        var call = scenario.start();
        scenario.advance(90);

        assertThat(call).isCompletedWithValue("primary");
    }

    @Test
    void aTimerThatRefusesTheGraceDoesNotKeepTheWinner() {
        scenario.configured(config -> config.timer(refusing(scenario.timer)).delay(HedgeDelay.fixed(Duration.ZERO)))
                .primary(stubborn());

        var call = scenario.start();
        scenario.source(1).complete("hedge");

        assertThat(call).isCompletedWithValue("hedge");
        scenario.source(0).complete("late");
        assertThat(call.settled()).isCompleted();
    }

    @Test
    void aFailureThatCannotBePrintedIsNoProblem() {
        var rude = new RuntimeException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new IllegalStateException("getMessage");
            }
        };
        scenario.primary(failsAtOnce(rude)).hedge(failsAtOnce(new IOException()));

        var call = scenario.start();

        assertThat(failureOf(call)).isInstanceOf(AllAttemptsFailedException.class);
    }

    @Test
    void withoutStackTracesFailuresHaveNone() {
        scenario.configured(config -> config.writableStackTraceEnabled(false).timeout(ofMillis(90)))
                .primary(failsAtOnce(new IOException()))
                .hedge(failsAtOnce(new IOException()));
        var failed = scenario.start();
        scenario.primary(hangs()).hedge(hangs());
        var timedOut = scenario.start();
        scenario.advance(90);

        assertThat(failureOf(failed).getStackTrace()).isEmpty();
        assertThat(failureOf(timedOut).getStackTrace()).isEmpty();
    }

    private static HedgeTimer refusing(HedgeTimer timer) {
        return new HedgeTimer() {
            @Override
            public long nanoTime() {
                return timer.nanoTime();
            }

            @Override
            public Timeout schedule(Runnable task, long delayNanos) {
                throw new RejectedExecutionException("timer shut down");
            }
        };
    }

    private static TokenBalance throwingBalance() {
        return new TokenBalance() {
            @Override
            public boolean tryTake(long nowNanos) {
                return true;
            }

            @Override
            public void giveBack() {
                throw new IllegalStateException("giveBack");
            }

            @Override
            public void credit() {
                throw new IllegalStateException("credit");
            }

            @Override
            public double available(long nowNanos) {
                return 1;
            }
        };
    }
}
