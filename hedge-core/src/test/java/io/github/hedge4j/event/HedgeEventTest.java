package io.github.hedge4j.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.AttemptOutcome;
import io.github.hedge4j.AttemptReport;
import io.github.hedge4j.CallOutcome;
import io.github.hedge4j.CallReport;
import io.github.hedge4j.DenialReason;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class HedgeEventTest {

    private static final ZonedDateTime NOON = ZonedDateTime.of(2026, 3, 1, 12, 0, 0, 0, ZoneOffset.UTC);

    private final AttemptReport attempt = new AttemptReport(
            1,
            Optional.of("replica-b"),
            Duration.ofMillis(50),
            Optional.of(Duration.ofMillis(70)),
            AttemptOutcome.SUCCESS,
            Optional.empty());

    private final CallReport report = new CallReport(
            "backend", CallOutcome.SUCCESS, OptionalInt.of(1), List.of(attempt), List.of(), Duration.ofMillis(70));

    @Test
    void anAttemptStarted() {
        var event = new AttemptStarted("backend", NOON, 1, Optional.of("replica-b"));

        assertIs(HedgeEvent.Type.ATTEMPT_STARTED, event);
        assertThat(event).hasToString("2026-03-01T12:00Z: Hedge 'backend' started attempt 1 on replica-b.");
        assertThat(new AttemptStarted("backend", NOON, 0, Optional.empty()))
                .hasToString("2026-03-01T12:00Z: Hedge 'backend' started attempt 0.");
    }

    @Test
    void anAttemptEnded() {
        var event = new AttemptEnded("backend", NOON, attempt);

        assertIs(HedgeEvent.Type.ATTEMPT_ENDED, event);
        assertThat(event)
                .hasToString("2026-03-01T12:00Z: Hedge 'backend' ended attempt 1 on replica-b:"
                        + " SUCCESS from 50 ms to 70 ms.");
    }

    @Test
    void aHedgeDenied() {
        var event = new HedgeDenied("backend", NOON, 1, DenialReason.BUDGET);

        assertIs(HedgeEvent.Type.HEDGE_DENIED, event);
        assertThat(event).hasToString("2026-03-01T12:00Z: Hedge 'backend' denied attempt 1: BUDGET.");
    }

    @Test
    void aCallEnded() {
        var event = new CallEnded("backend", NOON, report);

        assertIs(HedgeEvent.Type.CALL_ENDED, event);
        assertThat(event).hasToString("""
                        2026-03-01T12:00Z: Hedge 'backend': SUCCESS after 70 ms, won by attempt 1
                          attempt 1 on replica-b: SUCCESS from 50 ms to 70 ms""");
    }

    @Test
    void eventsAreCreatedNowUnlessTold() {
        var before = ZonedDateTime.now(ZoneOffset.UTC);

        var events = List.of(
                new AttemptStarted("backend", 0, Optional.empty()),
                new AttemptEnded("backend", attempt),
                new HedgeDenied("backend", 1, DenialReason.COLD),
                new CallEnded("backend", report));

        assertThat(events)
                .allSatisfy(event ->
                        assertThat(event.getCreationTime()).isBetween(before, ZonedDateTime.now(ZoneOffset.UTC)));
    }

    private static void assertIs(HedgeEvent.Type type, HedgeEvent event) {
        assertThat(event.getEventType()).isEqualTo(type);
        assertThat(event.getHedgeName()).isEqualTo("backend");
        assertThat(event.getCreationTime()).isEqualTo(NOON);
    }
}
