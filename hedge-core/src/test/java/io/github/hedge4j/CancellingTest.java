package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAfter;
import static io.github.hedge4j.Scenario.hangs;
import static io.github.hedge4j.Scenario.stubborn;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static java.time.Duration.ofMillis;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rules C1 to C4: what becomes of attempts whose result is not wanted. */
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
}
