package io.github.hedge4j;

import io.github.resilience4j.core.ContextPropagator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Resilience4j's context propagators read on the caller's thread, to be put in place around each attempt on another thread and
 * taken away afterwards. A thread that had a context of its own (an executor that runs in the caller's thread) gets it back.
 */
final class CapturedContext {

    private static final Logger LOG = LoggerFactory.getLogger(CapturedContext.class);

    private record Entry<V>(ContextPropagator<V> propagator, Optional<V> value) {

        /** What is there now; nothing if that cannot be read. */
        static <V> Entry<V> read(ContextPropagator<V> propagator) {
            try {
                return new Entry<>(propagator, propagator.retrieve().get());
            } catch (Throwable failed) {
                LOG.warn("A context propagator failed; attempts go on without its context", failed);
                return new Entry<>(propagator, Optional.empty());
            }
        }

        /** Puts the value in place and returns what was there before. */
        Entry<V> install() {
            Entry<V> before = read(propagator);
            logged(() -> propagator.copy().accept(value));
            return before;
        }

        /** Undoes {@link #install()}; called on what it returned. */
        void restore() {
            logged(() -> propagator.clear().accept(value));
            if (value.isPresent()) {
                logged(() -> propagator.copy().accept(value));
            }
        }

        private static void logged(Runnable step) {
            try {
                step.run();
            } catch (Throwable failed) {
                LOG.warn("A context propagator failed; attempts go on without its context", failed);
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
