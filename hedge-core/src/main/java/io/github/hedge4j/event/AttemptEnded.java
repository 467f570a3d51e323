package io.github.hedge4j.event;

import io.github.hedge4j.AttemptReport;
import java.time.ZoneId;
import java.time.ZonedDateTime;

/**
 * An attempt ended, or was given up on.
 *
 * @param hedgeName the name of the hedge
 * @param creationTime when the event was made
 * @param attempt how the attempt went
 */
public record AttemptEnded(String hedgeName, ZonedDateTime creationTime, AttemptReport attempt) implements HedgeEvent {

    /** The event, created now. */
    public AttemptEnded(String hedgeName, AttemptReport attempt) {
        this(hedgeName, ZonedDateTime.now(ZoneId.systemDefault()), attempt);
    }

    @Override
    public Type getEventType() {
        return Type.ATTEMPT_ENDED;
    }

    @Override
    public String toString() {
        return "%s: Hedge '%s' ended %s.".formatted(creationTime, hedgeName, attempt);
    }
}
