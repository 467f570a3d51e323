package io.github.hedge4j.time;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A task is scheduled while the timer's thread looks and goes to sleep: it is not slept through, because the thread knows it, naps, or is
 * woken; and it is not lost. This timer has no thread, and an attempt to start one is what wakes it.
 */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "not slept through and not lost")
@State
public class ScheduledDuringALook {

    private static final long HOUR = TimeUnit.HOURS.toNanos(1);
    private static final long NAP = TimeUnit.MILLISECONDS.toNanos(10);

    private final SystemTimer timer = new SystemTimer(
            loop -> {
                throw new WokenUp();
            },
            0,
            2);

    private boolean woken;
    private long sleepNanos;

    @Actor
    public void schedule() {
        try {
            timer.schedule(() -> {}, HOUR);
        } catch (WokenUp e) {
            woken = true; // which takes the task back
        }
    }

    @Actor
    public void look() {
        long nowNanos = timer.nanoTime();
        sleepNanos = timer.look(nowNanos) - nowNanos;
    }

    @Arbiter
    public void end(ZZ_Result end) {
        end.r1 = woken || timer.heapSize() == 1 || sleepNanos <= NAP;
        timer.look(timer.nanoTime());
        end.r2 = woken || timer.heapSize() == 1;
    }

    private static final class WokenUp extends RuntimeException {

        private static final long serialVersionUID = 1;

        WokenUp() {
            super(null, null, false, false);
        }
    }
}
