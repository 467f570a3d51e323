package io.github.hedge4j.examples.support;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Does the same thing many times, some at a time, and says how long each took. */
public final class Lanes {

    private Lanes() {}

    /** What is done with each number from zero up; may block. */
    @FunctionalInterface
    public interface Work {

        /** Does it. What it throws ends the whole run. */
        void run(int number) throws Exception;
    }

    /** Runs {@code work} for every number below {@code count} on {@code lanes} threads of its own. */
    public static Latencies run(int count, int lanes, Work work) throws Exception {
        long[] nanos = new long[count];
        var next = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(lanes);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int lane = 0; lane < lanes; lane++) {
                running.add(threads.submit(() -> {
                    for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                        long start = System.nanoTime();
                        work.run(number);
                        nanos[number] = System.nanoTime() - start;
                    }
                    return null;
                }));
            }
            for (Future<?> lane : running) {
                lane.get();
            }
        } finally {
            threads.shutdownNow();
        }
        return new Latencies(nanos);
    }
}
