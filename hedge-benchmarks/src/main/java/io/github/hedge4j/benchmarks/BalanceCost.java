package io.github.hedge4j.benchmarks;

import io.github.hedge4j.budget.TokenBalance;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The budget's part of a call: a credit, and for every tenth call a hedge to be paid. The balance is never full for long. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BalanceCost {

    private static final int CALLS_PER_HEDGE = 10;

    @Param
    public Balances balances;

    private TokenBalance balance;

    @Setup
    public void open() {
        balance = balances.open();
    }

    @State(Scope.Thread)
    public static class Count {
        private int calls;
    }

    @Benchmark
    public boolean call(Count count) {
        balance.credit();
        if (++count.calls < CALLS_PER_HEDGE) {
            return false;
        }
        count.calls = 0;
        return balance.tryTake(0);
    }
}
