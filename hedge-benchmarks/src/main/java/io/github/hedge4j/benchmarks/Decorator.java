package io.github.hedge4j.benchmarks;

import java.util.function.Supplier;

/** Wraps suppliers of futures. Threads that share one share what it keeps: its counters, permits, window and timer. */
interface Decorator<F> {

    Supplier<F> decorate(Supplier<F> supplier);
}
