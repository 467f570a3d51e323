package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAfter;
import static io.github.hedge4j.Scenario.failureOf;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a failure starts, and what pushback does not. */
class HedgeOnFailureTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    @Test
    void aFailedAttemptStartsTheNextAtOnce() {
        scenario.configured(config -> config.maxAttempts(3))
                .primary(failsAfter(10, new IOException("0")))
                .hedge(failsAfter(10, new IOException("1")))
                .attempt(2, succeedsAfter(10, "hedge 2"));

        var call = scenario.start();
        scenario.advance(30);

        assertThat(call).isCompletedWithValue("hedge 2");
        assertThat(scenario.trail)
                .containsExactly(
                        "0 ms: attempt 0 started",
                        "10 ms: attempt 1 started",
                        "20 ms: attempt 2 started",
                        "30 ms: call got hedge 2");
    }

    @Test
    void aRefusedResultStartsTheNextAtOnce() {
        scenario.configured(config -> config.hedgeOnResult("empty"::equals))
                .primary(succeedsAfter(10, "empty"))
                .hedge(succeedsAfter(10, "hedge"));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(call).isCompletedWithValue("hedge");
    }

    @Test
    void aFailedHedgeStartsTheNextWhileThePrimaryRunsOn() {
        scenario.configured(config -> config.maxAttempts(3)).hedge(failsAfter(10, new IOException()));

        var call = scenario.start();
        scenario.advance(60);
        scenario.source(0).complete("primary");

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.trail)
                .containsExactly(
                        "0 ms: attempt 0 started",
                        "50 ms: attempt 1 started",
                        "60 ms: attempt 2 started",
                        "60 ms: attempt 2 cancelled(true)",
                        "60 ms: call got primary");
    }

    @Test
    void withoutHedgingOnFailureACallWhoseAttemptsHaveAllFailedFails() {
        var failure = new IOException();
        scenario.configured(config -> config.hedgeOnFailure(false)).primary(failsAfter(10, failure));

        var call = scenario.start();
        scenario.advance(10);

        assertThat(failureOf(call)).isSameAs(failure);
        assertThat(scenario.invocations()).isOne();
    }

    @Test
    void withoutHedgingOnFailureOnlySlownessStartsTheNext() {
        scenario.configured(config -> config.hedgeOnFailure(false).maxAttempts(3))
                .hedge(failsAfter(10, new IOException()))
                .attempt(2, succeedsAfter(10, "hedge 2"));

        var call = scenario.start();
        scenario.advance(110);

        assertThat(call).isCompletedWithValue("hedge 2");
        assertThat(scenario.trail)
                .startsWith("0 ms: attempt 0 started", "50 ms: attempt 1 started", "100 ms: attempt 2 started");
    }

    @Test
    void withoutHedgingOnFailureTheLastOfSeveralFailuresEndsTheCall() {
        scenario.configured(config -> config.hedgeOnFailure(false).maxAttempts(3))
                .primary(failsAfter(70, new IOException("0")))
                .hedge(failsAfter(10, new IOException("1")));

        var call = scenario.start();
        scenario.advance(70);

        assertThat(failureOf(call)).isInstanceOf(AllAttemptsFailedException.class);
        assertThat(scenario.invocations()).isEqualTo(2);
    }

    @Test
    void aFailureThatTheBudgetDoesNotOutrunFailsTheCallNowAndNotAtTheDeadline() {
        var failure = new IOException();
        scenario.configured(config -> config.budget(HedgeBudget.none()).timeout(ofSeconds(1)))
                .primary(failsAfter(10, failure));

        var call = scenario.start();
        scenario.advance(10);

        assertThat(failureOf(call)).isSameAs(failure);
        assertThat(scenario.report(call).denials()).containsExactly(DenialReason.BUDGET);
    }

    @Test
    void pushbackStopsFurtherAttemptsButLetsThoseInFlightWin() {
        var busy = new IOException("503, do not retry");
        scenario.configured(config -> config.maxAttempts(4).stopHedgingOn(failure -> failure == busy))
                .primary(succeedsAfter(300, "primary"))
                .hedge(failsAfter(10, busy));

        var call = scenario.start();
        scenario.advance(300);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.invocations()).isEqualTo(2);
        assertThat(scenario.report(call).denials()).containsExactly(DenialReason.PUSHBACK);
    }

    @Test
    void pushbackWithNothingElseInFlightFailsTheCallNow() {
        var busy = new IOException("503, do not retry");
        scenario.configured(config -> config.stopHedgingOn(failure -> failure == busy))
                .primary(failsAfter(10, busy));

        var call = scenario.start();
        scenario.advance(10);

        assertThat(failureOf(call)).isSameAs(busy);
        assertThat(scenario.invocations()).isOne();
        assertThat(scenario.report(call).denials()).containsExactly(DenialReason.PUSHBACK);
    }
}
