package io.github.hedge4j;

import io.github.hedge4j.time.HedgeTimer;
import io.github.hedge4j.time.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The engine's races. Each operation happens once, on any thread; whatever the interleaving, the call ends once, nothing is left
 * running and every result is either delivered or discarded. The operations are public for Lincheck.
 */
@Tag("lincheck")
class CallLincheckTest {

    @Test
    void everyModelledEndOfACallIsOne() {
        model(ManyEnds.class);
    }

    @Test
    void everyModelledStartEndsOrIsEnded() {
        model(StartAgainstEnd.class);
    }

    @Test
    void everyModelledEndOfAPlainCallFindsItsHedge() {
        model(ShortEnd.class);
    }

    @Test
    void everyRaceUnderStressEndsLikeThat() {
        stress(ManyEnds.class);
        stress(StartAgainstEnd.class);
        stress(ShortEnd.class);
    }

    private static void model(Class<?> race) {
        new ModelCheckingOptions()
                .iterations(Integer.getInteger("it"))
                .invocationsPerIteration(Integer.getInteger("inv"))
                .threads(2)
                .actorsBefore(0)
                .actorsPerThread(2)
                .actorsAfter(0)
                .minimizeFailedScenario(false)
                .invocationTimeout$lincheck(120_000)
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
                .invocationTimeout$lincheck(120_000)
                .check(race);
    }

    /** The primary of a call that has no trail succeeds or fails while its hedge is being started. */
    public static class ShortEnd {

        private final Scene scene = new Scene(config -> config.delay(HedgeDelay.fixed(Duration.ofMillis(1))));
        private final CompletableFuture<Object> call = scene.hedge
                .<Object>decorateCompletionStage(scene::newAttempt)
                .get()
                .toCompletableFuture();

        @Operation(runOnce = true)
        public void primarySucceeds() {
            scene.attempt(0).complete(scene.result("primary's"));
        }

        @Operation(runOnce = true)
        public void primaryFails() {
            scene.attempt(0).completeExceptionally(new IllegalStateException());
        }

        @Operation(runOnce = true)
        public void delayPasses() {
            scene.timer.runAll();
        }

        @Operation(runOnce = true)
        public void callerCancels() {
            call.cancel(true);
        }

        @Validate
        public void nothingIsLeft() {
            call.cancel(true);
            scene.checkEnd(call);
        }
    }

    /** Two attempts run; both may end, so may the call by its deadline or its caller. */
    public static class ManyEnds {

        private final Scene scene = new Scene(config -> config.delay(HedgeDelay.fixed(Duration.ZERO))
                .timeout(Duration.ofMillis(1))
                .hedgeOnFailure(false));
        private final HedgedFuture<Object> call = scene.hedge.start(scene::newAttempt);

        @Operation(runOnce = true)
        public void primarySucceeds() {
            scene.attempt(0).complete(scene.result("primary's"));
        }

        @Operation(runOnce = true)
        public void hedgeSucceeds() {
            scene.attempt(1).complete(scene.result("hedge's"));
        }

        @Operation(runOnce = true)
        public void hedgeFails() {
            scene.attempt(1).completeExceptionally(new IllegalStateException());
        }

        @Operation(runOnce = true)
        public void deadlinePasses() {
            scene.timer.runAll();
        }

        @Operation(runOnce = true)
        public void callerCompletes() {
            call.complete("caller's");
        }

        @Validate
        public void oneOutcome() {
            call.cancel(true);
            scene.checkEnd(call);
            scene.checkReport(call);
        }
    }

    /** The first hedge is started, by the delay or by the primary's failure, while the call ends; attempts listen for their cancellation. */
    public static class StartAgainstEnd {

        private final Scene scene = new Scene(config -> config.delay(HedgeDelay.fixed(Duration.ofMillis(1)))
                .maxAttempts(3)
                .loserGrace(Duration.ZERO));
        private final HedgedFuture<Object> call = scene.hedge.start(scene::newListeningAttempt);

        @Operation(runOnce = true)
        public void primarySucceeds() {
            scene.attempt(0).complete(scene.result("primary's"));
        }

        @Operation(runOnce = true)
        public void primaryFails() {
            scene.attempt(0).completeExceptionally(new IllegalStateException());
        }

        @Operation(runOnce = true)
        public void delayPasses() {
            scene.timer.runAll();
        }

        @Operation(runOnce = true)
        public void callerCancels() {
            call.cancel(true);
        }

        @Operation(runOnce = true)
        public void primaryListens() {
            scene.listen(0);
        }

        @Validate
        public void nothingIsLeft() {
            call.cancel(true);
            scene.checkEnd(call);
            scene.checkReport(call);
        }
    }

    private interface Setting {
        HedgeConfig.Builder on(HedgeConfig.Builder config);
    }

    private static final class Scene {

        final HeldTimer timer = new HeldTimer();
        final StandardHedge hedge;
        private final List<Attempt> handles = new ArrayList<>();
        private final List<CompletableFuture<Object>> attempts = new ArrayList<>();
        private final List<Integer> listeners = new ArrayList<>();
        private final List<AtomicInteger> actions = new ArrayList<>();
        private final List<Object> results = new ArrayList<>();
        private final List<Object> discarded = new ArrayList<>();

        Scene(Setting setting) {
            HedgeConfig.Builder config = HedgeConfig.custom()
                    .budget(HedgeBudget.unlimited())
                    .timer(timer)
                    .executor(Runnable::run)
                    .onDiscard(this::discard);
            hedge = new StandardHedge("lincheck", setting.on(config).build(), Map.of());
        }

        CompletableFuture<Object> newListeningAttempt(Attempt attempt) {
            CompletableFuture<Object> future = newAttempt(attempt);
            listen(attempt.number());
            return future;
        }

        CompletableFuture<Object> newAttempt(Attempt attempt) {
            synchronized (this) {
                handles.add(attempt);
            }
            return newAttempt();
        }

        synchronized CompletableFuture<Object> newAttempt() {
            CompletableFuture<Object> attempt = new CompletableFuture<>();
            attempts.add(attempt);
            return attempt;
        }

        synchronized CompletableFuture<Object> attempt(int number) {
            return attempts.get(number);
        }

        void listen(int index) {
            AtomicInteger runs = new AtomicInteger();
            Attempt attempt;
            synchronized (this) {
                attempt = handles.get(index);
                listeners.add(index);
                actions.add(runs);
            }
            attempt.onCancel(runs::incrementAndGet);
        }

        synchronized Object result(String result) {
            results.add(result);
            return result;
        }

        private synchronized void discard(Object result) {
            discarded.add(result);
        }

        synchronized void checkEnd(CompletableFuture<Object> call) {
            for (CompletableFuture<Object> attempt : attempts) {
                check(attempt.isDone(), "a loser was left running");
            }
            Hedge.Metrics metrics = hedge.getMetrics();
            check(call.isDone(), "the call has not ended");
            check(metrics.getNumberOfCalls() == 1, "calls are miscounted");
            check(metrics.getInFlightAttempts() == 0, "an attempt is in flight");
            check(metrics.getNumberOfAttempts() == attempts.size(), "attempts are miscounted");
            check(hedge.enter(1), "a place was not given back");
            check(timer.pending() == 0, "a timer is left");
            checkResults(call);
            checkActions();
        }

        private void checkResults(CompletableFuture<Object> call) {
            Object delivered = call.isCompletedExceptionally() ? null : call.getNow(null);
            for (int i = 0; i < attempts.size(); i++) {
                CompletableFuture<Object> attempt = attempts.get(i);
                if (!attempt.isCompletedExceptionally()) {
                    Object result = attempt.getNow(null);
                    int times = result == delivered ? 1 : 0;
                    for (Object other : discarded) {
                        times += other == result ? 1 : 0;
                    }
                    check(times == 1, "a result was delivered or discarded " + times + " times");
                }
            }
        }

        private void checkActions() {
            for (int i = 0; i < actions.size(); i++) {
                int expected = handles.get(listeners.get(i)).isCancelled() ? 1 : 0;
                check(
                        actions.get(i).get() == expected,
                        "a cancel action ran " + actions.get(i).get() + " times");
            }
        }

        synchronized void checkReport(HedgedFuture<Object> call) {
            CallReport report = call.settled().toCompletableFuture().getNow(null);
            check(report != null, "the call has not settled");
            check(report.attempts().size() == attempts.size(), "attempts are missing on the report");
            for (AttemptReport attempt : report.attempts()) {
                boolean givenUp = attempt.outcome() == AttemptOutcome.UNRESPONSIVE;
                check(givenUp != attempt.end().isPresent(), "an attempt has no end on the report");
            }
        }

        private static void check(boolean holds, String what) {
            if (!holds) {
                throw new IllegalStateException(what);
            }
        }
    }

    /** A timer on which time passes when an operation says so. */
    private static final class HeldTimer implements HedgeTimer {

        private static final class Held implements Timeout {
            private final AtomicBoolean taken = new AtomicBoolean();
            private final Runnable task;

            Held(Runnable task) {
                this.task = task;
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
            Held held = new Held(task);
            all.add(held);
            return held;
        }

        void runAll() {
            for (Held held : all()) {
                if (held.cancel()) {
                    held.task.run();
                }
            }
        }

        int pending() {
            int pending = 0;
            for (Held held : all()) {
                pending += held.taken.get() ? 0 : 1;
            }
            return pending;
        }

        private synchronized List<Held> all() {
            return new ArrayList<>(all);
        }
    }
}
