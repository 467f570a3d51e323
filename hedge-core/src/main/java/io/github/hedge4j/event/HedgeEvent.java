package io.github.hedge4j.event;

import java.time.ZonedDateTime;

/** Something that happened inside a hedge. Immutable. */
public sealed interface HedgeEvent permits AttemptStarted, AttemptEnded, HedgeDenied, CallEnded {

    /** What kind of event this is. */
    Type getEventType();

    /** The name of the hedge. */
    String hedgeName();

    /** When the event was made, by the wall clock. */
    ZonedDateTime creationTime();

    /** {@link #hedgeName()}, named as Resilience4j's events name it. */
    default String getHedgeName() {
        return hedgeName();
    }

    /** {@link #creationTime()}, named as Resilience4j's events name it. */
    default ZonedDateTime getCreationTime() {
        return creationTime();
    }

    /** The kinds of events. */
    enum Type {
        /** An {@link AttemptStarted}. */
        ATTEMPT_STARTED,
        /** An {@link AttemptEnded}. */
        ATTEMPT_ENDED,
        /** A {@link HedgeDenied}. */
        HEDGE_DENIED,
        /** A {@link CallEnded}. */
        CALL_ENDED
    }
}
