package io.github.hedge4j.decorators;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.github.resilience4j.timelimiter.TimeLimiter;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** Fails and cancels its source when a time limiter's time is over, on the scheduler's thread. */
final class TimeLimiterStage<T> extends Around<T> {

    private final TimeLimiter timeLimiter;
    private final ScheduledExecutorService scheduler;
    private final Alarm alarm = new Alarm(this::timeIsOver);

    TimeLimiterStage(TimeLimiter timeLimiter, ScheduledExecutorService scheduler) {
        this.timeLimiter = timeLimiter;
        this.scheduler = scheduler;
    }

    @Override
    void onStart() {
        alarm.set(
                scheduler,
                NANOSECONDS.convert(timeLimiter.getTimeLimiterConfig().getTimeoutDuration()),
                NANOSECONDS);
    }

    private void timeIsOver() {
        fail(
                TimeLimiter.createdTimeoutExceptionWithName(timeLimiter.getName(), null),
                timeLimiter.getTimeLimiterConfig().shouldCancelRunningFuture());
    }

    @Override
    void onEnd(@Nullable T value, @Nullable Throwable failure) {
        alarm.cancel();
        if (failure == null) {
            timeLimiter.onSuccess();
        } else {
            timeLimiter.onError(failure);
        }
    }

    @Override
    void onCancel() {
        alarm.cancel();
    }
}
