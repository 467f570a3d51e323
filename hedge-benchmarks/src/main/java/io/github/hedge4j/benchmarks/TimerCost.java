package io.github.hedge4j.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** To schedule a task in a second and cancel it at once, while others wait. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TimerCost {

    @Param
    public Timers timers;

    @Param({"0", "10000", "100000"})
    public int outstanding;

    private Timers.Timer<?> timer;
    private final List<Object> waiting = new ArrayList<>();

    @Setup
    public void open() {
        timer = timers.open();
        for (int i = 0; i < outstanding; i++) {
            waiting.add(timer.schedule(TimerCost::task, TimeUnit.HOURS.toNanos(1)));
        }
    }

    @Benchmark
    public void scheduleAndCancel() {
        timer.scheduleAndCancel(TimerCost::task, TimeUnit.SECONDS.toNanos(1));
    }

    private static void task() {}
}
