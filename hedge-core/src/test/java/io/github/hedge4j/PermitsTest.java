package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAfter;
import static io.github.hedge4j.Scenario.failureOf;
import static io.github.hedge4j.Scenario.stubborn;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules E: tokens of the budget and places among the hedges in flight, taken and given back. */
class PermitsTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    @Test
    void aHedgeFailingWithTheBudgetEmptyDoesNotEndACallWhosePrimaryRuns() {
        scenario.configured(config -> config.budget(new FakeBudget(1)).maxAttempts(3))
                .primary(succeedsAfter(100, "primary"))
                .hedge(failsAfter(10, new IOException()));

        var call = scenario.start();
        scenario.advance(100);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.metrics().getNumberOfDeniedHedges(DenialReason.BUDGET))
                .isPositive();
    }

    @Test
    void anEmptyBudgetLeavesThePrimaryAlone() {
        scenario.configured(config -> config.budget(HedgeBudget.none())).primary(succeedsAfter(100, "primary"));

        var call = scenario.start();
        scenario.advance(100);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.trail).containsExactly("0 ms: attempt 0 started", "100 ms: call got primary");
        assertThat(scenario.report(call).denials()).containsExactly(DenialReason.BUDGET);
    }

    @Test
    void theBudgetIsCreditedOncePerSuccessfulCallAndNotForFailedOnes() {
        var budget = new FakeBudget(9);
        scenario.configured(config -> config.budget(budget))
                .primary(failsAfter(10, new IOException()))
                .hedge(succeedsAfter(10, "hedge"));
        scenario.begin();
        scenario.advance(20);
        assertThat(budget.credits()).isOne();

        scenario.hedge(failsAfter(10, new IOException()));
        scenario.begin();
        scenario.advance(20);

        assertThat(budget.credits()).isOne();
        assertThat(budget.tokens()).isEqualTo(7);
    }

    @Test
    void aDeniedHedgeUsesUpNoAttemptNumber() {
        var budget = new FakeBudget(0);
        scenario.configured(config -> config.budget(budget)).primary(failsAfter(70, new IOException()));
        var call = scenario.start();
        scenario.advance(50);
        assertThat(scenario.metrics().getNumberOfDeniedHedges(DenialReason.BUDGET))
                .isOne();

        budget.add(1);
        scenario.advance(20);
        scenario.source(1).complete("hedge");

        assertThat(scenario.source(1).attempt.number()).isOne();
        assertThat(call).isCompletedWithValue("hedge");
        assertThat(scenario.report(call).winner()).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTokenForAHedgeThatTheExecutorRefusesIsGivenBack(boolean afterFailure) {
        var budget = new FakeBudget(3);
        scenario.configured(
                config -> config.budget(budget).maxConcurrentHedges(1).executor(task -> {
                    throw new RejectedExecutionException("shut down");
                }));

        var call = scenario.start();
        if (afterFailure) {
            scenario.source(0).completeExceptionally(new IOException());
            assertThat(failureOf(call)).isInstanceOf(IOException.class);
        } else {
            scenario.advance(50);
            scenario.source(0).complete("primary");
            assertThat(call).isCompletedWithValue("primary");
        }

        assertThat(budget.tokens()).isEqualTo(3);
        assertThat(scenario.report(call).denials()).containsExactly(DenialReason.EXECUTOR);
        assertThat(scenario.invocations()).isOne();
    }

    @Test
    void anExecutorThatCannotMakeAThreadIsARefusalToo() {
        scenario.configured(config -> config.executor(task -> {
                    throw new OutOfMemoryError("unable to create native thread");
                }))
                .primary(succeedsAfter(100, "primary"));

        var call = scenario.start();
        scenario.advance(100);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.report(call).denials()).containsExactly(DenialReason.EXECUTOR);
    }

    @Test
    void noMoreHedgesThanAllowedAreInFlightOverAllCalls() {
        scenario.configured(config -> config.maxConcurrentHedges(1));
        var first = scenario.start();
        var second = scenario.start();

        scenario.advance(50);

        assertThat(scenario.metrics().getNumberOfHedges()).isOne();
        assertThat(scenario.metrics().getNumberOfDeniedHedges(DenialReason.CONCURRENCY))
                .isOne();
        first.cancel(true);
        second.cancel(true);
    }

    @Test
    void aLosingHedgeTakesItsPlaceUntilItHasReallyEnded() {
        scenario.configured(config -> config.maxConcurrentHedges(1).loserGrace(ofMillis(10)))
                .primary(succeedsAfter(60, "primary"))
                .hedge(stubborn());
        scenario.begin();
        scenario.advance(500);
        assertThat(scenario.metrics().getNumberOfUnresponsiveLosers()).isOne();

        scenario.begin();
        scenario.advance(500);
        assertThat(scenario.metrics().getNumberOfDeniedHedges(DenialReason.CONCURRENCY))
                .isOne();
        scenario.source(1).complete("late");
        scenario.hedge(succeedsAfter(5, "hedge"));
        var call = scenario.start();
        scenario.advance(500);

        assertThat(call).isCompletedWithValue("hedge");
    }

    @Test
    void aRefusedPlaceCostsNoTokenAndARefusedTokenNoPlace() {
        var budget = new FakeBudget(1);
        scenario.configured(config -> config.maxConcurrentHedges(1).budget(budget));
        var first = scenario.start();
        scenario.advance(50);
        assertThat(budget.tokens()).isZero();
        budget.add(1);
        var second = scenario.start();
        scenario.advance(50);
        assertThat(budget.tokens()).as("denied for its place").isOne();
        first.cancel(true);
        assertThat(budget.tryTake(0)).isTrue();
        var third = scenario.start();
        scenario.advance(50);
        assertThat(scenario.metrics().getNumberOfDeniedHedges(DenialReason.BUDGET))
                .isOne();

        budget.add(1);
        var fourth = scenario.start();
        scenario.advance(50);

        assertThat(scenario.metrics().getNumberOfHedges()).isEqualTo(2);
        List.of(second, third, fourth).forEach(call -> call.cancel(true));
    }

    @Test
    void withoutPlacesNoHedgeStarts() {
        scenario.configured(config -> config.maxConcurrentHedges(0)).primary(succeedsAfter(60, "primary"));

        var call = scenario.start();
        scenario.advance(60);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.report(call).denials()).containsExactly(DenialReason.CONCURRENCY);
    }

    @Test
    void withOneAttemptThereIsNoHedgeAndNothingIsDenied() {
        scenario.configured(config -> config.maxAttempts(1)).primary(succeedsAfter(500, "primary"));

        var call = scenario.start();
        assertThat(scenario.timer.pending()).as("only the primary's own").isOne();
        scenario.advance(500);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.report(call).denials()).isEmpty();
    }
}
