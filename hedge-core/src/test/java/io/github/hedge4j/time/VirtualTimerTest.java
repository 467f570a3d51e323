package io.github.hedge4j.time;

import static java.time.Duration.ofMillis;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VirtualTimerTest {

    private final VirtualTimer timer = new VirtualTimer();
    private final List<String> trail = new ArrayList<>();

    @Test
    void timeStandsStillUntilItIsAdvanced() {
        assertThat(timer.nanoTime()).isZero();

        timer.advance(ofMillis(70));
        timer.advance(ofMillis(5));

        assertThat(timer.nanoTime()).isEqualTo(MILLISECONDS.toNanos(75));
    }

    @Test
    void tasksRunInTheOrderOfTheirDueTimesAndSeeThem() {
        after(50, "c");
        after(20, "a");
        after(30, "b");

        timer.advance(ofMillis(40));

        assertThat(trail).containsExactly("20 ms a", "30 ms b");
        assertThat(timer.nanoTime()).isEqualTo(MILLISECONDS.toNanos(40));
        assertThat(timer.pending()).isEqualTo(1);
    }

    @Test
    void aTaskIsDueAtTheVeryEndOfAnAdvanceAndNotOneNanosecondEarlier() {
        after(50, "due");

        timer.advance(ofMillis(50).minusNanos(1));
        assertThat(trail).isEmpty();

        timer.advance(Duration.ofNanos(1));
        assertThat(trail).containsExactly("50 ms due");
        assertThat(timer.pending()).isZero();
    }

    @Test
    void aTaskCanBeScheduledAtAnInstantAndAtOnceIfThatHasPassed() {
        timer.advance(ofMillis(30));
        timer.scheduleAt(() -> trail.add("at 50 ms"), MILLISECONDS.toNanos(50));
        timer.scheduleAt(() -> trail.add("at once"), MILLISECONDS.toNanos(10));

        timer.advance(ofMillis(19));
        assertThat(trail).containsExactly("at once");

        timer.advance(ofMillis(1));
        assertThat(trail).containsExactly("at once", "at 50 ms");
        assertThat(timer.pending()).isZero();
    }

    @Test
    void tasksOfOneInstantRunAsTheyWereScheduled() {
        for (String name : List.of("a", "b", "c", "d", "e")) {
            after(10, name);
        }

        timer.advance(ofMillis(10));

        assertThat(trail).containsExactly("10 ms a", "10 ms b", "10 ms c", "10 ms d", "10 ms e");
    }

    @Test
    void completionBeatsTheTimeoutOfTheSameTick() {
        expiryAfter(10, "delay over");
        expiryAfter(10, "deadline passed");
        after(10, "completed");

        timer.advance(ofMillis(10));

        assertThat(trail).containsExactly("10 ms completed", "10 ms delay over", "10 ms deadline passed");
        assertThat(timer.pending()).isZero();
    }

    @Test
    void whatACompletionSchedulesForTheSameTickBeatsTheTimeoutToo() {
        Timeout delay = expiryAfter(10, "delay over");
        timer.schedule(() -> after(0, "hop", () -> after(0, "second hop", delay::cancel)), MILLISECONDS.toNanos(10));

        timer.advance(ofMillis(10));

        assertThat(trail).containsExactly("10 ms hop", "10 ms second hop");
        assertThat(timer.pending()).isZero();
    }

    @Test
    void anExpiryOfAnEarlierInstantRunsBeforeEverythingLater() {
        after(10, "late completion");
        timer.schedule(expiry("delay over"), MILLISECONDS.toNanos(10) - 1);

        timer.advance(ofMillis(10));

        assertThat(trail).containsExactly("9 ms delay over", "10 ms late completion");
    }

    @Test
    void tasksScheduledWhileAdvancingRunIfDueWithinTheAdvance() {
        after(10, "first", () -> {
            after(10, "within");
            after(30, "beyond");
        });

        timer.advance(ofMillis(30));

        assertThat(trail).containsExactly("10 ms first", "20 ms within");
        assertThat(timer.pending()).isEqualTo(1);
    }

    @Test
    void aCancelledTaskNeverRunsAndIsNotPending() {
        Timeout timeout = after(10, "cancelled");
        after(10, "kept");
        assertThat(timer.pending()).isEqualTo(2);

        assertThat(timeout.cancel()).isTrue();
        assertThat(timer.pending()).isEqualTo(1);
        timer.advance(ofMillis(10));

        assertThat(trail).containsExactly("10 ms kept");
        assertThat(timeout.cancel()).isFalse();
        assertThat(timer.pending()).isZero();
    }

    @Test
    void cancelIsFalseOnceTheTaskHasBegun() {
        List<Timeout> handle = new ArrayList<>();
        handle.add(after(
                10, "runs", () -> trail.add("cancelled itself: " + handle.get(0).cancel())));

        timer.advance(ofMillis(10));

        assertThat(trail).containsExactly("10 ms runs", "cancelled itself: false");
        assertThat(handle.get(0).cancel()).isFalse();
        assertThat(timer.pending()).isZero();
    }

    @Test
    void aTaskMayCancelTheNextOneOfItsInstant() {
        List<Timeout> second = new ArrayList<>();
        after(10, "first", () -> second.get(0).cancel());
        second.add(after(10, "second"));

        timer.advance(ofMillis(10));

        assertThat(trail).containsExactly("10 ms first");
        assertThat(timer.pending()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void whatIsDueAtOnceWaitsForTheNextAdvance(long delayNanos) {
        timer.advance(ofMillis(5));
        timer.schedule(task("at once"), delayNanos);
        assertThat(trail).isEmpty();

        timer.advance(Duration.ZERO);

        assertThat(trail).containsExactly("5 ms at once");
        assertThat(timer.nanoTime()).isEqualTo(MILLISECONDS.toNanos(5));
    }

    @Test
    void theLongestDelayDoesNotOverflow() {
        Timeout timeout = timer.schedule(task("in 146 years"), Long.MAX_VALUE);
        after(10, "soon");

        timer.advance(Duration.ofNanos(DAYS.toNanos(365 * 100)));

        assertThat(trail).containsExactly("10 ms soon");
        assertThat(timeout.cancel()).isTrue();
    }

    @Test
    void theLongestAdvanceDoesNotOverflow() {
        timer.schedule(task("in 146 years"), Long.MAX_VALUE);

        timer.advance(Duration.ofSeconds(Long.MAX_VALUE));

        assertThat(trail).hasSize(1);
        assertThat(timer.nanoTime()).isEqualTo(Long.MAX_VALUE / 2);
    }

    @Test
    void timeMayPassLongMaxValue() {
        VirtualTimer late = new VirtualTimer(Long.MAX_VALUE - 10);
        late.schedule(() -> trail.add("b"), 20);
        late.schedule(() -> trail.add("a"), 5);
        late.schedule(() -> trail.add("c"), 30);

        late.advance(Duration.ofNanos(25));

        assertThat(trail).containsExactly("a", "b");
        assertThat(late.nanoTime()).isEqualTo(Long.MIN_VALUE + 14);
        assertThat(late.advanceToNext()).isTrue();
        assertThat(trail).containsExactly("a", "b", "c");
    }

    @Test
    void advanceToNextRunsAllOfTheNextInstant() {
        after(10, "a", () -> after(0, "scheduled for the same instant"));
        after(10, "b");
        after(20, "c");

        assertThat(timer.advanceToNext()).isTrue();
        assertThat(trail).containsExactly("10 ms a", "10 ms b", "10 ms scheduled for the same instant");
        assertThat(timer.nanoTime()).isEqualTo(MILLISECONDS.toNanos(10));

        assertThat(timer.advanceToNext()).isTrue();
        assertThat(timer.advanceToNext()).isFalse();
        assertThat(trail).last().isEqualTo("20 ms c");
        assertThat(timer.nanoTime()).isEqualTo(MILLISECONDS.toNanos(20));
    }

    @Test
    void advanceToNextSkipsWhatWasCancelled() {
        after(10, "cancelled").cancel();
        after(20, "kept");

        assertThat(timer.advanceToNext()).isTrue();

        assertThat(trail).containsExactly("20 ms kept");
        assertThat(timer.advanceToNext()).isFalse();
    }

    @Test
    void anAdvanceWithinAnAdvanceRunsWhatIsDueUntilItsEnd() {
        after(10, "outer", () -> {
            timer.advance(ofMillis(15));
            trail.add("inner advance ended at " + millis());
        });
        after(20, "within both");
        after(30, "within the outer");

        timer.advance(ofMillis(40));

        assertThat(trail)
                .containsExactly(
                        "10 ms outer", "20 ms within both", "inner advance ended at 25 ms", "30 ms within the outer");
        assertThat(timer.nanoTime()).isEqualTo(MILLISECONDS.toNanos(40));
    }

    @Test
    void anAdvanceWithinAnAdvanceMayGoBeyondItAndTimeDoesNotComeBack() {
        after(10, "outer", () -> timer.advance(ofMillis(100)));
        after(50, "ran by the inner advance");

        timer.advance(ofMillis(20));

        assertThat(trail).containsExactly("10 ms outer", "50 ms ran by the inner advance");
        assertThat(timer.nanoTime()).isEqualTo(MILLISECONDS.toNanos(110));
    }

    @Test
    void anExceptionComesOutOfTheAdvanceAndTheTasksBehindItWaitForTheNext() {
        after(10, "throws", () -> {
            throw new IllegalStateException("from the task");
        });
        after(10, "same instant");
        after(20, "later");

        assertThatIllegalStateException()
                .isThrownBy(() -> timer.advance(ofMillis(30)))
                .withMessage("from the task");
        assertThat(trail).containsExactly("10 ms throws");
        assertThat(timer.nanoTime()).isEqualTo(MILLISECONDS.toNanos(10));
        assertThat(timer.pending()).isEqualTo(2);

        timer.advance(ofMillis(10));

        assertThat(trail).containsExactly("10 ms throws", "10 ms same instant", "20 ms later");
        assertThat(timer.pending()).isZero();
    }

    @Test
    void badInputIsNamed() {
        assertThatNullPointerException()
                .isThrownBy(() -> timer.advance(nothing()))
                .withMessage("duration must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> timer.schedule(nothing(), 1))
                .withMessage("task must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> timer.advance(ofMillis(-5)))
                .withMessage("duration must be >= 0, but was PT-0.005S");
        assertThat(timer.pending()).isZero();
    }

    @Test
    void aMillionCancelledTasksDoNotPileUp() {
        for (int i = 0; i < 1_000_000; i++) {
            timer.schedule(task("never"), DAYS.toNanos(1)).cancel();
        }

        assertThat(timer.pending()).isZero();
        assertThat(timer.queued()).isLessThan(100);
    }

    @Test
    void cancellingHalfOfManyTasksLeavesTheOthersInOrder() {
        List<Timeout> odd = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Timeout timeout = timer.schedule(task(Integer.toString(i)), MILLISECONDS.toNanos(i));
            if (i % 3 != 0) {
                odd.add(timeout);
            }
        }

        odd.forEach(Timeout::cancel);

        assertThat(timer.pending()).isEqualTo(334);
        assertThat(timer.queued()).isLessThanOrEqualTo(2 * 334);
        while (timer.advanceToNext()) {
            assertThat(trail).last().isEqualTo(millis() + " " + NANOSECONDS.toMillis(timer.nanoTime()));
        }
        assertThat(trail).hasSize(334);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void runsWhatANaiveTimerRuns(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TreeMap<Long, String> naive = new TreeMap<>(); // due time * 2 * many + expiry * many + number -> name
        List<Timeout> handles = new ArrayList<>();
        List<Long> keys = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        int many = 100_000;
        for (int number = 0; number < 5_000; number++) {
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    boolean expires = random.nextBoolean();
                    int delay = random.nextInt(20);
                    String name = "task " + number;
                    handles.add(timer.schedule(expires ? expiry(name) : task(name), MILLISECONDS.toNanos(delay)));
                    long due = NANOSECONDS.toMillis(timer.nanoTime()) + delay;
                    keys.add((due * 2 + (expires ? 1 : 0)) * many + number);
                    naive.put(keys.get(keys.size() - 1), due + " ms " + name);
                }
                case 2 -> {
                    if (!handles.isEmpty()) {
                        int victim = random.nextInt(handles.size());
                        boolean wasPending = naive.remove(keys.get(victim)) != null;
                        assertThat(handles.get(victim).cancel()).isEqualTo(wasPending);
                    }
                }
                default -> {
                    timer.advance(ofMillis(random.nextInt(3)));
                    long end = (NANOSECONDS.toMillis(timer.nanoTime()) + 1) * 2 * many;
                    expected.addAll(naive.headMap(end).values());
                    naive.headMap(end).clear();
                }
            }
            assertThat(timer.pending()).isEqualTo(naive.size());
        }

        assertThat(trail).isEqualTo(expected);
    }

    @Test
    void manyThreadsMayScheduleAndCancelWhileOneAdvances() throws Exception {
        int threads = 4;
        int perThread = 20_000;
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger cancelled = new AtomicInteger();
        AtomicLong early = new AtomicLong();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<CompletableFuture<Void>> producers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                SplittableRandom random = new SplittableRandom(i);
                producers.add(CompletableFuture.runAsync(
                        () -> {
                            for (int j = 0; j < perThread; j++) {
                                long dueAtLeast = timer.nanoTime() + 1_000;
                                Timeout timeout = timer.schedule(
                                        () -> {
                                            ran.incrementAndGet();
                                            early.addAndGet(timer.nanoTime() < dueAtLeast ? 1 : 0);
                                        },
                                        1_000);
                                if (random.nextBoolean() && timeout.cancel()) {
                                    cancelled.incrementAndGet();
                                }
                            }
                        },
                        pool));
            }
            CompletableFuture<Void> all = CompletableFuture.allOf(producers.toArray(new CompletableFuture<?>[0]));
            while (!all.isDone()) {
                timer.advance(Duration.ofNanos(100));
            }
            all.join();
        } finally {
            pool.shutdownNow();
        }
        timer.advance(Duration.ofNanos(1_000));

        assertThat(ran.get() + cancelled.get()).isEqualTo(threads * perThread);
        assertThat(early).hasValue(0);
        assertThat(timer.pending()).isZero();
    }

    @Test
    void noLockIsHeldWhileATaskRuns() {
        after(
                10,
                "waits for another thread",
                () -> CompletableFuture.runAsync(() -> {
                            timer.schedule(task("scheduled elsewhere"), 0);
                            trail.add("pending " + timer.pending());
                        })
                        .join());

        timer.advance(ofMillis(10));

        assertThat(trail).containsExactly("10 ms waits for another thread", "pending 1", "10 ms scheduled elsewhere");
    }

    @Test
    void itsTextTellsTimeAndPendingTasks() {
        timer.schedule(task("never"), 100);
        timer.advance(Duration.ofNanos(70));

        assertThat(timer).hasToString("VirtualTimer[nanoTime=70, pending=1]");
    }

    private Timeout after(long millis, String name) {
        return timer.schedule(task(name), MILLISECONDS.toNanos(millis));
    }

    private Timeout after(long millis, String name, Runnable then) {
        return timer.schedule(
                () -> {
                    task(name).run();
                    then.run();
                },
                MILLISECONDS.toNanos(millis));
    }

    private Timeout expiryAfter(long millis, String name) {
        return timer.schedule(expiry(name), MILLISECONDS.toNanos(millis));
    }

    private Runnable task(String name) {
        return () -> trail.add(millis() + " " + name);
    }

    private Expiry expiry(String name) {
        return () -> trail.add(millis() + " " + name);
    }

    private String millis() {
        return NANOSECONDS.toMillis(timer.nanoTime()) + " ms";
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T nothing() {
        return null;
    }
}
