package io.github.hedge4j.delay;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FootprintTest {
    private static final int WARM = 30_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final QuantileTracker tracker = new QuantileTracker(0.95, 0, Long.MAX_VALUE, DelayRule.NONE, 45);
    private final LatencyCurve curve = new LatencyCurve();
    private final long[] latencies = new SplittableRandom(1)
            .doubles(WARM)
            .mapToLong(d -> (long) (1e8 * d))
            .toArray();

    @Test
    void trackerAndCurveTakeLessThan72Kilobytes() {
        var kept = new Object[200];
        long before = allocated();
        for (int i = 0; i < kept.length; i += 2) {
            kept[i] = new QuantileTracker(0.95, 0, Long.MAX_VALUE, DelayRule.NONE, 45);
            kept[i + 1] = new LatencyCurve();
        }
        long each = (allocated() - before) / (kept.length / 2);

        assertThat(each).isBetween(1_000L, 72 * 1_024L);
        assertThat(Arrays.asList(kept)).doesNotContainNull();
    }

    @Test
    void callsAllocateNothing() {
        for (int i = 0; i < 20; i++) {
            record(); // until the curve's slices go round
        }

        long before = allocated();
        record();
        long bytes = allocated() - before;

        assertThat(bytes).isLessThan(WARM / 10);
    }

    private void record() {
        for (long nanos : latencies) {
            long delayNanos = tracker.delayNanos(1);
            if (nanos <= delayNanos) {
                tracker.completed(nanos, delayNanos);
                curve.completed(nanos);
            } else {
                tracker.exceeded(delayNanos);
                curve.censored(delayNanos);
            }
        }
    }

    private static long allocated() {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}
