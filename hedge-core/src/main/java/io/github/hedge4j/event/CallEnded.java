package io.github.hedge4j.event;

import io.github.hedge4j.CallReport;
import java.time.ZoneId;
import java.time.ZonedDateTime;

/**
 * A call got its result.
 *
 * @param hedgeName the name of the hedge
 * @param creationTime when the event was made
 * @param report how the call went
 */
public record CallEnded(String hedgeName, ZonedDateTime creationTime, CallReport report) implements HedgeEvent {

    /** The event, created now. */
    public CallEnded(String hedgeName, CallReport report) {
        this(hedgeName, ZonedDateTime.now(ZoneId.systemDefault()), report);
    }

    @Override
    public Type getEventType() {
        return Type.CALL_ENDED;
    }

    @Override
    public String toString() {
        return "%s: %s".formatted(creationTime, report);
    }
}
