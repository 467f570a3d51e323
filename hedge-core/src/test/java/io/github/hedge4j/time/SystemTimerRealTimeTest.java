package io.github.hedge4j.time;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The timer with its thread, on the real clock. How long anything may take is bounded only by a ratio, or generously.
 */
@Tag("realtime")
@org.junit.jupiter.api.Timeout(value = 120, threadMode = org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD)
class SystemTimerRealTimeTest {

    private final SystemTimer timer = new SystemTimer(SystemTimer::startThread);

    @Test
    @SuppressWarnings("ThreadPriorityCheck")
    void theThreadIsADaemonThatInheritsNothing() {
        InheritableThreadLocal<String> inheritable = new InheritableThreadLocal<>();
        inheritable.set("the first caller's");
        Thread caller = Thread.currentThread();
        int priority = caller.getPriority();
        caller.setPriority(Thread.MIN_PRIORITY);
        try {
            Thread thread = onTimer(Thread::currentThread);

            assertThat(thread.getName()).isEqualTo("hedge-timer");
            assertThat(thread.isDaemon()).isTrue();
            assertThat(thread.getPriority()).isEqualTo(Thread.NORM_PRIORITY);
            assertThat(thread.getContextClassLoader()).isNull();
            assertThat(thread.getThreadGroup().getParent()).isNull();
            assertThat(onTimer(() -> String.valueOf(inheritable.get()))).isEqualTo("null");
        } finally {
            caller.setPriority(priority);
            inheritable.remove();
        }
    }

    @Test
    void oneThreadServesAllAndStartsWithTheFirstTask() {
        AtomicInteger started = new AtomicInteger();
        SystemTimer counted = new SystemTimer(loop -> {
            started.incrementAndGet();
            return SystemTimer.startThread(loop);
        });
        assertThat(started).hasValue(0);

        CountDownLatch done = new CountDownLatch(1_000);
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            callers.add(new Thread(() -> {
                for (int j = 0; j < 100; j++) {
                    counted.schedule(done::countDown, j * 1_000L);
                }
            }));
        }
        callers.forEach(Thread::start);

        await(done);
        assertThat(started).hasValue(1);
    }

    @Test
    void neitherInterruptsNorExceptionsEndTheThread() {
        Thread thread = onTimer(Thread::currentThread);

        thread.interrupt();
        assertThat(onTimer(Thread::currentThread)).isSameAs(thread);

        timer.schedule(() -> Thread.currentThread().interrupt(), 0);
        assertThat(onTimer(Thread::interrupted)).isFalse();
        assertThat(onTimer(Thread::currentThread)).isSameAs(thread);
    }

    @Test
    void manyThreadsScheduleAndCancelAtRandomAndEachTaskRunsOnceOrIsCancelled() throws Exception {
        int threads = 4;
        int perThread = 50_000;
        int count = threads * perThread;
        AtomicIntegerArray runs = new AtomicIntegerArray(count);
        AtomicIntegerArray cancels = new AtomicIntegerArray(count);
        AtomicLongArray dueNanos = new AtomicLongArray(count);
        AtomicInteger early = new AtomicInteger();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int first = i * perThread;
            SplittableRandom random = new SplittableRandom(i);
            callers.add(new Thread(() -> {
                Timeout[] alive = new Timeout[500];
                int[] number = new int[alive.length];
                for (int j = first; j < first + perThread; j++) {
                    int task = j;
                    long delayNanos = random.nextInt(10) == 0 ? HOURS.toNanos(1) : random.nextInt(5_000_000);
                    dueNanos.set(task, System.nanoTime() + delayNanos);
                    Timeout timeout = timer.schedule(
                            () -> {
                                runs.incrementAndGet(task);
                                if (System.nanoTime() - dueNanos.get(task) < 0) {
                                    early.incrementAndGet();
                                }
                            },
                            delayNanos);
                    int slot = random.nextInt(alive.length);
                    if (alive[slot] != null && random.nextInt(5) != 0 && alive[slot].cancel()) {
                        cancels.incrementAndGet(number[slot]);
                    }
                    alive[slot] = timeout;
                    number[slot] = task;
                    if (delayNanos == HOURS.toNanos(1) && random.nextBoolean() && timeout.cancel()) {
                        cancels.incrementAndGet(task);
                    }
                }
            }));
        }
        callers.forEach(Thread::start);
        for (Thread caller : callers) {
            caller.join();
        }
        CountDownLatch allDue = new CountDownLatch(1); // as late as the last of the others
        timer.schedule(allDue::countDown, MILLISECONDS.toNanos(6));
        await(allDue);

        assertThat(early).hasValue(0);
        int hourly = 0;
        for (int i = 0; i < count; i++) {
            int ends = runs.get(i) + cancels.get(i);
            if (ends == 0) {
                assertThat(dueNanos.get(i) - System.nanoTime())
                        .as("task %d neither ran nor was cancelled", i)
                        .isPositive();
                hourly++;
            } else {
                assertThat(ends)
                        .as("task %d: %d runs, %d cancels", i, runs.get(i), cancels.get(i))
                        .isEqualTo(1);
            }
        }
        int pending = hourly;
        assertThat(onTimer(timer::heapSize)).isBetween(pending, 2 * pending + 257);
    }

    /** One missed wake-up would leave the thread asleep, and the caller waiting for ever. */
    @Test
    void noWakeUpIsMissedWhateverTheThreadIsAboutToDo() throws Exception {
        int rounds = 20_000;
        List<Thread> callers = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            SplittableRandom random = new SplittableRandom(i);
            callers.add(new Thread(() -> {
                Semaphore ran = new Semaphore(0);
                for (int round = 0; round < rounds; round++) {
                    timer.schedule(ran::release, random.nextInt(20_000));
                    if (random.nextInt(4) == 0) {
                        timer.schedule(ran::release, HOURS.toNanos(1)).cancel();
                    }
                    ran.acquireUninterruptibly();
                    for (int spin = random.nextInt(2_000); spin > 0; spin--) {
                        Thread.onSpinWait();
                    }
                }
                done.countDown();
            }));
        }
        callers.forEach(Thread::start);

        await(done);
        assertThat(done.getCount()).isZero();
    }

    @Test
    void cancellingMostOfTheHeapWakesTheThreadToSweepIt() throws Exception {
        int count = 100_000;
        Timeout[] timeouts = new Timeout[count];
        for (int i = 0; i < count; i++) {
            timeouts[i] = timer.schedule(() -> {}, HOURS.toNanos(1));
        }
        assertThat(onTimer(timer::heapSize)).isEqualTo(count);

        Thread evens = new Thread(() -> cancelEverySecond(timeouts, 0));
        Thread odds = new Thread(() -> cancelEverySecond(timeouts, 1));
        evens.start();
        odds.start();
        evens.join();
        odds.join();

        // Read across threads, which is racy, since a question put to the thread would wake it.
        long giveUp = System.nanoTime() + SECONDS.toNanos(30);
        while (timer.heapSize() > 512 && System.nanoTime() - giveUp < 0) {
            LockSupport.parkNanos(MICROSECONDS.toNanos(100));
        }
        assertThat(timer.heapSize()).isLessThanOrEqualTo(512);
    }

    @Test
    void lateByNoMoreThanTheJdksTimerAndNeverEarly() throws Exception {
        ScheduledThreadPoolExecutor jdk = new ScheduledThreadPoolExecutor(1, SystemTimer::newThread);
        int count = 300;
        AtomicLongArray ours = new AtomicLongArray(count);
        AtomicLongArray theirs = new AtomicLongArray(count);
        CountDownLatch done = new CountDownLatch(2 * count);
        long delayNanos = MILLISECONDS.toNanos(20);
        try {
            for (int i = 0; i < count; i++) {
                int number = i;
                long dueNanos = System.nanoTime() + delayNanos;
                timer.schedule(() -> record(ours, number, dueNanos, done), delayNanos);
                long dueThere = System.nanoTime() + delayNanos;
                ScheduledFuture<?> unused =
                        jdk.schedule(() -> record(theirs, number, dueThere, done), delayNanos, NANOSECONDS);
                LockSupport.parkNanos(MILLISECONDS.toNanos(1));
            }
            await(done);
        } finally {
            jdk.shutdownNow();
        }

        long[] oursSorted = sorted(ours);
        long[] theirsSorted = sorted(theirs);
        assertThat(oursSorted[0]).isNotNegative();
        assertThat(oursSorted[count / 2]).isLessThan(2 * theirsSorted[count / 2] + MICROSECONDS.toNanos(200));
    }

    @Test
    void millionsOfTimersThatAreCancelledAtOnceFitIntoASmallHeap() throws Exception {
        assertThat(fork("-Xmx64m", SmallHeap.class, "at once")).isEqualTo("held 0, exit 0");
    }

    @Test
    void millionsOfTimersThatLiveForTwentyMillisecondsFitIntoASmallHeap() throws Exception {
        assertThat(fork("-Xmx64m", SmallHeap.class, "after 20 ms")).isEqualTo("held 0, exit 0");
    }

    @Test
    void theJvmExitsWithTasksPending() throws Exception {
        assertThat(fork("-Xmx64m", LeavesATaskPending.class, "")).isEqualTo("main ends, exit 0");
    }

    /**
     * In batches, each of which waits for the timer, so that a starved timer thread slows this down and does not fail
     * it.
     */
    static final class SmallHeap {
        private static final int BATCH = 100_000;
        private static final int BATCHES = 25; // at 32 bytes each 80 MB, and what their tasks hold is another 300
        private static final long HOUR = HOURS.toNanos(1);

        private SmallHeap() {}

        public static void main(String[] args) {
            SystemTimer timer = (SystemTimer) HedgeTimer.system();
            boolean atOnce = args[0].equals("at once");
            Timeout[] alive = new Timeout[BATCH];
            timer.schedule(() -> {}, HOUR).cancel();
            for (int batch = 0; batch < BATCHES; batch++) {
                for (int i = 0; i < BATCH; i++) {
                    byte[] result = new byte[100];
                    Timeout timeout = timer.schedule(() -> consume(result), HOUR);
                    if (atOnce) {
                        timeout.cancel();
                    } else {
                        alive[i] = timeout;
                    }
                }
                after(timer, atOnce ? 0 : MILLISECONDS.toNanos(20)).join();
                if (!atOnce) {
                    Arrays.stream(alive).forEach(Timeout::cancel);
                }
            }
            after(timer, 0).join();
            CompletableFuture<Integer> heapSize = new CompletableFuture<>();
            timer.schedule(() -> heapSize.complete(timer.heapSize()), 0);
            int held = heapSize.join();
            System.out.print("held " + (held <= 256 ? 0 : held));
        }

        private static CompletableFuture<Void> after(SystemTimer timer, long delayNanos) {
            CompletableFuture<Void> passed = new CompletableFuture<>();
            timer.schedule(() -> passed.complete(null), delayNanos);
            return passed;
        }

        private static void consume(byte[] result) {
            throw new AssertionError("cancelled, and ran with " + result.length);
        }
    }

    static final class LeavesATaskPending {
        private LeavesATaskPending() {}

        public static void main(String[] args) {
            HedgeTimer.system().schedule(() -> {}, HOURS.toNanos(1));
            System.out.print("main ends");
        }
    }

    private static String fork(String option, Class<?> main, String argument) throws Exception {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                option,
                "-XX:+UseSerialGC",
                "-cp",
                location(SystemTimer.class) + File.pathSeparator + location(main),
                main.getName(),
                argument);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            return output + ", exit " + process.waitFor();
        } finally {
            process.destroyForcibly();
        }
    }

    private static Path location(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private <T> T onTimer(Supplier<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        timer.schedule(() -> answer.complete(question.get()), 0);
        return answer.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(100, SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void cancelEverySecond(Timeout[] timeouts, int first) {
        for (int i = first; i < timeouts.length; i += 2) {
            timeouts[i].cancel();
        }
    }

    private static void record(AtomicLongArray lateness, int number, long dueNanos, CountDownLatch done) {
        lateness.set(number, System.nanoTime() - dueNanos);
        done.countDown();
    }

    private static long[] sorted(AtomicLongArray values) {
        long[] sorted = new long[values.length()];
        Arrays.setAll(sorted, values::get);
        Arrays.sort(sorted);
        return sorted;
    }
}
