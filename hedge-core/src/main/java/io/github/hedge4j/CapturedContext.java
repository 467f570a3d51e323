package io.github.hedge4j;

import io.github.resilience4j.core.ContextPropagator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What Resilience4j's context propagators read on the caller's thread, to be put in place around each attempt on another thread and
 * taken away afterwards. A thread that had a context of its own (an executor that runs in the caller's thread) gets it back.
 */
final class CapturedContext {

    private record Entry<V>(ContextPropagator<V> propagator, Optional<V> value) {

        static <V> Entry<V> read(ContextPropagator<V> propagator) {
            return new Entry<>(propagator, propagator.retrieve().get());
        }

        /** Puts the value in place and returns what was there before. */
        Entry<V> install() {
            Entry<V> before = read(propagator);
            propagator.copy().accept(value);
            return before;
        }

        /** Undoes {@link #install()}; called on what it returned. */
        void restore() {
            propagator.clear().accept(value);
            if (value.isPresent()) {
                propagator.copy().accept(value);
            }
        }
    }

    private final List<Entry<?>> entries;

    private CapturedContext(List<Entry<?>> entries) {
        this.entries = entries;
    }

    static @Nullable CapturedContext capture(List<? extends ContextPropagator<?>> propagators) {
        if (propagators.isEmpty()) {
            return null;
        }
        List<Entry<?>> entries = new ArrayList<>(propagators.size());
        propagators.forEach(propagator -> entries.add(Entry.read(propagator)));
        return new CapturedContext(entries);
    }

    <R> R call(Callable<? extends R> work) throws Exception {
        List<Entry<?>> before = new ArrayList<>(entries.size());
        try {
            entries.forEach(entry -> before.add(entry.install()));
            return work.call();
        } finally {
            before.forEach(Entry::restore);
        }
    }
}
