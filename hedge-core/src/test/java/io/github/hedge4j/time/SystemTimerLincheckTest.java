package io.github.hedge4j.time;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The three races between the timer's thread and everybody else, in every interleaving. No thread is started, and one
 * of the test's looks in its place. A timer without a thread starts it where it would otherwise wake it, so the attempt
 * tells of the wake-up. One stripe is enough, and threads' ids differ from run to run.
 */
@Tag("lincheck")
class SystemTimerLincheckTest {

    private static final int INVOCATIONS = 2_000;
    private static final long HOUR = HOURS.toNanos(1);
    private static final long NAP = MILLISECONDS.toNanos(10);

    @Test
    void whatIsPushedWhileTheThreadGoesIdleIsKnownToItOrWakesIt() {
        Lincheck.runConcurrentTest(
                INVOCATIONS, () -> pushDuringALook(new SystemTimer(SystemTimerLincheckTest::noThread, 256, 1), HOUR));
    }

    @Test
    void whatIsPushedWhileTheThreadGoesNappingIsKnownToItOrWakesIt() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> {
            SystemTimer timer = new SystemTimer(SystemTimerLincheckTest::noThread, 256, 1);
            wakesOnSchedule(timer, HOUR);
            pushDuringALook(timer, NAP / 10);
        });
    }

    @Test
    void whatIsCancelledWhileItIsMovedToTheHeapIsDroppedOrCounted() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> {
            SystemTimer timer = new SystemTimer(loop -> Thread.currentThread(), 0, 1);
            long nowNanos = timer.nanoTime();
            timer.schedule(() -> {}, HOUR); // first and alive, so that only a sweep removes the others
            Timeout one = timer.schedule(() -> {}, 2 * HOUR);
            Timeout other = timer.schedule(() -> {}, 3 * HOUR);
            Thread canceller = new Thread(() -> {
                one.cancel();
                other.cancel();
            });

            canceller.start();
            timer.look(nowNanos);
            join(canceller);
            timer.look(nowNanos);

            check(timer.heapSize() == 1 || timer.heapSize() == 2, "cancelled entries that nobody counted");
        });
    }

    @Test
    void aTaskThatIsCancelledWhenItIsDueEitherRunsOrNot() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> {
            SystemTimer timer = new SystemTimer(loop -> Thread.currentThread(), 256, 1);
            AtomicInteger ends = new AtomicInteger();
            Timeout timeout = timer.schedule(ends::incrementAndGet, 0);
            Runnable cancel = () -> {
                if (timeout.cancel()) {
                    ends.incrementAndGet();
                }
            };
            Thread one = new Thread(cancel);
            Thread other = new Thread(cancel);

            one.start();
            other.start();
            timer.look(timer.nanoTime());
            timer.look(timer.nanoTime());
            join(one);
            join(other);

            check(ends.get() == 1, "a task ran and was cancelled, or neither");
        });
    }

    private static void pushDuringALook(SystemTimer timer, long delayNanos) {
        long nowNanos = timer.nanoTime();
        AtomicBoolean woken = new AtomicBoolean();
        Thread producer = new Thread(() -> woken.set(wakesOnSchedule(timer, delayNanos)));

        producer.start();
        long sleepNanos = timer.look(nowNanos) - nowNanos;
        join(producer);

        check(woken.get() || timer.heapSize() == 1 || sleepNanos <= Math.min(delayNanos, NAP), "a missed wake-up");
    }

    /** Schedules, and cancels if that would have woken the thread. */
    private static boolean wakesOnSchedule(SystemTimer timer, long delayNanos) {
        try {
            timer.schedule(() -> {}, delayNanos);
            return false;
        } catch (NoThread e) {
            return true;
        }
    }

    private static Thread noThread(Runnable loop) {
        throw new NoThread();
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static final class NoThread extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
