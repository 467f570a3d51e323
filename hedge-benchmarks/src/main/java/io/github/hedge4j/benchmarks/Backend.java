package io.github.hedge4j.benchmarks;

import java.util.function.Supplier;

/** A backend whose answer to the primary is given and which answers every other attempt with success at once. */
final class Backend<F> implements Supplier<F> {

    private final Supplier<F> toPrimary;
    private final F toOthers;
    private final Thread caller = Thread.currentThread();

    /** Whether the caller's next attempt is a primary. Of the caller's thread alone; all on other threads are hedges. */
    private boolean fresh;

    Backend(Supplier<F> toPrimary, F toOthers) {
        this.toPrimary = toPrimary;
        this.toOthers = toOthers;
    }

    void nextCall() {
        fresh = true;
    }

    @Override
    public F get() {
        if (Thread.currentThread() == caller && fresh) {
            fresh = false;
            return toPrimary.get();
        }
        return toOthers;
    }
}
