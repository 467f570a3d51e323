package io.github.hedge4j.time;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the timer's thread does at each look, looked at without it: no thread is started, and the test looks in its
 * place.
 */
class SystemTimerTest {

    private static final long NAP = MILLISECONDS.toNanos(10);

    private final SystemTimer timer = new SystemTimer(loop -> Thread.currentThread());
    private final List<String> trail = new ArrayList<>();
    private final long start = System.nanoTime();
    private final Log log = new Log();

    @BeforeEach
    void captureLog() {
        log.logger.setUseParentHandlers(false);
        log.logger.addHandler(log);
    }

    @AfterEach
    void releaseLog() {
        log.logger.removeHandler(log);
        log.logger.setUseParentHandlers(true);
    }

    @Test
    void aTaskRunsWhenItIsDueAndNotEarlier() {
        timer.schedule(task("due"), HOURS.toNanos(1));

        lookUntilAsleep(start + HOURS.toNanos(1) - 1);
        assertThat(trail).isEmpty();

        lookUntilAsleep(System.nanoTime() + HOURS.toNanos(1));
        assertThat(trail).containsExactly("due");
        assertThat(timer.heapSize()).isZero();
    }

    @Test
    void aTaskCanBeScheduledAtAnInstant() {
        timer.scheduleAt(task("due"), start + HOURS.toNanos(1));

        lookUntilAsleep(start + HOURS.toNanos(1) - 1);
        assertThat(trail).isEmpty();

        lookUntilAsleep(start + HOURS.toNanos(1));
        assertThat(trail).containsExactly("due");
    }

    @Test
    void tasksRunInTheOrderOfTheirDueTimesWhateverTheirDelays() {
        timer.schedule(task("c"), MINUTES.toNanos(3));
        timer.schedule(task("a"), MINUTES.toNanos(1));
        lookUntilAsleep(start);
        timer.schedule(task("d"), MINUTES.toNanos(4));
        timer.schedule(task("b"), MINUTES.toNanos(2));
        lookUntilAsleep(start);

        lookUntilAsleep(start + HOURS.toNanos(1));

        assertThat(trail).containsExactly("a", "b", "c", "d");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void whatIsDueAtOnceRunsAtTheNextLook(long delayNanos) {
        timer.schedule(task("at once"), delayNanos);
        assertThat(trail).isEmpty();

        lookUntilAsleep(System.nanoTime());

        assertThat(trail).containsExactly("at once");
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE / 2 + 1})
    void theLongestDelaysDoNotOverflow(long delayNanos) {
        Timeout timeout = timer.schedule(task("in 146 years"), delayNanos);
        timer.schedule(task("soon"), 1_000);

        lookUntilAsleep(System.nanoTime() + DAYS.toNanos(365 * 100));

        assertThat(trail).containsExactly("soon");
        assertThat(timeout.cancel()).isTrue();
    }

    @Test
    void aTaskCancelledBeforeTheNextLookIsNeverOrdered() {
        Timeout timeout = timer.schedule(task("never"), 1_000);

        assertThat(timeout.cancel()).isTrue();
        lookUntilAsleep(start + HOURS.toNanos(1));

        assertThat(timeout.cancel()).isFalse();
        assertThat(trail).isEmpty();
        assertThat(timer.heapSize()).isZero();
    }

    @Test
    void aTaskCancelledAfterALookNeverRuns() {
        Timeout timeout = timer.schedule(task("never"), MINUTES.toNanos(1));
        lookUntilAsleep(start);

        assertThat(timeout.cancel()).isTrue();
        lookUntilAsleep(start + HOURS.toNanos(1));

        assertThat(timeout.cancel()).isFalse();
        assertThat(trail).isEmpty();
        assertThat(timer.heapSize()).isZero();
    }

    @Test
    void cancelIsFalseOnceTheTaskHasBegun() {
        List<Timeout> handle = new ArrayList<>();
        handle.add(timer.schedule(
                () -> trail.add("cancelled itself: " + handle.get(0).cancel()), 0));

        lookUntilAsleep(System.nanoTime());

        assertThat(trail).containsExactly("cancelled itself: false");
        assertThat(handle.get(0).cancel()).isFalse();
    }

    @Test
    void aTaskMayScheduleAndCancel() {
        Timeout other = timer.schedule(task("never"), MINUTES.toNanos(2));
        timer.schedule(
                () -> {
                    other.cancel();
                    timer.schedule(task("scheduled by a task"), 0);
                },
                MINUTES.toNanos(1));

        lookUntilAsleep(start + HOURS.toNanos(1));

        assertThat(trail).containsExactly("scheduled by a task");
    }

    @Test
    void theThreadNapsWhileTasksComeInAndThenSleepsUntilTheEarliestIsDue() {
        timer.schedule(task("later"), HOURS.toNanos(1));

        assertThat(timer.look(start)).isEqualTo(start + NAP);
        assertThat(timer.look(start + NAP)).isBetween(start + HOURS.toNanos(1), System.nanoTime() + HOURS.toNanos(1));
    }

    @Test
    void theThreadSleepsForGoodWhenNothingIsScheduled() {
        timer.schedule(task("never"), HOURS.toNanos(1)).cancel();

        assertThat(timer.look(start)).isEqualTo(start + NAP);
        assertThat(timer.look(start + NAP) - start).isGreaterThan(Long.MAX_VALUE / 2);
    }

    @Test
    void theThreadNapsNoLongerThanTheDelayInUse() {
        timer.schedule(task("never"), MILLISECONDS.toNanos(3)).cancel();

        assertThat(timer.look(start))
                .isBetween(start + MILLISECONDS.toNanos(3), System.nanoTime() + MILLISECONDS.toNanos(3));
    }

    @Test
    void aNapEndsWhenTheEarliestIsDueWhateverCameLast() {
        timer.schedule(task("soon"), MILLISECONDS.toNanos(2));
        timer.schedule(task("later"), HOURS.toNanos(1));

        assertThat(timer.look(start))
                .isBetween(start + MILLISECONDS.toNanos(2), System.nanoTime() + MILLISECONDS.toNanos(2));
    }

    @Test
    void cancelledTasksLeaveTheHeapWhenTheyAreMoreThanHalfOfIt() {
        List<Timeout> timeouts = scheduleMany(10_000);
        lookUntilAsleep(start);
        assertThat(timer.heapSize()).isEqualTo(10_000);

        timeouts.subList(5_000, 10_000).forEach(Timeout::cancel);
        lookUntilAsleep(start);
        assertThat(timer.heapSize()).isEqualTo(10_000);

        timeouts.get(4_999).cancel();
        lookUntilAsleep(start);
        assertThat(timer.heapSize()).isEqualTo(4_999);
    }

    @Test
    void aFewCancelledTasksMayStayInTheHeap() {
        List<Timeout> timeouts = scheduleMany(300);
        lookUntilAsleep(start);

        timeouts.subList(44, 300).forEach(Timeout::cancel);
        lookUntilAsleep(start);
        assertThat(timer.heapSize()).isEqualTo(300);

        timeouts.get(43).cancel();
        lookUntilAsleep(start);
        assertThat(timer.heapSize()).isEqualTo(43);
    }

    @Test
    void aCancelledTaskThatWouldBeNextDoesNotWakeTheThread() {
        List<Timeout> timeouts = scheduleMany(2);
        timer.schedule(task("later"), HOURS.toNanos(2));
        lookUntilAsleep(start);

        timeouts.forEach(Timeout::cancel);

        assertThat(timer.look(start)).isGreaterThan(start + HOURS.toNanos(1) + MINUTES.toNanos(30));
        assertThat(timer.heapSize()).isEqualTo(1);
    }

    @Test
    void whatASweepLeavesStillRunsInOrder() {
        List<Timeout> timeouts = new ArrayList<>();
        for (int i = 999; i >= 0; i--) {
            timeouts.add(timer.schedule(task(Integer.toString(i)), MINUTES.toNanos(i + 1)));
        }
        lookUntilAsleep(start);
        timeouts.subList(0, 997).forEach(Timeout::cancel);

        lookUntilAsleep(start);
        assertThat(timer.heapSize()).isEqualTo(3);
        lookUntilAsleep(start + DAYS.toNanos(1));

        assertThat(trail).containsExactly("0", "1", "2");
    }

    @Test
    void aTaskThatThrowsIsLoggedAndTheNextOnesRun() {
        RuntimeException exception = new IllegalStateException("from the task");
        Error error = new StackOverflowError("from another task");
        timer.schedule(thrower(exception), MINUTES.toNanos(1));
        timer.schedule(thrower(error), MINUTES.toNanos(2));
        timer.schedule(task("next"), MINUTES.toNanos(3));

        lookUntilAsleep(start + HOURS.toNanos(1));

        assertThat(trail).containsExactly("next");
        assertThat(log.thrown).containsExactly(exception, error);
    }

    @Test
    void aCancelledTimeoutHoldsItsTaskNoLonger() {
        Object result = new Object();
        WeakReference<Object> weak = new WeakReference<>(result);
        Timeout inIntake = timer.schedule(retaining(result), HOURS.toNanos(1));
        Timeout inHeap = timer.schedule(retaining(result), HOURS.toNanos(1));
        inIntake.cancel();
        timer.look(start);
        inHeap.cancel();
        result = null;

        assertCollected(weak);
        assertThat(inIntake.cancel() || inHeap.cancel()).isFalse(); // the handles were held to here
    }

    @Test
    void anEntryThatLeftTheIntakeLinksToNoOther() {
        WeakReference<Timeout> earlier = new WeakReference<>(timer.schedule(task("never"), HOURS.toNanos(1)));
        Timeout dropped = timer.schedule(task("never"), HOURS.toNanos(1));
        cancel(earlier);
        dropped.cancel();
        timer.look(start);
        assertCollected(earlier);

        WeakReference<Timeout> below = new WeakReference<>(timer.schedule(task("ran"), 0));
        Timeout ordered = timer.schedule(task("later"), HOURS.toNanos(1));
        lookUntilAsleep(System.nanoTime());
        assertCollected(below);

        assertThat(dropped.cancel()).isFalse();
        assertThat(ordered.cancel()).isTrue();
    }

    @Test
    void ifTheThreadCannotStartTheTaskIsTakenBackAndTheNextOneTriesAgain() {
        AtomicBoolean exhausted = new AtomicBoolean(true);
        SystemTimer poor = new SystemTimer(loop -> {
            if (exhausted.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return Thread.currentThread();
        });

        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> poor.schedule(task("never"), 0))
                .withMessage("unable to create native thread");
        exhausted.set(false);
        poor.schedule(task("second"), 0);
        poor.look(System.nanoTime());
        poor.look(System.nanoTime());

        assertThat(trail).containsExactly("second");
    }

    @Test
    void badInputIsNamed() {
        assertThatNullPointerException()
                .isThrownBy(() -> timer.schedule(noTask(), 1))
                .withMessage("task must not be null");
    }

    @Test
    void everybodySharesOneSystemTimer() {
        assertThat(HedgeTimer.system()).isSameAs(HedgeTimer.system()).hasToString("HedgeTimer.system()");
        long before = System.nanoTime();
        assertThat(HedgeTimer.system().nanoTime()).isBetween(before, System.nanoTime());
    }

    /** Looks as the thread does that wakes at {@code nowNanos}, in a world whose clock stands. */
    private void lookUntilAsleep(long nowNanos) {
        long next = timer.look(nowNanos);
        while (next - nowNanos <= 0) {
            next = timer.look(nowNanos);
        }
    }

    private List<Timeout> scheduleMany(int count) {
        List<Timeout> timeouts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            timeouts.add(timer.schedule(task("many"), HOURS.toNanos(1)));
        }
        return timeouts;
    }

    private Runnable task(String name) {
        return () -> trail.add(name);
    }

    private Runnable retaining(Object result) {
        return () -> trail.add("never, with " + result);
    }

    private static Runnable thrower(RuntimeException exception) {
        return () -> {
            throw exception;
        };
    }

    private static Runnable thrower(Error error) {
        return () -> {
            throw error;
        };
    }

    private static void cancel(WeakReference<Timeout> weak) {
        Timeout timeout = weak.get();
        assertThat(timeout).isNotNull();
        timeout.cancel();
    }

    private static void assertCollected(WeakReference<?> weak) {
        for (int i = 0; i < 100 && weak.get() != null; i++) {
            System.gc();
        }
        assertThat(weak.get()).isNull();
    }

    @SuppressWarnings("NullAway")
    private static Runnable noTask() {
        return null;
    }

    private static final class Log extends Handler {
        final Logger logger =
                Logger.getLogger("io.github.hedge4j.time.HedgeTimer"); // held, since the JDK holds it weakly
        final List<Throwable> thrown = new ArrayList<>();

        @Override
        public void publish(LogRecord entry) {
            thrown.add(entry.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
