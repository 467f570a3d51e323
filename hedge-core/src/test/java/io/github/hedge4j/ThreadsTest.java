package io.github.hedge4j;

import static io.github.hedge4j.Scenario.hangs;
import static io.github.hedge4j.Scenario.stubborn;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules A3 and L3: on which threads, and without which locks, user code runs. */
class ThreadsTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    private final ThreadGuard guard = new ThreadGuard(scenario.timer);
    private final QueueExecutor executor = new QueueExecutor();
    private final Set<String> visited = new HashSet<>();

    @Test
    void noUserCodeRunsOnTheTimersThreadWhenAHedgeWins() {
        callingEverywhere(this::guarded);

        var call = start(this::guarded);
        pass(300);
        scenario.source(0).complete("late");

        assertThat(call).isCompletedWithValue("hedge 2");
        assertThat(guard.trespassers()).isEmpty();
        assertThat(visited)
                .contains(
                        "supplier",
                        "hedgeOnException",
                        "stopHedgingOn",
                        "hedgeOnResult",
                        "cancel",
                        "cancel action",
                        "discard",
                        "delay",
                        "budget",
                        "dependent",
                        "dependent of settled",
                        "AttemptStarted",
                        "AttemptEnded",
                        "CallEnded");
    }

    @Test
    void noUserCodeRunsOnTheTimersThreadWhenTheDeadlinePasses() {
        callingEverywhere(this::guarded);
        scenario.configured(config -> config.timeout(ofMillis(80)).loserGrace(ofMillis(50)));
        scenario.hedge(succeedsAfter(10, "refused")).attempt(2, hangs());

        var call = start(this::guarded);
        pass(300);

        assertThat(call).isCompletedExceptionally();
        assertThat(scenario.metrics().getNumberOfUnresponsiveLosers()).isOne();
        assertThat(guard.trespassers()).isEmpty();
        scenario.source(0).complete("late");
    }

    @Test
    void noUserCodeRunsOnTheTimersThreadWhenHedgesAreDenied() {
        callingEverywhere(this::guarded);
        scenario.configured(config -> config.budget(new FakeBudget(0).onTake(() -> guarded("budget"))));

        var call = start(this::guarded);
        pass(200);
        scenario.source(0).complete("primary");

        assertThat(call).isCompletedWithValue("primary");
        assertThat(visited).contains("HedgeDenied");
        assertThat(guard.trespassers()).isEmpty();
    }

    @Test
    void noUserCodeRunsOnTheTimersThreadWhenTheExecutorRefuses() {
        callingEverywhere(this::guarded);
        scenario.configured(config -> config.timeout(ofMillis(80)).executor(task -> {
            throw new RejectedExecutionException("shut down");
        }));
        scenario.primary(hangs());

        var call = start(this::guarded);
        pass(300);
        Threads.awaitEnd(call.settled().toCompletableFuture());

        assertThat(guard.trespassers()).isEmpty();
    }

    @Test
    @Tag("realtime")
    void noUserCodeRunsOnTheSystemTimersThread() {
        var threads = new ConcurrentLinkedQueue<String>();
        Consumer<Object> here = any -> threads.add(Thread.currentThread().getName());
        var hedge = Hedge.of(
                "realtime",
                HedgeConfig.custom()
                        .delay(HedgeDelay.fixed(ofMillis(1)))
                        .timeout(ofMillis(100))
                        .loserGrace(ofMillis(1))
                        .build());
        hedge.getEventPublisher().onEvent(here::accept);

        var call = hedge.start(attempt -> {
            here.accept(attempt);
            attempt.onCancel(() -> here.accept(attempt));
            return new CompletableFuture<>().minimalCompletionStage();
        });
        var dependent = call.whenComplete((value, failure) -> here.accept(failure));
        var last = call.settled().whenComplete((report, failure) -> here.accept(report));
        Threads.awaitEnd(dependent);
        Threads.awaitEnd(last.toCompletableFuture());

        assertThat(threads).hasSizeGreaterThan(4).doesNotContain("hedge-timer");
    }

    static List<String> userCode() {
        return List.of(
                "supplier",
                "hedgeOnException",
                "stopHedgingOn",
                "hedgeOnResult",
                "cancel",
                "cancel action",
                "discard",
                "delay",
                "budget",
                "dependent",
                "dependent of settled",
                "AttemptStarted",
                "AttemptEnded",
                "CallEnded");
    }

    @ParameterizedTest
    @MethodSource("userCode")
    void noLockIsHeldWhileUserCodeRuns(String place) {
        var call = new ArrayList<HedgedFuture<?>>();
        Consumer<String> hook = here -> {
            if (here.equals(place) && !call.isEmpty() && visited.add(here)) {
                Threads.elsewhere(() -> useEverything(call.get(0)));
            }
        };
        callingEverywhere(hook);
        scenario.configured(config -> config.timer(scenario.timer).executor(Runnable::run));

        call.add(start(hook));
        scenario.advance(300);
        scenario.source(0).complete("late");

        assertThat(visited).containsExactly(place);
        assertThat(call.get(0)).isCompletedWithValueMatching("hedge 2"::equals);
    }

    @ParameterizedTest
    @MethodSource("userCode")
    void theCallCanBeEndedOnAnotherThreadWhileUserCodeRuns(String place) {
        var call = new ArrayList<HedgedFuture<?>>();
        Consumer<String> hook = here -> {
            if (here.equals(place) && !call.isEmpty() && visited.add(here)) {
                Threads.elsewhere(() -> call.get(0).cancel(true));
            }
        };
        callingEverywhere(hook);
        scenario.configured(config -> config.timer(scenario.timer).executor(Runnable::run));

        call.add(start(hook));
        scenario.advance(300);
        scenario.source(0).complete("late");

        assertThat(visited).containsExactly(place);
        assertThat(call.get(0)).isDone();
        assertThat(scenario.metrics().getNumberOfCalls()).isOne();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void twoLosersThatEndEachOtherInTheirCancelActionsDoNotDeadlock(boolean cancelling) throws Exception {
        var pool = Executors.newFixedThreadPool(2);
        try {
            var together = new CyclicBarrier(2);
            var locks = List.of(new ReentrantLock(), new ReentrantLock());
            scenario.configured(config -> config.maxAttempts(3).executor(pool));
            for (int number = 0; number < 2; number++) {
                int other = 1 - number;
                var own = locks.get(number);
                scenario.attempt(number, source -> {
                    source.attempt.onCancel(() -> {
                        own.lock();
                        try {
                            together.await(20, TimeUnit.SECONDS);
                            end(scenario.source(other), cancelling);
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        } finally {
                            own.unlock();
                        }
                    });
                    // As a connection that is told of its end under its lock.
                    var unused = source.whenComplete((value, failure) -> scenario.trail.add("ended"));
                    return stubborn().play(source);
                });
            }
            var call = scenario.start();
            scenario.advance(50);
            Threads.until(() -> scenario.invocations() == 2); // or hedge 2 might be invoked before hedge 1
            scenario.advance(50);
            Threads.until(() -> scenario.invocations() == 3);

            scenario.source(2).complete("hedge 2");
            Threads.awaitEnd(call.settled().toCompletableFuture());

            assertThat(call).isCompletedWithValue("hedge 2");
        } finally {
            Threads.end(pool);
        }
    }

    @Test
    void losersThatEndEachOtherWhenTheyAreCancelledDoNotRecur() {
        scenario.configured(config -> config.maxAttempts(3));
        for (int number = 0; number < 2; number++) {
            int other = 1 - number;
            scenario.attempt(number, source -> {
                var unused = source.whenComplete(
                        (value, failure) -> scenario.source(other).cancel(true));
                return source;
            });
        }
        scenario.attempt(2, succeedsAfter(10, "hedge 2"));

        var call = scenario.start();
        scenario.advance(110);

        assertThat(call).isCompletedWithValue("hedge 2");
    }

    private static void end(CompletableFuture<Object> source, boolean cancelling) {
        if (cancelling) {
            source.completeExceptionally(new CancellationException());
        } else {
            source.completeExceptionally(new IOException("closed by its sibling"));
        }
    }

    private void guarded(String userCode) {
        guard.passes(userCode);
        visited.add(userCode);
    }

    /** Lets all user code there is tell where it is: a primary that hangs, a hedge that fails, one that wins. */
    private void callingEverywhere(Consumer<String> hook) {
        scenario.configured(config -> config.maxAttempts(3)
                .timer(guard)
                .executor(executor)
                .loserGrace(ofSeconds(1))
                .budget(new FakeBudget(99).onTake(() -> hook.accept("budget")))
                .delay(HedgeDelay.perAttempt(number -> {
                    hook.accept("delay");
                    return ofMillis(50);
                }))
                .hedgeOnException(failure -> {
                    hook.accept("hedgeOnException");
                    return true;
                })
                .stopHedgingOn(failure -> {
                    hook.accept("stopHedgingOn");
                    return false;
                })
                .hedgeOnResult(result -> {
                    hook.accept("hedgeOnResult");
                    return "refused".equals(result);
                })
                .onDiscard(value -> {
                    scenario.discarded.add(value);
                    hook.accept("discard");
                }));
        for (int number = 0; number < 3; number++) {
            scenario.attempt(number, hooked(hook, Scenario.stubborn()));
        }
        scenario.hedge(hooked(hook, Scenario.failsAfter(20, new IOException())));
        scenario.attempt(2, hooked(hook, succeedsAfter(20, "hedge 2")));
    }

    private static Scenario.Script hooked(Consumer<String> hook, Scenario.Script script) {
        return source -> {
            hook.accept("supplier");
            source.attempt.onCancel(() -> hook.accept("cancel action"));
            source.onCancelled(() -> hook.accept("cancel"));
            return script.play(source);
        };
    }

    private HedgedFuture<Object> start(Consumer<String> hook) {
        scenario.hedge()
                .getEventPublisher()
                .onEvent(event -> hook.accept(event.getClass().getSimpleName()));
        var call = scenario.start();
        var unused = call.whenComplete((value, failure) -> hook.accept("dependent"));
        var unusedToo = call.settled().whenComplete((report, failure) -> hook.accept("dependent of settled"));
        return call;
    }

    /** Lets time pass, the executor running now and then. */
    private void pass(long millis) {
        for (long passed = 0; passed < millis; passed += 10) {
            scenario.advance(10);
            executor.runAll();
        }
    }

    private void useEverything(HedgedFuture<?> call) {
        var hedge = scenario.hedge();
        var metrics = hedge.getMetrics();
        assertThat(metrics.getInFlightAttempts()).isNotNegative();
        assertThat(metrics.getAvailableBudget()).isNotNegative();
        assertThat(metrics.getTargets()).isEmpty();
        assertThat(call.settled()).isNotNull();
        scenario.source(0).attempt.onCancel(() -> {});
        assertThat(scenario.source(0).attempt.callId()).isNotNull();
        hedge.changeConfig(hedge.getHedgeConfig());
        hedge.getEventPublisher().onCallEnded(event -> {});
        var another = scenario.get();
        scenario.source(scenario.invocations() - 1).complete("another");
        assertThat(another).isCompletedWithValue("another");
    }
}
