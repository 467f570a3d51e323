package io.github.hedge4j.decorators;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.timelimiter.TimeLimiter;
import io.github.resilience4j.timelimiter.TimeLimiterConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Time limiters in a chain. */
class ChainWithTimeLimiterTest extends ChainFixture {

    @Test
    void aTimeLimiterCancelsItsSourceWhenItsTimeIsOver() {
        List<String> events = new ArrayList<>();
        timeLimiter
                .getEventPublisher()
                .onEvent(event -> events.add(event.getEventType().name()));

        var call = chain().withBulkhead(bulkhead)
                .withTimeLimiter(timeLimiter, scheduler)
                .get();
        advance(499);
        assertThat(call.toCompletableFuture()).isNotDone();
        advance(1);

        assertThat(failureOf(call)).isInstanceOf(TimeoutException.class).hasMessageContaining("'t'");
        assertThat(sources.get(0).cancelledWith).containsExactly(true);
        assertThat(events).containsExactly("TIMEOUT");
    }

    @Test
    void aTimeLimiterThatShallNotCancelLetsItsSourceRun() {
        var lenient = TimeLimiter.of(TimeLimiterConfig.custom()
                .timeoutDuration(ofMillis(500))
                .cancelRunningFuture(false)
                .build());

        var timedOut = chain().withTimeLimiter(lenient, scheduler).get();
        advance(500);
        var cancelled = future(chain().withTimeLimiter(lenient, scheduler).get());
        cancelled.cancel(true);

        assertThat(failureOf(timedOut)).isInstanceOf(TimeoutException.class);
        assertThat(sources.get(0).cancelledWith).isEmpty();
        assertThat(sources.get(1).cancelledWith).containsExactly(true);
    }

    @Test
    void aTimeLimiterAroundAHedgeCancelsAllItsAttempts() {
        var call = chain().withHedge(hedge(3))
                .withTimeLimiter(timeLimiter, scheduler)
                .get();

        advance(500);

        assertThat(failureOf(call)).isInstanceOf(TimeoutException.class);
        assertThat(sources)
                .hasSize(3)
                .allSatisfy(source -> assertThat(source.cancelledWith).containsExactly(true));
    }

    @Test
    void aCallThatIsDoneAtOnceSetsNoTimer() {
        scheduler.refuse();

        var call = HedgeDecorators.ofCompletionStage(() -> CompletableFuture.completedFuture("result"))
                .withTimeLimiter(timeLimiter, scheduler)
                .get();

        assertThat(call).isCompletedWithValue("result");
    }

    @Test
    void aTimeLimiterThatCannotSetItsTimerFailsTheCallAndCancelsIt() {
        scheduler.refuse();

        var call = chain().withBulkhead(bulkhead)
                .withTimeLimiter(timeLimiter, scheduler)
                .get();

        assertThat(failureOf(call)).isInstanceOf(RejectedExecutionException.class);
        assertThat(sources.get(0).cancelledWith).containsExactly(true);
    }

    @Test
    void nothingStaysInTheQueueOfARealScheduler() {
        var real = new ScheduledThreadPoolExecutor(1);
        try {
            var limited = chain().withRetry(retry, real)
                    .withTimeLimiter(TimeLimiter.of(ofHours(1)), real)
                    .decorate();
            for (int n = 0; n < 100; n++) {
                var call = future(limited.get());
                if (n % 4 == 0) {
                    sources.get(n).complete("result");
                } else if (n % 4 == 1) {
                    sources.get(n).completeExceptionally(new OutOfMemoryError());
                } else {
                    if (n % 4 == 2) {
                        sources.get(n).completeExceptionally(new IOException());
                    }
                    call.cancel(true);
                }
                assertThat(call).isDone();
            }

            assertThat(real.getQueue()).isEmpty();
        } finally {
            real.shutdownNow();
        }
    }
}
