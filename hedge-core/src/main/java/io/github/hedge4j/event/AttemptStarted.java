package io.github.hedge4j.event;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;

/**
 * An attempt was started.
 *
 * @param hedgeName the name of the hedge
 * @param creationTime when the event was made
 * @param number 0 for the primary, 1 and up for hedges
 * @param target the name of the target it asks, if the call has named targets
 */
public record AttemptStarted(String hedgeName, ZonedDateTime creationTime, int number, Optional<String> target)
        implements HedgeEvent {

    /** The event, created now. */
    public AttemptStarted(String hedgeName, int number, Optional<String> target) {
        this(hedgeName, ZonedDateTime.now(ZoneId.systemDefault()), number, target);
    }

    @Override
    public Type getEventType() {
        return Type.ATTEMPT_STARTED;
    }

    @Override
    public String toString() {
        return "%s: Hedge '%s' started attempt %d%s."
                .formatted(
                        creationTime,
                        hedgeName,
                        number,
                        target.map(" on "::concat).orElse(""));
    }
}
