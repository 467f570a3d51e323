package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAfter;
import static io.github.hedge4j.Scenario.failsAtOnce;
import static io.github.hedge4j.Scenario.stubborn;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static io.github.hedge4j.Scenario.succeedsAtOnce;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a call's report tells, and when it comes. */
class ReportTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    @Test
    void ofThreeReplicasTheOneThatSucceedsFirstWinsAndTheFailureBeforeItIsOnTheReport() {
        var reset = new IOException("reset by replica A");
        scenario.configured(config -> config.maxAttempts(3).delay(HedgeDelay.fixed(ZERO)))
                .attempt(0, failsAfter(30, reset))
                .attempt(1, succeedsAfter(80, "B"))
                .attempt(2, succeedsAfter(200, "C"));

        var call = scenario.start();
        scenario.advance(80);

        assertThat(call).isCompletedWithValue("B");
        assertThat(scenario.trail)
                .containsExactly(
                        "0 ms: attempt 0 started",
                        "0 ms: attempt 1 started",
                        "0 ms: attempt 2 started",
                        "80 ms: attempt 2 cancelled(true)",
                        "80 ms: call got B");
        assertThat(scenario.report(call))
                .isEqualTo(new CallReport(
                        "scenario",
                        CallOutcome.SUCCESS,
                        OptionalInt.of(1),
                        List.of(
                                attempt(0, 0, 30, AttemptOutcome.FAILURE, reset),
                                attempt(1, 0, 80, AttemptOutcome.SUCCESS, null),
                                attempt(2, 0, 80, AttemptOutcome.CANCELLED, null)),
                        List.of(),
                        ofMillis(80)));
    }

    @Test
    void theReportOfAPrimaryThatIsDoneAtOnceIsThereAtOnce() {
        scenario.primary(succeedsAtOnce("primary"));

        var call = scenario.start();

        assertThat(scenario.report(call).elapsed()).isZero();
        assertThat(scenario.report(call).attempts()).containsExactly(attempt(0, 0, 0, AttemptOutcome.SUCCESS, null));
        assertThat(scenario.report(call).winner()).hasValue(0);
    }

    @Test
    void timesCountFromTheStartOfTheCall() {
        scenario.advance(12_345);
        scenario.primary(failsAfter(10, new IOException())).hedge(succeedsAfter(15, "hedge"));

        var call = scenario.start();
        scenario.advance(25);

        var report = scenario.report(call);
        assertThat(report.elapsed()).isEqualTo(ofMillis(25));
        assertThat(report.attempts().get(1).start()).isEqualTo(ofMillis(10));
        assertThat(report.attempts().get(1).end()).contains(ofMillis(25));
    }

    @Test
    void elapsedIsTheTimeToTheResultNotToTheLastLosersEnd() {
        scenario.primary(stubborn()).hedge(succeedsAfter(20, "hedge"));
        var call = scenario.start();
        scenario.advance(70);

        scenario.advance(500);
        scenario.source(0).completeExceptionally(new IOException());

        var report = scenario.report(call);
        assertThat(report.elapsed()).isEqualTo(ofMillis(70));
        assertThat(report.attempts().get(0).end()).contains(ofMillis(570));
    }

    @Test
    void failuresAreReportedUnwrapped() {
        var failure = new IOException();
        scenario.primary(failsAtOnce(new CompletionException(failure))).hedge(succeedsAtOnce("hedge"));

        var call = scenario.start();

        assertThat(scenario.report(call).attempts().get(0).failure()).containsSame(failure);
    }

    @Test
    void noAttemptWinsACallThatFails() {
        scenario.primary(failsAtOnce(new IOException())).hedge(failsAtOnce(new IOException()));

        var call = scenario.start();

        assertThat(scenario.report(call).outcome()).isEqualTo(CallOutcome.FAILURE);
        assertThat(scenario.report(call).winner()).isEmpty();
    }

    @Test
    void denialsAreReportedInTheOrderInWhichTheyHappened() {
        var budget = new FakeBudget(0);
        scenario.configured(config -> config.maxAttempts(3).budget(budget).timeout(ofMillis(95)))
                .primary(failsAfter(90, new IOException()));
        var call = scenario.start();
        scenario.advance(60);

        budget.add(1);
        scenario.advance(35);

        assertThat(scenario.report(call).denials())
                .startsWith(DenialReason.BUDGET)
                .endsWith(DenialReason.DEADLINE);
    }

    @Test
    void targetsAreReportedByName() {
        var targets = new LinkedHashMap<String, Supplier<CompletionStage<Object>>>();
        targets.put("a", () -> scenario.invoke(Attempt.current().orElseThrow()));
        targets.put("b", () -> scenario.invoke(Attempt.current().orElseThrow()));
        scenario.primary(failsAfter(10, new IOException())).hedge(succeedsAfter(10, "from b"));
        List<CallReport> reports = new ArrayList<>();
        scenario.hedge().getEventPublisher().onCallEnded(event -> reports.add(event.report()));

        var stage = scenario.hedge().<Object>decorateTargets(targets).get();
        scenario.watch(stage);
        scenario.advance(20);

        assertThat(reports)
                .singleElement()
                .satisfies(report -> assertThat(report.attempts())
                        .extracting(AttemptReport::target)
                        .containsExactly(Optional.of("a"), Optional.of("b")));
    }

    @Test
    void settledNeverFails() {
        scenario.configured(config -> config.maxAttempts(1)).primary(failsAfter(10, new IOException()));

        var call = scenario.start();
        scenario.advance(10);

        assertThat(call).isCompletedExceptionally();
        assertThat(call.settled()).isCompleted();
    }

    @Test
    void settledGivesEveryoneTheSameReport() {
        scenario.primary(succeedsAfter(10, "primary"));
        var call = scenario.start();
        var early = call.settled();

        scenario.advance(10);

        assertThat(early.toCompletableFuture().join()).isSameAs(scenario.report(call));
    }

    @Test
    void endingTheSettledStageHasNoEffectOnTheCallNorOnOthers() {
        scenario.primary(succeedsAfter(10, "primary"));
        var call = scenario.start();

        call.settled().toCompletableFuture().cancel(true);
        assertThat(call).isNotDone();
        scenario.advance(10);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.report(call).outcome()).isEqualTo(CallOutcome.SUCCESS);
    }

    @Test
    void aDependentOfSettledThatThrowsChangesNothing() {
        scenario.primary(succeedsAfter(10, "primary"));
        var call = scenario.start();
        var dependent = call.settled().thenAccept(report -> {
            throw new IllegalStateException();
        });

        scenario.advance(10);

        assertThat(dependent).isCompletedExceptionally();
        assertThat(call).isCompletedWithValue("primary");
    }

    @Test
    void theReportIsMadeOfUnmodifiableLists() {
        scenario.primary(succeedsAtOnce("primary"));

        var report = scenario.report(scenario.start());

        assertThatThrownBy(() -> report.attempts().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> report.denials().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    private static AttemptReport attempt(
            int number, long startMillis, long endMillis, AttemptOutcome outcome, Throwable failure) {
        return new AttemptReport(
                number,
                Optional.empty(),
                ofMillis(startMillis),
                Optional.of(Duration.ofMillis(endMillis)),
                outcome,
                Optional.ofNullable(failure));
    }
}
