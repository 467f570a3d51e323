package io.github.hedge4j.micrometer;

import io.github.hedge4j.CallOutcome;
import io.github.hedge4j.event.CallEnded;
import io.github.resilience4j.core.EventConsumer;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tells a timer how long each successful call took. A listener cannot be removed from its hedge, so it is closed instead and then holds
 * nothing. Two recorders for one timer are equal until then, so that a hedge which two binders bind is recorded once.
 */
final class DurationRecorder implements EventConsumer<CallEnded> {

    private final AtomicReference<@Nullable Timer> timer;

    DurationRecorder(Timer timer) {
        this.timer = new AtomicReference<>(timer);
    }

    @Override
    public void consumeEvent(CallEnded event) {
        Timer open = timer.get();
        if (open != null && event.report().outcome() == CallOutcome.SUCCESS) {
            open.record(event.report().elapsed());
        }
    }

    void close() {
        timer.set(null);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        Timer open = timer.get();
        return other == this
                || (open != null && other instanceof DurationRecorder recorder && recorder.timer.get() == open);
    }

    @Override
    public int hashCode() {
        return DurationRecorder.class.hashCode(); // the timer changes
    }
}
