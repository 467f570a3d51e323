package io.github.hedge4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.hedge4j.time.VirtualTimer;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What calls allocate and keep, which unlike times is the same in every run. Bytes are those beyond the bare call. What the JDK takes for
 * a listener differs between its versions and is measured too.
 */
@Tag("allocation")
class AllocationTest {

    /** A call's future, and what its timer keeps. */
    private static final double CALL_AND_TIMER = 64 + 32;

    /** Of rounds of so many calls the least counts: in the others, the code was not compiled yet. */
    private static final int ROUNDS = 30;

    private static final int CALLS = 10_000;

    private static final int IN_FLIGHT = 50_000;

    private static final Duration HOUR = Duration.ofHours(1);

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @SuppressWarnings("ImmutableEnumChecker") // what describes a delay never changes
    enum Kind {
        FIXED(HedgeDelay.fixed(HOUR), 160),
        DEFAULTS(HedgeDelay.percentile(0.95).withMin(HOUR), 176);

        final HedgeDelay delay;
        final double mostBytes;

        Kind(HedgeDelay delay, double mostBytes) {
            this.delay = delay;
            this.mostBytes = mostBytes;
        }

        /** A hedge that knows its delay. */
        Hedge hedge() {
            Hedge hedge = Hedge.of(name(), HedgeConfig.custom().delay(delay).build());
            for (int i = 0; i < 100; i++) {
                hedge.executeCompletionStage(() -> CompletableFuture.completedFuture("known"));
            }
            assertThat(hedge.getMetrics().getCurrentDelay()).contains(HOUR);
            return hedge;
        }
    }

    /** Where results go, so that no compiler finds out that nobody wants them. */
    @Nullable
    private Object sink;

    private CompletableFuture<String> primary = new CompletableFuture<>();

    @ParameterizedTest
    @EnumSource
    void aCallWhosePrimaryIsDoneAllocatesNothing(Kind kind) {
        CompletionStage<String> done = CompletableFuture.completedFuture("done");
        Supplier<CompletionStage<String>> call = kind.hedge().decorateCompletionStage(() -> done);

        double bytes = bytesPerCall(() -> sink = call.get());

        assertThat(bytes).isLessThan(0.01);
    }

    @ParameterizedTest
    @EnumSource
    void aPendingCallAllocatesItsFutureATimeoutAndTheJdksListener(Kind kind) {
        Supplier<CompletionStage<String>> bare = () -> primary = new CompletableFuture<>();
        Supplier<CompletionStage<String>> call = kind.hedge().decorateCompletionStage(bare);

        double raw = bytesPerCall(() -> endOf(bare));
        double listener = bytesPerCall(() -> endOf(() -> bare.get().whenComplete((value, failure) -> {}))) - raw;
        double bytes = bytesPerCall(() -> endOf(call)) - raw;

        assertThat(bytes - listener).isLessThan(CALL_AND_TIMER + 1);
        assertThat(bytes).isLessThan(kind.mostBytes + 1);
    }

    private void endOf(Supplier<CompletionStage<String>> call) {
        sink = call.get();
        primary.complete("done");
    }

    @Test
    void aHedgedCallAllocatesLittleBeyondTheJdksCancelling() {
        VirtualTimer timer = new VirtualTimer();
        Backend backend = new Backend(CompletableFuture::new);
        Supplier<CompletionStage<String>> call = eager(timer).decorateCompletionStage(backend);

        double cancelling = bytesPerCall(() -> {
            CompletableFuture<String> loser = new CompletableFuture<>();
            CompletableFuture<String> dependent = loser.handle((value, failure) -> value);
            loser.cancel(true);
            sink = dependent;
        });
        double bytes = bytesPerCall(() -> {
            backend.nextCall();
            sink = call.get();
            timer.advance(HOUR);
        });

        assertThat(bytes - cancelling).isLessThan(1_300);
    }

    @Test
    void aCallWhosePrimaryFailedAllocatesLittle() {
        CompletionStage<String> failed = CompletableFuture.failedFuture(new IllegalStateException("down"));
        Backend backend = new Backend(() -> failed);
        Supplier<CompletionStage<String>> call = eager(new VirtualTimer()).decorateCompletionStage(backend);

        double bytes = bytesPerCall(() -> {
            backend.nextCall();
            sink = call.get();
        });

        assertThat(bytes).isLessThan(1_200);
    }

    private static Hedge eager(VirtualTimer timer) {
        return Hedge.of(
                "eager",
                HedgeConfig.custom()
                        .delay(HedgeDelay.fixed(HOUR))
                        .budget(HedgeBudget.unlimited())
                        .timer(timer)
                        .executor(Runnable::run)
                        .build());
    }

    /** Answers primaries as told, and all other attempts with success. */
    private static final class Backend implements Supplier<CompletionStage<String>> {

        private final Supplier<CompletionStage<String>> toPrimaries;
        private final CompletionStage<String> toOthers = CompletableFuture.completedFuture("hedge");
        private boolean fresh;

        Backend(Supplier<CompletionStage<String>> toPrimaries) {
            this.toPrimaries = toPrimaries;
        }

        void nextCall() {
            fresh = true;
        }

        @Override
        public CompletionStage<String> get() {
            boolean isPrimary = fresh;
            fresh = false;
            return isPrimary ? toPrimaries.get() : toOthers;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCallInFlightKeepsWhatItAllocatedAndAnEndedOneHardlyAnything(Kind kind) {
        Hedge hedge = kind.hedge();

        double inFlight = Double.MAX_VALUE;
        double ended = Double.MAX_VALUE;
        for (int round = 0; round < 3; round++) { // others, too, keep something now and then
            double[] bytes = heapPerCall(hedge);
            inFlight = Math.min(inFlight, bytes[0]);
            ended = Math.min(ended, bytes[1]);
        }

        assertThat(inFlight).isLessThan(176);
        assertThat(ended).isLessThan(48);
    }

    /** In flight, and when ended. */
    private static double[] heapPerCall(Hedge hedge) {
        List<CompletableFuture<String>> primaries =
                Stream.generate(CompletableFuture<String>::new).limit(IN_FLIGHT).toList();
        Supplier<CompletionStage<String>> call = hedge.decorateCompletionStage(primaries.iterator()::next);
        var results = new CompletionStage<?>[IN_FLIGHT];

        try {
            double before = usedHeap();
            Arrays.setAll(results, i -> call.get());
            double inFlight = usedHeap();
            primaries.forEach(primary -> primary.complete("done"));
            assertThat(results).allMatch(result -> result.toCompletableFuture().isDone());
            Arrays.fill(results, null);
            double ended = usedHeap();
            return new double[] {(inFlight - before) / IN_FLIGHT, (ended - before) / IN_FLIGHT};
        } finally {
            Reference.reachabilityFence(primaries);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anEndedCallDoesNotKeepItsResultUntilItsDelayIsOver(Kind kind) {
        WeakReference<Object> result = resultOf(kind.hedge());

        for (int i = 0; i < 10 && result.get() != null; i++) {
            System.gc();
        }

        assertThat(result.get()).isNull();
    }

    private static WeakReference<Object> resultOf(Hedge hedge) {
        CompletableFuture<Object> primary = new CompletableFuture<>();
        CompletionStage<Object> call = hedge.executeCompletionStage(() -> primary);
        primary.complete(new Object());
        return new WeakReference<>(call.toCompletableFuture().join());
    }

    /** On a thread of its own: stack traces are short, and the same in every run. */
    private static double bytesPerCall(Runnable call) {
        return CompletableFuture.supplyAsync(
                        () -> {
                            long least = Long.MAX_VALUE;
                            for (int round = 0; round < ROUNDS; round++) {
                                long before = allocated();
                                for (int i = 0; i < CALLS; i++) {
                                    call.run();
                                }
                                least = Math.min(least, allocated() - before);
                            }
                            return (double) least / CALLS;
                        },
                        task -> new Thread(task).start())
                .join();
    }

    private static long allocated() {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
