package io.github.hedge4j.decorators;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.github.hedge4j.Attempt;
import io.github.resilience4j.retry.MaxRetriesExceededException;
import io.github.resilience4j.retry.Retry;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries its source again for as long as a retry wants to. Tries after the first run on the scheduler's thread, as a part of the hedge's
 * attempt that made the first one, if there was one. None is started once the stage has ended.
 */
final class RetryStage<T> extends Around<T> {

    private static final Logger LOG = LoggerFactory.getLogger(RetryStage.class);

    private static final long NO_MORE = -1;

    private final Retry.AsyncContext<T> context;
    private final ScheduledExecutorService scheduler;
    private final Supplier<? extends CompletionStage<? extends T>> again;

    /** The time until the next try. Written by whoever was told of the end of the try before. */
    private volatile @Nullable Alarm pause;

    RetryStage(Retry retry, ScheduledExecutorService scheduler, Supplier<CompletionStage<T>> source) {
        this.context = retry.asyncContext();
        this.scheduler = scheduler;
        this.attempt = Attempt.current().orElse(null);
        this.again = attempt == null ? source : attempt.bind(source);
    }

    /** A try has ended. */
    @Override
    void sourceEnded(@Nullable T value, @Nullable Throwable failure) {
        if (isEnded()) {
            discard(value);
            return;
        }
        long pauseMillis = pauseMillis(value, failure);
        if (pauseMillis < 0 || !isSetToTryAgain(pauseMillis)) {
            finish(value, failure);
        }
    }

    private long pauseMillis(@Nullable T value, @Nullable Throwable failure) {
        try {
            if (failure == null) {
                return context.onResult(value);
            }
            return failure instanceof Exception ? context.onError(failure) : NO_MORE;
        } catch (Throwable failed) {
            LOG.warn(
                    "A predicate, interval function or event consumer of a retry failed; there are no more tries",
                    failed);
            return NO_MORE;
        }
    }

    private boolean isSetToTryAgain(long pauseMillis) {
        Alarm next = new Alarm(this::tryAgain);
        pause = next;
        try {
            next.set(scheduler, pauseMillis, MILLISECONDS);
        } catch (Throwable refused) {
            LOG.warn("A scheduler refuses a retry; there are no more tries", refused);
            return false;
        }
        if (isEnded()) { // whoever ended the call may have looked before the pause was there
            next.cancel();
        }
        return true;
    }

    private void tryAgain() {
        if (!isEnded()) {
            invoke(again);
        }
    }

    private void finish(@Nullable T value, @Nullable Throwable failure) {
        if (failure != null) {
            end(null, failure);
            return;
        }
        try {
            context.onComplete();
        } catch (MaxRetriesExceededException exceeded) {
            end(null, exceeded);
            return;
        } catch (Throwable failed) {
            LOG.warn("An event consumer of a retry failed", failed);
        }
        end(value, null);
    }

    @Override
    void onCancel() {
        Alarm next = pause;
        if (next != null) {
            next.cancel();
        }
    }
}
