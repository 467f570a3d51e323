package io.github.hedge4j.event;

import io.github.hedge4j.DenialReason;
import java.time.ZoneId;
import java.time.ZonedDateTime;

/**
 * A hedge was due and was not started.
 *
 * @param hedgeName the name of the hedge
 * @param creationTime when the event was made
 * @param number the number that the attempt would have had; a later attempt of the call may still get it
 * @param reason why it was not started
 */
public record HedgeDenied(String hedgeName, ZonedDateTime creationTime, int number, DenialReason reason)
        implements HedgeEvent {

    /** The event, created now. */
    public HedgeDenied(String hedgeName, int number, DenialReason reason) {
        this(hedgeName, ZonedDateTime.now(ZoneId.systemDefault()), number, reason);
    }

    @Override
    public Type getEventType() {
        return Type.HEDGE_DENIED;
    }

    @Override
    public String toString() {
        return "%s: Hedge '%s' denied attempt %d: %s.".formatted(creationTime, hedgeName, number, reason);
    }
}
