package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAfter;
import static io.github.hedge4j.Scenario.failsAtOnce;
import static io.github.hedge4j.Scenario.failureOf;
import static io.github.hedge4j.Scenario.stubborn;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import io.github.hedge4j.budget.TokenBalance;
import io.github.hedge4j.time.HedgeTimer;
import io.github.hedge4j.time.Timeout;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What does not make a call fail: delays, budgets, predicates, listeners and timers that do not work. */
class BrokenUserCodeTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    static Stream<Named<IntFunction<Duration>>> badDelays() {
        return Stream.of(
                named("throws", number -> {
                    throw new IllegalStateException("delay");
                }),
                named("throws an error", number -> {
                    throw new StackOverflowError("delay");
                }),
                named("null", number -> null),
                named("negative", number -> ofMillis(-1)));
    }

    @ParameterizedTest
    @MethodSource("badDelays")
    void aDelayFunctionThatDoesNotWorkLeavesTheCallUnhedged(IntFunction<Duration> delays) {
        scenario.configured(config -> config.delay(HedgeDelay.perAttempt(delays)))
                .primary(succeedsAfter(500, "primary"));

        var call = scenario.start();
        scenario.advance(500);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.report(call).denials()).containsExactly(DenialReason.ERROR);
        assertThat(scenario.metrics().getNumberOfDeniedHedges(DenialReason.ERROR))
                .isOne();
    }

    @Test
    void aDelayFunctionThatThrowsIsLogged() {
        try (var log = new CapturedLog()) {
            scenario.configured(config -> config.delay(HedgeDelay.perAttempt(number -> {
                        throw new IllegalStateException("delay");
                    })))
                    .primary(succeedsAfter(500, "primary"));

            scenario.begin();
            scenario.advance(500);

            assertThat(log.thrown()).containsExactly("delay");
        }
    }

    @Test
    void aDelayFunctionThatThrowsForALaterHedgeStopsThatOneOnly() {
        scenario.configured(config -> config.maxAttempts(3).delay(HedgeDelay.perAttempt(number -> {
                    if (number == 2) {
                        throw new IllegalStateException("delay");
                    }
                    return ofMillis(50);
                })))
                .hedge(succeedsAfter(200, "hedge"));

        var call = scenario.start();
        scenario.advance(250);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(scenario.invocations()).isEqualTo(2);
        assertThat(scenario.report(call).denials()).containsExactly(DenialReason.ERROR);
    }

    @Test
    void aBudgetThatThrowsWhenAskedLeavesTheCallUnhedged() {
        scenario.configured(config -> config.budget(new FakeBudget(1).onTake(() -> {
                    throw new IllegalStateException("budget");
                })))
                .primary(succeedsAfter(500, "primary"));

        var call = scenario.start();
        scenario.advance(500);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.report(call).denials()).containsExactly(DenialReason.ERROR);
    }

    @Test
    void aBudgetThatThrowsAfterAFailureFailsTheCallWithThatFailure() {
        var failure = new IOException();
        scenario.configured(config -> config.budget(new FakeBudget(1).onTake(() -> {
                    throw new IllegalStateException("budget");
                })))
                .primary(failsAfter(10, failure));

        var call = scenario.start();
        scenario.advance(10);

        assertThat(failureOf(call)).isSameAs(failure);
    }

    @Test
    void aBudgetThatCannotBeCreditedKeepsNoResult() {
        scenario.configured(config -> config.budget(timer -> throwingBalance())).hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(70);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(scenario.source(0)).isCancelled();
    }

    @Test
    void aBudgetThatTakesNothingBackDoesNotKeepTheExecutorsRefusal() {
        scenario.configured(config -> config.budget(timer -> throwingBalance()).executor(task -> {
                    throw new RejectedExecutionException("shut down");
                }))
                .primary(succeedsAfter(500, "primary"));

        var call = scenario.start();
        scenario.advance(500);

        assertThat(call).isCompletedWithValue("primary");
    }

    @Test
    void aPushbackPredicateThatThrowsDoesNotFailTheCall() {
        try (var log = new CapturedLog()) {
            scenario.configured(config -> config.stopHedgingOn(failure -> {
                        throw new IllegalStateException("pushback");
                    }))
                    .primary(succeedsAfter(500, "primary"))
                    .hedge(failsAfter(10, new IOException()));

            var call = scenario.start();
            scenario.advance(500);

            assertThat(call).isCompletedWithValue("primary");
            assertThat(log.thrown()).contains("pushback");
        }
    }

    @Test
    void aFailurePredicateThatThrowsDoesNotKeepTheCallFromEnding() {
        scenario.configured(config -> config.hedgeOnException(failure -> {
                    throw new IllegalStateException("predicate");
                }))
                .primary(failsAfter(10, new IOException()))
                .hedge(failsAfter(10, new IOException()));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(call).isCompletedExceptionally();
    }

    @Test
    void aResultPredicateThatThrowsDoesNotKeepTheCallFromEndingNorLosesTheResult() {
        scenario.configured(config -> config.hedgeOnResult(result -> {
                    throw new IllegalStateException("predicate");
                }))
                .primary(succeedsAfter(10, "primary"))
                .hedge(failsAfter(10, new IOException()));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(call).isDone();
    }

    @Test
    void aListenerThatThrowsIsLoggedAndTheOthersAreStillCalled() {
        List<Object> events = new ArrayList<>();
        try (var log = new CapturedLog()) {
            scenario.primary(succeedsAfter(10, "primary"));
            scenario.hedge().getEventPublisher().onCallEnded(event -> {
                throw new IllegalStateException("listener");
            });
            scenario.hedge().getEventPublisher().onCallEnded(events::add);

            var call = scenario.start();
            scenario.advance(10);

            assertThat(call).isCompletedWithValue("primary");
            assertThat(events).hasSize(1);
            assertThat(log.thrown()).containsExactly("listener");
        }
    }

    @Test
    void aListenerThatThrowsAtEveryEventChangesNothing() {
        scenario.configured(config -> config.maxAttempts(3).loserGrace(ofMillis(10)))
                .primary(stubborn())
                .hedge(failsAfter(10, new IOException()))
                .attempt(2, succeedsAfter(10, "hedge 2"));
        scenario.hedge().getEventPublisher().onEvent(event -> {
            throw new IllegalStateException("listener");
        });

        var call = scenario.start();
        scenario.advance(100);

        assertThat(call).isCompletedWithValue("hedge 2");
        assertThat(scenario.report(call).attempts()).hasSize(3);
        scenario.source(0).complete("late");
    }

    @Test
    void aTimerThatRefusesTheDelayLeavesTheCallUnhedged() {
        scenario.configured(config -> config.timer(refusing(scenario.timer))).primary(succeedsAfter(500, "primary"));

        var call = scenario.start();
        scenario.advance(500);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.report(call).denials()).containsExactly(DenialReason.ERROR);
    }

    @Test
    void aTimerThatRefusesTheDeadlineLeavesTheCallWithoutOne() {
        scenario.configured(config -> config.timer(refusing(scenario.timer))
                        .timeout(ofMillis(100))
                        .maxAttempts(1))
                .primary(succeedsAfter(90, "primary"));

        var call = scenario.start();
        scenario.advance(90);

        assertThat(call).isCompletedWithValue("primary");
    }

    @Test
    void aTimerThatRefusesTheGraceDoesNotKeepTheWinner() {
        scenario.configured(config -> config.timer(refusing(scenario.timer)).delay(HedgeDelay.fixed(Duration.ZERO)))
                .primary(stubborn());

        var call = scenario.start();
        scenario.source(1).complete("hedge");

        assertThat(call).isCompletedWithValue("hedge");
        scenario.source(0).complete("late");
        assertThat(call.settled()).isCompleted();
    }

    @Test
    void aFailureThatCannotBePrintedIsNoProblem() {
        var rude = new RuntimeException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new IllegalStateException("getMessage");
            }
        };
        scenario.primary(failsAtOnce(rude)).hedge(failsAtOnce(new IOException()));

        var call = scenario.start();

        assertThat(failureOf(call)).isInstanceOf(AllAttemptsFailedException.class);
    }

    private static HedgeTimer refusing(HedgeTimer timer) {
        return new HedgeTimer() {
            @Override
            public long nanoTime() {
                return timer.nanoTime();
            }

            @Override
            public Timeout schedule(Runnable task, long delayNanos) {
                throw new RejectedExecutionException("timer shut down");
            }
        };
    }

    private static TokenBalance throwingBalance() {
        return new TokenBalance() {
            @Override
            public boolean tryTake(long nowNanos) {
                return true;
            }

            @Override
            public void giveBack() {
                throw new IllegalStateException("giveBack");
            }

            @Override
            public void credit() {
                throw new IllegalStateException("credit");
            }

            @Override
            public double available(long nowNanos) {
                return 1;
            }
        };
    }
}
