package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAtOnce;
import static io.github.hedge4j.Scenario.failureOf;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static io.github.hedge4j.Scenario.succeedsAtOnce;
import static io.github.hedge4j.Scenario.throwing;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import io.github.hedge4j.time.HedgeTimer;
import io.github.hedge4j.time.Timeout;
import io.github.resilience4j.core.ContextPropagator;
import java.io.IOException;
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
}
