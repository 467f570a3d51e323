package io.github.hedge4j.vavr;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.hedge4j.AllAttemptsFailedException;
import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.time.VirtualTimer;
import io.vavr.concurrent.Future;
import io.vavr.concurrent.Promise;
import io.vavr.control.Try;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VavrHedgeTest {

    private final VirtualTimer timer = new VirtualTimer();
    private final Hedge hedge = Hedge.of("vavr", config(Runnable::run));

    /** The promises of the attempts made by {@link #ask}, whose futures run what depends on them in place. */
    private final List<Promise<String>> attempts = new ArrayList<>();

    private HedgeConfig config(Executor executor) {
        return HedgeConfig.custom()
                .delay(HedgeDelay.fixed(ofMillis(50)))
                .budget(HedgeBudget.unlimited())
                .timer(timer)
                .executor(executor)
                .build();
    }

    private Future<String> ask() {
        Promise<String> promise = Promise.make(Runnable::run);
        attempts.add(promise);
        return promise.future();
    }

    @AfterEach
    void nothingIsPending() {
        assertThat(timer.pending()).isZero();
        assertThat(hedge.getMetrics().getInFlightAttempts()).isZero();
    }

    // ---- decorator

    @Test
    void theDecoratorComposesWithOthers() {
        List<String> trail = new ArrayList<>();
        var decorator = VavrHedge.<String>decorator(hedge)
                .compose((Supplier<CompletionStage<String>> source) -> () -> {
                    trail.add("inside");
                    return source.get();
                })
                .andThen(VavrHedgeTest::length);

        CompletionStage<Integer> length = decorator
                .apply(() -> trail.size() == 1 ? new CompletableFuture<>() : CompletableFuture.completedFuture("hedge"))
                .get();
        timer.advance(ofMillis(50));

        assertThat(length.toCompletableFuture()).isCompletedWithValue(5);
        assertThat(trail).containsExactly("inside", "inside");
    }

    private static Supplier<CompletionStage<Integer>> length(Supplier<CompletionStage<String>> text) {
        return () -> text.get().thenApply(String::length);
    }

    // ---- futures

    @Test
    void aHedgeWinsAndThePrimarysFutureIsCancelled() {
        Future<String> call = VavrHedge.decorateFuture(hedge, this::ask).get();
        timer.advance(ofMillis(50));
        assertThat(call.isCompleted()).isFalse();
        assertThat(call.getValue().isEmpty()).isTrue();
        assertThat(call).hasToString("Future(?)");

        attempts.get(1).success("hedge");

        assertThat(call.getValue().get()).isEqualTo(Try.success("hedge"));
        assertThat(call.isCancelled()).isFalse();
        assertThat(call).hasToString("Future(Success(hedge))");
        assertThat(attempts.get(0).future().isCancelled()).isTrue();
        assertThat(attempts.get(1).future().isCancelled()).isFalse();
    }

    @Test
    void aCallerThatCancelsReachesEverySource() {
        Future<String> call = VavrHedge.decorateFuture(hedge, this::ask).get();
        timer.advance(ofMillis(50));

        assertThat(call.cancel()).isTrue();

        assertThat(attempts).hasSize(2).allMatch(attempt -> attempt.future().isCancelled());
        assertThat(call.isCancelled()).isTrue();
        assertThat(call.getCause().get()).isInstanceOf(CancellationException.class);
        assertThat(call.cancel()).isFalse();
        assertThat(hedge.getMetrics().getNumberOfCancelledCalls()).isOne();
    }

    @Test
    void aFutureThatHasEndedCannotBeCancelled() {
        Future<String> call =
                VavrHedge.decorateFuture(hedge, () -> Future.successful("here")).get();

        assertThat(call.cancel(true)).isFalse();
        assertThat(call.isCancelled()).isFalse();
        assertThat(call.get()).isEqualTo("here");
    }

    @Test
    void aFutureThatHasSucceededIsNotWaitedForAndNeedsNoTimer() {
        Executor never = task -> {
            throw new AssertionError("the source's executor is not needed");
        };

        Future<String> call = VavrHedge.decorateFuture(hedge, () -> Future.successful(never, "here"))
                .get();

        assertThat(call.getValue().get()).isEqualTo(Try.success("here"));
        assertThat(hedge.getMetrics().getNumberOfCallsWonByPrimary()).isOne();
    }

    @Test
    void nullIsAResultOfAFutureLikeAnyOther() {
        Future<String> atOnce = VavrHedge.<String>decorateFuture(hedge, () -> Future.successful(null))
                .get();
        Future<String> pending = VavrHedge.decorateFuture(hedge, this::ask).get();
        timer.advance(ofMillis(50));
        attempts.get(1).success(null);

        assertThat(atOnce.getValue().get()).isEqualTo(Try.success(null));
        assertThat(pending.getValue().get()).isEqualTo(Try.success(null));
    }

    @Test
    void aFailureOfOneAttemptStartsTheNextAndAllFailuresAreKept() {
        var first = new IOException("first");
        var second = new IOException("second");
        Future<String> call = VavrHedge.decorateFuture(hedge, this::ask).get();

        attempts.get(0).failure(first);
        attempts.get(1).failure(second);

        assertThat(call.getCause().get())
                .isInstanceOfSatisfying(
                        AllAttemptsFailedException.class,
                        failed -> assertThat(failed.getFailures()).containsExactly(first, second));
    }

    @Test
    void theFailureOfAnOnlyAttemptIsPassedThroughAsItIs() {
        var failure = new IOException();
        var alone = Hedge.of(
                "alone", HedgeConfig.from(hedge.getHedgeConfig()).maxAttempts(1).build());

        Future<String> call = VavrHedge.<String>decorateFuture(alone, () -> Future.failed(failure))
                .get();

        assertThat(call.getCause().get()).isSameAs(failure);
    }

    @Test
    void aSupplierThatReturnsNullOrThrowsIsAFailedAttempt() {
        Future<String> nothing =
                VavrHedge.<String>decorateFuture(hedge, () -> null).get();
        Future<String> thrown = VavrHedge.<String>decorateFuture(hedge, () -> {
                    throw new IllegalStateException();
                })
                .get();

        assertThat(nothing.getCause().get()).hasCauseInstanceOf(NullPointerException.class);
        assertThat(thrown.getCause().get()).hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void aFailureThatVavrRefusesToHoldIsHeldInAnother() {
        var interrupted = new InterruptedException();
        var alone = Hedge.of(
                "alone", HedgeConfig.from(hedge.getHedgeConfig()).maxAttempts(1).build());
        Supplier<CompletionStage<String>> fails = () -> CompletableFuture.failedFuture(interrupted);

        CompletionStage<Try<String>> ended = VavrHedge.executeTry(alone, fails);

        assertThat(ended.toCompletableFuture())
                .isCompletedWithValueMatching(end -> end.getCause() instanceof CompletionException
                        && end.getCause().getCause() == interrupted);
    }

    @Test
    void aResultThatVavrTellsWhenItsAttemptHasLostIsDiscarded() {
        List<Object> discarded = new ArrayList<>();
        List<Runnable> queued = new ArrayList<>();
        var discarding = Hedge.of(
                "discarding",
                HedgeConfig.from(hedge.getHedgeConfig())
                        .onDiscard(discarded::add)
                        .build());
        List<Promise<String>> promises = new ArrayList<>();
        Future<String> call = VavrHedge.decorateFuture(discarding, () -> {
                    promises.add(Promise.make(queued::add));
                    return promises.get(promises.size() - 1).future();
                })
                .get();
        promises.get(0).success("late");

        call.cancel(true);
        queued.forEach(Runnable::run);

        assertThat(call.isCancelled()).isTrue();
        assertThat(discarded).containsExactly("late");
    }

    @Test
    void futuresThatDependOnACallRunOnTheHedgesExecutor() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor(task -> new Thread(task, "the hedge's"));
        try {
            var pooled = Hedge.of("pooled", config(pool));
            Future<String> call = VavrHedge.decorateFuture(pooled, () -> Future.successful("x"))
                    .get();
            var thread = new CompletableFuture<String>();

            call.map(String::length)
                    .onComplete(end -> thread.complete(Thread.currentThread().getName()));

            assertThat(thread.get(20, TimeUnit.SECONDS)).isEqualTo("the hedge's");
            assertThat(call.executor()).isSameAs(pool);
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void whatDependsOnACallIsToldAlsoIfTheExecutorRefuses() {
        var refusing = Hedge.of("refusing", config(task -> {
            throw new RejectedExecutionException();
        }));
        var told = new AtomicReference<Try<String>>();

        VavrHedge.decorateFuture(refusing, () -> Future.successful("x")).get().onComplete(told::set);

        assertThat(told).hasValue(Try.success("x"));
    }

    @Test
    void anActionThatThrowsIsToldOnce() {
        var told = new ArrayList<Try<String>>();
        var thread = Thread.currentThread();
        var before = thread.getUncaughtExceptionHandler();
        var uncaught = new AtomicReference<Throwable>();
        thread.setUncaughtExceptionHandler((any, failure) -> uncaught.set(failure));
        try {
            VavrHedge.decorateFuture(hedge, () -> Future.successful("x")).get().onComplete(end -> {
                told.add(end);
                throw new IllegalStateException("mine");
            });
        } finally {
            thread.setUncaughtExceptionHandler(before);
        }

        assertThat(told).hasSize(1);
        assertThat(uncaught.get()).hasMessage("mine");
    }

    @Test
    void anAwaitThatTimesOutEndsTheCallAsVavrSaysAndCancelsItsSources() {
        Future<String> call = VavrHedge.decorateFuture(hedge, this::ask).get();

        call.await(1, TimeUnit.MILLISECONDS);

        assertThat(call.getCause().get()).isInstanceOf(TimeoutException.class);
        assertThat(attempts).allMatch(attempt -> attempt.future().isCancelled());
    }

    @Test
    void anAwaitThatIsInterruptedEndsTheCallAndLeavesTheThreadInterrupted() {
        Future<String> call = VavrHedge.decorateFuture(hedge, this::ask).get();

        Thread.currentThread().interrupt();
        call.await();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(call.getCause().get()).hasCauseInstanceOf(InterruptedException.class);
        assertThat(attempts).allMatch(attempt -> attempt.future().isCancelled());
    }

    @Test
    void blockingWorkInAVavrFutureIsInterruptedWhenItLoses() throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            var running = new CountDownLatch(1);
            var interrupted = new CountDownLatch(1);
            Future<String> call = VavrHedge.decorateFuture(
                            hedge,
                            () -> attempts.isEmpty()
                                    ? Future.of(pool, () -> {
                                        attempts.add(Promise.make());
                                        running.countDown();
                                        try {
                                            new CountDownLatch(1).await();
                                        } catch (InterruptedException e) {
                                            interrupted.countDown();
                                        }
                                        return "primary";
                                    })
                                    : Future.successful("hedge"))
                    .get();
            assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();

            timer.advance(ofMillis(50));

            assertThat(call.get()).isEqualTo("hedge");
            assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            pool.shutdown();
        }
    }

    // ---- Try

    @Test
    void aTryHoldsWhatTheCallCameTo() {
        var failure = new IOException();
        var alone = Hedge.of(
                "alone", HedgeConfig.from(hedge.getHedgeConfig()).maxAttempts(1).build());

        assertThat(VavrHedge.executeTry(hedge, () -> CompletableFuture.completedFuture("x"))
                        .toCompletableFuture())
                .isCompletedWithValue(Try.success("x"));
        assertThat(VavrHedge.executeTry(hedge, () -> CompletableFuture.<Void>completedFuture(null))
                        .toCompletableFuture())
                .isCompletedWithValue(Try.success(null));
        assertThat(VavrHedge.executeTry(alone, () -> CompletableFuture.<String>failedFuture(failure))
                        .toCompletableFuture())
                .isCompletedWithValueMatching(end -> end.getCause() == failure);
    }

    @Test
    void aTryThatItsCallerCancelsCancelsItsAttempts() {
        var primary = new CompletableFuture<String>();
        var end = VavrHedge.executeTry(hedge, () -> primary).toCompletableFuture();

        end.cancel(true);

        assertThat(primary).isCancelled();
        assertThat(hedge.getMetrics().getNumberOfCancelledCalls()).isOne();
    }

    @Test
    void aTryThatIsCompletedByOthersCancelsItsAttempts() {
        var primary = new CompletableFuture<String>();
        var end = VavrHedge.executeTry(hedge, () -> primary).toCompletableFuture();

        end.complete(Try.success("somebody else's"));

        assertThat(primary).isCancelled();
        assertThat(hedge.getMetrics().getNumberOfCancelledCalls()).isOne();
    }

    @Test
    void aResultAtTheInstantOfTheCancelIsInTheTryOrDiscarded() throws Exception {
        List<Object> discarded = new CopyOnWriteArrayList<>();
        var discarding = Hedge.of(
                "discarding",
                HedgeConfig.from(hedge.getHedgeConfig())
                        .onDiscard(discarded::add)
                        .build());
        ExecutorService backend = Executors.newSingleThreadExecutor();
        var start = new CyclicBarrier(2);
        try {
            for (int i = 0; i < 2_000; i++) {
                discarded.clear();
                var source = new CompletableFuture<String>();
                var end = VavrHedge.executeTry(discarding, () -> source).toCompletableFuture();
                var completed = backend.submit(() -> {
                    start.await();
                    return source.complete("result");
                });
                start.await();
                for (int spin = i % 50 * 20; spin > 0; spin--) { // later and later
                    Thread.onSpinWait();
                }

                end.cancel(true);

                boolean hasResult = completed.get();
                assertThat(discarded).hasSize(hasResult && end.isCancelled() ? 1 : 0);
            }
        } finally {
            backend.shutdown();
        }
    }

    @Test
    void nothingMayBeNull() {
        assertThatThrownBy(() -> VavrHedge.decorator(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> VavrHedge.decorateFuture(hedge, null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> VavrHedge.executeTry(hedge, null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(
                        () -> VavrHedge.decorateFuture(hedge, this::ask).get().await(-1, TimeUnit.SECONDS))
                .isInstanceOf(IllegalArgumentException.class);
        attempts.get(0).success("end");
    }
}
