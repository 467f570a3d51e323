package io.github.hedge4j;

import io.github.hedge4j.time.Expiry;
import io.github.hedge4j.time.HedgeTimer;
import io.github.hedge4j.time.Timeout;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A timer whose tasks run marked as being on the timer's thread, so that user code can note that it was called there. */
final class ThreadGuard implements HedgeTimer {

    private final HedgeTimer timer;
    private final List<String> trespassers = new CopyOnWriteArrayList<>();
    private volatile Thread timersThread;

    ThreadGuard(HedgeTimer timer) {
        this.timer = timer;
    }

    /** To be called by all user code: notes it if this is the timer's thread. */
    void passes(String userCode) {
        if (Thread.currentThread() == timersThread) {
            trespassers.add(userCode);
        }
    }

    /** The user code that was called on the timer's thread. */
    List<String> trespassers() {
        return trespassers;
    }

    @Override
    public long nanoTime() {
        return timer.nanoTime();
    }

    @Override
    public Timeout schedule(Runnable task, long delayNanos) {
        Runnable marked = () -> {
            timersThread = Thread.currentThread();
            try {
                task.run();
            } finally {
                timersThread = null;
            }
        };
        return timer.schedule(task instanceof Expiry ? (Expiry) marked::run : marked, delayNanos);
    }
}
