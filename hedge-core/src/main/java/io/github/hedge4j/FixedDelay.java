package io.github.hedge4j;

import io.github.hedge4j.delay.DelayRule;
import java.time.Duration;

/** The same delay before every hedge. */
record FixedDelay(Duration delay) implements HedgeDelay {

    FixedDelay {
        Settings.atLeast("delay", Duration.ZERO, delay);
    }

    @Override
    public DelayRule open() {
        return DelayRule.fixed(Durations.nanos(delay));
    }

    @Override
    public String toString() {
        return "fixed(" + delay + ")";
    }
}
