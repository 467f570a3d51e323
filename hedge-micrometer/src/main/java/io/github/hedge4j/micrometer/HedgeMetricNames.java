package io.github.hedge4j.micrometer;

import static java.util.Objects.requireNonNull;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** The names of a hedge's meters. Immutable. */
public final class HedgeMetricNames {

    /** What all names start with, unless they are chosen otherwise. */
    public static final String DEFAULT_PREFIX = "hedge";

    private static final HedgeMetricNames DEFAULTS = custom().build();

    private final Map<HedgeMeter, String> names;

    private HedgeMetricNames(Map<HedgeMeter, String> names) {
        this.names = names;
    }

    /** The names that the documentation uses: {@code hedge.calls} and so on. */
    public static HedgeMetricNames ofDefaults() {
        return DEFAULTS;
    }

    /** Starts from the default names. */
    public static Builder custom() {
        return new Builder();
    }

    String of(HedgeMeter meter) {
        return requireNonNull(names.get(meter));
    }

    /** By default {@code hedge.calls}. */
    public String getCallsMetricName() {
        return of(HedgeMeter.CALLS);
    }

    /** By default {@code hedge.attempts}. */
    public String getAttemptsMetricName() {
        return of(HedgeMeter.ATTEMPTS);
    }

    /** By default {@code hedge.hedges}. */
    public String getHedgesMetricName() {
        return of(HedgeMeter.HEDGES);
    }

    /** By default {@code hedge.wins}. */
    public String getWinsMetricName() {
        return of(HedgeMeter.WINS);
    }

    /** By default {@code hedge.wins.by.attempt}. */
    public String getWinsByAttemptMetricName() {
        return of(HedgeMeter.WINS_BY_ATTEMPT);
    }

    /** By default {@code hedge.denied}. */
    public String getDeniedMetricName() {
        return of(HedgeMeter.DENIED);
    }

    /** By default {@code hedge.call.duration}. */
    public String getCallDurationMetricName() {
        return of(HedgeMeter.CALL_DURATION);
    }

    /** By default {@code hedge.delay}. */
    public String getDelayMetricName() {
        return of(HedgeMeter.DELAY);
    }

    /** By default {@code hedge.budget.available}. */
    public String getBudgetAvailableMetricName() {
        return of(HedgeMeter.BUDGET_AVAILABLE);
    }

    /** By default {@code hedge.attempts.in.flight}. */
    public String getAttemptsInFlightMetricName() {
        return of(HedgeMeter.ATTEMPTS_IN_FLIGHT);
    }

    /** By default {@code hedge.losers.unresponsive}. */
    public String getLosersUnresponsiveMetricName() {
        return of(HedgeMeter.LOSERS_UNRESPONSIVE);
    }

    /** By default {@code hedge.latency}. */
    public String getLatencyMetricName() {
        return of(HedgeMeter.LATENCY);
    }

    /** Chooses names. Each fails with a {@link NullPointerException} for null and an {@link IllegalArgumentException} if blank. */
    public static final class Builder {

        private final Map<HedgeMeter, String> chosen = new EnumMap<>(HedgeMeter.class);
        private String prefix = DEFAULT_PREFIX;

        private Builder() {}

        /** What names start with that are not chosen one by one, without the dot after it; {@value #DEFAULT_PREFIX} by default. */
        public Builder prefix(String prefix) {
            this.prefix = checked("prefix", prefix);
            return this;
        }

        /** Overrides the default metric name {@code hedge.calls}. */
        public Builder callsMetricName(String name) {
            return choose(HedgeMeter.CALLS, name);
        }

        /** Overrides the default metric name {@code hedge.attempts}. */
        public Builder attemptsMetricName(String name) {
            return choose(HedgeMeter.ATTEMPTS, name);
        }

        /** Overrides the default metric name {@code hedge.hedges}. */
        public Builder hedgesMetricName(String name) {
            return choose(HedgeMeter.HEDGES, name);
        }

        /** Overrides the default metric name {@code hedge.wins}. */
        public Builder winsMetricName(String name) {
            return choose(HedgeMeter.WINS, name);
        }

        /** Overrides the default metric name {@code hedge.wins.by.attempt}. */
        public Builder winsByAttemptMetricName(String name) {
            return choose(HedgeMeter.WINS_BY_ATTEMPT, name);
        }

        /** Overrides the default metric name {@code hedge.denied}. */
        public Builder deniedMetricName(String name) {
            return choose(HedgeMeter.DENIED, name);
        }

        /** Overrides the default metric name {@code hedge.call.duration}. */
        public Builder callDurationMetricName(String name) {
            return choose(HedgeMeter.CALL_DURATION, name);
        }

        /** Overrides the default metric name {@code hedge.delay}. */
        public Builder delayMetricName(String name) {
            return choose(HedgeMeter.DELAY, name);
        }

        /** Overrides the default metric name {@code hedge.budget.available}. */
        public Builder budgetAvailableMetricName(String name) {
            return choose(HedgeMeter.BUDGET_AVAILABLE, name);
        }

        /** Overrides the default metric name {@code hedge.attempts.in.flight}. */
        public Builder attemptsInFlightMetricName(String name) {
            return choose(HedgeMeter.ATTEMPTS_IN_FLIGHT, name);
        }

        /** Overrides the default metric name {@code hedge.losers.unresponsive}. */
        public Builder losersUnresponsiveMetricName(String name) {
            return choose(HedgeMeter.LOSERS_UNRESPONSIVE, name);
        }

        /** Overrides the default metric name {@code hedge.latency}. */
        public Builder latencyMetricName(String name) {
            return choose(HedgeMeter.LATENCY, name);
        }

        /**
         * The names chosen so far.
         *
         * @throws IllegalArgumentException if two meters have the same one
         */
        public HedgeMetricNames build() {
            Map<HedgeMeter, String> names = new EnumMap<>(HedgeMeter.class);
            Map<String, HedgeMeter> meters = new HashMap<>();
            for (HedgeMeter meter : HedgeMeter.values()) {
                String name = chosen.getOrDefault(meter, prefix + "." + meter.suffix);
                HedgeMeter same = meters.putIfAbsent(name, meter);
                if (same != null) {
                    throw new IllegalArgumentException(same.property() + " and " + meter.property()
                            + " must differ, but both were '" + name + "'");
                }
                names.put(meter, name);
            }
            return new HedgeMetricNames(names);
        }

        private Builder choose(HedgeMeter meter, String name) {
            chosen.put(meter, checked(meter.property(), name));
            return this;
        }

        private static String checked(String property, String value) {
            requireNonNull(value, () -> property + " must not be null");
            if (value.isBlank()) {
                throw new IllegalArgumentException(property + " must not be blank, but was '" + value + "'");
            }
            return value;
        }
    }
}
