package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAfter;
import static io.github.hedge4j.Scenario.failureOf;
import static io.github.hedge4j.Scenario.hangs;
import static io.github.hedge4j.Scenario.stubborn;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static io.github.hedge4j.Scenario.succeedsAtOnce;
import static java.time.Duration.ofMillis;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.api.Named.named;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules C1 to C4: what becomes of attempts whose result is not wanted, and of the results that they have all the same. */
class CancellingTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    private final List<String> released = new ArrayList<>();

    @Test
    void aLoserIsCancelledOnceOnTheVeryFutureThatItsSupplierReturned() {
        scenario.configured(config -> config.maxAttempts(3)).attempt(2, succeedsAfter(20, "hedge 2"));

        var call = scenario.start();
        scenario.advance(120);

        assertThat(call).isCompletedWithValue("hedge 2");
        assertThat(scenario.trail)
                .containsOnlyOnce("120 ms: attempt 0 cancelled(true)", "120 ms: attempt 1 cancelled(true)")
                .doesNotContain("120 ms: attempt 2 cancelled(true)");
    }

    @Test
    void aLoserThatIsAStageAndAFutureOfItsOwnIsCancelledItself() {
        List<Object> cancelledWith = new ArrayList<>();
        var plain = new CompletableFuture<>();
        var stage = CustomStage.of(plain)
                .on("cancel", arguments -> {
                    cancelledWith.addAll(arguments);
                    return plain.cancel(true);
                })
                .throwingOn("toCompletableFuture")
                .stageAndFuture();
        scenario.primary(source -> stage).hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(70);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(cancelledWith).containsExactly(true);
    }

    @Test
    void aLoserThatIsNoFutureIsCancelledThroughTheFutureThatItGives() {
        var plain = new CompletableFuture<>();
        scenario.primary(source -> CustomStage.of(plain).stage()).hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(70);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(plain).isCancelled();
    }

    @Test
    void aLoserThatGivesNoFutureIsLeftToItsCancelActions() {
        var plain = new CompletableFuture<>();
        var stage = CustomStage.of(plain).throwingOn("toCompletableFuture").stage();
        scenario.primary(source -> {
                    source.attempt.onCancel(() -> plain.completeExceptionally(new IOException("stopped")));
                    return stage;
                })
                .hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(70);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(plain).isCompletedExceptionally();
    }

    @Test
    void aLoserWhoseCancelThrowsKeepsNeitherTheWinnerNorItsSiblings() {
        var refusing =
                CustomStage.of(new CompletableFuture<>()).throwingOn("cancel").stageAndFuture();
        scenario.configured(config -> config.maxAttempts(3).loserGrace(ofMillis(10)))
                .primary(source -> refusing)
                .attempt(2, succeedsAfter(20, "hedge 2"));

        var call = scenario.start();
        scenario.advance(120);

        assertThat(call).isCompletedWithValue("hedge 2");
        assertThat(scenario.source(1)).isCancelled();
        scenario.advance(10);
        refusing.toCompletableFuture().complete("late");
    }

    @Test
    void aLoserThatSucceedsWhenItIsCancelledStillLoses() {
        scenario.configured(config -> config.maxAttempts(3))
                .primary(source -> {
                    source.attempt.onCancel(() -> scenario.source(1).complete("sibling"));
                    return source;
                })
                .hedge(stubborn())
                .attempt(2, succeedsAfter(20, "hedge 2"));

        var call = scenario.start();
        scenario.advance(120);

        assertThat(call).isCompletedWithValue("hedge 2");
        assertThat(scenario.discarded).containsExactly("sibling");
    }

    @Test
    void aFutureThatTwoAttemptsShareIsNoProblem() {
        scenario.primary(hangs()).hedge(source -> scenario.source(0));

        var call = scenario.start();
        scenario.advance(50);
        scenario.source(0).complete("shared");

        assertThat(call).isCompletedWithValue("shared");
        assertThat(scenario.discarded).isEmpty();
    }

    @Test
    void allCancelActionsOfALoserRunOnce() {
        scenario.primary(source -> {
                    source.attempt.onCancel(() -> released.add("first"));
                    source.attempt.onCancel(() -> released.add("second"));
                    return source;
                })
                .hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(69);
        assertThat(released).isEmpty();
        scenario.advance(1);
        call.cancel(true);
        scenario.advance(10_000);

        assertThat(released).containsExactlyInAnyOrder("first", "second");
    }

    @Test
    void theSameActionGivenTwiceRunsTwice() {
        Runnable action = () -> released.add("action");
        scenario.primary(source -> {
            source.attempt.onCancel(action);
            source.attempt.onCancel(action);
            return source;
        });

        scenario.start().cancel(true);

        assertThat(released).containsExactly("action", "action");
    }

    @Test
    void aCancelActionThatComesLateRunsAtOnce() {
        var call = scenario.start();
        call.cancel(true);

        scenario.source(0).attempt.onCancel(() -> released.add("late"));

        assertThat(released).containsExactly("late");
    }

    @Test
    void aCancelActionMayRegisterAnother() {
        scenario.primary(source -> {
            source.attempt.onCancel(() -> source.attempt.onCancel(() -> released.add("inner")));
            return source;
        });

        scenario.start().cancel(true);

        assertThat(released).containsExactly("inner");
    }

    @Test
    void aCancelActionRegisteredInsideASupplierWhoseCallHasJustEndedRuns() {
        List<HedgedFuture<?>> call = new ArrayList<>();
        scenario.hedge(source -> {
            source.attempt.onCancel(() -> released.add("before"));
            call.get(0).cancel(true);
            source.attempt.onCancel(() -> released.add("after"));
            return source;
        });

        call.add(scenario.start());
        scenario.advance(50);

        assertThat(released).containsExactly("before", "after");
        assertThat(scenario.source(1)).isCancelled();
    }

    @Test
    void aLoserWhoseSupplierThrowsAfterTheCallHasEndedStillRunsItsActions() {
        List<HedgedFuture<?>> call = new ArrayList<>();
        scenario.hedge(source -> {
            source.attempt.onCancel(() -> released.add("connection"));
            call.get(0).cancel(true);
            throw new IOException("closed");
        });

        call.add(scenario.start());
        scenario.advance(50);

        assertThat(released).containsExactly("connection");
    }

    @Test
    void aCancelActionThatThrowsIsLoggedAndKeepsNothing() {
        try (var log = new CapturedLog()) {
            scenario.primary(source -> {
                        source.attempt.onCancel(() -> {
                            throw new IllegalStateException("cannot close");
                        });
                        source.attempt.onCancel(() -> released.add("second"));
                        return source;
                    })
                    .hedge(succeedsAfter(20, "hedge"));

            var call = scenario.start();
            scenario.advance(70);

            assertThat(call).isCompletedWithValue("hedge");
            assertThat(released).containsExactly("second");
            assertThat(log.thrown()).containsExactly("cannot close");
        }
    }

    @Test
    void aLateCancelActionThatThrowsDoesNotThrowAtWhomeverRegistersIt() {
        try (var log = new CapturedLog()) {
            scenario.start().cancel(true);

            scenario.source(0).attempt.onCancel(() -> {
                throw new IllegalStateException("cannot close");
            });

            assertThat(log.thrown()).containsExactly("cannot close");
        }
    }

    @Test
    void anExecutorThatRefusesMakesCancelActionsRunWhereTheyAre() {
        List<Thread> ranOn = new ArrayList<>();
        scenario.configured(config -> config.executor(task -> {
                    throw new RejectedExecutionException("shut down");
                }))
                .primary(source -> {
                    source.attempt.onCancel(() -> ranOn.add(Thread.currentThread()));
                    return source;
                });
        var call = scenario.start();

        call.cancel(true);
        scenario.source(0).attempt.onCancel(() -> ranOn.add(Thread.currentThread()));

        assertThat(ranOn).containsExactly(Thread.currentThread(), Thread.currentThread());
    }

    @Test
    void aCancelActionMustNotBeNull() {
        var call = scenario.start();

        assertThatNullPointerException()
                .isThrownBy(() -> scenario.source(0).attempt.onCancel(null))
                .withMessageStartingWith("action");
        call.cancel(true);
    }

    @Test
    void aCancelActionThatBlocksDelaysNeitherTheWinnerNorItsSiblings() throws Exception {
        var pool = Executors.newCachedThreadPool();
        try {
            var never = new CountDownLatch(1);
            var siblingReleased = new CountDownLatch(1);
            scenario.configured(config -> config.maxAttempts(3).executor(pool).delay(HedgeDelay.fixed(ofMillis(0))));
            var invoked = new CountDownLatch(3);
            for (int number = 0; number < 3; number++) {
                int attempt = number;
                scenario.attempt(attempt, source -> {
                    source.attempt.onCancel(attempt == 0 ? () -> Threads.await(never) : siblingReleased::countDown);
                    invoked.countDown();
                    return source;
                });
            }
            var call = scenario.start();
            Threads.await(invoked);
            var last = Stream.of(0, 1, 2)
                    .map(scenario::source)
                    .filter(source -> source.attempt.number() == 2)
                    .findFirst()
                    .orElseThrow();

            Threads.until(() -> scenario.metrics().getNumberOfHedges() == 2);
            last.complete("hedge");

            assertThat(call.get(10, SECONDS)).isEqualTo("hedge");
            Threads.await(siblingReleased);
            never.countDown();
            call.settled().toCompletableFuture().get(10, SECONDS);
        } finally {
            Threads.end(pool);
        }
    }

    @Test
    void anAttemptKnowsWhetherItIsStillWanted() {
        scenario.configured(config -> config.maxAttempts(3)).hedge(failsAfter(10, new IOException()));
        var call = scenario.start();
        scenario.advance(60);
        assertThat(scenario.source(0).attempt.isCancelled()).isFalse();
        assertThat(scenario.source(2).attempt.isCancelled()).isFalse();

        scenario.source(2).complete("hedge");

        assertThat(call).isDone();
        assertThat(scenario.source(0).attempt.isCancelled()).isTrue();
        assertThat(scenario.source(2).attempt.isCancelled()).isFalse();
    }

    static Stream<Named<Consumer<CompletableFuture<Object>>>> externalEnds() {
        return Stream.of(
                named("cancel(true)", call -> call.cancel(true)),
                named("cancel(false)", call -> call.cancel(false)),
                named("complete", call -> call.complete("mine")),
                named("complete with null", call -> call.complete(null)),
                named("completeExceptionally", call -> call.completeExceptionally(new IOException("mine"))),
                // What Resilience4j's TimeLimiter does when its time is over.
                named("a TimeLimiter", call -> call.completeExceptionally(new TimeoutException("TimeLimiter"))),
                named("orTimeout", call -> Threads.awaitEnd(call.orTimeout(1, MILLISECONDS))),
                named("completeOnTimeout", call -> Threads.awaitEnd(call.completeOnTimeout("mine", 1, MILLISECONDS))),
                named("completeAsync", call -> call.completeAsync(() -> "mine", Runnable::run)),
                named(
                        "completeAsync that throws",
                        call -> call.completeAsync(
                                () -> {
                                    throw new IllegalStateException("mine");
                                },
                                Runnable::run)),
                named("obtrudeValue", call -> call.obtrudeValue("mine")),
                named("obtrudeException", call -> call.obtrudeException(new IOException("mine"))));
    }

    @ParameterizedTest
    @MethodSource("externalEnds")
    void howeverTheFutureIsEndedItsAttemptsAreCancelledAndItsTimersGone(Consumer<CompletableFuture<Object>> end)
            throws Exception {
        scenario.configured(config -> config.maxAttempts(3).timeout(ofMillis(500)));
        scenario.primary(source -> {
            source.attempt.onCancel(() -> released.add("primary"));
            return source;
        });
        var call = scenario.start();
        scenario.advance(60);

        end.accept(call);
        call.settled().toCompletableFuture().get(10, SECONDS);

        assertThat(scenario.trail)
                .containsOnlyOnce("60 ms: attempt 0 cancelled(true)", "60 ms: attempt 1 cancelled(true)");
        assertThat(released).containsExactly("primary");
        assertThat(scenario.timer.pending()).isZero();
        assertThat(scenario.metrics().getNumberOfCancelledCalls()).isOne();
        assertThat(scenario.report(call).outcome()).isEqualTo(CallOutcome.CANCELLED);
        assertThat(scenario.report(call).winner()).isEmpty();
        assertThat(scenario.invocations()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("externalEnds")
    void theStageOfADecoratedSupplierIsEndedAsWell(Consumer<CompletableFuture<Object>> end) {
        scenario.configured(config -> config.timeout(ofMillis(500)));
        var stage = scenario.get();
        scenario.advance(60);

        end.accept(stage.toCompletableFuture());
        Threads.until(() -> scenario.metrics().getNumberOfCancelledCalls() == 1);

        assertThat(scenario.source(0)).isCancelled();
        assertThat(scenario.source(1)).isCancelled();
        assertThat(scenario.timer.pending()).isZero();
    }

    @ParameterizedTest
    @MethodSource("externalEnds")
    void endingACallThatHasItsResultChangesNothingThatCounts(Consumer<CompletableFuture<Object>> end) {
        scenario.primary(succeedsAfter(200, "primary")).hedge(succeedsAfter(20, "hedge"));
        var call = scenario.start();
        scenario.advance(70);

        end.accept(call);

        assertThat(scenario.metrics().getNumberOfCallsWonByHedge()).isOne();
        assertThat(scenario.metrics().getNumberOfCalls()).isOne();
        assertThat(scenario.report(call).winner()).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("externalEnds")
    void aResultThatArrivesAfterAnExternalEndIsDiscarded(Consumer<CompletableFuture<Object>> end) throws Exception {
        scenario.primary(stubborn());
        var call = scenario.start();
        end.accept(call);
        Threads.until(() -> scenario.metrics().getNumberOfCancelledCalls() == 1);

        scenario.source(0).complete("late");
        call.settled().toCompletableFuture().get(10, SECONDS);

        assertThat(scenario.discarded).containsExactly("late");
    }

    @Test
    void cancellingReportsWhetherItDidAnything() {
        var call = scenario.start();

        assertThat(call.cancel(true)).isTrue();
        assertThat(call).isCancelled();
        assertThat(failureOf(call)).isExactlyInstanceOf(CancellationException.class);
        scenario.primary(succeedsAtOnce("primary"));
        assertThat(scenario.start().cancel(true)).isFalse();
    }

    @Test
    void aCallThatIsDoneIsNotCompletedAsynchronously() {
        scenario.primary(succeedsAtOnce("primary"));
        var call = scenario.start();

        var same = call.completeAsync(
                () -> {
                    released.add("asked");
                    return "mine";
                },
                Runnable::run);

        assertThat(same).isSameAs(call).isCompletedWithValue("primary");
        assertThat(released).isEmpty();
    }

    @Test
    void cancellingADependentLeavesTheCallAlone() {
        scenario.primary(succeedsAfter(10, "primary"));
        var call = scenario.start();

        call.thenApply(value -> value).cancel(true);
        call.copy().cancel(true);
        call.minimalCompletionStage().toCompletableFuture().cancel(true);
        scenario.advance(10);

        assertThat(call).isCompletedWithValue("primary");
    }

    @Test
    void aCallMayBeEndedFromADependentOfOneOfItsAttempts() {
        scenario.hedge(hangs());
        var call = scenario.start();
        scenario.advance(50);
        var unused = scenario.source(0).whenComplete((value, failure) -> call.cancel(true));

        scenario.source(0).complete("primary");

        assertThat(unused).isCompleted();
        assertThat(call).isDone();
        assertThat(scenario.metrics().getNumberOfCalls()).isOne();
    }

    @Test
    void theLosersResultIsDiscardedAndTheWinnersIsNot() {
        scenario.primary(stubborn()).hedge(succeedsAfter(20, "hedge"));
        scenario.begin();
        scenario.advance(70);

        scenario.source(0).complete("primary");

        assertThat(scenario.discarded).containsExactly("primary");
    }

    @Test
    void aResultThatArrivesAfterTheDeadlineIsDiscarded() {
        scenario.configured(config -> config.timeout(ofMillis(80)).maxAttempts(1))
                .primary(stubborn());
        var call = scenario.start();
        scenario.advance(80);

        scenario.source(0).complete("late");

        assertThat(failureOf(call)).isInstanceOf(HedgeTimeoutException.class);
        assertThat(scenario.discarded).containsExactly("late");
    }

    @Test
    void aResultThatAnAttemptHasWhenItsSupplierReturnsTooLateIsDiscarded() {
        List<HedgedFuture<?>> call = new ArrayList<>();
        scenario.hedge(source -> {
            call.get(0).cancel(true);
            source.complete("too late");
            return source;
        });

        call.add(scenario.start());
        scenario.advance(50);

        assertThat(scenario.discarded).containsExactly("too late");
    }

    @Test
    void anInstanceThatTwoAttemptsReturnedIsNotDiscarded() {
        scenario.primary(stubborn()).hedge(succeedsAfter(20, "cached"));
        scenario.begin();
        scenario.advance(70);

        scenario.source(0).complete("cached");

        assertThat(scenario.discarded).isEmpty();
    }

    @Test
    void twoResultsThatAreEqualButNotTheSameAreTwoResults() {
        List<Object> winner = List.of(1);
        List<Object> loser = new ArrayList<>(winner);
        scenario.primary(stubborn()).hedge(succeedsAfter(20, winner));
        scenario.begin();
        scenario.advance(70);

        scenario.source(0).complete(loser);

        assertThat(scenario.discarded).singleElement().isSameAs(loser);
    }

    @Test
    void anInstanceThatTwoLosersReturnedIsDiscardedOnce() {
        scenario.configured(config -> config.maxAttempts(3))
                .primary(stubborn())
                .hedge(stubborn())
                .attempt(2, succeedsAfter(20, "hedge 2"));
        scenario.begin();
        scenario.advance(120);

        scenario.source(0).complete("cached");
        scenario.source(1).complete("cached");

        assertThat(scenario.discarded).containsExactly("cached");
    }

    @Test
    void anInstanceThatTheCallerGotOtherwiseIsNotDiscarded() {
        scenario.primary(stubborn());
        var call = scenario.start();
        call.complete("cached");

        scenario.source(0).complete("cached");

        assertThat(scenario.discarded).isEmpty();
    }

    @Test
    void aNullThatNobodyReceivesIsNothingToDiscard() {
        scenario.primary(stubborn()).hedge(succeedsAfter(20, "hedge"));
        scenario.begin();
        scenario.advance(70);

        scenario.source(0).complete(null);

        assertThat(scenario.discarded).isEmpty();
    }

    @Test
    void aRefusedResultThatIsNotReturnedInTheEndIsDiscarded() {
        scenario.configured(config -> config.maxAttempts(3)
                        .hedgeOnResult(result -> result.toString().startsWith("empty")))
                .primary(succeedsAfter(10, "empty 0"))
                .hedge(succeedsAfter(10, "empty 1"))
                .attempt(2, succeedsAfter(10, "empty 2"));

        var call = scenario.start();
        scenario.advance(30);

        assertThat(call).isCompletedWithValue("empty 2");
        assertThat(scenario.discarded).containsExactlyInAnyOrder("empty 0", "empty 1");
    }

    @Test
    void aRefusedResultIsDiscardedWhenTheDeadlineEndsTheCall() {
        scenario.configured(config -> config.hedgeOnResult("empty"::equals).timeout(ofMillis(80)))
                .primary(succeedsAfter(10, "empty"));

        var call = scenario.start();
        scenario.advance(80);

        assertThat(failureOf(call)).isInstanceOf(HedgeTimeoutException.class);
        assertThat(scenario.discarded).containsExactly("empty");
    }

    @Test
    void aRefusedResultIsDiscardedWhenTheCallerCancels() {
        scenario.configured(config -> config.hedgeOnResult("empty"::equals)).primary(succeedsAfter(10, "empty"));
        var call = scenario.start();
        scenario.advance(10);

        call.cancel(true);

        assertThat(scenario.discarded).containsExactly("empty");
    }

    @Test
    void aDiscardThatThrowsIsLoggedAndKeepsNothing() {
        try (var log = new CapturedLog()) {
            scenario.configured(config -> config.onDiscard(value -> {
                        scenario.discarded.add(value);
                        throw new IllegalStateException("cannot close");
                    }))
                    .primary(stubborn())
                    .hedge(succeedsAfter(20, "hedge"));
            var call = scenario.start();
            scenario.advance(70);

            scenario.source(0).complete("late");

            assertThat(call.settled()).isCompleted();
            assertThat(log.thrown()).containsExactly("cannot close");
        }
    }

    @Test
    void theWinnersActionsNeverRunAndItsFutureIsNeverCancelled() {
        scenario.hedge(source -> {
            source.attempt.onCancel(() -> released.add("before"));
            return source;
        });
        var call = scenario.start();
        scenario.advance(50);

        scenario.source(1).complete("hedge");
        scenario.source(1).attempt.onCancel(() -> released.add("after"));
        call.cancel(true);
        scenario.advance(10_000);

        assertThat(released).isEmpty();
        assertThat(scenario.trail).noneMatch(entry -> entry.contains("attempt 1 cancelled"));
    }

    @Test
    void theActionsOfAnAttemptThatFailedOnItsOwnDoNotRun() {
        scenario.primary(source -> {
                    source.attempt.onCancel(() -> released.add("before"));
                    return failsAfter(10, new IOException()).play(source);
                })
                .hedge(succeedsAfter(10, "hedge"));

        var call = scenario.start();
        scenario.advance(20);
        scenario.source(0).attempt.onCancel(() -> released.add("after"));

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(released).isEmpty();
    }

    @Test
    void theActionsOfAnAttemptThatWinsInsideItsSupplierDoNotRun() {
        scenario.hedge(source -> {
            source.attempt.onCancel(() -> released.add("hedge"));
            source.complete("hedge");
            return source;
        });

        var call = scenario.start();
        scenario.advance(50);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(released).isEmpty();
    }

    @Test
    void losersThatAreNotToBeCancelledRunToTheirEndAndAreDiscarded() {
        scenario.configured(config -> config.cancelLosers(false))
                .primary(source -> {
                    source.attempt.onCancel(() -> released.add("primary"));
                    return succeedsAfter(200, "primary").play(source);
                })
                .hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(70);
        assertThat(call).isCompletedWithValue("hedge");
        assertThat(call.settled()).isNotDone();
        scenario.advance(130);

        assertThat(call.settled()).isCompleted();
        assertThat(scenario.trail)
                .containsExactly(
                        "0 ms: attempt 0 started",
                        "50 ms: attempt 1 started",
                        "70 ms: call got hedge",
                        "200 ms: discarded primary");
        assertThat(released).isEmpty();
        assertThat(scenario.report(call).attempts().get(0).outcome()).isEqualTo(AttemptOutcome.SUCCESS);
    }

    @Test
    void losersThatAreNotToBeCancelledAreAwaitedNoLongerThanTheGrace() {
        scenario.configured(config -> config.cancelLosers(false).loserGrace(ofMillis(30)))
                .primary(succeedsAfter(200, "primary"))
                .hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(100);

        assertThat(call.settled()).isCompleted();
        scenario.advance(100);
        assertThat(scenario.discarded).containsExactly("primary");
    }

    @Test
    void noFurtherHedgeStartsAlsoIfLosersAreNotToBeCancelled() {
        scenario.configured(config -> config.cancelLosers(false).maxAttempts(4).hedgeOnFailure(true))
                .primary(failsAfter(80, new IOException()))
                .hedge(succeedsAfter(20, "hedge"));

        scenario.begin();
        scenario.advance(1000);

        assertThat(scenario.invocations()).isEqualTo(2);
    }

    @Test
    void aCallThatItsCallerCancelsIsCancelledAlsoIfLosersAreNot() {
        scenario.configured(config -> config.cancelLosers(false));
        var call = scenario.start();

        call.cancel(true);

        assertThat(scenario.source(0)).isCancelled();
    }

    @Test
    void theDeadlineCancelsAttemptsAlsoIfLosersAreNotToBeCancelled() {
        scenario.configured(config -> config.cancelLosers(false).timeout(ofMillis(60)));
        scenario.begin();

        scenario.advance(60);

        assertThat(scenario.source(0)).isCancelled();
        assertThat(scenario.source(1)).isCancelled();
    }
}
