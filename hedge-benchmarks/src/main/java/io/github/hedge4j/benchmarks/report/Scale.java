package io.github.hedge4j.benchmarks.report;

import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** How much time a run takes. */
enum Scale {
    /** One look at each: shows that everything runs, and measures nothing. */
    SMOKE(1, 1, 20, 1, 20),
    /** Under five minutes. */
    SHORT(1, 2, 500, 4, 160),
    /** As good as it gets. */
    FULL(3, 3, 1_500, 10, 500);

    /** The compilers need a second for the longest paths, however many calls are made in it. */
    private static final int WARMUPS = 2;

    private final int forks;
    private final int forksOfGoals;
    private final TimeValue warmup;
    private final int iterations;
    private final TimeValue time;

    Scale(int forks, int forksOfGoals, int warmupMillis, int iterations, int millis) {
        this.forks = forks;
        this.forksOfGoals = forksOfGoals;
        this.warmup = TimeValue.milliseconds(warmupMillis);
        this.iterations = iterations;
        this.time = TimeValue.milliseconds(millis);
    }

    ChainedOptionsBuilder apply(ChainedOptionsBuilder options, boolean decidesGoals) {
        return options.forks(decidesGoals ? forksOfGoals : forks)
                .warmupIterations(WARMUPS)
                .warmupTime(warmup)
                .measurementIterations(iterations)
                .measurementTime(time);
    }

    /** Rounds of the programs that are no JMH benchmarks. */
    int rounds() {
        return iterations;
    }
}
