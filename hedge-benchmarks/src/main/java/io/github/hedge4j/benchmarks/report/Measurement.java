package io.github.hedge4j.benchmarks.report;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** What one operation took, over all iterations of all forks. */
record Measurement(Spread nanos, Spread bytes) {

    static Measurement of(RunResult run) {
        List<Double> nanos = new ArrayList<>();
        List<Double> bytes = new ArrayList<>();
        for (BenchmarkResult fork : run.getBenchmarkResults()) {
            for (IterationResult iteration : fork.getIterationResults()) {
                nanos.add(iteration.getPrimaryResult().getScore());
                bytes.add(allocated(iteration).getScore());
            }
        }
        return new Measurement(Spread.of(nanos), Spread.of(bytes));
    }

    private static Result<?> allocated(IterationResult iteration) {
        return requireNonNull(iteration.getSecondaryResults().get("gc.alloc.rate.norm"), "JMH's gc profiler is silent");
    }

    Measurement minus(Measurement other) {
        return new Measurement(nanos.minus(other.nanos), bytes.minus(other.bytes));
    }
}
