package io.github.hedge4j.micrometer;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Binds the hedges of a registry, or a single one, to meter registries. Hedges that are added, replaced or removed later are followed.
 *
 * <p>Every meter has the tag {@code name} and the hedge's own tags. Meters read the hedge's own counters when they are asked, so that
 * calls cost the same with them as without, unless {@link #withCallDurationHistogram()} is used. What is bound twice is counted once.
 * A hedge is held as long as its meters are registered. Names must be unique within a meter registry, also between hedge registries: the
 * latest takes over. Safe for many threads.
 */
public final class TaggedHedgeMetrics implements MeterBinder, AutoCloseable {

    private final HedgeMetricNames names;
    private final @Nullable HedgeRegistry hedges;
    private final @Nullable Hedge single;
    private final boolean histogram;

    /** Guarded by itself, as is {@code following}. */
    private final IdentityHashMap<MeterRegistry, HedgeMeters> meters = new IdentityHashMap<>();

    private boolean following;

    private TaggedHedgeMetrics(
            HedgeMetricNames names, @Nullable HedgeRegistry hedges, @Nullable Hedge single, boolean histogram) {
        this.names = requireNonNull(names, "names must not be null");
        this.hedges = hedges;
        this.single = single;
        this.histogram = histogram;
    }

    /** A binder for the hedges that are or will be in this registry. */
    public static TaggedHedgeMetrics ofHedgeRegistry(HedgeRegistry registry) {
        return ofHedgeRegistry(HedgeMetricNames.ofDefaults(), registry);
    }

    /** A binder for the hedges that are or will be in this registry, under these names. */
    public static TaggedHedgeMetrics ofHedgeRegistry(HedgeMetricNames names, HedgeRegistry registry) {
        return new TaggedHedgeMetrics(names, requireNonNull(registry, "registry must not be null"), null, false);
    }

    /** A binder for one hedge. */
    public static TaggedHedgeMetrics ofHedge(Hedge hedge) {
        return ofHedge(HedgeMetricNames.ofDefaults(), hedge);
    }

    /** A binder for one hedge, under these names. */
    public static TaggedHedgeMetrics ofHedge(HedgeMetricNames names, Hedge hedge) {
        return new TaggedHedgeMetrics(names, null, requireNonNull(hedge, "hedge must not be null"), false);
    }

    /**
     * The same with {@code hedge.call.duration} as a timer that has a percentile histogram, which meter filters may shape, and a maximum.
     * It records every successful call from now on. That makes each call pay for an event and its report, and takes away the short path
     * of calls that need no hedge. A hedge keeps paying for it after its meters were removed.
     */
    public TaggedHedgeMetrics withCallDurationHistogram() {
        return new TaggedHedgeMetrics(names, hedges, single, true);
    }

    /** Registers the meters; twice is once. */
    @Override
    public void bindTo(MeterRegistry registry) {
        requireNonNull(registry, "registry must not be null");
        HedgeMeters added;
        synchronized (meters) {
            added = meters.computeIfAbsent(registry, any -> new HedgeMeters(registry, names, histogram));
            follow();
        }
        if (single != null) {
            added.bind(single);
        }
        if (hedges != null) {
            hedges.getAllHedges().forEach(hedge -> added.bindFrom(hedges, hedge));
        }
    }

    /** What is added is told before it is there, and what replaces another one afterwards: it may have gone again by then. */
    private void follow() {
        if (hedges != null && !following) {
            following = true;
            hedges.getEventPublisher()
                    .onEntryAdded(event -> bound().forEach(registry -> registry.bind(event.getAddedEntry())))
                    .onEntryRemoved(event -> removed(event.getRemovedEntry()))
                    .onEntryReplaced(event -> {
                        removed(event.getOldEntry());
                        bound().forEach(registry -> registry.bindFrom(hedges, event.getNewEntry()));
                    });
        }
    }

    private void removed(Hedge hedge) {
        bound().forEach(registry -> registry.unbind(hedge));
    }

    private Collection<HedgeMeters> bound() {
        synchronized (meters) {
            meters.keySet().removeIf(MeterRegistry::isClosed);
            return List.copyOf(meters.values());
        }
    }

    /** Removes all meters that this has registered, and follows its hedges no longer until it is bound again. */
    @Override
    public void close() {
        Collection<HedgeMeters> registered = bound();
        synchronized (meters) {
            meters.clear();
        }
        registered.forEach(HedgeMeters::unbindAll);
    }
}
