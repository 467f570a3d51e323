package io.github.hedge4j.benchmarks;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Calls that are all hedged, because their primaries never answer: many at a time, so that the delay is shared by all. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HedgedCalls {

    private static final int CALLS = 1_000;

    @Param({"HEDGE_FIXED", "HEDGE_DEFAULTS", "RACE_OF_TWO", "FINAGLE"})
    public Subject subject;

    private Supplier<Object> calls;

    @Setup
    public void open() {
        calls = subject.open(new Terms(Duration.ofMillis(1), true)).hedged(CALLS);
    }

    @Benchmark
    @OperationsPerInvocation(CALLS)
    public Object call() {
        return calls.get();
    }
}
