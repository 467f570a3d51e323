package io.github.hedge4j;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Random scripts against the whole engine: a hedge of any configuration, a few calls on it, attempts that do anything a user's stage
 * can do, and callers that end their calls at any point, also from inside suppliers, listeners and cancel actions. What must hold
 * afterwards is in {@link FuzzScript#check} and {@link FuzzCall#check}.
 *
 * <p>A script depends on its seed alone. {@code -Dhedge.fuzz.seeds=1000000} runs more of them, {@code -Dhedge.fuzz.seed=42} one; a
 * failure names its seed and tells what happened.
 */
class FuzzTest {

    private static final long ONLY = Long.getLong("hedge.fuzz.seed", -1);
    private static final long SEEDS = Long.getLong("hedge.fuzz.seeds", 25_000);
    private static final long SEEDS_WITH_THREADS = Long.getLong("hedge.fuzz.seeds", 5_000);

    @Test
    void everyScriptKeepsThePromises() {
        forEachSeed(SEEDS, seed -> new FuzzScript(seed, null).run());
    }

    @Test
    void everyScriptKeepsThePromisesAmongThreads() throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            forEachSeed(SEEDS_WITH_THREADS, seed -> new FuzzScript(seed, threads).run());
        } finally {
            threads.shutdownNow();
            threads.awaitTermination(10, SECONDS);
        }
    }

    private static void forEachSeed(long seeds, LongConsumer script) {
        if (ONLY >= 0) {
            script.accept(ONLY);
        } else {
            LongStream.range(0, seeds).forEach(script);
        }
    }
}
