package io.github.hedge4j.benchmarks.report;

import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** How much time a run takes. */
enum Scale {
    /** One look at each: shows that everything runs, and measures nothing. */
    SMOKE(1, 1, 1, 1, 20),
    /** Under five minutes. */
    SHORT(1, 2, 3, 5, 180),
    /** As good as it gets. */
    FULL(3, 3, 5, 10, 500);

    private final int forks;
    private final int forksOfGoals;
    private final int warmups;
    private final int iterations;
    private final TimeValue time;

    Scale(int forks, int forksOfGoals, int warmups, int iterations, int millis) {
        this.forks = forks;
        this.forksOfGoals = forksOfGoals;
        this.warmups = warmups;
        this.iterations = iterations;
        this.time = TimeValue.milliseconds(millis);
    }

    ChainedOptionsBuilder apply(ChainedOptionsBuilder options, boolean decidesGoals) {
        return options.forks(decidesGoals ? forksOfGoals : forks)
                .warmupIterations(warmups)
                .warmupTime(time)
                .measurementIterations(iterations)
                .measurementTime(time);
    }

    /** Rounds of the programs that are no JMH benchmarks. */
    int rounds() {
        return iterations;
    }
}
