package io.github.hedge4j.decorators;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.Attempt;
import io.github.hedge4j.Hedge;
import io.github.hedge4j.future.Stages;
import io.github.hedge4j.future.WorkFuture;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stage around another one, its source. It ends as its source does; and in whatever way it is ended from outside, its source is
 * cancelled. Either way the decorator is told once, before the stage completes.
 *
 * <pre>
 *   admit() --> source runs --- source ends --------> onEnd(..)                      --> complete
 *      |                    \-- ended from outside --> onCancel(), cancel the source --> complete
 *      +-- refused --> complete exceptionally
 * </pre>
 *
 * <p><b>One word decides.</b> {@code source} is the running source, null while there is none yet or none at the moment, and ENDED for
 * good. Whoever sets ENDED ends the stage, and holds by the same write what is to be cancelled; a source that turns up later finds ENDED
 * and is cancelled by whoever brings it; and the end of a source counts only if it is the one that is running.
 *
 * <p>A result that comes when the stage has ended is discarded: by the attempt that the call is a part of, or else by the hedge further in
 * that has delivered it.
 *
 * <p>No lock is held while foreign code runs, and what a decorator's event consumers throw is logged.
 */
abstract class Around<T> extends WorkFuture<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Around.class);

    private static final Object ENDED = new Object();

    private static final VarHandle SOURCE;

    static {
        try {
            SOURCE = MethodHandles.lookup().findVarHandle(Around.class, "source", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Written through SOURCE only. */
    private volatile @Nullable Object source;

    /** The next hedge further in, if there is one. */
    private @Nullable Hedge inner;

    /** Whose call this is; known once there is a source that is running or has come too late, written before that is listened to. */
    @Nullable
    Attempt attempt;

    // ---- what a decorator does

    /** Takes what the call needs, or throws why it may not be made: then nothing else is called. */
    void admit() {}

    /** The source is running, and nobody has been told of its end yet. What this throws ends the stage. */
    void onStart() {}

    /** The source has ended; by default, so does this stage. */
    void sourceEnded(@Nullable T value, @Nullable Throwable failure) {
        end(value, failure);
    }

    /** This stage ends with what its source came to: settles what {@link #admit} took. */
    void onEnd(@Nullable T value, @Nullable Throwable failure) {}

    /** This stage is ended from outside: settles what {@link #admit} took, for a call that neither succeeded nor failed. */
    void onCancel() {}

    /** Afterwards, the source has been asked to end, too. */
    void sourceCancelled(CompletionStage<?> source) {}

    // ---- the call

    /** Makes the call on this thread. */
    final CompletionStage<T> start(Supplier<? extends CompletionStage<? extends T>> supplier, @Nullable Hedge inner) {
        this.inner = inner;
        try {
            admit();
        } catch (Throwable refused) {
            endEarly(false, () -> {}, () -> failFromInside(refused));
            return this;
        }
        invoke(supplier);
        return this;
    }

    /** Asks for a source; for one that throws or is null, it has ended at once. */
    final void invoke(Supplier<? extends CompletionStage<? extends T>> supplier) {
        CompletionStage<? extends T> running;
        try {
            running = requireNonNull(supplier.get(), "the supplier returned null");
        } catch (Throwable thrown) {
            sourceEnded(null, thrown);
            return;
        }
        boolean tooLate = !SOURCE.compareAndSet(this, null, running); // ended while the supplier was invoked
        boolean pending = !Stages.hasEnded(running);
        if (attempt == null && (tooLate || pending)) {
            attempt = Attempt.current().orElse(null);
        }
        if (tooLate) {
            cancelSource(running);
        } else if (pending) {
            endIfRefused(this::onStart);
        }
        endIfRefused(() -> listen(running));
    }

    private void endIfRefused(Runnable step) {
        try {
            step.run();
        } catch (Throwable refused) {
            endEarly(true, () -> onEnd(null, refused), () -> failFromInside(refused));
        }
    }

    private void listen(CompletionStage<? extends T> running) {
        if (running
                instanceof Around<? extends T> inner) { // spares the exception in which whenComplete() wraps a failure
            CompletionStage<?> unused = inner.handle((value, failure) -> {
                ended(running, value, failure);
                return null;
            });
        } else {
            CompletionStage<?> unused = running.whenComplete((value, failure) -> ended(running, value, failure));
        }
    }

    private void ended(CompletionStage<?> running, @Nullable T value, @Nullable Throwable failure) {
        if (SOURCE.compareAndSet(this, running, null)) {
            sourceEnded(value, failure == null ? null : Stages.unwrap(failure));
        } else {
            discard(value);
        }
    }

    /** What comes too late to be this stage's result. */
    final void discard(@Nullable T value) {
        if (value == null) {
            return;
        }
        if (attempt != null) {
            attempt.discard(value);
        } else if (inner != null) {
            inner.discard(value);
        }
    }

    // ---- the end

    final boolean isEnded() {
        return source == ENDED;
    }

    /** Ends this stage with what its source came to; discards that if it has ended already. */
    final void end(@Nullable T value, @Nullable Throwable failure) {
        if (SOURCE.getAndSet(this, ENDED) != ENDED) {
            settle(() -> onEnd(value, failure));
            if (failure == null) {
                completeFromInside(value);
            } else {
                failFromInside(failure);
            }
        } else {
            discard(value);
        }
    }

    /** Ends this stage with a failure while its source may be running. */
    final void fail(Throwable failure, boolean cancelsSource) {
        endEarly(cancelsSource, () -> onEnd(null, failure), () -> failFromInside(failure));
    }

    @Override
    protected final boolean endFromOutside(Runnable completion) {
        return endEarly(true, this::onCancel, completion);
    }

    /** Decide, tidy, complete. False if it has ended already. */
    private boolean endEarly(boolean cancelsSource, Runnable settling, Runnable completion) {
        Object running = SOURCE.getAndSet(this, ENDED);
        if (running == ENDED) {
            return false;
        }
        settle(settling);
        if (cancelsSource && running instanceof CompletionStage<?> stage) {
            cancelSource(stage);
        }
        completion.run();
        return true;
    }

    private void cancelSource(CompletionStage<?> running) {
        Stages.cancel(running);
        settle(() -> sourceCancelled(running));
    }

    private static void settle(Runnable settling) {
        try {
            settling.run();
        } catch (Throwable failed) {
            LOG.warn(
                    "A decorator could not be told of the end of a call, or one of its event consumers failed", failed);
        }
    }
}
