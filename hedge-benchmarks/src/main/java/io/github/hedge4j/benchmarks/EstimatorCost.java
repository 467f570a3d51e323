package io.github.hedge4j.benchmarks;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** To tell a latency, and to be told the 95th percentile. Latencies are log-normal around 5 ms. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EstimatorCost {

    @Param
    public Estimators estimators;

    private Estimators.Estimator estimator;

    @Setup
    public void open() {
        estimator = estimators.open();
    }

    @State(Scope.Thread)
    public static class Latencies {

        private static final int MASK = (1 << 12) - 1;

        private final long[] nanos = new long[MASK + 1];
        private int next;

        @Setup
        public void draw() {
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < nanos.length; i++) {
                nanos[i] = (long) (5e6 * Math.exp(normal(random)));
            }
        }

        /** Box and Muller's: SplittableRandom has no gaussian on JDK 17's earliest builds. */
        private static double normal(SplittableRandom random) {
            return Math.sqrt(-2 * Math.log(1 - random.nextDouble())) * Math.cos(2 * Math.PI * random.nextDouble());
        }

        long next() {
            return nanos[next++ & MASK];
        }
    }

    @Benchmark
    public void record(Latencies latencies) {
        estimator.record(latencies.next());
    }

    @Benchmark
    public long recordAndQuery(Latencies latencies) {
        estimator.record(latencies.next());
        return estimator.quantile();
    }
}
