package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAfter;
import static io.github.hedge4j.Scenario.failureOf;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rules F3 and D3: the deadline, and what it leaves of the hedges before it. */
class DeadlineTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

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
}
