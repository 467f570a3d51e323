package io.github.hedge4j;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that ends while its next attempt is on its way: that attempt does not start, or is cancelled. */
class EndedMeanwhileTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    private final QueueExecutor executor = new QueueExecutor();

    @Test
    void noAttemptStartsAfterAnEndInTheDelay() {
        var call = scenario.start();
        scenario.advance(49);

        call.cancel(true);
        assertThat(scenario.timer.pending()).isZero();
        scenario.advance(1000);

        assertThat(scenario.invocations()).isOne();
    }

    @Test
    void noAttemptStartsAfterAnEndInsideASupplierAndItsOwnAttemptIsCancelled() {
        var call = new AtomicCall();
        scenario.configured(config -> config.maxAttempts(3)).hedge(source -> {
            call.end();
            assertThat(source.attempt.isCancelled()).isTrue();
            return source;
        });

        call.set(scenario.start());
        scenario.advance(1000);

        assertThat(scenario.trail)
                .containsExactly(
                        "0 ms: attempt 0 started",
                        "50 ms: attempt 1 started",
                        "50 ms: attempt 0 cancelled(true)",
                        "50 ms: call failed with CancellationException",
                        "50 ms: attempt 1 cancelled(true)");
    }

    @Test
    void aHedgeWhoseSupplierMakesThePrimaryWinIsCancelled() {
        scenario.hedge(source -> {
            scenario.source(0).complete("primary");
            return source;
        });

        var call = scenario.start();
        scenario.advance(50);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.trail).last().isEqualTo("50 ms: attempt 1 cancelled(true)");
    }

    @Test
    void noAttemptStartsAfterAnEndInsideAListener() {
        var call = new AtomicCall();
        scenario.configured(config -> config.maxAttempts(3));
        scenario.hedge().getEventPublisher().onAttemptStarted(event -> {
            if (event.number() == 1) {
                call.end();
            }
        });

        call.set(scenario.start());
        scenario.advance(1000);

        assertThat(scenario.invocations()).isLessThanOrEqualTo(2);
        assertThat(scenario.trail).noneMatch(entry -> entry.contains("attempt 2"));
    }

    @Test
    void noAttemptStartsAfterAnEndInsideTheDelayFunction() {
        var call = new AtomicCall();
        scenario.configured(config -> config.maxAttempts(3).delay(HedgeDelay.perAttempt(number -> {
            if (number == 2) {
                call.end();
            }
            return number == 2 ? ZERO : ofMillis(50);
        })));

        call.set(scenario.start());
        scenario.advance(1000);

        assertThat(scenario.trail).last().isEqualTo("50 ms: call failed with CancellationException");
        assertThat(scenario.trail).noneMatch(entry -> entry.contains("attempt 2"));
    }

    @Test
    void noAttemptStartsAfterAnEndInsideAPredicate() {
        var call = new AtomicCall();
        scenario.configured(config -> config.hedgeOnException(failure -> {
            call.end();
            return true;
        }));
        call.set(scenario.start());

        scenario.source(0).completeExceptionally(new IOException());
        scenario.advance(1000);

        assertThat(scenario.invocations()).isOne();
        assertThat(scenario.metrics().getNumberOfCancelledCalls()).isOne();
    }

    @Test
    void noAttemptStartsAfterAnEndInsideTheBudgetAndItsTokenIsGivenBack() {
        var call = new AtomicCall();
        var budget = new FakeBudget(3).onTake(call::end);
        scenario.configured(config -> config.budget(budget));

        call.set(scenario.start());
        scenario.advance(1000);

        assertThat(scenario.invocations()).isOne();
        assertThat(budget.tokens()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noAttemptStartsAfterAnEndBetweenScheduleAndStart(boolean afterFailure) {
        var budget = new FakeBudget(3);
        scenario.configured(config -> config.executor(executor).maxAttempts(3).budget(budget));
        var call = scenario.start();
        if (afterFailure) {
            scenario.source(0).completeExceptionally(new IOException());
        } else {
            scenario.advance(50);
        }
        assertThat(executor.size()).isOne();

        call.cancel(true);
        executor.runAll();
        scenario.advance(1000);

        assertThat(scenario.invocations()).isOne();
        assertThat(budget.tokens()).isEqualTo(3);
    }

    @Test
    void aHedgeThatIsQueuedWhenThePrimaryWinsIsNeverStarted() {
        var budget = new FakeBudget(3);
        scenario.configured(config -> config.executor(executor).budget(budget));
        var call = scenario.start();
        scenario.advance(50);

        scenario.source(0).complete("primary");
        executor.runAll();

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.invocations()).isOne();
        assertThat(scenario.metrics().getNumberOfHedges()).isZero();
        assertThat(budget.tokens()).isEqualTo(3);
    }

    /** A call that is ended from inside one of its own callbacks. */
    private static final class AtomicCall {
        private CompletableFuture<?> call = new CompletableFuture<>();

        void set(CompletableFuture<?> call) {
            this.call = call;
        }

        void end() {
            call.cancel(true);
        }
    }
}
