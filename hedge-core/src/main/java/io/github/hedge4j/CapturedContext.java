package io.github.hedge4j;

import static java.util.Objects.requireNonNull;

import io.github.resilience4j.core.ContextPropagator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What Resilience4j's context propagators read on the caller's thread, to take the place of what is there on another thread while an
 * attempt runs. Afterwards that thread has what it had before: nothing, or a context of its own (it may be the caller's, or one that has
 * just failed another attempt). A propagator that throws is left out: what cannot be read could not be put back.
 */
final class CapturedContext {

    private record Entry<V>(ContextPropagator<V> propagator, Optional<V> value, Warnings warnings) {

        /** What this thread has; null if that cannot be read. */
        static <V> @Nullable Entry<V> read(ContextPropagator<V> propagator, Warnings warnings) {
            try {
                return new Entry<>(
                        propagator, requireNonNull(propagator.retrieve().get()), warnings);
            } catch (Throwable failed) {
                warn(warnings, failed);
                return null;
            }
        }

        /** Puts the value in place and returns what undoes that; null if it is not in place. */
        @Nullable
        Runnable install() {
            Entry<V> before = read(propagator, warnings);
            if (before == null) {
                return null;
            }
            if (before.value.isPresent()) {
                before.clear(); // an empty value, or one that adds to what is there, would leave some of it
            }
            copy();
            return () -> {
                clear();
                before.copy();
            };
        }

        private void copy() {
            if (value.isPresent()) {
                logged(() -> propagator.copy().accept(value));
            }
        }

        private void clear() {
            logged(() -> propagator.clear().accept(value));
        }

        private void logged(Runnable step) {
            try {
                step.run();
            } catch (Throwable failed) {
                warn(warnings, failed);
            }
        }

        private static void warn(Warnings warnings, Throwable failure) {
            warnings.warn("A context propagator of hedge '{}' failed; attempts go on without its context", failure);
        }
    }

    private final List<Entry<?>> entries;

    private CapturedContext(List<Entry<?>> entries) {
        this.entries = entries;
    }

    static @Nullable CapturedContext capture(List<? extends ContextPropagator<?>> propagators, Warnings warnings) {
        if (propagators.isEmpty()) {
            return null;
        }
        List<Entry<?>> entries = new ArrayList<>(propagators.size());
        for (ContextPropagator<?> propagator : propagators) {
            Entry<?> entry = Entry.read(propagator, warnings);
            if (entry != null) {
                entries.add(entry);
            }
        }
        return new CapturedContext(entries);
    }

    <R> R call(Callable<? extends R> work) throws Exception {
        Deque<Runnable> undo = new ArrayDeque<>(entries.size());
        try {
            for (Entry<?> entry : entries) {
                Runnable step = entry.install();
                if (step != null) {
                    undo.push(step);
                }
            }
            return work.call();
        } finally {
            undo.forEach(Runnable::run); // the last one first
        }
    }
}
