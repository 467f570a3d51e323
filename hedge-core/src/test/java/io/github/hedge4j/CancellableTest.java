package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failureOf;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rule C5: a loser's source is cancelled, whatever stands between it and the hedge. */
class CancellableTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    private final List<Work> started = new ArrayList<>();
    private final Supplier<CompletionStage<Object>> source = Attempt.cancellable(() -> {
        var work = new Work();
        started.add(work);
        return work;
    });

    /** Passes everything on but cancellation, as all of Resilience4j's decorators do. */
    private static CompletionStage<Object> swallowing(CompletionStage<?> stage) {
        return stage.thenApply(value -> value);
    }

    @Test
    void aLosersSourceIsCancelledThroughWhateverSwallowsCancellation() {
        scenario.primary(attempt -> swallowing(swallowing(source.get()))).hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(69);
        assertThat(started.get(0).cancelledWith).isEmpty();
        scenario.advance(1);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(started).hasSize(1);
        assertThat(started.get(0).cancelledWith).containsExactly(true);
    }

    @Test
    void aHedgesSourceIsCancelledWhenThePrimaryWins() {
        scenario.hedge(attempt -> swallowing(source.get()));
        var call = scenario.start();
        scenario.advance(50);

        scenario.source(0).complete("primary");

        assertThat(call).isCompletedWithValue("primary");
        assertThat(started.get(0).cancelledWith).containsExactly(true);
    }

    @Test
    void theWinnersSourcesAreNeverCancelled() {
        scenario.hedge(attempt -> {
            var unused = source.get(); // goes on in the background
            return swallowing(source.get());
        });
        var call = scenario.start();
        scenario.advance(50);

        started.get(1).complete("hedge");
        call.cancel(true);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(started).allSatisfy(work -> assertThat(work.cancelledWith).isEmpty());
        started.get(0).complete("late");
        assertThat(attempt(1).ownedSources()).isZero();
    }

    @Test
    void sourcesAreCancelledBeforeAnyActionIsRun() {
        var cancelledBefore = new ArrayList<Boolean>();
        var hedge = Hedge.of(
                "in place",
                HedgeConfig.custom()
                        .delay(HedgeDelay.fixed(ofMillis(50)))
                        .executor(Runnable::run)
                        .build());
        HedgedFuture<Object> call = hedge.start(attempt -> {
            CompletionStage<Object> running = swallowing(source.get());
            attempt.onCancel(
                    () -> cancelledBefore.add(!started.get(0).cancelledWith.isEmpty()));
            return running;
        });

        call.cancel(true);

        assertThat(cancelledBefore).containsExactly(true);
    }

    @Test
    void allSourcesOfAnAttemptAreCancelledThatHaveNotEnded() {
        scenario.primary(attempt -> CompletableFuture.allOf(
                        source.get().toCompletableFuture(),
                        source.get().toCompletableFuture(),
                        source.get().toCompletableFuture())
                .thenApply(nothing -> "all"));
        var call = scenario.start();

        started.get(1).complete("part");
        call.cancel(true);

        assertThat(started.get(0).cancelledWith).containsExactly(true);
        assertThat(started.get(1).cancelledWith).isEmpty();
        assertThat(started.get(2).cancelledWith).containsExactly(true);
    }

    @Test
    void theDeadlineAndTheCallerReachTheSourceToo() {
        scenario.configured(config -> config.maxAttempts(1).timeout(ofMillis(80)))
                .primary(attempt -> swallowing(source.get()));

        var late = scenario.start();
        scenario.advance(80);
        var cancelled = scenario.start();
        cancelled.cancel(false);

        assertThat(failureOf(late)).isInstanceOf(HedgeTimeoutException.class);
        assertThat(started).hasSize(2);
        assertThat(started).allSatisfy(work -> assertThat(work.cancelledWith).containsExactly(true));
    }

    @Test
    void aLoserThatMayRunOnKeepsItsSource() {
        scenario.configured(config -> config.cancelLosers(false))
                .primary(attempt -> swallowing(source.get()))
                .hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(70);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(started.get(0).cancelledWith).isEmpty();
        started.get(0).complete("late");
        assertThat(scenario.discarded).containsExactly("late");
    }

    @Test
    void outsideOfAnyAttemptItIsTheSourceAndNothingElse() {
        var stage = source.get();

        assertThat(stage).isSameAs(started.get(0));
        assertThat(started.get(0).getNumberOfDependents()).isZero();
    }

    @Test
    void insideAnAttemptTheStageIsTheSourcesOwn() {
        List<CompletionStage<?>> stages = new ArrayList<>();
        scenario.primary(attempt -> {
            stages.add(source.get());
            return attempt;
        });

        scenario.start().cancel(true);

        assertThat(stages).singleElement().isSameAs(started.get(0));
    }

    @Test
    void whatTheSourceThrowsAndTheNullItReturnsAreTheAttemptsFailure() {
        var thrown = new StackOverflowError();
        Supplier<CompletionStage<Object>> throwing = Attempt.cancellable(() -> {
            throw thrown;
        });
        Supplier<CompletionStage<Object>> nothing = Attempt.cancellable(() -> null);
        scenario.configured(config -> config.maxAttempts(1)).primary(attempt -> throwing.get());
        assertThat(failureOf(scenario.start())).isSameAs(thrown);

        scenario.primary(attempt -> nothing.get());
        assertThat(failureOf(scenario.start())).isInstanceOf(NullPointerException.class);

        assertThat(nothing.get()).isNull();
        assertThatThrownBy(throwing::get).isSameAs(thrown);
    }

    @Test
    void anAttemptThatHasBeenCancelledDoesNotInvokeItsSource() {
        List<CompletionStage<?>> stages = new ArrayList<>();
        List<HedgedFuture<?>> call = new ArrayList<>();
        scenario.hedge(attempt -> {
            call.get(0).cancel(true);
            stages.add(source.get());
            return swallowing(stages.get(0));
        });

        call.add(scenario.start());
        scenario.advance(50);

        assertThat(started).isEmpty();
        assertThat(failureOf(stages.get(0))).isInstanceOf(CancellationException.class);
    }

    @Test
    void anAttemptThatLosesWhileItsSourceIsBeingInvokedCancelsItAtOnce() {
        List<HedgedFuture<?>> call = new ArrayList<>();
        scenario.hedge(attempt -> swallowing(Attempt.cancellable(() -> {
                    call.get(0).cancel(true);
                    return source.get();
                })
                .get()));
        call.add(scenario.start());
        scenario.advance(50);
        assertThat(started).as("cancelled before the inner one was asked").isEmpty();

        List<Work> late = new ArrayList<>();
        scenario.hedge(attempt -> swallowing(Attempt.cancellable(() -> {
                    var work = new Work();
                    late.add(work);
                    call.get(0).cancel(true);
                    return work;
                })
                .get()));
        call.set(0, scenario.start());
        scenario.advance(50);

        assertThat(late.get(0).cancelledWith).containsExactly(true);
    }

    @Test
    void aSourceThatHasEndedIsLetGoOf() {
        scenario.primary(attempt -> {
            CompletionStage<Object> chain = new CompletableFuture<>();
            for (int turn = 0; turn < 1000; turn++) {
                var work = source.get();
                if (turn < 999) {
                    started.get(turn).complete("try " + turn);
                }
                chain = work;
            }
            return swallowing(chain);
        });

        var call = scenario.start();

        assertThat(attempt(0).ownedSources()).isOne();
        assertThat(started.get(0).getNumberOfDependents()).isZero();
        call.cancel(true);
        assertThat(attempt(0).ownedSources()).isZero();
        assertThat(started.get(999).cancelledWith).containsExactly(true);
    }

    @Test
    void aSourceThatHasEndedWhenItReturnsCostsNothing() {
        Supplier<CompletionStage<String>> instant =
                Attempt.cancellable(() -> CompletableFuture.completedFuture("instant"));
        var stage = Hedge.of("plain", HedgeConfig.racing(1)).<String>executeCompletionStage(instant);

        assertThat(stage).isCompletedWithValue("instant");
        assertThat(stage).as("no call was made of it").isNotInstanceOf(HedgedFuture.class);
    }

    @Test
    void aSourceThatIsNoFutureIsCancelledThroughTheFutureThatItGives() {
        var plain = new CompletableFuture<>();
        Supplier<CompletionStage<Object>> custom =
                Attempt.cancellable(() -> CustomStage.of(plain).stage());
        scenario.primary(attempt -> swallowing(custom.get()));

        scenario.start().cancel(true);

        assertThat(plain).isCancelled();
    }

    @Test
    void aPlainSupplierUnderTheShortPathIsCancelledAsWell() {
        var call = Hedge.of("plain", HedgeConfig.racing(1)).executeCompletionStage(() -> swallowing(source.get()));

        call.toCompletableFuture().cancel(true);

        assertThat(started.get(0).cancelledWith).containsExactly(true);
    }

    @Test
    void onAnotherThreadItIsJustTheSourceUnlessItIsBound() {
        List<Attempt> seen = new ArrayList<>();
        List<CompletionStage<Object>> stages = new ArrayList<>();
        scenario.primary(attempt -> {
            var part = attempt.attempt.bind(() -> {
                seen.add(Attempt.current().orElseThrow());
                return source.get();
            });
            Threads.elsewhere(() -> stages.add(source.get()));
            Threads.elsewhere(() -> stages.add(part.get()));
            return swallowing(stages.get(1));
        });

        var call = scenario.start();
        call.cancel(true);

        assertThat(seen).containsExactly(scenario.source(0).attempt);
        assertThat(started.get(0).cancelledWith).isEmpty();
        assertThat(started.get(1).cancelledWith).containsExactly(true);
        assertThat(Attempt.current()).isEmpty();
    }

    @Test
    void aBoundSupplierOfAnAttemptThatHasLostStartsNothing() {
        scenario.start().cancel(true);

        var stage = scenario.source(0).attempt.bind(source).get();

        assertThat(started).isEmpty();
        assertThat(failureOf(stage)).isInstanceOf(CancellationException.class);
    }

    @Test
    void whatABoundSupplierThrowsIsPassedOnAsItIs() {
        scenario.start().cancel(true);
        var failure = new IOException("down");

        Supplier<Object> bound =
                scenario.source(0).attempt.bind(() -> CancellableTest.<RuntimeException>thrown(failure));

        assertThatThrownBy(bound::get).isSameAs(failure);
        assertThatNullPointerException()
                .isThrownBy(() -> scenario.source(0).attempt.bind(null));
        assertThatNullPointerException()
                .isThrownBy(() -> Attempt.cancellable(null))
                .withMessageStartingWith("source");
    }

    @Test
    void aCallThatIsCancelledWhileItsSourceIsStartedLeavesNoneRunning() throws Exception {
        var pool = Executors.newSingleThreadExecutor();
        var hedge = Hedge.of("race", HedgeConfig.racing(1));
        var random = new Random(5);
        try {
            for (int round = 0; round < 3000; round++) {
                List<Attempt> attempts = new ArrayList<>();
                HedgedFuture<Object> call = hedge.start(attempt -> {
                    attempts.add(attempt);
                    return new CompletableFuture<>();
                });
                int spins = random.nextInt(300);
                var starting = new CompletableFuture<Void>();
                var canceller = pool.submit(() -> {
                    starting.join();
                    for (int i = 0; i < spins; i++) {
                        Thread.onSpinWait();
                    }
                    return call.cancel(true);
                });

                starting.complete(null);
                var stage = attempts.get(0).bind(source).get();

                assertThat(canceller.get()).isTrue();
                assertThat(stage.toCompletableFuture()).isCancelled();
            }
        } finally {
            Threads.end(pool);
        }
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> Object thrown(Throwable failure) throws X {
        throw (X) failure;
    }

    private CallAttempt<?> attempt(int number) {
        return (CallAttempt<?>) scenario.source(number).attempt;
    }

    private static final class Work extends CompletableFuture<Object> {

        final List<Boolean> cancelledWith = new ArrayList<>();

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            cancelledWith.add(mayInterruptIfRunning);
            return super.cancel(mayInterruptIfRunning);
        }
    }
}
