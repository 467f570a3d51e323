package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAfter;
import static io.github.hedge4j.Scenario.failureOf;
import static io.github.hedge4j.Scenario.hangs;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.time.HedgeTimer;
import io.github.hedge4j.time.Timeout;
import io.github.hedge4j.time.VirtualTimer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rules A: when hedges start, and what happens on the very tick of a delay or a deadline. */
class DelaysTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    @Test
    void withoutADelayAllAttemptsStartAtOnceAndNoTimerIsSet() {
        var timersSet = new AtomicInteger();
        scenario.configured(config ->
                config.delay(HedgeDelay.fixed(ZERO)).maxAttempts(3).timer(counting(scenario.timer, timersSet)));

        var call = scenario.start();
        assertThat(scenario.invocations()).isEqualTo(3);
        assertThat(timersSet).hasValue(0);
        scenario.source(2).complete("hedge");

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(scenario.trail)
                .startsWith("0 ms: attempt 0 started", "0 ms: attempt 1 started", "0 ms: attempt 2 started")
                .contains("0 ms: attempt 0 cancelled(true)", "0 ms: attempt 1 cancelled(true)")
                .endsWith("0 ms: call got hedge")
                .hasSize(6);
    }

    @Test
    void everyDelayCountsFromTheStartOfTheAttemptBefore() {
        scenario.configured(config -> config.maxAttempts(4)).primary(failsAfter(30, new IOException()));

        var call = scenario.start();
        scenario.advance(1000);

        assertThat(scenario.trail)
                .containsExactly(
                        "0 ms: attempt 0 started",
                        "30 ms: attempt 1 started",
                        "80 ms: attempt 2 started",
                        "130 ms: attempt 3 started");
        call.cancel(true);
    }

    @Test
    void theTimeThatAPrimarysSupplierTakesIsPartOfTheDelay() {
        scenario.primary(source -> {
            scenario.advance(30);
            return source;
        });

        var call = scenario.start();
        scenario.advance(20);

        assertThat(scenario.trail).containsExactly("0 ms: attempt 0 started", "50 ms: attempt 1 started");
        call.cancel(true);
    }

    @Test
    void aPrimaryWhoseSupplierTakesLongerThanTheDelayIsHedgedAtOnce() {
        scenario.primary(source -> {
            scenario.advance(70);
            return source;
        });

        var call = scenario.start();
        scenario.advance(0);

        assertThat(scenario.trail).last().isEqualTo("70 ms: attempt 1 started");
        call.cancel(true);
    }

    @Test
    void aPrimaryWhoseSupplierTakesLongerThanTheTimeoutTimesOutAtOnce() {
        scenario.configured(config -> config.timeout(ofMillis(80))).primary(source -> {
            scenario.advance(90);
            return source;
        });

        var call = scenario.start();
        scenario.advance(0);

        assertThat(failureOf(call)).isInstanceOf(HedgeTimeoutException.class);
        assertThat(scenario.source(0)).isCancelled();
    }

    @Test
    void aHedgesSlowSupplierKeepsNeitherTheNextHedgeNorTheDeadline() {
        scenario.configured(config -> config.maxAttempts(3).timeout(ofMillis(120)))
                .hedge(source -> {
                    scenario.advance(60);
                    assertThat(scenario.invocations()).isEqualTo(3);
                    scenario.advance(10);
                    assertThat(source.attempt.isCancelled()).isTrue();
                    return source;
                });

        var call = scenario.start();
        scenario.advance(50);

        assertThat(failureOf(call)).isInstanceOf(HedgeTimeoutException.class);
        assertThat(scenario.trail)
                .contains("100 ms: attempt 2 started")
                .last()
                .isEqualTo("120 ms: attempt 1 cancelled(true)");
    }

    @Test
    void aDelayOfZeroInTheMiddleStartsTwoHedgesTogether() {
        scenario.configured(config ->
                config.maxAttempts(4).delay(HedgeDelay.perAttempt(number -> number == 2 ? ZERO : ofMillis(50))));

        var call = scenario.start();
        scenario.advance(1000);

        assertThat(scenario.trail)
                .containsExactlyInAnyOrder(
                        "0 ms: attempt 0 started",
                        "50 ms: attempt 1 started",
                        "50 ms: attempt 2 started",
                        "100 ms: attempt 3 started");
        call.cancel(true);
    }

    @Test
    void theDelayFunctionIsAskedOncePerHedge() {
        List<Integer> asked = new ArrayList<>();
        scenario.configured(config -> config.maxAttempts(3).delay(HedgeDelay.perAttempt(number -> {
            asked.add(number);
            return ofMillis(10L * number);
        })));

        var call = scenario.start();
        scenario.advance(1000);

        assertThat(asked).containsExactly(1, 2);
        assertThat(scenario.trail)
                .containsExactly("0 ms: attempt 0 started", "10 ms: attempt 1 started", "30 ms: attempt 2 started");
        call.cancel(true);
    }

    @Test
    void theLongestDelaysAndTimeoutsJustNeverExpire() {
        var forever = Duration.ofSeconds(Long.MAX_VALUE);
        scenario.configured(
                config -> config.delay(HedgeDelay.perAttempt(number -> forever)).timeout(forever));

        var call = scenario.start();
        scenario.timer.advance(Duration.ofDays(365));
        scenario.source(0).complete("primary");

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.invocations()).isOne();
    }

    @Test
    void aTimerWhoseTimeOverflowsIsNoDifferent() throws Exception {
        var late = new Scenario(new VirtualTimer(Long.MAX_VALUE - 60_000_000));
        late.configured(config -> config.timeout(ofMillis(100)).maxAttempts(3)).attempt(1, source -> {
            assertThat(source.attempt.remaining()).contains(ofMillis(50));
            return source;
        });

        var call = late.start();
        late.advance(80);
        assertThat(late.source(0).attempt.remaining()).contains(ofMillis(20));
        late.advance(20);

        assertThat(failureOf(call)).isInstanceOf(HedgeTimeoutException.class);
        assertThat(late.report(call).elapsed()).isEqualTo(ofMillis(100));
        assertThat(late.report(call).denials()).containsExactly(DenialReason.DEADLINE);
        late.afterEach(null);
    }

    @Test
    void aCompletionOnTheTickOfTheDelayWinsIfItWasScheduledBeforeTheDelay() {
        scenario.primary(succeedsAfter(50, "primary"));

        var call = scenario.start();
        scenario.advance(50);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.invocations()).isOne();
    }

    @Test
    void aCompletionOnTheTickOfTheDelayWinsIfItWasScheduledAfterTheDelay() {
        var call = scenario.start();
        scenario.source(0).in(50, () -> scenario.source(0).complete("primary"));
        scenario.advance(50);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.invocations()).isOne();
    }

    @Test
    void aFailureOnTheTickOfTheDelayStartsOneHedgeNotTwo() {
        scenario.configured(config -> config.maxAttempts(3)).primary(failsAfter(50, new IOException()));

        var call = scenario.start();
        scenario.advance(99);
        assertThat(scenario.invocations()).isEqualTo(2);
        scenario.advance(1);

        assertThat(scenario.trail)
                .containsExactly("0 ms: attempt 0 started", "50 ms: attempt 1 started", "100 ms: attempt 2 started");
        call.cancel(true);
    }

    @Test
    void aCompletionOnTheTickOfTheDeadlineWinsInEitherOrder() {
        scenario.configured(config -> config.timeout(ofMillis(80)));

        scenario.primary(succeedsAfter(80, "scheduled before"));
        var before = scenario.start();
        scenario.primary(hangs());
        var after = scenario.start();
        var last = scenario.source(1);
        last.in(80, () -> last.complete("scheduled after"));
        scenario.advance(80);

        assertThat(before).isCompletedWithValue("scheduled before");
        assertThat(after).isCompletedWithValue("scheduled after");
    }

    private static HedgeTimer counting(HedgeTimer timer, AtomicInteger timersSet) {
        return new HedgeTimer() {
            @Override
            public long nanoTime() {
                return timer.nanoTime();
            }

            @Override
            public Timeout schedule(Runnable task, long delayNanos) {
                timersSet.incrementAndGet();
                return timer.schedule(task, delayNanos);
            }
        };
    }
}
