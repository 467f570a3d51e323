package io.github.hedge4j;

import static java.util.stream.Collectors.joining;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * How one call went.
 *
 * @param hedgeName the name of the hedge that made it
 * @param outcome how it ended
 * @param winner the number of the attempt whose result the caller got; empty if none was
 * @param attempts the attempts that were started, in the order of their numbers; unmodifiable
 * @param denials why hedges that were due were not started, in the order in which that happened; unmodifiable
 * @param elapsed from the start of the call to its result
 */
public record CallReport(
        String hedgeName,
        CallOutcome outcome,
        OptionalInt winner,
        List<AttemptReport> attempts,
        List<DenialReason> denials,
        Duration elapsed) {

    /** Refuses null and copies the lists. */
    public CallReport {
        Settings.notNull("hedgeName", hedgeName);
        Settings.notNull("outcome", outcome);
        Settings.notNull("winner", winner);
        attempts = List.copyOf(Settings.notNull("attempts", attempts));
        denials = List.copyOf(Settings.notNull("denials", denials));
        Settings.notNull("elapsed", elapsed);
    }

    /** One line for the call, one for each attempt, and one for the denials if there were any. */
    @Override
    public String toString() {
        var lines = new StringBuilder(summary());
        attempts.forEach(attempt -> lines.append("\n  ").append(attempt));
        if (!denials.isEmpty()) {
            lines.append(denials.stream().map(DenialReason::name).collect(joining(", ", "\n  denied: ", "")));
        }
        return lines.toString();
    }

    private String summary() {
        return "Hedge '" + hedgeName + "': " + outcome + " after " + Durations.millis(elapsed)
                + (winner.isPresent() ? ", won by attempt " + winner.getAsInt() : "");
    }
}
