package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAfter;
import static io.github.hedge4j.Scenario.failsAtOnce;
import static io.github.hedge4j.Scenario.failureOf;
import static io.github.hedge4j.Scenario.stubborn;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static io.github.hedge4j.Scenario.succeedsAtOnce;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofNanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules L: what many calls, many hedges and many attempts leave behind. */
class LeaksTest {

    private static final int MANY = 10_000;

    @RegisterExtension
    final Scenario scenario = new Scenario();

    @Test
    void fastCallsWithLongDelaysAndDeadlinesLeaveNoTimers() {
        var hedge = Hedge.of(
                "fast",
                HedgeConfig.custom()
                        .delay(HedgeDelay.fixed(ofHours(1)))
                        .timeout(ofHours(2))
                        .timer(scenario.timer)
                        .build());

        for (int i = 0; i < 100_000; i++) {
            var source = new CompletableFuture<Integer>();
            var call = hedge.executeCompletionStage(() -> source);
            source.complete(i);
            assertThat(call).isCompletedWithValue(i);
        }

        assertThat(scenario.timer.pending()).isZero();
        assertThat(hedge.getMetrics().getNumberOfCallsWonByPrimary()).isEqualTo(100_000);
        assertThat(hedge.getMetrics().getInFlightAttempts()).isZero();
    }

    @Test
    void failingCallsWithALongDeadlineLeaveNoTimers() {
        scenario.configured(config -> config.timeout(ofHours(1))).primary(failsAfter(10, new IOException()));
        scenario.hedge(failsAfter(10, new IOException()));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(failureOf(call)).isInstanceOf(AllAttemptsFailedException.class);
        assertThat(scenario.timer.pending()).isZero();
    }

    @Test
    void slowLosersAreBackAtTheBaselineWhenTheyHaveEnded() {
        scenario.primary(stubborn()).hedge(succeedsAfter(0, "hedge"));
        for (int i = 0; i < 1000; i++) {
            scenario.begin();
        }
        scenario.advance(50);
        assertThat(scenario.metrics().getInFlightAttempts()).isEqualTo(1000);
        scenario.advance(1000);
        assertThat(scenario.timer.pending()).isZero();

        for (int i = 0; i < 2000; i++) {
            scenario.source(i).complete("late");
        }

        assertThat(scenario.metrics().getInFlightAttempts()).isZero();
        assertThat(scenario.metrics().getNumberOfUnresponsiveLosers()).isEqualTo(1000);
        assertThat(scenario.discarded).hasSize(1000);
        scenario.discarded.subList(1, 1000).clear();
    }

    @Test
    @Tag("realtime")
    void aMillionFastCallsWithAnHoursDelayRunInASmallHeapAndTheJvmExitsWithHedgesAlive() {
        assertThat(ForkedJvm.run(MillionCalls.class, "-Xmx64m", "-XX:+ExitOnOutOfMemoryError"))
                .isEqualTo("calls 1000000, in flight 0");
    }

    /** Calls that succeed, fail and are cancelled long before their delay and their deadline. */
    static final class MillionCalls {
        public static void main(String[] arguments) {
            var hedge = Hedge.of(
                    "million",
                    HedgeConfig.custom()
                            .delay(HedgeDelay.fixed(ofHours(1)))
                            .timeout(ofHours(2))
                            .hedgeOnFailure(false)
                            .build());
            for (int i = 0; i < 1_000_000; i++) {
                var source = new CompletableFuture<byte[]>();
                var call = hedge.executeCompletionStage(() -> source).toCompletableFuture();
                switch (i % 10) {
                    case 0 -> source.completeExceptionally(new IOException());
                    case 1 -> call.cancel(true);
                    default -> source.complete(new byte[1024]);
                }
            }
            var metrics = hedge.getMetrics();
            System.out.print("calls " + metrics.getNumberOfCalls() + ", in flight " + metrics.getInFlightAttempts());
        }

        private MillionCalls() {}
    }

    @Test
    @Tag("realtime")
    void aThousandHedgesShareOneTimerThreadAndDoNotKeepTheJvmAlive() {
        assertThat(ForkedJvm.run(ThousandHedges.class)).isEqualTo("made: [], waiting: [hedge-timer daemon]");
    }

    /** Hedges that are made, and then each have a call that hangs. */
    static final class ThousandHedges {
        public static void main(String[] arguments) {
            var before = Thread.getAllStackTraces().keySet();
            List<Hedge> hedges = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                hedges.add(Hedge.of(
                        "hedge " + i,
                        HedgeConfig.custom()
                                .delay(HedgeDelay.fixed(ofHours(1)))
                                .timeout(ofHours(2))
                                .build()));
            }
            var made = threadsSince(before);
            for (var hedge : hedges) {
                var unused = hedge.start(attempt -> new CompletableFuture<>());
            }
            System.out.print("made: " + made + ", waiting: " + threadsSince(before));
        }

        private static List<String> threadsSince(Set<Thread> before) {
            return Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> !before.contains(thread))
                    .map(thread -> thread.getName() + (thread.isDaemon() ? " daemon" : ""))
                    .toList();
        }

        private ThousandHedges() {}
    }

    @Test
    void tenThousandAttemptsThatFailOneAfterTheOtherDoNotRecur() {
        scenario.configured(config -> config.maxAttempts(MANY).delay(HedgeDelay.fixed(ofHours(1))));
        for (int number = 0; number < MANY; number++) {
            scenario.attempt(number, failsAtOnce(new IOException("attempt " + number)));
        }

        var call = scenario.start();

        assertThat(failureOf(call))
                .asInstanceOf(type(AllAttemptsFailedException.class))
                .satisfies(failure -> {
                    assertThat(failure.getFailures()).hasSize(MANY);
                    assertThat(failure.getFailures().get(123)).hasMessage("attempt 123");
                    assertThat(failure.getSuppressed()).hasSize(MANY - 1);
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tenThousandAttemptsAtOnceDoNotRecur(boolean perAttempt) {
        scenario.configured(config -> config.maxAttempts(MANY)
                .delay(perAttempt ? HedgeDelay.perAttempt(number -> ZERO) : HedgeDelay.fixed(ZERO)));

        var call = scenario.start();
        assertThat(scenario.invocations()).isEqualTo(MANY);
        scenario.source(MANY / 2).complete("one of them");

        assertThat(call).isCompletedWithValue("one of them");
        assertThat(scenario.report(call).attempts()).hasSize(MANY);
    }

    @Test
    void theFirstOfTenThousandAttemptsThatSucceedsAtOnceIsTheOnlyOne() {
        scenario.configured(config -> config.maxAttempts(MANY).delay(HedgeDelay.fixed(ZERO)))
                .primary(succeedsAtOnce("primary"));

        var call = scenario.start();

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.invocations()).isOne();
    }

    @Test
    void tenThousandAttemptsThatAllFailTogetherFailTheCallOnce() {
        scenario.configured(config -> config.maxAttempts(MANY).delay(HedgeDelay.fixed(ofNanos(1))));
        var call = scenario.start();
        scenario.advance(1);
        assertThat(scenario.invocations()).isEqualTo(MANY);

        for (int i = MANY - 1; i >= 0; i--) {
            scenario.source(i).completeExceptionally(new IOException());
        }

        assertThat(failureOf(call)).isInstanceOf(AllAttemptsFailedException.class);
    }
}
