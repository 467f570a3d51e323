package io.github.hedge4j;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.hedge4j.event.CallEnded;
import io.github.hedge4j.time.HedgeTimer;
import io.github.hedge4j.time.Timeout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class HedgeReportsTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    private final CapturedLog log = new CapturedLog();

    @AfterEach
    void closeTheLog() {
        log.close();
    }

    @Test
    void aSlowCallIsLoggedWithItsReportAndAFastOneIsNot() {
        scenario.hedge().getEventPublisher().onCallEnded(HedgeReports.logSlowerThan(ofMillis(60)));
        scenario.hedge(Scenario.succeedsAfter(10, "hedge"));
        scenario.begin();
        scenario.advance(60); // no slower than that
        assertThat(log.messages()).isEmpty();

        scenario.hedge(Scenario.succeedsAfter(11, "hedge"));
        scenario.begin();
        scenario.advance(61);

        assertThat(log.messages()).containsExactly("""
                Slow call: Hedge 'scenario': SUCCESS after 61 ms, won by attempt 1
                  attempt 0: CANCELLED from 0 ms to 61 ms
                  attempt 1: SUCCESS from 50 ms to 61 ms""");
    }

    @Test
    void ofManySlowCallsOneAnIntervalIsLoggedAndTheOthersAreCounted() {
        var slow = new HedgeReports.SlowCalls(ofMillis(100), ofSeconds(1), scenario.timer);

        slow.consumeEvent(took(ofMillis(200)));
        slow.consumeEvent(took(ofMillis(300)));
        scenario.advance(999);
        slow.consumeEvent(took(ofMillis(400)));
        slow.consumeEvent(took(ofMillis(50)));
        assertThat(log.messages()).hasSize(1);
        scenario.advance(1);
        slow.consumeEvent(took(ofMillis(500)));
        scenario.advance(5000);
        slow.consumeEvent(took(ofMillis(600)));

        assertThat(log.messages())
                .containsExactly(
                        "Slow call: Hedge 'backend': TIMEOUT after 200 ms",
                        "Slow call, and 2 more since the last one told: Hedge 'backend': TIMEOUT after 500 ms",
                        "Slow call: Hedge 'backend': TIMEOUT after 600 ms");
    }

    @Test
    void anIntervalOfZeroLogsThemAll() {
        var slow = HedgeReports.logSlowerThan(ZERO, ZERO);

        slow.consumeEvent(took(ZERO));
        slow.consumeEvent(took(ofMillis(1)));
        slow.consumeEvent(took(ofMillis(1)));

        assertThat(log.messages()).hasSize(2);
    }

    @Test
    void anIntervalOfZeroLogsAlsoThoseThatOvertakeEachOther() {
        var overtaking = new ArrayDeque<CallEnded>();
        var slow = new AtomicReference<HedgeReports.SlowCalls>();
        var ticks = new AtomicLong();
        slow.set(new HedgeReports.SlowCalls(ZERO, ZERO, new HedgeTimer() {
            @Override
            public long nanoTime() {
                long now = ticks.incrementAndGet();
                if (!overtaking.isEmpty()) {
                    slow.get().consumeEvent(overtaking.remove());
                }
                return now;
            }

            @Override
            public Timeout schedule(Runnable task, long delayNanos) {
                throw new UnsupportedOperationException();
            }
        }));

        overtaking.add(took(ofMillis(2)));
        slow.get().consumeEvent(took(ofMillis(1)));

        assertThat(log.messages())
                .containsExactly(
                        "Slow call: Hedge 'backend': TIMEOUT after 2 ms",
                        "Slow call: Hedge 'backend': TIMEOUT after 1 ms");
    }

    @Test
    void badSettingsAreRefused() {
        assertThatThrownBy(() -> HedgeReports.logSlowerThan(ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("threshold must be >= PT0S, but was PT-0.001S");
        assertThatThrownBy(() -> HedgeReports.logSlowerThan(ZERO, ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("interval must be >= PT0S, but was PT-0.001S");
        assertThatThrownBy(() -> HedgeReports.logSlowerThan(null)).isInstanceOf(NullPointerException.class);
    }

    private static CallEnded took(Duration elapsed) {
        return new CallEnded(
                "backend",
                new CallReport("backend", CallOutcome.TIMEOUT, OptionalInt.empty(), List.of(), List.of(), elapsed));
    }
}
