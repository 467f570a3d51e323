package io.github.hedge4j.micrometer;

import io.github.hedge4j.DenialReason;
import io.github.hedge4j.Hedge;
import io.github.hedge4j.TargetMetrics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one hedge in one meter registry. They are functions of the hedge's own counters: nothing is counted here, so calls pay
 * nothing, and registering them again loses nothing. Each holds the hedge, because Micrometer itself would only hold it weakly.
 *
 * <p>Targets come to be known at any time, on any thread. A meter is noted before {@code removed} is looked at, and removing sets that
 * before it looks through the notes, so one of the two finds the other.
 */
final class MetersOfHedge {

    /** The target of attempts that have none. */
    static final String NONE = "none";

    /** Wins of this attempt and of those after it are one series. */
    private static final int LAST_ATTEMPT = 3;

    private static final double[] QUANTILES = {0.5, 0.95, 0.99};

    private final Hedge hedge;
    private final Hedge.Metrics metrics;
    private final MeterRegistry registry;
    private final HedgeMetricNames names;
    private final Tags tags;

    private final Queue<Meter> meters = new ConcurrentLinkedQueue<>();
    private volatile boolean removed;
    private Runnable stopTargets = () -> {};
    private @Nullable DurationRecorder recorder;

    /** @param tags the hedge's own and its name, on all its meters */
    MetersOfHedge(Hedge hedge, MeterRegistry registry, HedgeMetricNames names, Tags tags) {
        this.hedge = hedge;
        this.metrics = hedge.getMetrics();
        this.registry = registry;
        this.names = names;
        this.tags = tags;
    }

    void register(boolean histogram) {
        registerCalls();
        registerTarget(NONE, MetersOfHedge::untargeted);
        stopTargets = metrics.onTarget(target -> {
            if (!target.equals(NONE)) {
                registerTarget(target, read -> targetNamed(target, read));
            }
        });
        count(HedgeMeter.HEDGES, Tags.empty(), Hedge.Metrics::getNumberOfHedges);
        registerWinsByAttempt();
        for (DenialReason reason : DenialReason.values()) {
            count(HedgeMeter.DENIED, Tags.of("reason", lowerCase(reason)), m -> m.getNumberOfDeniedHedges(reason));
        }
        count(HedgeMeter.LOSERS_UNRESPONSIVE, Tags.empty(), Hedge.Metrics::getNumberOfUnresponsiveLosers);
        gauge(HedgeMeter.ATTEMPTS_IN_FLIGHT, Hedge.Metrics::getInFlightAttempts);
        gauge(HedgeMeter.BUDGET_AVAILABLE, Hedge.Metrics::getAvailableBudget);
        time(HedgeMeter.DELAY, Tags.empty(), metrics::getCurrentDelay);
        for (double quantile : QUANTILES) {
            Tags tag = Tags.of("percentile", Double.toString(quantile));
            time(HedgeMeter.LATENCY, tag, () -> metrics.getLatency(quantile));
        }
        if (histogram) {
            recordCallDuration();
        } else {
            registerCallDuration();
        }
    }

    private void registerCalls() {
        count(HedgeMeter.CALLS, Tags.of("kind", "won_by_primary"), Hedge.Metrics::getNumberOfCallsWonByPrimary);
        count(HedgeMeter.CALLS, Tags.of("kind", "won_by_hedge"), Hedge.Metrics::getNumberOfCallsWonByHedge);
        count(HedgeMeter.CALLS, Tags.of("kind", "failed"), Hedge.Metrics::getNumberOfFailedCalls);
        count(HedgeMeter.CALLS, Tags.of("kind", "timed_out"), Hedge.Metrics::getNumberOfTimedOutCalls);
        count(HedgeMeter.CALLS, Tags.of("kind", "cancelled"), Hedge.Metrics::getNumberOfCancelledCalls);
    }

    private void registerTarget(String name, Function<Hedge.Metrics, TargetMetrics> target) {
        Tags tag = Tags.of("target", name);
        count(
                HedgeMeter.ATTEMPTS,
                tag.and("outcome", "success"),
                m -> target.apply(m).successes());
        count(
                HedgeMeter.ATTEMPTS,
                tag.and("outcome", "failure"),
                m -> target.apply(m).failures());
        count(
                HedgeMeter.ATTEMPTS,
                tag.and("outcome", "cancelled"),
                m -> target.apply(m).cancelled());
        count(HedgeMeter.WINS, tag, m -> target.apply(m).wins());
    }

    /** With those of a target that is called so. */
    private static TargetMetrics untargeted(Hedge.Metrics metrics) {
        TargetMetrics none = metrics.getUntargeted();
        TargetMetrics named = targetNamed(NONE, metrics);
        return new TargetMetrics(
                none.successes() + named.successes(),
                none.failures() + named.failures(),
                none.cancelled() + named.cancelled(),
                none.wins() + named.wins());
    }

    private static TargetMetrics targetNamed(String name, Hedge.Metrics metrics) {
        return metrics.getTargets().getOrDefault(name, new TargetMetrics(0, 0, 0, 0));
    }

    private void registerWinsByAttempt() {
        for (int attempt = 0; attempt < LAST_ATTEMPT; attempt++) {
            Integer number = attempt;
            count(
                    HedgeMeter.WINS_BY_ATTEMPT,
                    Tags.of("attempt", number.toString()),
                    m -> m.getWinsByAttempt().getOrDefault(number, 0L));
        }
        count(
                HedgeMeter.WINS_BY_ATTEMPT,
                Tags.of("attempt", LAST_ATTEMPT + "+"),
                m -> m.getWinsByAttempt().entrySet().stream()
                        .filter(wins -> wins.getKey() >= LAST_ATTEMPT)
                        .mapToLong(wins -> wins.getValue())
                        .sum());
    }

    private void registerCallDuration() {
        makeRoom(HedgeMeter.CALL_DURATION, tags);
        keep(FunctionTimer.builder(
                        names.of(HedgeMeter.CALL_DURATION),
                        hedge,
                        any -> metrics.getNumberOfCallsWonByPrimary() + metrics.getNumberOfCallsWonByHedge(),
                        any -> metrics.getTotalTimeToSuccess().toNanos(),
                        TimeUnit.NANOSECONDS)
                .tags(tags)
                .description(HedgeMeter.CALL_DURATION.description)
                .register(registry));
    }

    /** Unlike the functions, a timer would lose something if it made room for another one: if there is one, that is used. */
    private void recordCallDuration() {
        if (!isTimer(HedgeMeter.CALL_DURATION)) {
            makeRoom(HedgeMeter.CALL_DURATION, tags);
        }
        Timer timer = Timer.builder(names.of(HedgeMeter.CALL_DURATION))
                .tags(tags)
                .description(HedgeMeter.CALL_DURATION.description)
                .publishPercentileHistogram()
                .register(registry);
        keep(timer);
        recorder = new DurationRecorder(timer);
        hedge.getEventPublisher().onCallEnded(recorder);
    }

    private boolean isTimer(HedgeMeter meter) {
        return !registry.find(names.of(meter)).tags(tags).timers().isEmpty();
    }

    private void count(HedgeMeter meter, Tags more, ToLongFunction<Hedge.Metrics> value) {
        Tags all = tags.and(more);
        makeRoom(meter, all);
        keep(FunctionCounter.builder(names.of(meter), hedge, any -> value.applyAsLong(metrics))
                .tags(all)
                .baseUnit(meter.baseUnit)
                .description(meter.description)
                .register(registry));
    }

    private void gauge(HedgeMeter meter, ToDoubleFunction<Hedge.Metrics> value) {
        makeRoom(meter, tags);
        keep(Gauge.builder(names.of(meter), () -> value.applyAsDouble(metrics))
                .tags(tags)
                .baseUnit(meter.baseUnit)
                .description(meter.description)
                .register(registry));
    }

    /** Not a number while there is no value. */
    private void time(HedgeMeter meter, Tags more, Supplier<Optional<Duration>> value) {
        Tags all = tags.and(more);
        makeRoom(meter, all);
        Supplier<Number> nanos =
                () -> value.get().map(time -> (double) time.toNanos()).orElse(Double.NaN);
        keep(TimeGauge.builder(names.of(meter), nanos, TimeUnit.NANOSECONDS)
                .tags(all)
                .description(meter.description)
                .register(registry));
    }

    /** What is already registered under an id wins over what comes, so what an earlier hedge of that name has left goes first. */
    private void makeRoom(HedgeMeter meter, Tags all) {
        registry.removeByPreFilterId(new Meter.Id(names.of(meter), all, null, null, Meter.Type.OTHER));
    }

    private void keep(Meter meter) {
        meters.add(meter);
        if (removed) {
            registry.remove(meter);
        }
    }

    /** Removes what is still registered: a hedge of the same name may have taken over. */
    void remove() {
        removed = true;
        stopTargets.run();
        Set<Meter> registered = Collections.newSetFromMap(new IdentityHashMap<>());
        registered.addAll(registry.getMeters());
        meters.stream().filter(registered::contains).forEach(registry::remove);
        if (recorder != null) {
            recorder.close();
        }
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
