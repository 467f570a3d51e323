package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAfter;
import static io.github.hedge4j.Scenario.hangs;
import static io.github.hedge4j.Scenario.stubborn;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static io.github.hedge4j.Scenario.succeedsAtOnce;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.hedge4j.time.VirtualTimer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a hedge counts. That its counters add up is checked after every test of a {@link Scenario}. */
class CountersTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    @Test
    void aNewHedgeHasCountedNothing() {
        var metrics = scenario.metrics();

        assertThat(metrics.getNumberOfCalls()).isZero();
        assertThat(metrics.getNumberOfAttempts()).isZero();
        assertThat(metrics.getNumberOfDeniedHedges()).isZero();
        assertThat(metrics.getNumberOfUnresponsiveLosers()).isZero();
        assertThat(metrics.getInFlightAttempts()).isZero();
        assertThat(metrics.getTargets()).isEmpty();
    }

    @Test
    void countersAreReadableAsTheyAre() {
        Hedge hedge = Hedge.of(
                "backend",
                HedgeConfig.custom()
                        .delay(HedgeDelay.fixed(ofMillis(50)))
                        .budget(HedgeBudget.none())
                        .timer(new VirtualTimer())
                        .executor(Runnable::run)
                        .build());

        hedge.start(attempt -> CompletableFuture.completedFuture("a")).join();
        CompletionStage<?> unused = hedge.start(attempt -> CompletableFuture.failedFuture(new IOException()));

        assertThat(hedge.getMetrics())
                .hasToString(
                        "Metrics{calls=2, wonByPrimary=1, wonByHedge=0, failed=1, timedOut=0, cancelled=0, hedges=0,"
                                + " denied={BUDGET=1}, inFlight=0}");
    }

    static Stream<Arguments> timelines() {
        return Stream.of(
                arguments("won by primary at once", succeedsAtOnce("a"), hangs(), List.of(1, 1, 0, 0, 0, 0, 0)),
                arguments("won by primary", succeedsAfter(20, "a"), hangs(), List.of(1, 1, 0, 0, 0, 0, 0)),
                arguments("won by primary late", succeedsAfter(60, "a"), hangs(), List.of(1, 1, 0, 0, 0, 1, 0)),
                arguments("won by hedge", hangs(), succeedsAfter(20, "b"), List.of(1, 0, 1, 0, 0, 1, 0)),
                arguments(
                        "won by hedge after failure",
                        failsAfter(20, new IOException()),
                        succeedsAfter(20, "b"),
                        List.of(1, 0, 1, 0, 0, 1, 0)),
                arguments(
                        "failed",
                        failsAfter(20, new IOException()),
                        failsAfter(20, new IOException()),
                        List.of(1, 0, 0, 1, 0, 1, 0)),
                arguments("timed out", hangs(), hangs(), List.of(1, 0, 0, 0, 1, 1, 0)),
                arguments(
                        "timed out after a failure",
                        hangs(),
                        failsAfter(20, new IOException()),
                        List.of(1, 0, 0, 0, 1, 1, 0)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("timelines")
    void everyCallIsCountedOnceUnderTheWayItEnded(
            String name, Scenario.Script primary, Scenario.Script hedge, List<Integer> expected) {
        scenario.configured(config -> config.timeout(ofMillis(200)))
                .primary(primary)
                .hedge(hedge);

        scenario.begin();
        scenario.advance(200);

        assertThat(counts()).isEqualTo(expected);
    }

    @Test
    void aCallEndedFromOutsideIsCountedAsCancelled() {
        scenario.start().complete("mine");

        assertThat(counts()).isEqualTo(List.of(1, 0, 0, 0, 0, 0, 1));
    }

    @Test
    void aCallThatRunsIsNotCountedYetButItsAttemptsAre() {
        var call = scenario.start();
        scenario.advance(50);

        assertThat(scenario.metrics().getNumberOfCalls()).isZero();
        assertThat(scenario.metrics().getNumberOfAttempts()).isEqualTo(2);
        assertThat(scenario.metrics().getNumberOfHedges()).isOne();
        assertThat(scenario.metrics().getInFlightAttempts()).isEqualTo(2);
        call.cancel(true);
    }

    @Test
    void aCallIsCountedByTheTimeItsCallerHearsOfIt() {
        scenario.primary(succeedsAfter(10, "primary"));
        var call = scenario.start();
        var counted = call.thenApply(value -> scenario.metrics().getNumberOfCalls());

        scenario.advance(10);

        assertThat(counted).isCompletedWithValue(1L);
    }

    @Test
    void callsAddUp() {
        scenario.primary(succeedsAfter(10, "a"));
        for (int i = 0; i < 10; i++) {
            scenario.begin();
        }
        scenario.primary(hangs()).hedge(succeedsAfter(10, "b"));
        for (int i = 0; i < 5; i++) {
            scenario.get();
        }
        scenario.advance(100);

        assertThat(counts()).isEqualTo(List.of(15, 10, 5, 0, 0, 5, 0));
    }

    @Test
    void theDelayAndTheBudgetCanBeRead() {
        assertThat(scenario.metrics().getCurrentDelay()).contains(ofMillis(50));
        assertThat(scenario.metrics().getAvailableBudget()).isEqualTo(Double.POSITIVE_INFINITY);
        var poor = Hedge.of(
                "poor",
                HedgeConfig.from(scenario.hedge().getHedgeConfig())
                        .budget(HedgeBudget.none())
                        .build());
        assertThat(poor.getMetrics().getAvailableBudget()).isZero();
        var careful = Hedge.of(
                "careful",
                HedgeConfig.from(scenario.hedge().getHedgeConfig())
                        .budget(HedgeBudget.ratio(0.1))
                        .build());
        assertThat(careful.getMetrics().getAvailableBudget()).isEqualTo(1);
    }

    @Test
    void aDelayThatCannotBeReadIsNoneAndDoesNotThrow() {
        scenario.configured(config -> config.delay(HedgeDelay.perAttempt(number -> {
            throw new IllegalStateException();
        })));

        assertThat(scenario.metrics().getCurrentDelay()).isEmpty();
    }

    @Test
    void targetsAreCountedByName() {
        scenario.configured(config -> config.maxAttempts(3));
        var targets = new LinkedHashMap<String, Supplier<CompletionStage<Object>>>();
        for (var name : List.of("a", "b", "c")) {
            targets.put(name, () -> scenario.invoke(Attempt.current().orElseThrow()));
        }
        var supplier = scenario.hedge().<Object>decorateTargets(targets);
        scenario.primary(failsAfter(10, new IOException())).hedge(hangs()).attempt(2, succeedsAfter(10, "from c"));
        scenario.watch(supplier.get());
        scenario.advance(200);

        scenario.primary(succeedsAfter(10, "from a"));
        scenario.watch(supplier.get());
        scenario.advance(200);

        assertThat(scenario.metrics().getTargets())
                .containsOnlyKeys("a", "b", "c")
                .containsEntry("a", new TargetMetrics(1, 1, 0, 1))
                .containsEntry("b", new TargetMetrics(0, 0, 1, 0))
                .containsEntry("c", new TargetMetrics(1, 0, 0, 1));
    }

    @Test
    void attemptsWithoutATargetAreCountedApart() {
        scenario.primary(hangs()).hedge(succeedsAfter(10, "b"));
        scenario.begin();
        scenario.get();
        scenario.advance(60);
        scenario.primary(succeedsAtOnce("a"));
        scenario.get();
        scenario.begin();
        scenario.primary(failsAfter(10, new IOException())).hedge(failsAfter(10, new IOException()));
        scenario.get();
        scenario.advance(20);

        assertThat(scenario.metrics().getUntargeted()).isEqualTo(new TargetMetrics(4, 2, 2, 4));
        assertThat(scenario.metrics().getTargets()).isEmpty();
    }

    @Test
    void winsAreCountedByTheNumberOfTheAttempt() {
        scenario.configured(config -> config.maxAttempts(3));
        scenario.attempt(2, succeedsAfter(10, "c"));
        scenario.begin();
        scenario.get();
        scenario.advance(110);
        scenario.primary(succeedsAfter(10, "a"));
        scenario.get();
        scenario.advance(10);

        assertThat(scenario.metrics().getWinsByAttempt()).containsExactly(entry(0, 1L), entry(2, 2L));
    }

    @Test
    void theTimeOfSuccessfulCallsAddsUpWhoeverWins() {
        scenario.configured(config -> config.timeout(ofMillis(200)));
        scenario.primary(succeedsAfter(10, "a"));
        scenario.begin();
        scenario.get();
        scenario.advance(10);
        scenario.primary(hangs()).hedge(succeedsAfter(10, "b"));
        scenario.get();
        scenario.advance(60);
        scenario.primary(failsAfter(10, new IOException())).hedge(hangs());
        scenario.begin(); // times out
        scenario.advance(200);

        assertThat(scenario.metrics().getTotalTimeToSuccess()).isEqualTo(ofMillis(10 + 10 + 60));
    }

    @Test
    void callsThatAreNotMeasuredAreStoodForByThoseThatAre() {
        var timer = new VirtualTimer();
        var hedge = Hedge.of(
                "backend",
                HedgeConfig.custom()
                        .delay(HedgeDelay.fixed(ofMillis(50)))
                        .timer(timer)
                        .build());
        int calls = 200_000;
        for (int i = 0; i < calls / 100; i++) {
            List<CompletableFuture<String>> primaries = new ArrayList<>();
            for (int j = 0; j < 100; j++) {
                var primary = new CompletableFuture<String>();
                primaries.add(primary);
                var unused = hedge.executeCompletionStage(() -> primary);
            }
            timer.advance(ofMillis(10));
            primaries.forEach(primary -> primary.complete("done"));
        }

        var perCall = hedge.getMetrics().getTotalTimeToSuccess().dividedBy(calls);

        assertThat(perCall)
                .isBetween(
                        ofMillis(10).multipliedBy(97).dividedBy(100),
                        ofMillis(10).multipliedBy(103).dividedBy(100));
    }

    @Test
    void aListenerHearsOfTargetsAsTheyAreDecoratedUntilItIsStopped() {
        var hedge = Hedge.ofDefaults("backend");
        Supplier<CompletionStage<String>> any = CompletableFuture::new;
        var unused = hedge.decorateTargets(Map.of("early", any));
        List<String> heard = new ArrayList<>();

        var stop = hedge.getMetrics().onTarget(heard::add);
        hedge.getMetrics().onTarget(name -> {
            throw new IllegalStateException();
        });
        unused = hedge.decorateTargets(Map.of("late", any));
        unused = hedge.decorateTargets(Map.of("late", any));
        stop.run();
        unused = hedge.decorateTargets(Map.of("too late", any));

        assertThat(heard).containsExactly("early", "late");
        assertThat(hedge.getMetrics().getTargets()).containsOnlyKeys("early", "late", "too late");
    }

    @Test
    void namesMadeUpPerCallDoNotFillTheMemory() {
        var hedge = Hedge.ofDefaults("backend");

        for (int i = 0; i < 10_000; i++) {
            var unused = hedge.<String>decorateTargets(
                            Map.of("call " + i, () -> CompletableFuture.completedFuture("a")))
                    .get();
        }

        assertThat(hedge.getMetrics().getTargets())
                .hasSize(101)
                .containsEntry("call 99", new TargetMetrics(1, 0, 0, 1))
                .containsEntry("other", new TargetMetrics(9_900, 0, 0, 9_900));
    }

    @Test
    void aTargetThatIsGivenUpOnCountsAsCancelled() {
        var targets = new LinkedHashMap<String, Supplier<CompletionStage<Object>>>();
        for (var name : List.of("a", "b")) {
            targets.put(name, () -> scenario.invoke(Attempt.current().orElseThrow()));
        }
        scenario.primary(stubborn()).hedge(succeedsAfter(10, "from b"));
        scenario.watch(scenario.hedge().<Object>decorateTargets(targets).get());
        scenario.advance(60 + 1000);

        scenario.source(0).complete("very late");

        assertThat(scenario.metrics().getTargets()).containsEntry("a", new TargetMetrics(0, 0, 1, 0));
    }

    @Test
    void attemptsAreTheSumOfTheirReportedOutcomes() {
        scenario.configured(config -> config.maxAttempts(3)).hedge(failsAfter(10, new IOException()));
        var first = scenario.start();
        scenario.advance(60);
        scenario.source(2).complete("hedge 2");
        var second = scenario.start();
        second.cancel(true);

        long reported = Stream.of(first, second)
                .mapToLong(call -> scenario.report(call).attempts().size())
                .sum();

        assertThat(scenario.metrics().getNumberOfAttempts()).isEqualTo(reported);
    }

    /** Calls: all, won by primary, won by hedge, failed, timed out; then hedges; then calls cancelled. */
    private List<Integer> counts() {
        var metrics = scenario.metrics();
        return Stream.of(
                        metrics.getNumberOfCalls(),
                        metrics.getNumberOfCallsWonByPrimary(),
                        metrics.getNumberOfCallsWonByHedge(),
                        metrics.getNumberOfFailedCalls(),
                        metrics.getNumberOfTimedOutCalls(),
                        metrics.getNumberOfHedges(),
                        metrics.getNumberOfCancelledCalls())
                .map(Long::intValue)
                .toList();
    }
}
