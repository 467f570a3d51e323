package io.github.hedge4j;

import io.github.hedge4j.time.HedgeTimer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Lets one message through in each interval and counts those it holds back. Safe for many threads, of which none waits. */
final class LogGate {

    /** Instead of a count: this message is held back. */
    static final long CLOSED = -1;

    private final long intervalNanos;
    private final HedgeTimer clock;
    private final AtomicLong heldBack = new AtomicLong();

    /** When the next message may pass. */
    private final AtomicLong nextNanos;

    /** An interval of zero lets all pass. */
    LogGate(Duration interval, HedgeTimer clock) {
        this.intervalNanos = Durations.nanos(interval);
        this.clock = clock;
        this.nextNanos = new AtomicLong(clock.nanoTime());
    }

    /** How many messages were held back since the last one that passed, or {@link #CLOSED}. */
    long pass() {
        long now = clock.nanoTime();
        long next = nextNanos.get();
        boolean isFirst = now - next >= 0 && nextNanos.compareAndSet(next, now + intervalNanos);
        if (isFirst || intervalNanos == 0) { // several may pass at once, and overtake each other
            return heldBack.getAndSet(0);
        }
        heldBack.getAndIncrement();
        return CLOSED;
    }
}
