package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAfter;
import static io.github.hedge4j.Scenario.failsAtOnce;
import static io.github.hedge4j.Scenario.failureOf;
import static io.github.hedge4j.Scenario.hangs;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static io.github.hedge4j.Scenario.succeedsAtOnce;
import static io.github.hedge4j.Scenario.throwing;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import io.github.hedge4j.time.HedgeTimer;
import io.github.hedge4j.time.Timeout;
import io.github.hedge4j.time.VirtualTimer;
import io.github.resilience4j.core.ContextPropagator;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules A: where and when attempts start. */
class StartTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    private final QueueExecutor executor = new QueueExecutor();

    @Test
    void thePrimaryIsInvokedOnceOnTheCallersThreadBeforeGetReturns() {
        List<Thread> invokedOn = new ArrayList<>();
        scenario.configured(config -> config.executor(executor)).primary(source -> {
            invokedOn.add(Thread.currentThread());
            return source;
        });

        var call = scenario.start();

        assertThat(invokedOn).containsExactly(Thread.currentThread());
        scenario.source(0).complete("primary");
        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.trail).containsExactly("0 ms: attempt 0 started", "0 ms: call got primary");
    }

    @Test
    void decoratingInvokesNothingAndEveryGetIsACallOfItsOwn() {
        scenario.primary(succeedsAfter(10, "primary"));

        var supplier = scenario.hedge().decorateAttempts(scenario::invoke);
        assertThat(scenario.invocations()).isZero();
        scenario.watch(supplier.get());
        scenario.watch(supplier.get());
        scenario.advance(10);

        assertThat(scenario.invocations()).isEqualTo(2);
        assertThat(scenario.metrics().getNumberOfCallsWonByPrimary()).isEqualTo(2);
    }

    static Stream<Named<Throwable>> whatSuppliersThrow() {
        return Stream.of(
                named("unchecked", new IllegalStateException("thrown")),
                named("checked", new IOException("thrown")),
                named("error", new StackOverflowError("thrown")),
                named("linkage error", new NoClassDefFoundError("thrown")),
                named("assertion", new AssertionError("thrown")));
    }

    @ParameterizedTest
    @MethodSource("whatSuppliersThrow")
    void aSupplierThatThrowsIsAFailedAttemptAndDoesNotThrowFromGet(Throwable thrown) {
        scenario.configured(config -> config.maxAttempts(1)).primary(throwing(thrown));

        var call = scenario.start();

        assertThat(failureOf(call)).isSameAs(thrown);
        assertThat(scenario.metrics().getNumberOfFailedCalls()).isOne();
    }

    @ParameterizedTest
    @MethodSource("whatSuppliersThrow")
    void aPrimaryThatThrowsIsOutrunByTheHedge(Throwable thrown) {
        scenario.primary(throwing(thrown)).hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(scenario.trail)
                .containsExactly("0 ms: attempt 0 started", "0 ms: attempt 1 started", "20 ms: call got hedge");
    }

    @ParameterizedTest
    @MethodSource("whatSuppliersThrow")
    void aHedgeThatThrowsDoesNotDisturbThePrimary(Throwable thrown) {
        scenario.primary(succeedsAfter(100, "primary")).hedge(throwing(thrown));

        var call = scenario.start();
        scenario.advance(100);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.report(call).attempts().get(1).failure()).containsSame(thrown);
    }

    @Test
    void aSupplierThatReturnsNullIsAFailedAttempt() {
        scenario.primary(source -> null).hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(scenario.report(call).attempts().get(0).outcome()).isEqualTo(AttemptOutcome.FAILURE);
    }

    @Test
    void theReturnedStageEndsAlsoIfEverySupplierReturnsNull() {
        scenario.primary(source -> null).hedge(source -> null);

        var call = scenario.start();

        assertThat(failureOf(call)).isInstanceOf(AllAttemptsFailedException.class);
    }

    static Stream<Named<CompletionStage<Object>>> unusualStages() {
        var plain = new CompletableFuture<Object>();
        return Stream.of(
                named("minimal", CompletableFuture.completedStage("stage")),
                named(
                        "not a future",
                        CustomStage.of(CompletableFuture.completedFuture("stage"))
                                .stage()),
                named(
                        "without toCompletableFuture",
                        CustomStage.of(CompletableFuture.completedFuture("stage"))
                                .throwingOn("toCompletableFuture")
                                .stage()),
                named(
                        "calls back twice",
                        CustomStage.of(plain)
                                .onWhenComplete(listener -> {
                                    listener.accept("stage", null);
                                    listener.accept("again", null);
                                    listener.accept(null, new IOException("and again"));
                                })
                                .stage()));
    }

    @ParameterizedTest
    @MethodSource("unusualStages")
    void anyCompletionStageCanWin(CompletionStage<Object> stage) {
        scenario.primary(source -> stage);

        var call = scenario.start();

        assertThat(call).isCompletedWithValue("stage");
        assertThat(scenario.invocations()).isOne();
    }

    @ParameterizedTest
    @MethodSource("unusualStages")
    void anyCompletionStageCanWinAsHedge(CompletionStage<Object> stage) {
        scenario.hedge(source -> stage);

        var call = scenario.start();
        scenario.advance(50);

        assertThat(call).isCompletedWithValue("stage");
        assertThat(scenario.trail)
                .startsWith(
                        "0 ms: attempt 0 started",
                        "50 ms: attempt 1 started",
                        "50 ms: attempt 0 cancelled(true)",
                        "50 ms: call got stage");
    }

    @Test
    void aStageThatRefusesToBeListenedToIsAFailedAttempt() {
        var refusal = new UnsupportedOperationException("whenComplete");
        var stage = CustomStage.of(new CompletableFuture<>())
                .onWhenComplete(listener -> {
                    throw refusal;
                })
                .stage();
        scenario.configured(config -> config.maxAttempts(1)).primary(source -> stage);

        var call = scenario.start();

        assertThat(failureOf(call)).isSameAs(refusal);
    }

    @Test
    void aStageThatCallsBackAndThenThrowsCountsAsWhatItCalledBackWith() {
        var stage = CustomStage.of(new CompletableFuture<>())
                .onWhenComplete(listener -> {
                    listener.accept("stage", null);
                    throw new UnsupportedOperationException("whenComplete");
                })
                .stage();
        scenario.primary(source -> stage);

        var call = scenario.start();

        assertThat(call).isCompletedWithValue("stage");
    }

    @Test
    void aSuccessfulPrimaryIsReturnedAsItIsWithoutATimer() {
        var timersSet = new AtomicInteger();
        var done = CompletableFuture.completedFuture("done");
        var config = HedgeConfig.custom()
                .delay(HedgeDelay.fixed(ofMillis(50)))
                .timeout(ofMillis(500))
                .timer(counting(scenario.timer, timersSet))
                .build();
        var hedge = Hedge.of("a2", config);

        CompletionStage<String> stage = hedge.executeCompletionStage(() -> done);

        assertThat((Object) stage).isSameAs(done);
        assertThat(timersSet).hasValue(0);
        assertThat(hedge.getMetrics().getNumberOfCallsWonByPrimary()).isOne();
        assertThat(hedge.getMetrics().getInFlightAttempts()).isZero();
    }

    @Test
    void aRefusedResultIsNotReturnedAsItIs() {
        scenario.configured(config -> config.hedgeOnResult("empty"::equals))
                .primary(succeedsAtOnce("empty"))
                .hedge(succeedsAfter(20, "hedge"));

        var stage = scenario.get();
        scenario.advance(20);

        assertThat(stage).isCompletedWithValue("hedge");
        assertThat(scenario.discarded).containsExactly("empty");
    }

    static Stream<Named<ContextPropagator<String>>> brokenPropagators() {
        Consumer<Optional<String>> works = value -> {};
        Consumer<Optional<String>> throwing = value -> {
            throw new IllegalStateException("propagator");
        };
        return Stream.of(
                named(
                        "retrieve throws",
                        propagator(
                                () -> {
                                    throw new IllegalStateException("propagator");
                                },
                                works,
                                works)),
                named("copy throws", propagator(() -> Optional.of("context"), throwing, works)),
                named("clear throws", propagator(() -> Optional.of("context"), works, throwing)));
    }

    @ParameterizedTest
    @MethodSource("brokenPropagators")
    void aContextPropagatorThatThrowsKeepsNeitherTheCallNorTheHedge(ContextPropagator<String> propagator) {
        scenario.configured(config -> config.contextPropagator(propagator)).hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(70);

        assertThat(call).isCompletedWithValue("hedge");
    }

    @Test
    void aHedgeThatIsDueWaitsForTheExecutor() {
        scenario.configured(config -> config.executor(executor)).hedge(succeedsAtOnce("hedge"));

        var call = scenario.start();
        scenario.advance(50);
        assertThat(scenario.invocations()).isOne();
        executor.runAll();

        assertThat(call).isCompletedWithValue("hedge");
        executor.runAll();
    }

    @Test
    void aHedgeThatFollowsAFailureWaitsForTheExecutorToo() {
        scenario.configured(config -> config.executor(executor))
                .primary(failsAtOnce(new IOException()))
                .hedge(succeedsAtOnce("hedge"));

        var call = scenario.start();
        assertThat(scenario.invocations()).isOne();
        executor.runAll();

        assertThat(call).isCompletedWithValue("hedge");
    }

    @Test
    void withoutADelayAllAttemptsStartAtOnceAndNoTimerIsSet() {
        var timersSet = new AtomicInteger();
        scenario.configured(config ->
                config.delay(HedgeDelay.fixed(ZERO)).maxAttempts(3).timer(counting(scenario.timer, timersSet)));

        var call = scenario.start();
        assertThat(scenario.invocations()).isEqualTo(3);
        assertThat(timersSet).hasValue(0);
        scenario.source(2).complete("hedge");

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(scenario.trail)
                .startsWith("0 ms: attempt 0 started", "0 ms: attempt 1 started", "0 ms: attempt 2 started")
                .contains("0 ms: attempt 0 cancelled(true)", "0 ms: attempt 1 cancelled(true)")
                .endsWith("0 ms: call got hedge")
                .hasSize(6);
    }

    @Test
    void everyDelayCountsFromTheStartOfTheAttemptBefore() {
        scenario.configured(config -> config.maxAttempts(4)).primary(failsAfter(30, new IOException()));

        var call = scenario.start();
        scenario.advance(1000);

        assertThat(scenario.trail)
                .containsExactly(
                        "0 ms: attempt 0 started",
                        "30 ms: attempt 1 started",
                        "80 ms: attempt 2 started",
                        "130 ms: attempt 3 started");
        call.cancel(true);
    }

    @Test
    void theTimeThatAPrimarysSupplierTakesIsPartOfTheDelay() {
        scenario.primary(source -> {
            scenario.advance(30);
            return source;
        });

        var call = scenario.start();
        scenario.advance(20);

        assertThat(scenario.trail).containsExactly("0 ms: attempt 0 started", "50 ms: attempt 1 started");
        call.cancel(true);
    }

    @Test
    void aPrimaryWhoseSupplierTakesLongerThanTheDelayIsHedgedAtOnce() {
        scenario.primary(source -> {
            scenario.advance(70);
            return source;
        });

        var call = scenario.start();
        scenario.advance(0);

        assertThat(scenario.trail).last().isEqualTo("70 ms: attempt 1 started");
        call.cancel(true);
    }

    @Test
    void aPrimaryWhoseSupplierTakesLongerThanTheTimeoutTimesOutAtOnce() {
        scenario.configured(config -> config.timeout(ofMillis(80))).primary(source -> {
            scenario.advance(90);
            return source;
        });

        var call = scenario.start();
        scenario.advance(0);

        assertThat(failureOf(call)).isInstanceOf(HedgeTimeoutException.class);
        assertThat(scenario.source(0)).isCancelled();
    }

    @Test
    void aHedgesSlowSupplierKeepsNeitherTheNextHedgeNorTheDeadline() {
        scenario.configured(config -> config.maxAttempts(3).timeout(ofMillis(120)))
                .hedge(source -> {
                    scenario.advance(60);
                    assertThat(scenario.invocations()).isEqualTo(3);
                    scenario.advance(10);
                    assertThat(source.attempt.isCancelled()).isTrue();
                    return source;
                });

        var call = scenario.start();
        scenario.advance(50);

        assertThat(failureOf(call)).isInstanceOf(HedgeTimeoutException.class);
        assertThat(scenario.trail)
                .contains("100 ms: attempt 2 started")
                .last()
                .isEqualTo("120 ms: attempt 1 cancelled(true)");
    }

    @Test
    void aDelayOfZeroInTheMiddleStartsTwoHedgesTogether() {
        scenario.configured(config ->
                config.maxAttempts(4).delay(HedgeDelay.perAttempt(number -> number == 2 ? ZERO : ofMillis(50))));

        var call = scenario.start();
        scenario.advance(1000);

        assertThat(scenario.trail)
                .containsExactlyInAnyOrder(
                        "0 ms: attempt 0 started",
                        "50 ms: attempt 1 started",
                        "50 ms: attempt 2 started",
                        "100 ms: attempt 3 started");
        call.cancel(true);
    }

    @Test
    void theDelayFunctionIsAskedOncePerHedge() {
        List<Integer> asked = new ArrayList<>();
        scenario.configured(config -> config.maxAttempts(3).delay(HedgeDelay.perAttempt(number -> {
            asked.add(number);
            return ofMillis(10L * number);
        })));

        var call = scenario.start();
        scenario.advance(1000);

        assertThat(asked).containsExactly(1, 2);
        assertThat(scenario.trail)
                .containsExactly("0 ms: attempt 0 started", "10 ms: attempt 1 started", "30 ms: attempt 2 started");
        call.cancel(true);
    }

    @Test
    void theLongestDelaysAndTimeoutsJustNeverExpire() {
        var forever = Duration.ofSeconds(Long.MAX_VALUE);
        scenario.configured(
                config -> config.delay(HedgeDelay.perAttempt(number -> forever)).timeout(forever));

        var call = scenario.start();
        scenario.timer.advance(Duration.ofDays(365));
        scenario.source(0).complete("primary");

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.invocations()).isOne();
    }

    @Test
    void aTimerWhoseTimeOverflowsIsNoDifferent() throws Exception {
        var late = new Scenario(new VirtualTimer(Long.MAX_VALUE - 60_000_000));
        late.configured(config -> config.timeout(ofMillis(100)).maxAttempts(3)).attempt(1, source -> {
            assertThat(source.attempt.remaining()).contains(ofMillis(50));
            return source;
        });

        var call = late.start();
        late.advance(80);
        assertThat(late.source(0).attempt.remaining()).contains(ofMillis(20));
        late.advance(20);

        assertThat(failureOf(call)).isInstanceOf(HedgeTimeoutException.class);
        assertThat(late.report(call).elapsed()).isEqualTo(ofMillis(100));
        assertThat(late.report(call).denials()).containsExactly(DenialReason.DEADLINE);
        late.afterEach(null);
    }

    @Test
    void aCompletionOnTheTickOfTheDelayWinsIfItWasScheduledBeforeTheDelay() {
        scenario.primary(succeedsAfter(50, "primary"));

        var call = scenario.start();
        scenario.advance(50);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.invocations()).isOne();
    }

    @Test
    void aCompletionOnTheTickOfTheDelayWinsIfItWasScheduledAfterTheDelay() {
        var call = scenario.start();
        scenario.source(0).in(50, () -> scenario.source(0).complete("primary"));
        scenario.advance(50);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.invocations()).isOne();
    }

    @Test
    void aFailureOnTheTickOfTheDelayStartsOneHedgeNotTwo() {
        scenario.configured(config -> config.maxAttempts(3)).primary(failsAfter(50, new IOException()));

        var call = scenario.start();
        scenario.advance(99);
        assertThat(scenario.invocations()).isEqualTo(2);
        scenario.advance(1);

        assertThat(scenario.trail)
                .containsExactly("0 ms: attempt 0 started", "50 ms: attempt 1 started", "100 ms: attempt 2 started");
        call.cancel(true);
    }

    @Test
    void aCompletionOnTheTickOfTheDeadlineWinsInEitherOrder() {
        scenario.configured(config -> config.timeout(ofMillis(80)));

        scenario.primary(succeedsAfter(80, "scheduled before"));
        var before = scenario.start();
        scenario.primary(hangs());
        var after = scenario.start();
        var last = scenario.source(1);
        last.in(80, () -> last.complete("scheduled after"));
        scenario.advance(80);

        assertThat(before).isCompletedWithValue("scheduled before");
        assertThat(after).isCompletedWithValue("scheduled after");
    }

    @Test
    void noAttemptStartsAfterAnEndInTheDelay() {
        var call = scenario.start();
        scenario.advance(49);

        call.cancel(true);
        assertThat(scenario.timer.pending()).isZero();
        scenario.advance(1000);

        assertThat(scenario.invocations()).isOne();
    }

    @Test
    void noAttemptStartsAfterAnEndInsideASupplierAndItsOwnAttemptIsCancelled() {
        var call = new AtomicCall();
        scenario.configured(config -> config.maxAttempts(3)).hedge(source -> {
            call.end();
            assertThat(source.attempt.isCancelled()).isTrue();
            return source;
        });

        call.set(scenario.start());
        scenario.advance(1000);

        assertThat(scenario.trail)
                .containsExactly(
                        "0 ms: attempt 0 started",
                        "50 ms: attempt 1 started",
                        "50 ms: attempt 0 cancelled(true)",
                        "50 ms: call failed with CancellationException",
                        "50 ms: attempt 1 cancelled(true)");
    }

    @Test
    void aHedgeWhoseSupplierMakesThePrimaryWinIsCancelled() {
        scenario.hedge(source -> {
            scenario.source(0).complete("primary");
            return source;
        });

        var call = scenario.start();
        scenario.advance(50);

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.trail).last().isEqualTo("50 ms: attempt 1 cancelled(true)");
    }

    @Test
    void noAttemptStartsAfterAnEndInsideAListener() {
        var call = new AtomicCall();
        scenario.configured(config -> config.maxAttempts(3));
        scenario.hedge().getEventPublisher().onAttemptStarted(event -> {
            if (event.number() == 1) {
                call.end();
            }
        });

        call.set(scenario.start());
        scenario.advance(1000);

        assertThat(scenario.invocations()).isLessThanOrEqualTo(2);
        assertThat(scenario.trail).noneMatch(entry -> entry.contains("attempt 2"));
    }

    @Test
    void noAttemptStartsAfterAnEndInsideTheDelayFunction() {
        var call = new AtomicCall();
        scenario.configured(config -> config.maxAttempts(3).delay(HedgeDelay.perAttempt(number -> {
            if (number == 2) {
                call.end();
            }
            return number == 2 ? ZERO : ofMillis(50);
        })));

        call.set(scenario.start());
        scenario.advance(1000);

        assertThat(scenario.trail).last().isEqualTo("50 ms: call failed with CancellationException");
        assertThat(scenario.trail).noneMatch(entry -> entry.contains("attempt 2"));
    }

    @Test
    void noAttemptStartsAfterAnEndInsideAPredicate() {
        var call = new AtomicCall();
        scenario.configured(config -> config.hedgeOnException(failure -> {
            call.end();
            return true;
        }));
        call.set(scenario.start());

        scenario.source(0).completeExceptionally(new IOException());
        scenario.advance(1000);

        assertThat(scenario.invocations()).isOne();
        assertThat(scenario.metrics().getNumberOfCancelledCalls()).isOne();
    }

    @Test
    void noAttemptStartsAfterAnEndInsideTheBudgetAndItsTokenIsGivenBack() {
        var call = new AtomicCall();
        var budget = new FakeBudget(3).onTake(call::end);
        scenario.configured(config -> config.budget(budget));

        call.set(scenario.start());
        scenario.advance(1000);

        assertThat(scenario.invocations()).isOne();
        assertThat(budget.tokens()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noAttemptStartsAfterAnEndBetweenScheduleAndStart(boolean afterFailure) {
        var budget = new FakeBudget(3);
        scenario.configured(config -> config.executor(executor).maxAttempts(3).budget(budget));
        var call = scenario.start();
        if (afterFailure) {
            scenario.source(0).completeExceptionally(new IOException());
        } else {
            scenario.advance(50);
        }
        assertThat(executor.size()).isOne();

        call.cancel(true);
        executor.runAll();
        scenario.advance(1000);

        assertThat(scenario.invocations()).isOne();
        assertThat(budget.tokens()).isEqualTo(3);
    }

    @Test
    void aHedgeThatIsQueuedWhenThePrimaryWinsIsNeverStarted() {
        var budget = new FakeBudget(3);
        scenario.configured(config -> config.executor(executor).budget(budget));
        var call = scenario.start();
        scenario.advance(50);

        scenario.source(0).complete("primary");
        executor.runAll();

        assertThat(call).isCompletedWithValue("primary");
        assertThat(scenario.invocations()).isOne();
        assertThat(scenario.metrics().getNumberOfHedges()).isZero();
        assertThat(budget.tokens()).isEqualTo(3);
    }

    private static ContextPropagator<String> propagator(
            Supplier<Optional<String>> retrieve, Consumer<Optional<String>> copy, Consumer<Optional<String>> clear) {
        return new ContextPropagator<>() {
            @Override
            public Supplier<Optional<String>> retrieve() {
                return retrieve;
            }

            @Override
            public Consumer<Optional<String>> copy() {
                return copy;
            }

            @Override
            public Consumer<Optional<String>> clear() {
                return clear;
            }
        };
    }

    private static HedgeTimer counting(HedgeTimer timer, AtomicInteger timersSet) {
        return new HedgeTimer() {
            @Override
            public long nanoTime() {
                return timer.nanoTime();
            }

            @Override
            public Timeout schedule(Runnable task, long delayNanos) {
                timersSet.incrementAndGet();
                return timer.schedule(task, delayNanos);
            }
        };
    }

    /** A call that is ended from inside one of its own callbacks. */
    private static final class AtomicCall {
        private CompletableFuture<?> call = new CompletableFuture<>();

        void set(CompletableFuture<?> call) {
            this.call = call;
        }

        void end() {
            call.cancel(true);
        }
    }
}
