package io.github.hedge4j;

import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
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

    /** Of a call with a trail, once the compilers are done: before that some objects are counted which they find not to escape. */
    private static final double HEDGED = 720;

    private static final int WARM_UP = 200_000;
    private static final int CALLS = 20_000;
    private static final int IN_FLIGHT = 100_000;

    /** What the timer's growing intake and a thread's own doings may add to the average of a call. */
    private static final double BLUR = 2;

    /** Where a result goes that is not to be optimised away. */
    private CompletionStage<String> last = new CompletableFuture<>();

    /** As the benchmarks have them. */
    enum Delay {
        FIXED,
        PERCENTILE;

        Hedge open() {
            HedgeDelay delay = this == FIXED
                    ? HedgeDelay.fixed(ofHours(1))
                    : HedgeDelay.percentile(0.95).withMin(ofHours(1));
            return Hedge.of("measured", HedgeConfig.custom().delay(delay).build());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCallThatIsAlreadyDoneAllocatesNothing(Delay delay) {
        CompletionStage<String> answer = CompletableFuture.completedFuture("answer");
        Supplier<CompletionStage<String>> hedged = delay.open().decorateCompletionStage(() -> answer);

        assertThat(bytesPerCall(() -> last = hedged.get())).isCloseTo(0, within(BLUR));
    }

    @ParameterizedTest
    @EnumSource
    void aPendingCallAllocatesItselfItsTimerAndItsListener(Delay delay) {
        var latest = new Latest();
        Supplier<CompletionStage<String>> hedged = delay.open().decorateCompletionStage(latest);

        double bytes = bytesPerCall(() -> {
            last = hedged.get();
            latest.primary.complete("answer");
        });
        double bare = bytesPerCall(() -> latest.get().complete("answer"));

        assertThat(bytes - bare).isBetween(100.0, 160 + BLUR);
    }

    @Test
    void aCallWhosePrimaryFailsAllocatesNoExceptionOfOurs() {
        CompletableFuture<String> failed = CompletableFuture.failedFuture(new IllegalStateException("primary"));

        double bytes = bytesPerHedgedCall(HedgeConfig.custom().delay(HedgeDelay.fixed(ofHours(1))), () -> failed);

        assertThat(bytes).isBetween(300.0, HEDGED);
    }

    @Test
    void aHedgeAllocatesTwoAttemptsAndTheirTrail() {
        double bytes =
                bytesPerHedgedCall(HedgeConfig.custom().delay(HedgeDelay.fixed(Duration.ZERO)), CompletableFuture::new);

        assertThat(bytes).isBetween(300.0, HEDGED);
    }

    @ParameterizedTest
    @EnumSource
    void aCallInFlightKeepsItselfItsTimerAndItsListener(Delay delay) {
        var inTurn = new InTurn();
        long[] bare = heapPerCall(inTurn, inTurn);
        Supplier<CompletionStage<String>> decorated = delay.open().decorateCompletionStage(inTurn);

        long[] hedged = heapPerCall(inTurn, decorated);

        assertThat(hedged[0] - bare[0]).isBetween(100L, 176L);
        assertThat(hedged[1] - bare[1]).as("after the end").isLessThanOrEqualTo(48);
    }

    // ---- how it is measured

    /**
     * Calls with such a primary, each of which a hedge on the caller's thread wins at once. Nobody cancels the primary: that makes an
     * exception with a stack trace, which is the JDK's.
     */
    private double bytesPerHedgedCall(HedgeConfig.Builder config, Supplier<CompletableFuture<String>> primary) {
        HedgeConfig hedgedAtOnce = config.budget(HedgeBudget.unlimited())
                .cancelLosers(false)
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

    /** In flight, and after the end while the primaries still exist: medians, for somebody else's array may grow or go meanwhile. */
    private static long[] heapPerCall(InTurn primaries, Supplier<CompletionStage<String>> call) {
        measureHeap(1_000, primaries, call);
        long[] inFlight = new long[3];
        long[] ended = new long[3];
        for (int round = 0; round < 3; round++) {
            long[] measured = measureHeap(IN_FLIGHT, primaries, call);
            inFlight[round] = measured[0];
            ended[round] = measured[1];
        }
        Arrays.sort(inFlight);
        Arrays.sort(ended);
        return new long[] {inFlight[1], ended[1]};
    }

    private static long[] measureHeap(int calls, InTurn primaries, Supplier<CompletionStage<String>> call) {
        primaries.refill(calls);
        try {
            List<CompletionStage<String>> returned = new ArrayList<>(calls);
            long before = usedHeap();
            repeat(calls, () -> returned.add(call.get()));
            long during = usedHeap();
            primaries.completeAll();
            returned.clear();
            return new long[] {(during - before) / calls, (usedHeap() - before) / calls};
        } finally {
            Reference.reachabilityFence(primaries);
        }
    }

    private static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** A supplier of pending primaries that were made before. */
    private static final class InTurn implements Supplier<CompletionStage<String>> {

        private final List<CompletableFuture<String>> primaries = new ArrayList<>();
        private int next;

        void refill(int size) {
            primaries.clear();
            repeat(size, () -> primaries.add(new CompletableFuture<>()));
            next = 0;
        }

        void completeAll() {
            primaries.forEach(primary -> primary.complete("answer"));
        }

        @Override
        public CompletionStage<String> get() {
            return primaries.get(next++);
        }
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
