package io.github.hedge4j;

import java.time.Duration;
import java.util.Optional;

/**
 * How one attempt of a call went.
 *
 * @param number 0 for the primary, 1 and up for hedges
 * @param target the name of the target it asked, if the call had named targets
 * @param start when it started, counted from the start of the call
 * @param end when it ended, counted from the start of the call; empty if it had not by the time of the report
 * @param outcome how it ended
 * @param failure what it failed with, if it failed
 */
public record AttemptReport(
        int number,
        Optional<String> target,
        Duration start,
        Optional<Duration> end,
        AttemptOutcome outcome,
        Optional<Throwable> failure) {

    /** Refuses null. */
    public AttemptReport {
        Settings.notNull("target", target);
        Settings.notNull("start", start);
        Settings.notNull("end", end);
        Settings.notNull("outcome", outcome);
        Settings.notNull("failure", failure);
    }

    /**
     * One line, {@code attempt 1 on replica-b: FAILURE from 50 ms to 70 ms, java.io.IOException: reset}; without an end,
     * {@code attempt 0: CANCELLED from 0 ms, not ended}.
     */
    @Override
    public String toString() {
        return "attempt " + number
                + target.map(" on "::concat).orElse("")
                + ": " + outcome
                + " from " + Durations.millis(start)
                + end.map(Durations::millis).map(" to "::concat).orElse(", not ended")
                + failure.map(Throwable::toString).map(", "::concat).orElse("");
    }
}
