package io.github.hedge4j;

import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a call allocates, and what it keeps alive: numbers of bytes, which are the same on every run. In a JVM of its own, with nothing
 * that rewrites classes and a collector that leaves nothing dead behind.
 *
 * <p>Bytes are those beyond the bare call. The bounds leave room for a JVM that lays objects out a little differently, and for nothing
 * else: whoever adds an object to a path finds out here.
 */
@Tag("allocation")
class AllocationTest {

    private static final int WARM_UP = 20_000;
    private static final int CALLS = 20_000;
    private static final int IN_FLIGHT = 50_000;

    /** What the timer's growing intake and a thread's own doings may add to the average of a call. */
    private static final double BLUR = 2;

    /** Where a result goes that is not to be optimised away. */
    private CompletionStage<String> last = new CompletableFuture<>();

    /** Both hedges of the benchmarks. */
    enum Delay {
        FIXED(HedgeDelay.fixed(ofHours(1))),
        PERCENTILE(HedgeDelay.percentile(0.95).withMin(ofHours(1)));

        final HedgeDelay delay;

        Delay(HedgeDelay delay) {
            this.delay = delay;
        }

        Hedge open() {
            return Hedge.of("measured", HedgeConfig.custom().delay(delay).build());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCallThatIsAlreadyDoneAllocatesNothing(Delay delay) {
        CompletionStage<String> answer = CompletableFuture.completedFuture("answer");
        Supplier<CompletionStage<String>> hedged = delay.open().decorateCompletionStage(() -> answer);

        assertThat(bytesPerCall(hedged::get)).isCloseTo(0, within(BLUR));
    }

    @ParameterizedTest
    @EnumSource
    void aPendingCallAllocatesItselfItsTimerAndItsListener(Delay delay) {
        var latest = new Latest();
        Supplier<CompletionStage<String>> hedged = delay.open().decorateCompletionStage(latest);

        double bytes = bytesPerCall(() -> {
            CompletionStage<String> unused = hedged.get();
            latest.primary.complete("answer");
        });
        double bare = bytesPerCall(() -> latest.get().complete("answer"));

        assertThat(bytes - bare).isBetween(100.0, 160 + BLUR);
    }

    @Test
    void aCallWhosePrimaryFailsAllocatesNoExceptionOfOurs() {
        CompletableFuture<String> failed = CompletableFuture.failedFuture(new IllegalStateException("primary"));

        double bytes = bytesPerHedgedCall(HedgeConfig.custom().delay(HedgeDelay.fixed(ofHours(1))), () -> failed);

        assertThat(bytes).isBetween(500.0, 1_200.0);
    }

    @Test
    void aHedgeCostsLessThanAKilobyte() {
        double bytes =
                bytesPerHedgedCall(HedgeConfig.custom().delay(HedgeDelay.fixed(Duration.ZERO)), CompletableFuture::new);

        assertThat(bytes).isBetween(500.0, 1_300.0);
    }

    @ParameterizedTest
    @EnumSource
    void aCallInFlightKeepsItselfItsTimerAndItsListener(Delay delay) {
        long[] bare = heapPerCall(primary -> primary);
        Hedge hedge = delay.open();

        long[] hedged = heapPerCall(primary -> hedge.executeCompletionStage(() -> primary));

        assertThat(hedged[0] - bare[0]).isBetween(100L, 176L);
        assertThat(hedged[1] - bare[1]).as("after the end").isLessThanOrEqualTo(48);
    }

    // ---- how it is measured

    /** Calls with such a primary, each of which a hedge on the caller's thread wins at once. */
    private double bytesPerHedgedCall(HedgeConfig.Builder config, Supplier<CompletableFuture<String>> primary) {
        HedgeConfig hedgedAtOnce = config.budget(HedgeBudget.unlimited())
                .loserGrace(Duration.ZERO)
                .executor(Runnable::run)
                .build();
        CompletionStage<String> answer = CompletableFuture.completedFuture("answer");
        var invocations = new AtomicInteger();
        Supplier<CompletionStage<String>> hedged = Hedge.of("measured", hedgedAtOnce)
                .decorateCompletionStage(() -> invocations.getAndIncrement() % 2 == 0 ? primary.get() : answer);
        double bytes = bytesPerCall(() -> last = hedged.get());
        assertThat(last).isCompletedWithValue("answer");
        return bytes;
    }

    private static double bytesPerCall(Runnable call) {
        repeat(WARM_UP, call);
        double least = Double.MAX_VALUE;
        for (int round = 0; round < 3; round++) {
            long before = allocated();
            repeat(CALLS, call);
            least = Math.min(least, (double) (allocated() - before) / CALLS);
        }
        return least;
    }

    private static void repeat(int times, Runnable call) {
        for (int i = 0; i < times; i++) {
            call.run();
        }
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    /** In flight, and after the end while the primaries still exist. */
    private static long[] heapPerCall(UnaryOperator<CompletionStage<String>> decorator) {
        measureHeap(1_000, decorator);
        return measureHeap(IN_FLIGHT, decorator);
    }

    private static long[] measureHeap(int calls, UnaryOperator<CompletionStage<String>> decorator) {
        List<CompletableFuture<String>> primaries = new ArrayList<>(calls);
        for (int i = 0; i < calls; i++) {
            primaries.add(new CompletableFuture<>());
        }
        List<CompletionStage<String>> returned = new ArrayList<>(calls);
        long before = usedHeap();
        primaries.forEach(primary -> returned.add(decorator.apply(primary)));
        long during = usedHeap();
        primaries.forEach(primary -> primary.complete("answer"));
        returned.clear();
        long after = usedHeap();
        Reference.reachabilityFence(primaries);
        Reference.reachabilityFence(returned);
        return new long[] {(during - before) / calls, (after - before) / calls};
    }

    private static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** A supplier that remembers what it returned last. */
    private static final class Latest implements Supplier<CompletionStage<String>> {

        CompletableFuture<String> primary = new CompletableFuture<>();

        @Override
        public CompletableFuture<String> get() {
            primary = new CompletableFuture<>();
            return primary;
        }
    }
}
