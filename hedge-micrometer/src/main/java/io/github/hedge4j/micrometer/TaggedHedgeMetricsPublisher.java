package io.github.hedge4j.micrometer;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.Hedge;
import io.github.resilience4j.core.metrics.MetricsPublisher;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Registers the meters of each hedge that is added to a registry: give it to the registry when that is made, as a registry event
 * consumer. The meters are those of {@link TaggedHedgeMetrics}, and what is said there holds. Safe for many threads.
 */
public final class TaggedHedgeMetricsPublisher implements MetricsPublisher<Hedge> {

    private final HedgeMetricNames names;
    private final MeterRegistry registry;
    private final HedgeMeters meters;

    /** Publishes to this registry, under the default names. */
    public TaggedHedgeMetricsPublisher(MeterRegistry registry) {
        this(HedgeMetricNames.ofDefaults(), registry);
    }

    /** Publishes to this registry, under these names. */
    public TaggedHedgeMetricsPublisher(HedgeMetricNames names, MeterRegistry registry) {
        this(names, registry, false);
    }

    private TaggedHedgeMetricsPublisher(HedgeMetricNames names, MeterRegistry registry, boolean histogram) {
        this.names = requireNonNull(names, "names must not be null");
        this.registry = requireNonNull(registry, "registry must not be null");
        this.meters = new HedgeMeters(registry, names, histogram);
    }

    /** As {@link TaggedHedgeMetrics#withCallDurationHistogram()}. */
    public TaggedHedgeMetricsPublisher withCallDurationHistogram() {
        return new TaggedHedgeMetricsPublisher(names, registry, true);
    }

    @Override
    public void publishMetrics(Hedge hedge) {
        meters.bind(hedge);
    }

    @Override
    public void removeMetrics(Hedge hedge) {
        meters.unbind(hedge);
    }
}
