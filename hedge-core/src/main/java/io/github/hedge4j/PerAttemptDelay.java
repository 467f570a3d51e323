package io.github.hedge4j;

import io.github.hedge4j.delay.DelayRule;
import java.time.Duration;
import java.util.function.IntFunction;

/** A delay that the user computes for each hedge. */
record PerAttemptDelay(IntFunction<Duration> delays) implements HedgeDelay {

    PerAttemptDelay {
        Settings.notNull("delays", delays);
    }

    @Override
    public DelayRule open() {
        return number ->
                Durations.nanos(Settings.atLeast("delay of attempt " + number, Duration.ZERO, delays.apply(number)));
    }

    @Override
    public String toString() {
        return "perAttempt(" + delays + ")";
    }
}
