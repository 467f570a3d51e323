package io.github.hedge4j;

import io.github.hedge4j.event.CallEnded;
import io.github.hedge4j.time.HedgeTimer;
import io.github.resilience4j.core.EventConsumer;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What can be done with the reports of a hedge's calls. */
public final class HedgeReports {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private HedgeReports() {}

    /**
     * A listener for {@link Hedge.EventPublisher#onCallEnded} that logs the report of calls which took longer than this, whatever came of
     * them: at most one a second, with the number of those passed over since the last one. The logger is called
     * {@code io.github.hedge4j.HedgeReports}, the level is WARN. As any listener it makes every call pay for its report.
     *
     * @param threshold zero or more; zero logs every call that takes time at all
     */
    public static EventConsumer<CallEnded> logSlowerThan(Duration threshold) {
        return logSlowerThan(threshold, SECOND);
    }

    /** As {@link #logSlowerThan(Duration)}, with at most one report in each {@code interval}; zero logs them all. */
    public static EventConsumer<CallEnded> logSlowerThan(Duration threshold, Duration interval) {
        return new SlowCalls(threshold, interval, HedgeTimer.system());
    }

    /** Logs the first slow call of each interval, and how many there were. */
    static final class SlowCalls implements EventConsumer<CallEnded> {

        private static final Logger LOG = LoggerFactory.getLogger(HedgeReports.class);

        private final Duration threshold;
        private final LogGate gate;

        SlowCalls(Duration threshold, Duration interval, HedgeTimer clock) {
            this.threshold = Settings.atLeast("threshold", Duration.ZERO, threshold);
            this.gate = new LogGate(Settings.atLeast("interval", Duration.ZERO, interval), clock);
        }

        @Override
        public void consumeEvent(CallEnded event) {
            if (event.report().elapsed().compareTo(threshold) <= 0) {
                return;
            }
            long others = gate.pass();
            if (others == 0) {
                LOG.warn("Slow call: {}", event.report());
            } else if (others > 0) {
                LOG.warn("Slow call, and {} more since the last one told: {}", others, event.report());
            }
        }
    }
}
