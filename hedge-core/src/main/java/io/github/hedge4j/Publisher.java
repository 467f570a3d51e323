package io.github.hedge4j;

import io.github.hedge4j.event.AttemptEnded;
import io.github.hedge4j.event.AttemptStarted;
import io.github.hedge4j.event.CallEnded;
import io.github.hedge4j.event.HedgeDenied;
import io.github.hedge4j.event.HedgeEvent;
import io.github.resilience4j.core.EventConsumer;
import io.github.resilience4j.core.EventProcessor;
import java.util.function.Supplier;

/** Sends a hedge's events to its listeners. Without listeners none is made; a listener that throws is logged and forgotten. */
final class Publisher extends EventProcessor<HedgeEvent> implements Hedge.EventPublisher {

    private final String hedgeName;
    private final Warnings warnings;

    Publisher(String hedgeName, Warnings warnings) {
        this.hedgeName = hedgeName;
        this.warnings = warnings;
    }

    void attemptStarted(CallAttempt<?> attempt) {
        publish(() -> new AttemptStarted(hedgeName, attempt.number(), attempt.target()));
    }

    void attemptEnded(CallAttempt<?> attempt) {
        publish(() -> new AttemptEnded(hedgeName, attempt.report()));
    }

    void hedgeDenied(int number, DenialReason reason) {
        publish(() -> new HedgeDenied(hedgeName, number, reason));
    }

    <T> void callEnded(Call<T> call) {
        publish(() -> new CallEnded(hedgeName, call.trail().report(call)));
    }

    private void publish(Supplier<HedgeEvent> event) {
        if (hasConsumers()) {
            processEvent(event.get());
        }
    }

    @Override
    public void onEvent(EventConsumer<HedgeEvent> consumer) {
        super.onEvent(new Logged<>(warnings, consumer));
    }

    @Override
    public Hedge.EventPublisher onAttemptStarted(EventConsumer<AttemptStarted> consumer) {
        return register(AttemptStarted.class, consumer);
    }

    @Override
    public Hedge.EventPublisher onAttemptEnded(EventConsumer<AttemptEnded> consumer) {
        return register(AttemptEnded.class, consumer);
    }

    @Override
    public Hedge.EventPublisher onHedgeDenied(EventConsumer<HedgeDenied> consumer) {
        return register(HedgeDenied.class, consumer);
    }

    @Override
    public Hedge.EventPublisher onCallEnded(EventConsumer<CallEnded> consumer) {
        return register(CallEnded.class, consumer);
    }

    private <E extends HedgeEvent> Hedge.EventPublisher register(Class<E> type, EventConsumer<E> consumer) {
        registerConsumer(type.getName(), new Logged<>(warnings, consumer));
        return this;
    }

    /** A listener whose exceptions end here, so that the others still hear. Listeners are equal if what they wrap is. */
    private record Logged<E extends HedgeEvent>(Warnings warnings, EventConsumer<E> consumer)
            implements EventConsumer<E> {

        @Override
        public void consumeEvent(E event) {
            try {
                consumer.consumeEvent(event);
            } catch (Throwable failed) {
                warnings.warn("A listener of hedge '{}' failed", failed);
            }
        }
    }
}
