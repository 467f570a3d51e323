package io.github.hedge4j;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An executor in the moods that users' executors have: runs at once, runs later in any order, refuses now and then, has threads. */
final class FuzzExecutor implements Executor {

    enum Mood {
        DIRECT,
        QUEUED,
        REFUSING
    }

    private final Mood mood;
    private final FuzzDice dice;
    private final @Nullable Executor threads;
    private final Consumer<Throwable> failures;

    /** Guarded by itself. */
    private final List<Runnable> queue = new ArrayList<>();

    private final AtomicInteger running = new AtomicInteger();

    FuzzExecutor(Mood mood, FuzzDice dice, @Nullable Executor threads, Consumer<Throwable> failures) {
        this.failures = failures;
        this.mood = mood;
        this.dice = dice;
        this.threads = threads;
    }

    @Override
    public void execute(Runnable task) {
        if (mood == Mood.REFUSING && dice.chance(30)) {
            throw new RejectedExecutionException("refused by the script");
        }
        if (threads != null) {
            onThread(task);
        } else if (mood == Mood.QUEUED) {
            synchronized (queue) {
                queue.add(task);
            }
        } else {
            task.run();
        }
    }

    /** Runs on another thread, after a moment of any length; here, if there are no threads. */
    void onThread(Runnable task) {
        if (threads == null) {
            task.run();
            return;
        }
        running.incrementAndGet();
        int spins = dice.below(200);
        threads.execute(() -> {
            try {
                for (int i = 0; i < spins; i++) {
                    Thread.onSpinWait();
                }
                task.run();
            } catch (Throwable thrown) { // the engine lets nothing out, wherever it runs
                failures.accept(thrown);
            } finally {
                running.decrementAndGet();
            }
        });
    }

    /** Runs any one of the queued tasks; false if there is none. */
    boolean runOne() {
        Runnable task;
        synchronized (queue) {
            if (queue.isEmpty()) {
                return false;
            }
            task = queue.remove(dice.below(queue.size()));
        }
        task.run();
        return true;
    }

    /** Whether tasks are on their way on other threads. */
    boolean isBusy() {
        return running.get() > 0;
    }
}
