package io.github.hedge4j.micrometer;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hedges that have meters in one meter registry. All meters of one name have the same tag keys, or Prometheus would drop some: a
 * hedge without a tag that another one has gets it with the value {@code none}. When a hedge brings a new key, the others' meters are
 * registered again. Whatever goes wrong is logged, because it must not fail whoever makes a hedge.
 */
final class HedgeMeters {

    private static final Logger LOG = LoggerFactory.getLogger(HedgeMeters.class);

    private final MeterRegistry registry;
    private final HedgeMetricNames names;
    private final boolean histogram;

    /** Guarded by this. */
    private final IdentityHashMap<Hedge, MetersOfHedge> bound = new IdentityHashMap<>();

    /** The hedges' own tags; guarded by this. */
    private final Set<String> keys = new TreeSet<>();

    HedgeMeters(MeterRegistry registry, HedgeMetricNames names, boolean histogram) {
        this.registry = registry;
        this.names = names;
        this.histogram = histogram;
    }

    /** Unless the hedge has left the registry: that may have been told already. */
    synchronized void bindFrom(HedgeRegistry hedges, Hedge hedge) {
        if (hedges.getAllHedges().stream().anyMatch(present -> present == hedge)) {
            bind(hedge);
        }
    }

    synchronized void bind(Hedge hedge) {
        if (registry.isClosed() || bound.containsKey(hedge)) {
            return;
        }
        if (keys.addAll(hedge.getTags().keySet())) {
            List<Hedge> others = List.copyOf(bound.keySet());
            others.forEach(this::unbind);
            others.forEach(this::register);
        }
        register(hedge);
    }

    private void register(Hedge hedge) {
        MetersOfHedge meters = new MetersOfHedge(hedge, registry, names, tagsOf(hedge));
        bound.put(hedge, meters);
        try {
            meters.register(histogram);
        } catch (RuntimeException failed) {
            LOG.warn("The meters of {} could not all be registered", hedge, failed);
        }
    }

    private Tags tagsOf(Hedge hedge) {
        Tags tags = Tags.empty();
        for (String key : keys) {
            tags = tags.and(key, hedge.getTags().getOrDefault(key, MetersOfHedge.NONE));
        }
        return tags.and("name", hedge.getName());
    }

    synchronized void unbind(Hedge hedge) {
        MetersOfHedge meters = bound.remove(hedge);
        if (meters != null) {
            meters.remove();
        }
    }

    synchronized void unbindAll() {
        List.copyOf(bound.keySet()).forEach(this::unbind);
    }
}
