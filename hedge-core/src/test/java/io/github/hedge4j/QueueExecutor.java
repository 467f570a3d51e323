package io.github.hedge4j;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/** An executor that only queues: the test decides when its tasks run, on the test's own thread. */
final class QueueExecutor implements Executor {

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    int size() {
        return tasks.size();
    }

    /** Runs the one that has waited longest. */
    void runOne() {
        tasks.remove().run();
    }

    /** Runs what is queued, and what that queues, until nothing is left. */
    void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
