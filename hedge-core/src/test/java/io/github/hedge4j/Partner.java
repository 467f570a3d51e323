package io.github.hedge4j;

import java.util.concurrent.atomic.AtomicReference;

/** A second thread that does one thing at the same moment as this thread does another. */
final class Partner implements AutoCloseable {

    private final AtomicReference<Runnable> offered = new AtomicReference<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean closed;

    Partner() {
        var thread = new Thread(this::work, "partner");
        thread.setDaemon(true);
        thread.start();
    }

    /** Does both at once and returns when both are done. */
    void meanwhile(Runnable theirs, Runnable ours) {
        offered.set(theirs);
        ours.run();
        Threads.until(() -> offered.get() == null);
        if (failure.get() != null) {
            throw new AssertionError("on the other thread", failure.get());
        }
    }

    private void work() {
        for (int turn = 1; !closed; turn++) {
            Runnable task = offered.get();
            if (task == null) {
                Threads.pause(turn);
                continue;
            }
            try {
                task.run();
            } catch (Throwable e) {
                failure.set(e);
            }
            offered.set(null);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
