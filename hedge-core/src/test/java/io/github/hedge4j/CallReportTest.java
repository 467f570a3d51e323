package io.github.hedge4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class CallReportTest {

    private final AttemptReport primary = new AttemptReport(
            0,
            Optional.empty(),
            Duration.ZERO,
            Optional.of(Duration.ofMillis(70)),
            AttemptOutcome.CANCELLED,
            Optional.empty());

    private final AttemptReport hedge = new AttemptReport(
            1,
            Optional.of("replica-b"),
            Duration.ofMillis(50),
            Optional.of(Duration.ofNanos(70_123_456)),
            AttemptOutcome.SUCCESS,
            Optional.empty());

    @Test
    void aReportReadsAsOneLineForTheCallAndOneForEachAttempt() {
        var report = new CallReport(
                "backend",
                CallOutcome.SUCCESS,
                OptionalInt.of(1),
                List.of(primary, hedge),
                List.of(),
                Duration.ofMillis(70));

        assertThat(report).hasToString("""
                        Hedge 'backend': SUCCESS after 70 ms, won by attempt 1
                          attempt 0: CANCELLED from 0 ms to 70 ms
                          attempt 1 on replica-b: SUCCESS from 50 ms to 70.123 ms""");
    }

    @Test
    void deniedHedgesAreOneLineMore() {
        var report = new CallReport(
                "backend",
                CallOutcome.TIMEOUT,
                OptionalInt.empty(),
                List.of(),
                List.of(DenialReason.BUDGET, DenialReason.DEADLINE),
                Duration.ofSeconds(2));

        assertThat(report).hasToString("""
                        Hedge 'backend': TIMEOUT after 2000 ms
                          denied: BUDGET, DEADLINE""");
    }

    @Test
    void aFailedAttemptTellsItsFailure() {
        var attempt = new AttemptReport(
                2,
                Optional.empty(),
                Duration.ofNanos(1_500),
                Optional.of(Duration.ofNanos(2_000)),
                AttemptOutcome.FAILURE,
                Optional.of(new IOException("reset")));

        assertThat(attempt).hasToString("attempt 2: FAILURE from 0.002 ms to 0.002 ms, java.io.IOException: reset");
    }

    @Test
    void anAttemptThatHasNotEndedHasNoEnd() {
        var attempt = new AttemptReport(
                0, Optional.empty(), Duration.ZERO, Optional.empty(), AttemptOutcome.UNRESPONSIVE, Optional.empty());

        assertThat(attempt).hasToString("attempt 0: UNRESPONSIVE from 0 ms, not ended");
    }

    @Test
    void timesTooLongToCountAreStillReadable() {
        var eternity = Duration.ofSeconds(Long.MAX_VALUE);
        var attempt = new AttemptReport(
                0, Optional.empty(), eternity, Optional.empty(), AttemptOutcome.CANCELLED, Optional.empty());

        assertThat(attempt).hasToString("attempt 0: CANCELLED from 4611686018427.388 ms, not ended");
    }

    @Test
    void aReportIsACopy() {
        var attempts = new ArrayList<>(List.of(primary));
        var denials = new ArrayList<>(List.of(DenialReason.COLD));
        var report = new CallReport(
                "backend", CallOutcome.SUCCESS, OptionalInt.of(0), attempts, denials, Duration.ofMillis(70));

        attempts.clear();
        denials.clear();

        assertThat(report.attempts()).containsExactly(primary).isUnmodifiable();
        assertThat(report.denials()).containsExactly(DenialReason.COLD).isUnmodifiable();
    }

    @Test
    @SuppressWarnings("NullAway")
    void nullIsRefused() {
        assertThatNullPointerException()
                .isThrownBy(
                        () -> new CallReport("backend", CallOutcome.SUCCESS, null, List.of(), List.of(), Duration.ZERO))
                .withMessage("winner must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> new AttemptReport(
                        0, null, Duration.ZERO, Optional.empty(), AttemptOutcome.SUCCESS, Optional.empty()))
                .withMessage("target must not be null");
    }
}
