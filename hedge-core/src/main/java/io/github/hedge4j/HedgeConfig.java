package io.github.hedge4j;

import io.github.hedge4j.time.HedgeTimer;
import io.github.resilience4j.core.ContextPropagator;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Hedge} hedges. Immutable; one configuration may serve many hedges, each of which opens its own state from it. Two
 * configurations are equal if all their properties are; functions, executors and timers are compared by their own {@code equals}.
 */
public final class HedgeConfig {

    private static final HedgeConfig DEFAULTS = custom().build();

    private final HedgeDelay delay;
    private final int maxAttempts;
    private final HedgeBudget budget;
    private final @Nullable Duration timeout;
    private final int maxConcurrentHedges;
    private final boolean hedgeOnFailure;
    private final ExceptionFilter hedgeOnException;
    private final @Nullable Predicate<Object> hedgeOnResult;
    private final @Nullable Predicate<Throwable> stopHedgingOn;
    private final @Nullable Consumer<Object> onDiscard;
    private final Duration loserGrace;
    private final boolean cancelLosers;
    private final Executor executor;
    private final HedgeTimer timer;
    private final List<ContextPropagator<?>> contextPropagators;
    private final HedgeMode mode;
    private final boolean writableStackTraceEnabled;

    private HedgeConfig(Builder builder) {
        this.delay = builder.delay;
        this.maxAttempts = builder.maxAttempts;
        this.budget = builder.budget;
        this.timeout = builder.timeout;
        this.maxConcurrentHedges = builder.maxConcurrentHedges;
        this.hedgeOnFailure = builder.hedgeOnFailure;
        this.hedgeOnException =
                new ExceptionFilter(builder.hedgeExceptions, builder.ignoreExceptions, builder.hedgeOnException);
        this.hedgeOnResult = builder.hedgeOnResult;
        this.stopHedgingOn = builder.stopHedgingOn;
        this.onDiscard = builder.onDiscard;
        this.loserGrace = builder.loserGrace;
        this.cancelLosers = builder.cancelLosers;
        this.executor = builder.executor;
        this.timer = builder.timer;
        this.contextPropagators = builder.contextPropagators;
        this.mode = builder.mode;
        this.writableStackTraceEnabled = builder.writableStackTraceEnabled;
    }

    /** A builder that starts from the defaults. */
    public static Builder custom() {
        return new Builder();
    }

    /** A builder that starts from this configuration, which is not changed. */
    public static Builder from(HedgeConfig baseConfig) {
        return new Builder(baseConfig);
    }

    /** At most one hedge per call, for calls slower than 95 % of all or whose first attempt failed, and for at most 10 % of calls. */
    public static HedgeConfig ofDefaults() {
        return DEFAULTS;
    }

    /** All attempts at once, whatever that costs. */
    public static HedgeConfig racing(int attempts) {
        return custom().delay(HedgeDelay.fixed(Duration.ZERO))
                .maxAttempts(attempts)
                .budget(HedgeBudget.unlimited())
                .build();
    }

    /** When a hedge starts. */
    public HedgeDelay getDelay() {
        return delay;
    }

    /** The most attempts per call, the primary included. */
    public int getMaxAttempts() {
        return maxAttempts;
    }

    /** How many hedges may be started in all. */
    public HedgeBudget getBudget() {
        return budget;
    }

    /** The deadline of a whole call, counted from its start; empty if it has none. */
    public Optional<Duration> getTimeout() {
        return Optional.ofNullable(timeout);
    }

    /** The most hedges in flight at any time, over all calls. */
    public int getMaxConcurrentHedges() {
        return maxConcurrentHedges;
    }

    /** Whether a failed attempt starts the next one at once. */
    public boolean isHedgeOnFailure() {
        return hedgeOnFailure;
    }

    /** Which failures may be outrun by another attempt, all settings about exceptions taken together; the others end the call at once. */
    public Predicate<Throwable> getHedgeOnException() {
        return hedgeOnException;
    }

    /** Which results do not count as success; empty if all do. */
    public Optional<Predicate<Object>> getHedgeOnResult() {
        return Optional.ofNullable(hedgeOnResult);
    }

    /** Which failures stop their call from starting further attempts; empty if none does. */
    public Optional<Predicate<Throwable>> getStopHedgingOn() {
        return Optional.ofNullable(stopHedgingOn);
    }

    /** What gets the successful results that nobody receives; empty if they are dropped. */
    public Optional<Consumer<Object>> getOnDiscard() {
        return Optional.ofNullable(onDiscard);
    }

    /** How long losers are awaited after the end of their call. */
    public Duration getLoserGrace() {
        return loserGrace;
    }

    /** Whether losers are cancelled. */
    public boolean isCancelLosers() {
        return cancelLosers;
    }

    /** Where hedges start, deadlines complete and cancel actions run. */
    public Executor getExecutor() {
        return executor;
    }

    /** The clock, and what waits for delays and deadlines. */
    public HedgeTimer getTimer() {
        return timer;
    }

    /** What carries the caller's context into attempts; unmodifiable, in the order given. */
    public List<ContextPropagator<?>> getContextPropagators() {
        return contextPropagators;
    }

    /** Whether hedges are started. */
    public HedgeMode getMode() {
        return mode;
    }

    /** Whether this library's exceptions carry a stack trace. */
    public boolean isWritableStackTraceEnabled() {
        return writableStackTraceEnabled;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HedgeConfig that && properties().equals(that.properties());
    }

    @Override
    public int hashCode() {
        return properties().hashCode();
    }

    @Override
    public String toString() {
        return "HedgeConfig" + properties();
    }

    private Map<String, Object> properties() {
        var properties = new LinkedHashMap<String, Object>();
        properties.put("delay", delay);
        properties.put("maxAttempts", maxAttempts);
        properties.put("budget", budget);
        properties.put("timeout", orNone(timeout));
        properties.put("maxConcurrentHedges", maxConcurrentHedges);
        properties.put("hedgeOnFailure", hedgeOnFailure);
        properties.put("hedgeExceptions", hedgeOnException.hedged());
        properties.put("ignoreExceptions", hedgeOnException.ignored());
        properties.put("hedgeOnException", orNone(hedgeOnException.predicate()));
        properties.put("hedgeOnResult", orNone(hedgeOnResult));
        properties.put("stopHedgingOn", orNone(stopHedgingOn));
        properties.put("onDiscard", orNone(onDiscard));
        properties.put("loserGrace", loserGrace);
        properties.put("cancelLosers", cancelLosers);
        properties.put("executor", executor);
        properties.put("timer", timer);
        properties.put("contextPropagator", contextPropagators);
        properties.put("mode", mode);
        properties.put("writableStackTraceEnabled", writableStackTraceEnabled);
        return properties;
    }

    private static Object orNone(@Nullable Object value) {
        return value == null ? "none" : value;
    }

    /**
     * Collects the properties of a {@link HedgeConfig}. Every setter checks its value at once: null is refused with a
     * {@link NullPointerException}, a value out of range with an {@link IllegalArgumentException}. Not safe for many threads.
     */
    public static final class Builder {

        private HedgeDelay delay = HedgeDelay.percentile(0.95);
        private int maxAttempts = 2;
        private HedgeBudget budget = HedgeBudget.ratio(0.10);
        private @Nullable Duration timeout;
        private int maxConcurrentHedges = Integer.MAX_VALUE;
        private boolean hedgeOnFailure = true;
        private List<Class<? extends Throwable>> hedgeExceptions = List.of();
        private List<Class<? extends Throwable>> ignoreExceptions = List.of();
        private @Nullable Predicate<Throwable> hedgeOnException;
        private @Nullable Predicate<Object> hedgeOnResult;
        private @Nullable Predicate<Throwable> stopHedgingOn;
        private @Nullable Consumer<Object> onDiscard;
        private Duration loserGrace = Duration.ofSeconds(1);
        private boolean cancelLosers = true;
        private Executor executor = new CompletableFuture<Void>().defaultExecutor();
        private HedgeTimer timer = HedgeTimer.system();
        private List<ContextPropagator<?>> contextPropagators = List.of();
        private HedgeMode mode = HedgeMode.ACTIVE;
        private boolean writableStackTraceEnabled = true;

        private Builder() {}

        private Builder(HedgeConfig baseConfig) {
            Settings.notNull("baseConfig", baseConfig);
            this.delay = baseConfig.delay;
            this.maxAttempts = baseConfig.maxAttempts;
            this.budget = baseConfig.budget;
            this.timeout = baseConfig.timeout;
            this.maxConcurrentHedges = baseConfig.maxConcurrentHedges;
            this.hedgeOnFailure = baseConfig.hedgeOnFailure;
            this.hedgeExceptions = baseConfig.hedgeOnException.hedged();
            this.ignoreExceptions = baseConfig.hedgeOnException.ignored();
            this.hedgeOnException = baseConfig.hedgeOnException.predicate();
            this.hedgeOnResult = baseConfig.hedgeOnResult;
            this.stopHedgingOn = baseConfig.stopHedgingOn;
            this.onDiscard = baseConfig.onDiscard;
            this.loserGrace = baseConfig.loserGrace;
            this.cancelLosers = baseConfig.cancelLosers;
            this.executor = baseConfig.executor;
            this.timer = baseConfig.timer;
            this.contextPropagators = baseConfig.contextPropagators;
            this.mode = baseConfig.mode;
            this.writableStackTraceEnabled = baseConfig.writableStackTraceEnabled;
        }

        /** When a hedge starts. Default {@code HedgeDelay.percentile(0.95)}. A fixed one must be below the timeout. */
        public Builder delay(HedgeDelay delay) {
            this.delay = Settings.notNull("delay", delay);
            return this;
        }

        /** The most attempts per call, the primary included: 1 to 100,000, where 1 means no hedging. Default 2. */
        public Builder maxAttempts(int maxAttempts) {
            this.maxAttempts = Settings.between("maxAttempts", 1, CallState.MAX_ATTEMPTS, maxAttempts);
            return this;
        }

        /** How many hedges may be started in all. Default {@code HedgeBudget.ratio(0.10)}. */
        public Builder budget(HedgeBudget budget) {
            this.budget = Settings.notNull("budget", budget);
            return this;
        }

        /** The deadline of a whole call, counted from its start; more than zero. None by default. */
        public Builder timeout(Duration timeout) {
            this.timeout = Settings.positive("timeout", timeout);
            return this;
        }

        /** The most hedges in flight at any time, over all calls of one {@link Hedge}; 0 or more. Unlimited by default. */
        public Builder maxConcurrentHedges(int maxConcurrentHedges) {
            this.maxConcurrentHedges = Settings.atLeast("maxConcurrentHedges", 0, maxConcurrentHedges);
            return this;
        }

        /**
         * Whether a failed attempt starts the next one at once, as far as budget and maximum allow. If not, only slowness starts a
         * hedge, and a call whose attempts so far have all failed fails. Default true.
         */
        public Builder hedgeOnFailure(boolean hedgeOnFailure) {
            this.hedgeOnFailure = hedgeOnFailure;
            return this;
        }

        /**
         * Failures that may be outrun by another attempt, subclasses included. If neither these nor a {@link #hedgeOnException(Predicate)
         * predicate} are given, all may be. Replaces those given before.
         */
        @SafeVarargs
        @SuppressWarnings("varargs") // read only
        public final Builder hedgeExceptions(Class<? extends Throwable>... exceptions) {
            this.hedgeExceptions = Settings.noneNull("hedgeExceptions", exceptions);
            return this;
        }

        /** Failures that end the call at once, subclasses included, whatever else is given. Replaces those given before. */
        @SafeVarargs
        @SuppressWarnings("varargs") // read only
        public final Builder ignoreExceptions(Class<? extends Throwable>... exceptions) {
            this.ignoreExceptions = Settings.noneNull("ignoreExceptions", exceptions);
            return this;
        }

        /** Failures that may be outrun by another attempt, besides the {@link #hedgeExceptions(Class...) listed} ones. */
        public Builder hedgeOnException(Predicate<Throwable> predicate) {
            this.hedgeOnException = Settings.notNull("hedgeOnException", predicate);
            return this;
        }

        /**
         * Results that do not count as success. If no attempt does better, the last of them is what the caller gets. None by default.
         *
         * @param <T> the type of the results of every call that the hedge will make
         */
        @SuppressWarnings("unchecked")
        public <T> Builder hedgeOnResult(Predicate<T> predicate) {
            this.hedgeOnResult = (Predicate<Object>) Settings.notNull("hedgeOnResult", predicate);
            return this;
        }

        /** Failures after which their call starts no further attempt; those in flight may still win. None by default. */
        public Builder stopHedgingOn(Predicate<Throwable> predicate) {
            this.stopHedgingOn = Settings.notNull("stopHedgingOn", predicate);
            return this;
        }

        /**
         * Gets every successful result that nobody receives, each once, to release what it holds. Called by many threads at once; what
         * it throws is logged. Nothing by default.
         */
        public Builder onDiscard(Consumer<Object> consumer) {
            this.onDiscard = Settings.notNull("onDiscard", consumer);
            return this;
        }

        /** How long losers are awaited after the end of their call, before they count as unresponsive; 0 or more. Default 1 s. */
        public Builder loserGrace(Duration loserGrace) {
            this.loserGrace = Settings.atLeast("loserGrace", Duration.ZERO, loserGrace);
            return this;
        }

        /** Whether losers are cancelled; if not, they run to their end and their results are discarded. Default true. */
        public Builder cancelLosers(boolean cancelLosers) {
            this.cancelLosers = cancelLosers;
            return this;
        }

        /** Where hedges start, deadlines complete and cancel actions run. Default: where {@link CompletableFuture}'s async methods run. */
        public Builder executor(Executor executor) {
            this.executor = Settings.notNull("executor", executor);
            return this;
        }

        /** The clock, and what waits for delays and deadlines. Default {@link HedgeTimer#system()}. */
        public Builder timer(HedgeTimer timer) {
            this.timer = Settings.notNull("timer", timer);
            return this;
        }

        /** What carries the caller's context into attempts. Replaces those given before; none by default. */
        public Builder contextPropagator(ContextPropagator<?>... propagators) {
            this.contextPropagators = Settings.noneNull("contextPropagator", propagators);
            return this;
        }

        /** Whether hedges are started. Default {@link HedgeMode#ACTIVE}. */
        public Builder mode(HedgeMode mode) {
            this.mode = Settings.notNull("mode", mode);
            return this;
        }

        /** Whether this library's exceptions carry a stack trace. Default true. */
        public Builder writableStackTraceEnabled(boolean writableStackTraceEnabled) {
            this.writableStackTraceEnabled = writableStackTraceEnabled;
            return this;
        }

        /** The configuration. Fails with an {@link IllegalArgumentException} if properties contradict each other. */
        public HedgeConfig build() {
            if (timeout != null
                    && delay instanceof FixedDelay fixed
                    && fixed.delay().compareTo(timeout) >= 0) {
                throw new IllegalArgumentException("delay must be < timeout " + timeout + ", but was " + fixed.delay());
            }
            return new HedgeConfig(this);
        }
    }
}
