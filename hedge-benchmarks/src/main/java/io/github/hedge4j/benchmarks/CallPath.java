package io.github.hedge4j.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One call, from the decorated supplier to its result. Threads share the decorator and have suppliers of their own. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CallPath {

    @Param
    public Subject subject;

    @Param
    public Scenario scenario;

    private Calls<?> calls;

    @Setup
    public void open() {
        calls = subject.open(scenario.terms());
    }

    @State(Scope.Thread)
    public static class Caller {

        private Supplier<Object> call;

        @Setup
        public void open(CallPath path) {
            call = path.calls.in(path.scenario);
        }
    }

    @Benchmark
    public Object call(Caller caller) {
        return caller.call.get();
    }
}
