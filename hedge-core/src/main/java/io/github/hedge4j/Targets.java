package io.github.hedge4j;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How attempts ended and which won, by the name of the target they asked. There are only so many names; the rest share one. */
final class Targets {

    private static final Logger LOG = LoggerFactory.getLogger(Targets.class);

    static final int MOST = 100;
    static final String OTHER = "other";

    static final class Target {

        final Counters.PerReason<AttemptOutcome> outcomes = new Counters.PerReason<>(AttemptOutcome.class);
        final LongAdder wins = new LongAdder();

        TargetMetrics read() {
            long failures = outcomes.get(AttemptOutcome.FAILURE) + outcomes.get(AttemptOutcome.REJECTED_RESULT);
            long cancelled = outcomes.get(AttemptOutcome.CANCELLED) + outcomes.get(AttemptOutcome.UNRESPONSIVE);
            return new TargetMetrics(outcomes.get(AttemptOutcome.SUCCESS), failures, cancelled, wins.sum());
        }
    }

    private final Target unnamed = new Target();

    /** Only grows; added to by {@link #add}. */
    private final Map<String, Target> named = new ConcurrentHashMap<>();

    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

    /** The counters for this name; null stands for attempts that have no target. */
    Target of(@Nullable String name) {
        if (name == null) {
            return unnamed;
        }
        Target known = named.get(name);
        return known != null ? known : add(name);
    }

    private Target add(String wanted) {
        String name;
        synchronized (named) {
            name = named.size() < MOST || named.containsKey(wanted) ? wanted : OTHER;
            if (named.containsKey(name)) {
                return requireNonNull(named.get(name));
            }
            named.put(name, new Target());
        }
        listeners.forEach(listener -> tell(listener, name)); // outside the lock
        return requireNonNull(named.get(name));
    }

    /** A listener that is added while a name is may hear of it twice, but not never: both are published before the other is looked at. */
    Runnable tell(Consumer<String> listener) {
        listeners.add(listener);
        named.keySet().forEach(name -> tell(listener, name));
        return () -> listeners.remove(listener);
    }

    private static void tell(Consumer<String> listener, String name) {
        try {
            listener.accept(name);
        } catch (Throwable failed) {
            LOG.warn("A listener for targets failed", failed);
        }
    }

    Map<String, TargetMetrics> named() {
        Map<String, TargetMetrics> read = new TreeMap<>();
        named.forEach((name, target) -> read.put(name, target.read()));
        return read;
    }

    long total(AttemptOutcome outcome) {
        return all().mapToLong(target -> target.outcomes.get(outcome)).sum();
    }

    long total() {
        return all().mapToLong(target -> target.outcomes.total()).sum();
    }

    private Stream<Target> all() {
        return Stream.concat(Stream.of(unnamed), named.values().stream());
    }
}
