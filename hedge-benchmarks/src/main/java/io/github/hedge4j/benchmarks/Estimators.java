package io.github.hedge4j.benchmarks;

import io.github.hedge4j.delay.DelayRule;
import io.github.hedge4j.delay.LatencyCurve;
import io.github.hedge4j.delay.QuantileTracker;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** What can be told latencies and tells their 95th percentile. */
public enum Estimators {
    DELAY("our delay", Delay::new),
    CURVE("our latency curve", Curve::new),
    HDR_ATOMIC("HdrHistogram AtomicHistogram", HdrAtomic::new),
    HDR_RECORDER("HdrHistogram Recorder", HdrRecorder::new);

    private static final double P = 0.95;

    /** As our curve: two digits, up to 73 minutes. */
    private static final int DIGITS = 2;

    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(73);
    private static final long SHORTEST_NANOS = TimeUnit.MICROSECONDS.toNanos(1);

    private final String label;
    private final Supplier<Estimator> opening;

    Estimators(String label, Supplier<Estimator> opening) {
        this.label = label;
        this.opening = opening;
    }

    public String label() {
        return label;
    }

    Estimator open() {
        return opening.get();
    }

    interface Estimator {

        void record(long nanos);

        long quantile();
    }

    private static final class Delay implements Estimator {

        private final DelayRule rule =
                new QuantileTracker(P, 0, Long.MAX_VALUE / 4, DelayRule.NONE, QuantileTracker.defaultMinSamples(P));

        @Override
        public void record(long nanos) {
            rule.completed(nanos, rule.delayNanos(1));
        }

        @Override
        public long quantile() {
            return rule.delayNanos(1);
        }
    }

    private static final class Curve implements Estimator {

        private final LatencyCurve curve = new LatencyCurve();

        @Override
        public void record(long nanos) {
            curve.completed(nanos);
        }

        @Override
        public long quantile() {
            return curve.quantileNanos(P).orElse(0);
        }
    }

    private static final class HdrAtomic implements Estimator {

        private final Histogram histogram = new AtomicHistogram(SHORTEST_NANOS, LONGEST_NANOS, DIGITS);

        @Override
        public void record(long nanos) {
            histogram.recordValue(nanos);
        }

        @Override
        public long quantile() {
            return histogram.getValueAtPercentile(100 * P);
        }
    }

    private static final class HdrRecorder implements Estimator {

        private final Recorder recorder = new Recorder(SHORTEST_NANOS, LONGEST_NANOS, DIGITS);
        private @Nullable Histogram interval;

        @Override
        public void record(long nanos) {
            recorder.recordValue(nanos);
        }

        @Override
        public long quantile() {
            interval = recorder.getIntervalHistogram(interval);
            return interval.getValueAtPercentile(100 * P);
        }
    }
}
