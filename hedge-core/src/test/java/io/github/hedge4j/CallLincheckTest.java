package io.github.hedge4j;

import io.github.hedge4j.time.HedgeTimer;
import io.github.hedge4j.time.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The races of one call: the deciding write (success, failure, deadline, caller), the end against the start of a hedge, and the
 * registration of a cancel action against the cancellation. Each operation happens at most once, on any thread. Whatever the
 * interleaving, the call ends once, nothing is left running, every result is delivered or discarded, and every action of a loser runs.
 *
 * <p>The operations are public for Lincheck. The engine and its neighbours are so many classes that the model checker needs its time to
 * rewrite them: hence the timeout, and interleavings by the hundred rather than by the thousand. The stress has more of them.
 */
@Tag("lincheck")
class CallLincheckTest {

    private static final long REWRITTEN_MILLIS = 300_000;

    @Test
    void everyModelledEndOfACallIsOne() {
        model(LongCall.class, 2, 4);
    }

    @Test
    void everyModelledEndOfACallWithoutATrailFindsItsHedge() {
        model(ShortCall.class, 1, 15);
    }

    @Test
    void everyEndUnderStressIsOne() {
        stress(LongCall.class);
        stress(ShortCall.class);
    }

    private static void model(Class<?> race, int operationsPerThread, int scenarios) {
        new ModelCheckingOptions()
                .iterations(scenarios)
                .invocationsPerIteration(150)
                .threads(2)
                .actorsBefore(0)
                .actorsPerThread(operationsPerThread)
                .actorsAfter(0)
                .minimizeFailedScenario(false)
                .invocationTimeout$lincheck(REWRITTEN_MILLIS)
                .check(race);
    }

    private static void stress(Class<?> race) {
        new StressOptions()
                .iterations(20)
                .invocationsPerIteration(2_000)
                .threads(3)
                .actorsBefore(0)
                .actorsPerThread(2)
                .actorsAfter(0)
                .minimizeFailedScenario(false)
                .invocationTimeout$lincheck(REWRITTEN_MILLIS)
                .check(race);
    }

    /** A call whose attempts are asked for, with a deadline; attempts listen for their cancellation. */
    public static class LongCall {

        private final Scene scene = new Scene(
                config -> config.maxAttempts(3).timeout(Scene.DEADLINE).loserGrace(Duration.ZERO));
        private final HedgedFuture<Object> call = scene.hedge.start(scene::newAttempt);

        @Operation(runOnce = true)
        public void primarySucceeds() {
            scene.succeed(0);
        }

        @Operation(runOnce = true)
        public void primaryFails() {
            scene.fail(0);
        }

        @Operation(runOnce = true)
        public void nextSucceeds() {
            scene.succeed(1);
        }

        @Operation(runOnce = true)
        public void delayPasses() {
            scene.timer.run(Scene.DELAY);
        }

        @Operation(runOnce = true)
        public void deadlinePasses() {
            scene.timer.run(Scene.DEADLINE);
        }

        @Operation(runOnce = true)
        public void callerCancels() {
            call.cancel(true);
        }

        @Operation(runOnce = true)
        public void primaryListens() {
            scene.listenAgain();
        }

        @Validate
        public void oneEnd() {
            call.cancel(true);
            scene.checkEnd(call);
            scene.checkReport(call);
        }
    }

    /** A call that gets by without a trail as long as nothing happens; its primary may tell two ends at the same time. */
    public static class ShortCall {

        private final Scene scene = new Scene(config -> config);
        private final Talker primary = new Talker();
        private final HedgedFuture<Object> call = (HedgedFuture<Object>) scene.hedge
                .<Object>decorateCompletionStage(() -> scene.isEmpty() ? scene.add(primary) : scene.newAttempt(null))
                .get();

        @Operation(runOnce = true)
        public void primarySucceeds() {
            primary.tell(scene.newResult(), null);
        }

        @Operation(runOnce = true)
        public void primaryFails() {
            primary.tell(null, new IllegalStateException());
        }

        @Operation(runOnce = true)
        public void delayPasses() {
            scene.timer.run(Scene.DELAY);
        }

        @Operation(runOnce = true)
        public void callerCancels() {
            call.cancel(true);
        }

        @Validate
        public void oneEnd() {
            call.cancel(true);
            scene.checkEnd(call);
            scene.checkReport(call);
        }
    }

    /** A stage that tells its listener whatever it is told to. */
    private static final class Talker extends CompletableFuture<Object> {

        private volatile BiConsumer<? super Object, ? super Throwable> listener;

        @Override
        public CompletableFuture<Object> whenComplete(BiConsumer<? super Object, ? super Throwable> action) {
            listener = action;
            return this;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            tell(null, new CancellationException());
            return true;
        }

        void tell(Object result, Throwable failure) {
            complete(null);
            listener.accept(result, failure);
        }
    }

    private interface Setting {
        HedgeConfig.Builder on(HedgeConfig.Builder config);
    }

    /** A hedge, its attempts and what became of them. */
    private static final class Scene {

        static final Duration DELAY = Duration.ofMillis(1);
        static final Duration DEADLINE = Duration.ofMillis(2);

        /** A registered action and how often it ran. */
        private record Action(Attempt attempt, AtomicInteger runs) {}

        final HeldTimer timer = new HeldTimer();
        final StandardHedge hedge;

        // Guarded by this.
        private final List<CompletableFuture<Object>> attempts = new ArrayList<>();
        private final List<Action> actions = new ArrayList<>();
        private final List<Object> results = new ArrayList<>();
        private final List<Object> discarded = new ArrayList<>();

        Scene(Setting setting) {
            HedgeConfig.Builder config = HedgeConfig.custom()
                    .delay(HedgeDelay.fixed(DELAY))
                    .budget(HedgeBudget.unlimited())
                    .timer(timer)
                    .executor(Runnable::run)
                    .onDiscard(this::discard);
            hedge = new StandardHedge("lincheck", setting.on(config).build(), Map.of());
        }

        CompletableFuture<Object> newAttempt(Attempt attempt) {
            CompletableFuture<Object> future = add(new CompletableFuture<>());
            if (attempt != null) {
                listen(attempt);
            }
            return future;
        }

        synchronized CompletableFuture<Object> add(CompletableFuture<Object> attempt) {
            attempts.add(attempt);
            return attempt;
        }

        synchronized boolean isEmpty() {
            return attempts.isEmpty();
        }

        private void listen(Attempt attempt) {
            Action action = new Action(attempt, new AtomicInteger());
            synchronized (this) {
                actions.add(action);
            }
            attempt.onCancel(action.runs::incrementAndGet);
        }

        void listenAgain() {
            Attempt first;
            synchronized (this) {
                first = actions.get(0).attempt;
            }
            listen(first);
        }

        /** The attempt that was the so-manieth to start, if that many were. */
        private synchronized CompletableFuture<Object> attempt(int index) {
            return index < attempts.size() ? attempts.get(index) : null;
        }

        synchronized Object newResult() {
            Object result = new Object();
            results.add(result);
            return result;
        }

        void succeed(int index) {
            CompletableFuture<Object> attempt = attempt(index);
            Object result = new Object();
            if (attempt != null && attempt.complete(result)) {
                synchronized (this) {
                    results.add(result);
                }
            }
        }

        void fail(int index) {
            attempt(index).completeExceptionally(new IllegalStateException());
        }

        private synchronized void discard(Object result) {
            discarded.add(result);
        }

        synchronized void checkEnd(CompletableFuture<Object> call) {
            check(call.isDone(), "the call has not ended");
            for (CompletableFuture<Object> attempt : attempts) {
                check(attempt.isDone(), "a loser was left running");
            }
            Hedge.Metrics metrics = hedge.getMetrics();
            check(metrics.getNumberOfCalls() == 1, "calls are miscounted");
            check(metrics.getNumberOfAttempts() == attempts.size(), "attempts are miscounted");
            check(metrics.getInFlightAttempts() == 0, "an attempt is in flight");
            check(hedge.enter(1), "a hedge's place was not given back");
            check(timer.isIdle(), "a timer is left");
            checkResults(call);
            checkActions();
        }

        private void checkResults(CompletableFuture<Object> call) {
            Object delivered = call.isCompletedExceptionally() ? null : call.getNow(null);
            for (Object result : results) {
                int times = result == delivered ? 1 : 0;
                for (Object other : discarded) {
                    times += other == result ? 1 : 0;
                }
                check(times == 1, "a result was delivered or discarded " + times + " times");
            }
        }

        private void checkActions() {
            for (Action action : actions) {
                int expected = action.attempt.isCancelled() ? 1 : 0;
                check(action.runs.get() == expected, "a cancel action ran " + action.runs + " times");
            }
        }

        synchronized void checkReport(HedgedFuture<Object> call) {
            CallReport report = call.settled().toCompletableFuture().getNow(null);
            check(report != null, "the call has not settled");
            check(report.attempts().size() == attempts.size(), "attempts are missing on the report");
            check(report.winner().isPresent() == (report.outcome() == CallOutcome.SUCCESS), "a winner of what?");
            int before = -1;
            for (AttemptReport attempt : report.attempts()) {
                boolean givenUp = attempt.outcome() == AttemptOutcome.UNRESPONSIVE;
                check(givenUp != attempt.end().isPresent(), "an attempt has no end on the report");
                boolean won = report.winner().isPresent() && report.winner().getAsInt() == attempt.number();
                check(!won || attempt.outcome() == AttemptOutcome.SUCCESS, "the winner did not succeed");
                check(attempt.number() > before, "attempts are not in order");
                before = attempt.number();
            }
        }

        private static void check(boolean holds, String what) {
            if (!holds) {
                throw new IllegalStateException(what);
            }
        }
    }

    /** A timer whose tasks run when an operation says that their time has come. */
    private static final class HeldTimer implements HedgeTimer {

        private static final class Held implements Timeout {
            private final AtomicBoolean taken = new AtomicBoolean();
            private final Runnable task;
            private final long delayNanos;

            Held(Runnable task, long delayNanos) {
                this.task = task;
                this.delayNanos = delayNanos;
            }

            @Override
            public boolean cancel() {
                return taken.compareAndSet(false, true);
            }
        }

        private final List<Held> all = new ArrayList<>();

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public synchronized Timeout schedule(Runnable task, long delayNanos) {
            Held held = new Held(task, delayNanos);
            all.add(held);
            return held;
        }

        void run(Duration delay) {
            for (Held held : all()) {
                if (held.delayNanos == delay.toNanos() && held.cancel()) {
                    held.task.run();
                }
            }
        }

        boolean isIdle() {
            for (Held held : all()) {
                if (!held.taken.get()) {
                    return false;
                }
            }
            return true;
        }

        private synchronized List<Held> all() {
            return new ArrayList<>(all);
        }
    }
}
