package io.github.hedge4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.future.Stages;
import io.github.hedge4j.time.VirtualTimer;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class InterruptibleTaskTest {

    private final StandardHedge hedge = new StandardHedge(
            "blocking",
            HedgeConfig.custom()
                    .delay(HedgeDelay.fixed(Duration.ofMillis(50)))
                    .timer(new VirtualTimer())
                    .build(),
            Map.of());

    @Test
    void queuedWorkThatIsCancelledNeverRuns() {
        var ran = new AtomicBoolean();
        InterruptibleTask<String> task = task(() -> {
            ran.set(true);
            return "ran";
        });

        assertThat(task.cancel(true)).isTrue();
        task.run();

        assertThat(task).isCancelled();
        assertThat(ran).isFalse();
    }

    @Test
    void runningWorkIsInterruptedAndItsStageEndsWhenItHasLeft() throws Exception {
        var running = new CountDownLatch(1);
        var doneInside = new AtomicBoolean();
        var self = new AtomicReference<InterruptibleTask<String>>();
        self.set(task(() -> {
            running.countDown();
            try {
                new CountDownLatch(1).await();
                return "never";
            } catch (InterruptedException stopped) {
                doneInside.set(self.get().isDone());
                return "stopped";
            }
        }));
        var interruptedAfterwards = new AtomicBoolean();
        var thread = new Thread(() -> {
            self.get().run();
            interruptedAfterwards.set(Thread.interrupted());
        });
        thread.start();
        running.await();

        assertThat(self.get().cancel(true)).isTrue();
        thread.join();

        assertThat(self.get()).isCompletedWithValue("stopped");
        assertThat(doneInside).isFalse();
        assertThat(interruptedAfterwards).isFalse();
    }

    @Test
    void workIsNotInterruptedWhereThatIsNotAllowed() throws Exception {
        var self = new AtomicReference<InterruptibleTask<Boolean>>();
        self.set(task(() -> self.get().cancel(false) || Thread.currentThread().isInterrupted()));

        self.get().run();

        assertThat(self.get()).isCompletedWithValue(false);
    }

    @Test
    void workThatHasLeftIsNotInterrupted() {
        InterruptibleTask<String> task = task(() -> "done");
        task.run();

        assertThat(task.cancel(true)).isFalse();

        assertThat(Thread.interrupted()).isFalse();
        assertThat(task).isCompletedWithValue("done");
    }

    @Test
    void whatCancelledWorkThrowsIsItsFailure() {
        var failure = new IllegalStateException();
        InterruptibleTask<String> task = task(() -> {
            throw failure;
        });

        task.run();

        assertThat(task).isCompletedExceptionally();
        assertThat(task.handle((value, thrown) -> thrown).join()).isSameAs(failure);
    }

    /** A thread closes the channel it blocks on when it is interrupted, and that may throw: the task must be let go all the same. */
    @Test
    void workIsLetGoIfItsThreadCannotBeInterrupted() throws Exception {
        var running = new CountDownLatch(1);
        var tried = new CountDownLatch(1);
        InterruptibleTask<String> task = task(() -> {
            running.countDown();
            tried.await();
            return "done";
        });
        var thread = new Thread(task) {
            @Override
            public void interrupt() {
                throw new IllegalStateException("not this thread");
            }
        };
        thread.start();
        running.await();

        Stages.cancel(task);
        tried.countDown();
        thread.join();

        assertThat(task).isCompletedWithValue("done");
    }

    /** A pool that is full may run the work in the thread that submits it: inside the supplier, before there is a stage to cancel. */
    @Test
    void workThatRunsWhereItWasSubmittedIsInterruptedToo() throws Exception {
        var running = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        var thread = new AtomicReference<Thread>();
        var onThread = HedgeConfig.custom()
                .delay(HedgeDelay.fixed(Duration.ofMillis(50)))
                .budget(HedgeBudget.unlimited())
                .timer(new VirtualTimer())
                .executor(task -> {
                    thread.set(new Thread(task));
                    thread.get().start();
                })
                .build();
        var attempts = new AtomicInteger();
        Callable<String> work = () -> {
            if (attempts.getAndIncrement() == 0) {
                throw new IllegalStateException("on to the hedge");
            }
            running.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException stopped) {
                interrupted.countDown();
            }
            return "stopped";
        };
        CompletableFuture<String> call = new StandardHedge("callerRuns", onThread, Map.of())
                .<String>decorateCallable(work, new CallerThread())
                .get()
                .toCompletableFuture();
        running.await();

        call.cancel(true);

        interrupted.await();
        thread.get().join();
        assertThat(call).isCancelled();
    }

    /**
     * One thread runs tasks, another cancels them at any moment. Afterwards the first one must not find itself interrupted: neither when
     * the task has let it go, nor when the cancellation is over too.
     */
    @Test
    void noInterruptReachesAThreadThatHasLeft() throws Exception {
        var next = new AtomicReference<InterruptibleTask<Integer>>();
        var over = new AtomicBoolean();
        var canceller = new Thread(() -> {
            var random = new SplittableRandom(1);
            while (!over.get()) {
                InterruptibleTask<Integer> task = next.get();
                if (task != null) {
                    spin(random.nextInt(60));
                    task.cancel(true);
                    next.set(null);
                }
            }
        });
        canceller.start();
        int neverRan = 0;
        int stopped = 0;
        try {
            var random = new SplittableRandom(2);
            long enoughNanos = System.nanoTime() + 3_000_000_000L;
            for (int i = 0; neverRan + stopped == 0 || (i < 30_000 && System.nanoTime() - enoughNanos < 0); i++) {
                var runs = new AtomicInteger();
                int spins = random.nextInt(60);
                InterruptibleTask<Integer> task = task(() -> {
                    runs.incrementAndGet();
                    spin(spins);
                    return Thread.interrupted() ? 1 : 0;
                });
                next.set(task);
                spin(random.nextInt(30));

                task.run();

                check(!Thread.interrupted(), "the task left an interrupt behind");
                while (next.get() != null) {
                    Thread.onSpinWait();
                }
                check(!Thread.interrupted(), "an interrupt came after the task had left");
                check(task.isDone() && runs.get() == (task.isCancelled() ? 0 : 1), "cancelled, and ran " + runs);
                neverRan += 1 - runs.get();
                stopped += task.isCancelled() ? 0 : task.join();
            }
        } finally {
            over.set(true);
            canceller.join();
        }
        assertThat(next.get()).as("the task that nobody cancelled").isNull();
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    private <T> InterruptibleTask<T> task(Callable<T> work) {
        CallAttempt<T> attempt = hedge.newCall(Work.<T>of(work, Runnable::run)).trail().primary;
        return new InterruptibleTask<>(work, attempt);
    }
}
