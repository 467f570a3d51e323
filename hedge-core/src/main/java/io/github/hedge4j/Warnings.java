package io.github.hedge4j;

import io.github.hedge4j.time.HedgeTimer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One hedge's warnings about user code that fails. What fails in one call may fail in every call: of each kind one a second is logged, with
 * the number of those that were not.
 */
final class Warnings {

    private static final Logger LOG = LoggerFactory.getLogger(Hedge.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final String hedgeName;
    private final HedgeTimer clock;
    private final Map<String, LogGate> gates = new ConcurrentHashMap<>();

    Warnings(String hedgeName, HedgeTimer clock) {
        this.hedgeName = hedgeName;
        this.clock = clock;
    }

    /** @param kind what failed of the hedge in braces, one of a few */
    void warn(String kind, Throwable failure) {
        long others = gates.computeIfAbsent(kind, unused -> new LogGate(INTERVAL, clock))
                .pass();
        if (others == 0) {
            LOG.warn(kind, hedgeName, failure);
        } else if (others > 0) {
            LOG.warn(kind + " (and {} times more since it was last told)", hedgeName, others, failure);
        }
    }
}
