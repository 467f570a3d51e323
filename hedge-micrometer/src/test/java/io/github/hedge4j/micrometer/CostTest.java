package io.github.hedge4j.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What calls pay for meters: nothing. Measured on this thread, in bytes; what another thread does is not in it. */
@Tag("realtime")
class CostTest {

    private static final int CALLS = 20_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    enum Use {
        AT_ONCE,
        PENDING,
        TOLD_THEIR_ATTEMPT
    }

    private static Supplier<CompletableFuture<String>> calls(Use use, Hedge hedge) {
        if (use == Use.AT_ONCE) {
            var here = CompletableFuture.completedFuture("here");
            var decorated = hedge.<String>decorateCompletionStage(() -> here);
            return () -> decorated.get().toCompletableFuture();
        }
        return () -> {
            var pending = new CompletableFuture<String>();
            CompletionStage<String> call =
                    use == Use.PENDING ? hedge.executeCompletionStage(() -> pending) : hedge.start(attempt -> pending);
            pending.complete("later");
            return call.toCompletableFuture();
        };
    }

    @ParameterizedTest
    @EnumSource
    void callsAllocateNoMoreWithMetersThanWithout(Use use) {
        var alone = hedge();
        var measured = hedge();
        var meters = new SimpleMeterRegistry();
        TaggedHedgeMetrics.ofHedge(measured).bindTo(meters);
        bytesPerCall(calls(use, alone));
        bytesPerCall(calls(use, measured));

        double without = bytesPerCall(calls(use, alone));
        double with = bytesPerCall(calls(use, measured));

        assertThat(with).isLessThanOrEqualTo(without * 1.05 + 1);
        assertThat(meters.get("hedge.call.duration").functionTimer().count()).isEqualTo(2 * CALLS);
    }

    /** That the test above can fail: a histogram is fed by events. */
    @ParameterizedTest
    @EnumSource(names = {"AT_ONCE", "PENDING"})
    void aHistogramIsPaidFor(Use use) {
        var alone = hedge();
        var measured = hedge();
        TaggedHedgeMetrics.ofHedge(measured).withCallDurationHistogram().bindTo(new SimpleMeterRegistry());
        bytesPerCall(calls(use, alone));
        bytesPerCall(calls(use, measured));

        double without = bytesPerCall(calls(use, alone));
        double with = bytesPerCall(calls(use, measured));

        assertThat(with).isGreaterThan(without * 1.05 + 1);
    }

    private static Hedge hedge() {
        return Hedge.of(
                "search",
                HedgeConfig.custom()
                        .delay(HedgeDelay.fixed(Duration.ofHours(1)))
                        .build());
    }

    private double bytesPerCall(Supplier<CompletableFuture<String>> calls) {
        long id = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(id);
        for (int i = 0; i < CALLS; i++) {
            assertDone(calls.get());
        }
        return (double) (threads.getThreadAllocatedBytes(id) - before) / CALLS;
    }

    private static void assertDone(CompletableFuture<String> call) {
        if (!call.isDone()) {
            throw new AssertionError("not done");
        }
    }
}
