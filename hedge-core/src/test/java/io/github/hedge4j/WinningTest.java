package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAfter;
import static io.github.hedge4j.Scenario.failsAtOnce;
import static io.github.hedge4j.Scenario.hangs;
import static io.github.hedge4j.Scenario.stubborn;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static io.github.hedge4j.Scenario.succeedsAtOnce;
import static io.github.hedge4j.Scenario.throwing;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rules B: which attempt wins, when, and what the others cost. */
class WinningTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    private final QueueExecutor executor = new QueueExecutor();

    @Test
    void theHedgeWinsWhenThePrimaryIsSlow() {
        scenario.primary(succeedsAfter(200, "primary")).hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(70);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(scenario.trail)
                .containsExactly(
                        "0 ms: attempt 0 started",
                        "50 ms: attempt 1 started",
                        "70 ms: attempt 0 cancelled(true)",
                        "70 ms: call got hedge");
    }

    @Test
    void thePrimaryMayStillWinAfterAHedgeHasStarted() {
        scenario.primary(succeedsAfter(60, "primary")).hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(60);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.trail)
                .containsExactly(
                        "0 ms: attempt 0 started",
                        "50 ms: attempt 1 started",
                        "60 ms: attempt 1 cancelled(true)",
                        "60 ms: call got primary");
    }

    @Test
    void aHedgeThatFailsFastDoesNotBeatAHealthyPrimary() {
        scenario.primary(succeedsAfter(100, "primary")).hedge(failsAfter(10, new IOException("no host")));

        var call = scenario.start();
        scenario.advance(99);
        assertThat(call).isNotDone();
        scenario.advance(1);

        assertThat(call).isCompletedWithValue("primary");
    }

    @Test
    void aPrimaryThatFailsAfterTheHedgeHasStartedLeavesTheHedgeToDecide() {
        scenario.primary(failsAfter(60, new IOException())).hedge(succeedsAfter(100, "hedge"));

        var call = scenario.start();
        scenario.advance(60);
        assertThat(call).isNotDone();
        assertThat(scenario.trail).doesNotContain("60 ms: attempt 1 cancelled(true)");
        scenario.advance(90);

        assertThat(call).isCompletedWithValue("hedge");
    }

    @Test
    void aFailureDoesNotWinWhileAnotherAttemptCanStillBeStarted() {
        scenario.configured(config -> config.maxAttempts(3))
                .primary(failsAtOnce(new IOException("0")))
                .hedge(throwing(new IOException("1")))
                .attempt(2, succeedsAfter(10, "last"));

        var call = scenario.start();
        scenario.advance(10);

        assertThat(call).isCompletedWithValue("last");
    }

    @Test
    void aSuccessWinsAgainstARefusedResultThatCameBefore() {
        scenario.configured(config -> config.hedgeOnResult("empty"::equals))
                .primary(succeedsAfter(100, "primary"))
                .hedge(succeedsAfter(10, "empty"));

        var call = scenario.start();
        scenario.advance(100);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.discarded).containsExactly("empty");
    }

    @Test
    void aNullResultIsASuccess() {
        scenario.primary(succeedsAfter(10, null));

        var call = scenario.start();
        scenario.advance(10);

        assertThat(call).isCompletedWithValue(null);
    }

    @Test
    void theResultDoesNotWaitForALoserThatIgnoresItsCancellation() {
        scenario.primary(stubborn()).hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(70);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(call.settled()).isNotDone();
        assertThat(scenario.metrics().getInFlightAttempts()).isOne();
        scenario.source(0).completeExceptionally(new IOException("at last"));
    }

    @Test
    void settledComesWithTheEndOfTheLastLoser() {
        scenario.configured(config -> config.maxAttempts(3)).primary(stubborn()).hedge(stubborn());
        scenario.attempt(2, succeedsAfter(0, "hedge"));
        var call = scenario.start();
        scenario.advance(100);

        scenario.source(0).completeExceptionally(new IOException("at last"));
        assertThat(call.settled()).isNotDone();
        scenario.source(1).complete("late");

        assertThat(call.settled()).isCompleted();
        assertThat(scenario.metrics().getNumberOfUnresponsiveLosers()).isZero();
        assertThat(scenario.discarded).containsExactly("late");
    }

    @Test
    void aLoserIsGivenUpAfterTheGraceAndCountedAsUnresponsive() {
        scenario.configured(config -> config.loserGrace(ofMillis(300)))
                .primary(stubborn())
                .hedge(succeedsAfter(20, "hedge"));
        var call = scenario.start();
        scenario.advance(70);

        scenario.advance(299);
        assertThat(call.settled()).isNotDone();
        scenario.advance(1);

        assertThat(call.settled()).isCompleted();
        assertThat(scenario.metrics().getNumberOfUnresponsiveLosers()).isOne();
        assertThat(scenario.report(call).attempts().get(0).outcome()).isEqualTo(AttemptOutcome.UNRESPONSIVE);
        assertThat(scenario.report(call).attempts().get(0).end()).isEmpty();
        scenario.source(0).complete("very late");
    }

    @Test
    void aLoserThatEndsOnTheTickOfTheGraceHasEndedInTime() {
        scenario.configured(config -> config.loserGrace(ofMillis(300)))
                .primary(stubborn())
                .hedge(succeedsAfter(20, "hedge"));
        var call = scenario.start();
        scenario.advance(70);
        scenario.source(0).in(300, () -> scenario.source(0).complete("late"));

        scenario.advance(300);

        assertThat(call.settled()).isCompleted();
        assertThat(scenario.metrics().getNumberOfUnresponsiveLosers()).isZero();
    }

    @Test
    void anUnresponsiveLoserStaysInFlightUntilItEndsAndItsResultIsDiscardedThen() {
        scenario.primary(stubborn()).hedge(succeedsAfter(20, "hedge"));
        var call = scenario.start();
        scenario.advance(70 + 1000);
        assertThat(scenario.metrics().getInFlightAttempts()).isOne();

        scenario.source(0).complete("very late");

        assertThat(scenario.metrics().getInFlightAttempts()).isZero();
        assertThat(scenario.discarded).containsExactly("very late");
        assertThat(scenario.metrics().getNumberOfUnresponsiveLosers()).isOne();
        assertThat(scenario.report(call).attempts().get(0).outcome()).isEqualTo(AttemptOutcome.UNRESPONSIVE);
    }

    @Test
    void withoutGraceALoserThatDoesNotEndAtOnceIsGivenUpAtOnce() {
        scenario.configured(config -> config.loserGrace(ZERO).maxAttempts(3))
                .primary(stubborn())
                .hedge(hangs())
                .attempt(2, succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(120);

        assertThat(scenario.report(call).attempts())
                .extracting(AttemptReport::outcome)
                .containsExactly(AttemptOutcome.UNRESPONSIVE, AttemptOutcome.CANCELLED, AttemptOutcome.SUCCESS);
        assertThat(scenario.metrics().getNumberOfUnresponsiveLosers()).isOne();
        scenario.source(0).complete("very late");
    }

    @Test
    void losersAreCancelledAndTimersGoneBeforeTheCallersFutureCompletes() {
        scenario.configured(config -> config.maxAttempts(4).timeout(ofMillis(500)));
        List<String> seen = new ArrayList<>();
        var call = scenario.start();
        var unused = call.whenComplete((value, failure) -> {
            seen.add("0 cancelled: " + scenario.source(0).isCancelled());
            seen.add("1 cancelled: " + scenario.source(1).isCancelled());
            seen.add("timers: " + scenario.timer.pending());
        });
        scenario.advance(100);

        scenario.source(2).complete("hedge");

        assertThat(unused).isCompleted();
        assertThat(seen).containsExactly("0 cancelled: true", "1 cancelled: true", "timers: 0");
    }

    @Test
    void eventsArePublishedAfterTheCallersFutureHasCompleted() {
        var call = new ArrayList<HedgedFuture<?>>();
        List<Boolean> done = new ArrayList<>();
        scenario.hedge(succeedsAfter(20, "hedge"));
        scenario.hedge()
                .getEventPublisher()
                .onCallEnded(event -> done.add(call.get(0).isDone()));

        call.add(scenario.start());
        scenario.advance(70);

        assertThat(done).containsExactly(true);
    }

    @Test
    void cancelActionsAreLeftToTheExecutorSoThatTheWinnerNeedNotWait() {
        List<Integer> released = new ArrayList<>();
        scenario.configured(config -> config.executor(executor).maxAttempts(3));
        for (int number = 0; number < 3; number++) {
            int attempt = number;
            scenario.attempt(attempt, source -> {
                source.attempt.onCancel(() -> released.add(attempt));
                return source;
            });
        }
        var call = scenario.start();
        scenario.advance(50);
        executor.runAll();
        scenario.advance(50);
        executor.runAll();

        scenario.source(2).complete("hedge");

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(released).isEmpty();
        assertThat(executor.size())
                .as("one task per loser, so that they do not wait for each other")
                .isEqualTo(2);
        executor.runAll();
        assertThat(released).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void aCallMakesNoMoreAttemptsThanItHasTargets() {
        scenario.configured(config -> config.maxAttempts(5));
        var targets = new LinkedHashMap<String, Supplier<CompletionStage<Object>>>();
        for (var name : List.of("zebra", "ant")) {
            targets.put(name, () -> scenario.invoke(Attempt.current().orElseThrow()));
        }
        var stage = scenario.hedge().<Object>decorateTargets(targets).get();
        scenario.watch(stage);

        scenario.advance(1000);
        scenario.source(1).complete("from ant");

        assertThat(stage).isCompletedWithValue("from ant");
        assertThat(scenario.invocations()).isEqualTo(2);
        assertThat(scenario.source(0).attempt.target()).contains("zebra");
        assertThat(scenario.source(1).attempt.target()).contains("ant");
        assertThat(scenario.metrics().getNumberOfDeniedHedges(DenialReason.NO_TARGET))
                .isOne();
        assertThat(scenario.metrics().getTargets())
                .containsEntry("zebra", new TargetMetrics(0, 0, 1, 0))
                .containsEntry("ant", new TargetMetrics(1, 0, 0, 1));
    }

    @Test
    void aDeniedHedgeSkipsNoTarget() {
        var budget = new FakeBudget(0);
        scenario.configured(config -> config.budget(budget));
        var targets = new LinkedHashMap<String, Supplier<CompletionStage<Object>>>();
        for (var name : List.of("a", "b")) {
            targets.put(name, () -> scenario.invoke(Attempt.current().orElseThrow()));
        }
        var stage = scenario.hedge().<Object>decorateTargets(targets).get();
        scenario.watch(stage);
        scenario.advance(50);

        budget.add(1);
        scenario.source(0).completeExceptionally(new IOException());
        scenario.source(1).complete("from b");

        assertThat(stage).isCompletedWithValue("from b");
        assertThat(scenario.source(1).attempt.target()).contains("b");
    }

    @Test
    void anAttemptThatSucceedsAtOnceAsHedgeWins() {
        scenario.hedge(succeedsAtOnce("hedge"));

        var call = scenario.start();
        scenario.advance(50);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(scenario.report(call).winner()).hasValue(1);
    }
}
