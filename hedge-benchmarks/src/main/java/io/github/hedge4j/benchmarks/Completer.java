package io.github.hedge4j.benchmarks;

import org.jspecify.annotations.Nullable;

/** A thread that waits, spinning, for one future after the other to complete. */
final class Completer<F> extends Thread {

    private final Futures<F> futures;

    /** Set by the caller, taken by this thread. */
    private volatile @Nullable F next;

    Completer(Futures<F> futures) {
        super("completer");
        this.futures = futures;
        setDaemon(true);
    }

    void succeedSoon(F pending) {
        next = pending;
    }

    @Override
    public void run() {
        while (true) {
            F pending = next;
            if (pending == null) {
                Thread.onSpinWait();
            } else {
                next = null;
                futures.succeed(pending);
            }
        }
    }
}
