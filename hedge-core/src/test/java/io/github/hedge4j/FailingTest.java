package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAfter;
import static io.github.hedge4j.Scenario.failsAtOnce;
import static io.github.hedge4j.Scenario.failureOf;
import static io.github.hedge4j.Scenario.hangs;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static io.github.hedge4j.Scenario.throwing;
import static java.time.Duration.ofMillis;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.junit.jupiter.api.Named.named;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules F: what a call that does not succeed fails with. */
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
}
