package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failureOf;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hedge4j.time.VirtualTimer;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rule C6: blocking work on threads of the user's. Delays are virtual; the threads are not. */
class BlockingWorkTest {

    private final VirtualTimer timer = new VirtualTimer();
    private final List<Object> discarded = new CopyOnWriteArrayList<>();
    private final List<ExecutorService> executors = new ArrayList<>();
    private final Hedge hedge = Hedge.of("blocking", config().build());

    @AfterEach
    void nothingIsLeft() throws InterruptedException {
        Threads.until(() -> hedge.getMetrics().getInFlightAttempts() == 0 && timer.pending() == 0);
        for (var executor : executors) {
            Threads.end(executor);
        }
    }

    @Test
    void theCallableRunsOnTheExecutor() throws Exception {
        var pool = ours(Executors.newSingleThreadExecutor(task -> new Thread(task, "worker")));

        var stage = hedge.decorateCallable(() -> Thread.currentThread().getName(), pool)
                .get();

        assertThat(stage.toCompletableFuture().get(10, SECONDS)).isEqualTo("worker");
    }

    @Test
    void nullIsAResult() throws Exception {
        var stage = hedge.<String>decorateCallable(() -> null, ours(Executors.newCachedThreadPool()))
                .get();

        assertThat(stage.toCompletableFuture().get(10, SECONDS)).isNull();
    }

    @Test
    void whatTheCallableThrowsIsTheFailureAsItIs() {
        var pool = ours(Executors.newCachedThreadPool());
        for (Throwable thrown :
                List.of(new IOException("checked"), new IllegalStateException("unchecked"), new StackOverflowError())) {
            var single = Hedge.of("single", config().maxAttempts(1).build());

            var stage = single.decorateCallable(throwing(thrown), pool).get();
            Threads.awaitEnd(stage.toCompletableFuture());

            assertThat(failureOf(stage)).isSameAs(thrown);
        }
    }

    @Test
    void aLoserIsInterruptedAndTheWinnerIsNot() throws Exception {
        loserIsInterrupted(ours(Executors.newCachedThreadPool()));
    }

    @Test
    void aLoserIsInterruptedInAForkJoinPoolToo() throws Exception {
        loserIsInterrupted(ours(new ForkJoinPool(4)));
    }

    @Test
    void aLoserIsInterruptedOnAVirtualThreadToo() throws Exception {
        Optional<Method> factory = Arrays.stream(Executors.class.getMethods())
                .filter(method -> method.getName().equals("newVirtualThreadPerTaskExecutor"))
                .findFirst();
        assumeTrue(factory.isPresent(), "this JDK has virtual threads");

        loserIsInterrupted(ours((ExecutorService) factory.get().invoke(null)));
    }

    private void loserIsInterrupted(ExecutorService pool) throws Exception {
        var entered = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        var number = new AtomicInteger();
        var stage = hedge.decorateCallable(
                        () -> {
                            if (number.getAndIncrement() == 0) {
                                entered.countDown();
                                return hangUntilInterrupted(interrupted);
                            }
                            return "hedge, interrupted: " + Thread.interrupted();
                        },
                        pool)
                .get();
        Threads.await(entered);

        timer.advance(ofMillis(50));

        assertThat(stage.toCompletableFuture().get(10, SECONDS)).isEqualTo("hedge, interrupted: false");
        Threads.await(interrupted);
    }

    @Test
    void cancellingTheCallInterruptsItsWorkWhateverTheFlag() {
        for (boolean mayInterrupt : new boolean[] {true, false}) {
            var entered = new CountDownLatch(1);
            var interrupted = new CountDownLatch(1);
            var stage = hedge.decorateCallable(
                            () -> {
                                entered.countDown();
                                return hangUntilInterrupted(interrupted);
                            },
                            ours(Executors.newCachedThreadPool()))
                    .get();
            Threads.await(entered);

            stage.toCompletableFuture().cancel(mayInterrupt);

            Threads.await(interrupted);
        }
    }

    @Test
    void workThatIsStillQueuedWhenItsCallEndsNeverStarts() throws Exception {
        var pool = ours(Executors.newSingleThreadExecutor());
        var entered = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var invocations = new AtomicInteger();
        var stage = hedge.decorateCallable(
                        () -> {
                            invocations.incrementAndGet();
                            entered.countDown();
                            Threads.await(goOn);
                            return "primary";
                        },
                        pool)
                .get();
        Threads.await(entered);
        timer.advance(ofMillis(50));
        assertThat(hedge.getMetrics().getNumberOfHedges()).isOne();

        goOn.countDown();
        assertThat(stage.toCompletableFuture().get(10, SECONDS)).isEqualTo("primary");
        awaitQueue(pool);

        assertThat(invocations).hasValue(1);
        Threads.awaitEnd(settled(stage).toCompletableFuture());
        assertThat(report(stage).attempts().get(1).outcome()).isEqualTo(AttemptOutcome.CANCELLED);
    }

    @Test
    void settledWaitsForTheThreadToLeaveTheCallable() throws Exception {
        var entered = new CountDownLatch(1);
        var leave = new CountDownLatch(1);
        var left = new CountDownLatch(1);
        var number = new AtomicInteger();
        var stage = hedge.decorateCallable(
                        () -> {
                            if (number.getAndIncrement() > 0) {
                                return "hedge";
                            }
                            entered.countDown();
                            awaitUninterruptibly(leave);
                            left.countDown();
                            return "primary";
                        },
                        ours(Executors.newCachedThreadPool()))
                .get();
        Threads.await(entered);

        timer.advance(ofMillis(50));
        assertThat(stage.toCompletableFuture().get(10, SECONDS)).isEqualTo("hedge");
        assertThat(settled(stage)).isNotDone();
        assertThat(hedge.getMetrics().getInFlightAttempts()).isOne();
        leave.countDown();
        Threads.awaitEnd(settled(stage).toCompletableFuture());

        assertThat(left.getCount()).isZero();
        assertThat(discarded).containsExactly("primary");
        assertThat(report(stage).attempts().get(0).outcome()).isNotEqualTo(AttemptOutcome.UNRESPONSIVE);
    }

    @Test
    void settledWaitsNoLongerThanTheGrace() throws Exception {
        var entered = new CountDownLatch(1);
        var leave = new CountDownLatch(1);
        var number = new AtomicInteger();
        var stage = hedge.decorateCallable(
                        () -> {
                            if (number.getAndIncrement() == 0) {
                                entered.countDown();
                                awaitUninterruptibly(leave);
                            }
                            return "result";
                        },
                        ours(Executors.newCachedThreadPool()))
                .get();
        Threads.await(entered);
        timer.advance(ofMillis(50));
        assertThat(stage.toCompletableFuture().get(10, SECONDS)).isEqualTo("result");
        Threads.until(() -> timer.pending() == 1); // the grace's

        timer.advance(ofSeconds(1));

        Threads.awaitEnd(settled(stage).toCompletableFuture());
        assertThat(hedge.getMetrics().getNumberOfUnresponsiveLosers()).isOne();
        leave.countDown();
    }

    @Test
    void aRejectedSubmissionIsAFailedAttempt() {
        var pool = Executors.newSingleThreadExecutor();
        pool.shutdown();
        var single = Hedge.of("single", config().maxAttempts(1).build());

        var stage = single.decorateCallable(() -> "never", pool).get();

        assertThat(failureOf(stage)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void whenAllSubmissionsAreRejectedTheCallFailsAtOnce() {
        var pool = Executors.newSingleThreadExecutor();
        pool.shutdown();

        var stage = hedge.decorateCallable(() -> "never", pool).get();

        assertThat(failureOf(stage))
                .asInstanceOf(type(AllAttemptsFailedException.class))
                .satisfies(failure -> assertThat(failure.getFailures())
                        .hasSize(2)
                        .hasOnlyElementsOfType(RejectedExecutionException.class));
    }

    @Test
    void aHedgeThatAFullPoolRejectsLeavesThePrimaryAlone() throws Exception {
        var pool = ours(new ThreadPoolExecutor(1, 1, 0, SECONDS, new SynchronousQueue<>()));
        var entered = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var stage = hedge.decorateCallable(
                        () -> {
                            entered.countDown();
                            Threads.await(goOn);
                            return "primary";
                        },
                        pool)
                .get();
        Threads.await(entered);

        timer.advance(ofMillis(50));
        goOn.countDown();

        assertThat(stage.toCompletableFuture().get(10, SECONDS)).isEqualTo("primary");
        Threads.awaitEnd(settled(stage).toCompletableFuture());
        assertThat(report(stage).attempts().get(1).failure()).get().isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void anExecutorThatRunsTasksWhereTheyAreGivenWorksToo() {
        var here = new CallerThread();

        var stage = hedge.decorateCallable(Thread::currentThread, here).get();

        assertThat(stage).isCompletedWithValue(Thread.currentThread());
    }

    @Test
    void aLoserThatIsInterruptedOnAThreadThatItOnlyBorrowsLeavesNoInterruptThere() {
        var timed = Hedge.of("timed", config().timeout(ofMillis(80)).build());
        var queue = new QueueExecutor();
        var number = new AtomicInteger();
        var firstQueuedThenDirect = new CallerThread() {
            @Override
            public void execute(Runnable task) {
                if (number.getAndIncrement() == 0) {
                    queue.execute(task);
                } else {
                    task.run();
                }
            }
        };
        var stage = timed.decorateCallable(
                        () -> {
                            timer.advance(ofMillis(30));
                            return "late, interrupted: "
                                    + Thread.currentThread().isInterrupted();
                        },
                        firstQueuedThenDirect)
                .get();

        timer.advance(ofMillis(50));

        assertThat(Thread.interrupted()).as("interrupted afterwards").isFalse();
        assertThat(failureOf(stage)).isInstanceOf(HedgeTimeoutException.class);
        assertThat(discarded).containsExactly("late, interrupted: true");
        queue.runAll();
        assertThat(discarded).hasSize(1);
    }

    @Test
    void anInterruptNeverReachesTheNextTaskOfTheThread() throws Exception {
        try (var pool = new SpinningExecutor()) {
            var single = Hedge.of("single", config().maxAttempts(1).build());
            for (int i = 0; i < 2000; i++) {
                int spins = i % 64;
                var entered = new CountDownLatch(1);
                var stage = single.decorateCallable(
                                () -> {
                                    entered.countDown();
                                    for (int spin = 0; spin < spins; spin++) {
                                        Thread.onSpinWait();
                                    }
                                    return "done";
                                },
                                pool)
                        .get();
                if (i % 2 == 0) {
                    Threads.await(entered);
                }
                stage.toCompletableFuture().cancel(true);
            }
            Threads.until(() -> single.getMetrics().getInFlightAttempts() == 0);
            Threads.until(pool::isIdle);

            assertThat(pool.interruptsBetweenTasks()).isZero();
        }
    }

    @Test
    void anInterruptThatComesFromSomebodyElseIsAFailedAttemptLikeAnyOther() throws Exception {
        var pool = ours(Executors.newSingleThreadExecutor());
        var single = Hedge.of("single", config().maxAttempts(1).build());
        var entered = new CountDownLatch(1);
        var stage = single.decorateCallable(
                        () -> {
                            entered.countDown();
                            new CountDownLatch(1).await();
                            return "never";
                        },
                        pool)
                .get();
        Threads.await(entered);

        pool.shutdownNow();
        Threads.awaitEnd(stage.toCompletableFuture());

        assertThat(failureOf(stage)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void aHedgeIsNotQueuedBehindThePrimaryItIsToHelpIfItHasAPoolOfItsOwn() throws Exception {
        var pools = List.of(ours(Executors.newSingleThreadExecutor()), ours(Executors.newSingleThreadExecutor()));
        var entered = new CountDownLatch(1);
        var targets = new LinkedHashMap<String, Supplier<CompletionStage<String>>>();
        var plain = Hedge.of("plain", config().maxAttempts(1).build());
        targets.put(
                "a",
                plain.decorateCallable(
                        () -> {
                            entered.countDown();
                            return hangUntilInterrupted(new CountDownLatch(1));
                        },
                        pools.get(0)));
        targets.put("b", plain.decorateCallable(() -> "from b", pools.get(1)));
        var stage = hedge.<String>decorateTargets(targets).get();
        Threads.await(entered);

        timer.advance(ofMillis(50));

        assertThat(stage.toCompletableFuture().get(10, SECONDS)).isEqualTo("from b");
        awaitQueue(pools.get(0));
    }

    @Test
    void losersThatAreNotToBeCancelledAreNotInterrupted() throws Exception {
        var patient = Hedge.of(
                "patient",
                config().cancelLosers(false).delay(HedgeDelay.fixed(ZERO)).build());
        var first = new CountDownLatch(1);
        var number = new AtomicInteger();
        var stage = patient.decorateCallable(
                        () -> {
                            if (number.getAndIncrement() == 0) {
                                Threads.await(first);
                                return "slow";
                            }
                            return "fast";
                        },
                        ours(Executors.newCachedThreadPool()))
                .get();
        assertThat(stage.toCompletableFuture().get(10, SECONDS)).isEqualTo("fast");

        first.countDown();
        Threads.awaitEnd(settled(stage).toCompletableFuture());

        assertThat(discarded).containsExactly("slow");
    }

    @Test
    void theCallableMayAskForItsAttempt() throws Exception {
        var stage = hedge.decorateCallable(
                        () -> Attempt.current().map(Attempt::number), ours(Executors.newCachedThreadPool()))
                .get();

        assertThat(stage.toCompletableFuture().get(10, SECONDS)).contains(0);
    }

    @Test
    void theCallablesAttemptIsGoneFromItsThreadAfterwards() throws Exception {
        var pool = ours(Executors.newSingleThreadExecutor());
        var stage = hedge.decorateCallable(() -> "done", pool).get();
        assertThat(stage.toCompletableFuture().get(10, SECONDS)).isEqualTo("done");

        assertThat(pool.submit(Attempt::current).get(10, SECONDS)).isEmpty();
    }

    @Test
    void neitherTheCallableNorTheExecutorMayBeNull() {
        var pool = ours(Executors.newCachedThreadPool());

        assertThatNullPointerException().isThrownBy(() -> hedge.decorateCallable(null, pool));
        assertThatNullPointerException().isThrownBy(() -> hedge.decorateCallable(() -> "result", null));
    }

    private HedgeConfig.Builder config() {
        return HedgeConfig.custom()
                .delay(HedgeDelay.fixed(ofMillis(50)))
                .budget(HedgeBudget.unlimited())
                .timer(timer)
                .executor(Runnable::run)
                .onDiscard(discarded::add);
    }

    private ExecutorService ours(ExecutorService executor) {
        executors.add(executor);
        return executor;
    }

    private static <T> CompletionStage<CallReport> settled(CompletionStage<T> stage) {
        return ((HedgedFuture<T>) stage).settled();
    }

    private static CallReport report(CompletionStage<?> stage) {
        return settled(stage).toCompletableFuture().join();
    }

    /** Waits until a single thread has done what it was given so far. */
    private static void awaitQueue(ExecutorService pool) throws Exception {
        pool.submit(() -> {}).get(10, SECONDS);
    }

    private static String hangUntilInterrupted(CountDownLatch interrupted) throws InterruptedException {
        try {
            new CountDownLatch(1).await();
            return "never";
        } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException ignored) {
                // Work that ignores being interrupted is what this is about.
            }
        }
    }

    private static Callable<String> throwing(Throwable thrown) {
        return () -> {
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (Exception) thrown;
        };
    }

    /** One thread that, unlike those of the JDK's pools, clears no interrupt between its tasks but counts them. */
    private static final class SpinningExecutor extends CallerThread implements AutoCloseable {
        private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        private final AtomicInteger interrupts = new AtomicInteger();
        private final Thread thread = new Thread(this::work, "spinning");
        private volatile boolean idle;
        private volatile boolean closed;

        SpinningExecutor() {
            thread.setDaemon(true);
            thread.start();
        }

        private void work() {
            for (int turn = 1; !closed; turn++) {
                var task = tasks.poll();
                if (task != null) {
                    idle = false;
                    task.run();
                } else {
                    idle = true;
                    Threads.pause(turn);
                }
                if (Thread.interrupted()) {
                    interrupts.incrementAndGet();
                }
            }
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        boolean isIdle() {
            return tasks.isEmpty() && idle;
        }

        int interruptsBetweenTasks() {
            return interrupts.get();
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
