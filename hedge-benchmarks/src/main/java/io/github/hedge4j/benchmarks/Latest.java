package io.github.hedge4j.benchmarks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A supplier of pending futures from which the latest one can be had. */
final class Latest<F> implements Supplier<F> {

    private static final VarHandle LATEST;

    static {
        try {
            LATEST = MethodHandles.lookup().findVarHandle(Latest.class, "latest", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Futures<F> futures;

    /** Not volatile, whose fence would be most of what the bare call costs. */
    @SuppressWarnings("unused") // through LATEST
    private @Nullable Object latest;

    Latest(Futures<F> futures) {
        this.futures = futures;
    }

    @Override
    public F get() {
        F pending = futures.pending();
        LATEST.setRelease(this, pending);
        return pending;
    }

    /** Waits for a decorator that invokes its supplier on another thread. */
    @SuppressWarnings("unchecked")
    F take() {
        Object taken;
        while ((taken = LATEST.getAcquire(this)) == null) {
            Thread.onSpinWait();
        }
        LATEST.setRelease(this, null);
        return (F) taken;
    }
}
