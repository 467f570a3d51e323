package io.github.hedge4j.micrometer;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.HedgeRegistry;
import io.github.hedge4j.time.VirtualTimer;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaggedHedgeMetricsTest {

    private final VirtualTimer timer = new VirtualTimer();
    private final HedgeConfig config = HedgeConfig.custom()
            .delay(HedgeDelay.fixed(ofMillis(50)))
            .budget(HedgeBudget.unlimited())
            .timer(timer)
            .executor(Runnable::run)
            .build();
    private final HedgeRegistry hedges = HedgeRegistry.of(config);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @AfterEach
    void nothingIsPending() {
        assertThat(timer.pending()).isZero();
    }

    // ---- what is registered when

    @Test
    void hedgesOfARegistryAreBoundWhetherTheyCameBeforeOrCameLater() {
        hedges.hedge("before");
        TaggedHedgeMetrics.ofHedgeRegistry(hedges).bindTo(meters);
        hedges.hedge("later");

        assertThat(names(meters)).containsOnly("before", "later");
    }

    @Test
    void aHedgeThatIsRemovedTakesItsMetersWithIt() {
        TaggedHedgeMetrics.ofHedgeRegistry(hedges).bindTo(meters);
        hedges.hedge("gone").decorateTargets(Map.of("a", CompletableFuture::new));
        hedges.hedge("stays");

        hedges.remove("gone");

        assertThat(names(meters)).containsOnly("stays");
    }

    @Test
    void aHedgeThatReplacesAnotherIsTheOneThatIsMeasured() {
        TaggedHedgeMetrics.ofHedgeRegistry(hedges).bindTo(meters);
        succeed(hedges.hedge("search"));
        var other = Hedge.of("search", config, Map.of("region", "eu"));

        hedges.replace("search", other);
        succeed(other);
        succeed(other);

        assertThat(count("hedge.calls", "kind", "won_by_primary")).isEqualTo(2);
        assertThat(meters.getMeters())
                .allSatisfy(meter -> assertThat(meter.getId().getTag("region")).isEqualTo("eu"));
    }

    @Test
    void aHedgeThatIsGoneBeforeItsReplacementIsToldHasNoMeters() {
        hedges.getEventPublisher().onEntryReplaced(event -> hedges.remove("search")); // tells of the removal first
        TaggedHedgeMetrics.ofHedgeRegistry(hedges).bindTo(meters);
        hedges.hedge("search");

        hedges.replace("search", Hedge.of("search", config));

        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void aHedgeIsBoundAlsoIfItsRegistryHasItUnderAnotherName() {
        hedges.hedge("search");
        hedges.replace("search", Hedge.of("renamed", config));

        TaggedHedgeMetrics.ofHedgeRegistry(hedges).bindTo(meters);
        assertThat(names(meters)).containsOnly("renamed");
        hedges.remove("search");

        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void oneBinderOnTwoRegistriesLeavesNothingBehindInEither() {
        var second = new SimpleMeterRegistry();
        var binder = TaggedHedgeMetrics.ofHedgeRegistry(hedges);
        binder.bindTo(meters);
        binder.bindTo(second);
        hedges.hedge("search");
        assertThat(meters.getMeters()).hasSameSizeAs(second.getMeters()).isNotEmpty();

        hedges.replace("search", Hedge.of("search", config));
        hedges.remove("search");

        assertThat(meters.getMeters()).isEmpty();
        assertThat(second.getMeters()).isEmpty();
    }

    @Test
    void twoBindersOnOneRegistryCountOnce() {
        TaggedHedgeMetrics.ofHedgeRegistry(hedges).bindTo(meters);
        TaggedHedgeMetrics.ofHedgeRegistry(hedges).bindTo(meters);
        var hedge = hedges.hedge("search");
        var third = TaggedHedgeMetrics.ofHedge(hedge);
        third.bindTo(meters);
        third.bindTo(meters);

        succeed(hedge);

        assertThat(count("hedge.calls", "kind", "won_by_primary")).isEqualTo(1);
        assertThat(meters.get("hedge.call.duration").functionTimer().count()).isEqualTo(1);
        hedges.remove("search");
        third.close(); // it is not the registry's
        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void twoBindersWithHistogramsOnOneRegistryCountOnce() {
        TaggedHedgeMetrics.ofHedgeRegistry(hedges).withCallDurationHistogram().bindTo(meters);
        hedges.hedge("search");
        TaggedHedgeMetrics.ofHedgeRegistry(hedges).withCallDurationHistogram().bindTo(meters);

        succeed(hedges.hedge("search"));

        assertThat(meters.get("hedge.call.duration").timer().count()).isEqualTo(1);
    }

    @Test
    void theMetersOfAHedgeThatHasTakenOverANameStayWhenTheOtherOneGoes() {
        var otherHedges = HedgeRegistry.of(config);
        var binder = TaggedHedgeMetrics.ofHedgeRegistry(hedges);
        binder.bindTo(meters);
        TaggedHedgeMetrics.ofHedgeRegistry(otherHedges).bindTo(meters);
        succeed(hedges.hedge("search"));
        succeed(otherHedges.hedge("search"));
        succeed(otherHedges.hedge("search"));
        assertThat(count("hedge.calls", "kind", "won_by_primary")).isEqualTo(2);

        hedges.remove("search");
        binder.close();
        assertThat(count("hedge.calls", "kind", "won_by_primary")).isEqualTo(2);
        otherHedges.remove("search");

        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void thePublisherFollowsTheRegistryItIsGivenTo() {
        var published = HedgeRegistry.of(config, new TaggedHedgeMetricsPublisher(meters));
        published.hedge("a");
        published.hedge("b");
        published.replace("a", Hedge.of("a", config));
        succeed(published.hedge("a"));

        published.remove("b");

        assertThat(names(meters)).containsOnly("a");
        assertThat(count("hedge.calls", "kind", "won_by_primary")).isEqualTo(1);
    }

    @Test
    void aClosedBinderLeavesNothingAndFollowsNoLonger() {
        var binder = TaggedHedgeMetrics.ofHedgeRegistry(hedges);
        binder.bindTo(meters);
        hedges.hedge("search");

        binder.close();
        hedges.hedge("later").decorateTargets(Map.of("a", CompletableFuture::new));

        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void targetsThatBecomeKnownAfterAHedgeWasRemovedAreNotRegistered() {
        TaggedHedgeMetrics.ofHedgeRegistry(hedges).bindTo(meters);
        var hedge = hedges.hedge("search");
        hedges.remove("search");

        hedge.decorateTargets(Map.of("a", CompletableFuture::new));

        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void aMeterRegistryThatRefusesDoesNotFailWhoMakesAHedge() {
        meters.config().onMeterAdded(meter -> {
            throw new IllegalStateException("refused");
        });
        TaggedHedgeMetrics.ofHedgeRegistry(hedges).bindTo(meters);

        assertThat(hedges.hedge("search").getName()).isEqualTo("search");
    }

    @Test
    void metersHoldTheirHedgeUntilTheyAreRemoved() {
        var publisher = new TaggedHedgeMetricsPublisher(meters);
        WeakReference<Hedge> hedge = publishOne(publisher);

        collectGarbage();
        assertThat(count("hedge.calls", "kind", "won_by_primary")).isEqualTo(1);
        assertThat(gauge("hedge.attempts.in.flight")).isZero();

        publisher.removeMetrics(hedge.get());
        for (int i = 0; i < 50 && hedge.get() != null; i++) {
            collectGarbage();
        }
        assertThat(hedge.get()).isNull();
    }

    private WeakReference<Hedge> publishOne(TaggedHedgeMetricsPublisher publisher) {
        var hedge = Hedge.of("search", config);
        publisher.publishMetrics(hedge);
        succeed(hedge);
        return new WeakReference<>(hedge);
    }

    private static void collectGarbage() {
        System.gc();
    }

    // ---- what the meters read

    @Test
    void aHedgedCallIsReadFromItsMeters() {
        var hedge = hedges.hedge("search");
        TaggedHedgeMetrics.ofHedge(hedge).bindTo(meters);
        var slow = new CompletableFuture<String>();

        var call = hedge.start(attempt -> attempt.isHedge() ? after(20, "hedge") : slow);
        assertThat(gauge("hedge.attempts.in.flight")).isEqualTo(1);
        timer.advance(ofMillis(70));

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(count("hedge.calls", "kind", "won_by_hedge")).isEqualTo(1);
        assertThat(count("hedge.hedges")).isEqualTo(1);
        assertThat(count("hedge.attempts", "target", "none", "outcome", "success"))
                .isEqualTo(1);
        assertThat(count("hedge.attempts", "target", "none", "outcome", "cancelled"))
                .isEqualTo(1);
        assertThat(count("hedge.wins", "target", "none")).isEqualTo(1);
        assertThat(count("hedge.wins.by.attempt", "attempt", "0")).isZero();
        assertThat(count("hedge.wins.by.attempt", "attempt", "1")).isEqualTo(1);
        assertThat(gauge("hedge.attempts.in.flight")).isZero();
        assertThat(meters.get("hedge.delay").timeGauge().value(TimeUnit.MILLISECONDS))
                .isEqualTo(50);
        assertThat(gauge("hedge.budget.available")).isEqualTo(Double.POSITIVE_INFINITY);
        FunctionTimer duration = meters.get("hedge.call.duration").functionTimer();
        assertThat(duration.count()).isEqualTo(1);
        assertThat(duration.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(70);
    }

    @Test
    void callsWithoutAWinnerAreNoWinsAndHaveNoDuration() {
        var hedge = Hedge.of(
                "search", HedgeConfig.from(config).timeout(ofMillis(200)).build());
        TaggedHedgeMetrics.ofHedge(hedge).bindTo(meters);

        var failed = hedge.start(attempt -> CompletableFuture.failedFuture(new IOException()));
        var late = hedge.start(attempt -> new CompletableFuture<>());
        var cancelled = hedge.start(attempt -> new CompletableFuture<>());
        cancelled.cancel(true);
        timer.advance(ofMillis(200));

        assertThat(failed).isCompletedExceptionally();
        assertThat(late).isCompletedExceptionally();
        assertThat(meters.get("hedge.calls").functionCounters())
                .satisfiesExactlyInAnyOrder(
                        c -> assertThat(c.count()).isEqualTo(1),
                        c -> assertThat(c.count()).isEqualTo(1),
                        c -> assertThat(c.count()).isEqualTo(1),
                        c -> assertThat(c.count()).isZero(),
                        c -> assertThat(c.count()).isZero());
        assertThat(count("hedge.wins", "target", "none")).isZero();
        assertThat(meters.get("hedge.wins.by.attempt").functionCounters())
                .allSatisfy(wins -> assertThat(wins.count()).isZero());
        assertThat(meters.get("hedge.call.duration").functionTimer().count()).isZero();
        assertThat(count("hedge.attempts", "target", "none", "outcome", "failure"))
                .isEqualTo(2);
        assertThat(count("hedge.attempts", "target", "none", "outcome", "cancelled"))
                .isEqualTo(3);
    }

    @Test
    void winsOfTheThirdHedgeAndOfLaterOnesAreOneSeries() {
        var hedge = Hedge.of("search", HedgeConfig.from(config).maxAttempts(9).build());
        TaggedHedgeMetrics.ofHedge(hedge).bindTo(meters);

        for (int winner = 0; winner < 9; winner++) {
            int number = winner;
            var call = hedge.start(attempt -> attempt.number() == number
                    ? CompletableFuture.completedFuture("won")
                    : CompletableFuture.failedFuture(new IOException()));
            assertThat(call).isCompletedWithValue("won");
        }

        assertThat(count("hedge.wins.by.attempt", "attempt", "2")).isEqualTo(1);
        assertThat(count("hedge.wins.by.attempt", "attempt", "3+")).isEqualTo(6);
        assertThat(count("hedge.wins", "target", "none")).isEqualTo(9);
    }

    @Test
    void aDelayThatIsNotKnownYetAndALatencyThatIsNotAreNotANumber() {
        var hedge = Hedge.of(
                "search",
                HedgeConfig.from(config).delay(HedgeDelay.percentile(0.95)).build());
        TaggedHedgeMetrics.ofHedge(hedge).bindTo(meters);

        assertThat(gauge("hedge.delay")).isNaN();
        assertThat(meters.get("hedge.latency")
                        .tag("percentile", "0.99")
                        .timeGauge()
                        .value())
                .isNaN();
    }

    @Test
    void theLatencyIsThePrimariesAlsoWhereTheyLost() {
        var hedge = hedges.hedge("search");
        TaggedHedgeMetrics.ofHedge(hedge).bindTo(meters);
        for (int i = 0; i < 1000; i++) {
            long millis = i % 10 == 0 ? 200 : 10;
            var unused = hedge.start(attempt -> attempt.isHedge() ? after(5, "hedge") : after(millis, "primary"));
            timer.advance(ofMillis(200));
        }

        assertThat(latencyMillis("0.5")).isCloseTo(10, within(0.5));
        assertThat(latencyMillis("0.99")).isGreaterThan(50);
    }

    @Test
    void deniedHedgesAreCountedByTheirReason() {
        var hedge = Hedge.of(
                "search", HedgeConfig.from(config).budget(HedgeBudget.none()).build());
        TaggedHedgeMetrics.ofHedge(hedge).bindTo(meters);

        var call = hedge.start(attempt -> after(100, "primary"));
        timer.advance(ofMillis(100));

        assertThat(call).isCompleted();
        assertThat(count("hedge.denied", "reason", "budget")).isEqualTo(1);
        assertThat(count("hedge.denied", "reason", "no_target")).isZero();
    }

    @Test
    void theHistogramsTimerRecordsSuccessesWithTheirTime() {
        var hedge = hedges.hedge("search");
        TaggedHedgeMetrics.ofHedge(hedge).withCallDurationHistogram().bindTo(meters);

        var call = hedge.executeCompletionStage(() -> after(30, "primary"));
        timer.advance(ofMillis(30));
        var failed = hedge.start(attempt -> CompletableFuture.failedFuture(new IOException()));

        assertThat(call.toCompletableFuture()).isCompleted();
        assertThat(failed).isCompletedExceptionally();
        Timer duration = meters.get("hedge.call.duration").timer();
        assertThat(duration.count()).isEqualTo(1);
        assertThat(duration.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(30);
        assertThat(duration.max(TimeUnit.MILLISECONDS)).isEqualTo(30);
    }

    // ---- targets

    @Test
    void targetsAreReadByTheirNameAndAreThereFromTheStart() {
        var hedge = hedges.hedge("search");
        TaggedHedgeMetrics.ofHedge(hedge).bindTo(meters);

        var search = hedge.decorateTargets(targets(
                Map.entry("a", () -> CompletableFuture.failedFuture(new IOException())),
                Map.entry("b", () -> after(10, "b"))));
        assertThat(count("hedge.attempts", "target", "b", "outcome", "success")).isZero();
        var call = search.get();
        timer.advance(ofMillis(10));

        assertThat(call.toCompletableFuture()).isCompletedWithValue("b");
        assertThat(count("hedge.attempts", "target", "a", "outcome", "failure")).isEqualTo(1);
        assertThat(count("hedge.attempts", "target", "b", "outcome", "success")).isEqualTo(1);
        assertThat(count("hedge.wins", "target", "a")).isZero();
        assertThat(count("hedge.wins", "target", "b")).isEqualTo(1);
        assertThat(count("hedge.attempts", "target", "none", "outcome", "success"))
                .isZero();
    }

    @Test
    void aTargetCalledNoneSharesTheSeriesOfAttemptsWithoutATarget() {
        TaggedHedgeMetrics.ofHedgeRegistry(hedges).bindTo(meters);
        Hedge hedge = hedges.hedge("search");

        succeed(hedge);
        var unused = hedge.decorateTargets(targets(Map.entry("none", () -> after(0, "x"))))
                .get();

        assertThat(count("hedge.wins", "target", "none")).isEqualTo(2);
        assertThat(count("hedge.attempts", "target", "none", "outcome", "success"))
                .isEqualTo(2);
    }

    @Test
    void targetsBeyondTheHundredthAreOneSeries() {
        var hedge = hedges.hedge("search");
        TaggedHedgeMetrics.ofHedge(hedge).bindTo(meters);

        for (int i = 0; i < 1000; i++) {
            var call = hedge.decorateTargets(targets(Map.entry("replica " + i, () -> after(0, "here"))))
                    .get();
            assertThat(call.toCompletableFuture()).isCompleted();
        }

        assertThat(meters.get("hedge.wins").functionCounters()).hasSize(102);
        assertThat(count("hedge.wins", "target", "replica 99")).isEqualTo(1);
        assertThat(count("hedge.wins", "target", "other")).isEqualTo(900);
        assertThat(count("hedge.attempts", "target", "other", "outcome", "success"))
                .isEqualTo(900);
    }

    // ---- names, tags, Prometheus

    @Test
    void namesCanBeChosen() {
        var names = HedgeMetricNames.custom()
                .prefix("my.hedge")
                .callsMetricName("my.calls")
                .build();

        TaggedHedgeMetrics.ofHedgeRegistry(names, hedges).bindTo(meters);
        new TaggedHedgeMetricsPublisher(names, meters).publishMetrics(hedges.hedge("search"));

        assertThat(meters.getMeters().stream().map(meter -> meter.getId().getName()))
                .contains("my.calls", "my.hedge.attempts", "my.hedge.call.duration")
                .allMatch(name -> name.startsWith("my."));
        assertThat(names.getCallsMetricName()).isEqualTo("my.calls");
        assertThat(names.getDelayMetricName()).isEqualTo("my.hedge.delay");
        assertThat(HedgeMetricNames.ofDefaults().getLosersUnresponsiveMetricName())
                .isEqualTo("hedge.losers.unresponsive");
    }

    @Test
    void aNameMustNotBeBlankOrNull() {
        var names = HedgeMetricNames.custom();

        assertThatThrownBy(() -> names.callsMetricName(" "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("callsMetricName must not be blank, but was ' '");
        assertThatThrownBy(() -> names.winsByAttemptMetricName(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("winsByAttemptMetricName must not be null");
        assertThatThrownBy(() -> names.prefix(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void twoMetersMustNotHaveOneName() {
        var names = HedgeMetricNames.custom().callsMetricName("hedge.attempts");

        assertThatThrownBy(names::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("callsMetricName and attemptsMetricName must differ, but both were 'hedge.attempts'");
    }

    @Test
    void everyMeterHasTheHedgesTagsAndAllOfOneNameHaveTheSameKeys() {
        TaggedHedgeMetrics.ofHedgeRegistry(hedges).bindTo(meters);
        hedges.hedge("a");
        hedges.hedge("b", Map.of("region", "eu", "name", "ours wins"));
        hedges.hedge("c", Map.of("tier", "1")).decorateTargets(targets(Map.entry("replica", () -> after(0, "x"))));

        Map<String, List<List<String>>> keys = meters.getMeters().stream()
                .collect(Collectors.groupingBy(
                        meter -> meter.getId().getName(),
                        Collectors.mapping(
                                meter -> meter.getId().getTags().stream()
                                        .map(Tag::getKey)
                                        .toList(),
                                Collectors.toList())));

        assertThat(keys).hasSize(12).allSatisfy((name, all) -> assertThat(all).containsOnly(all.get(0)));
        assertThat(keys.get("hedge.delay").get(0)).containsExactly("name", "region", "tier");
        assertThat(names(meters)).containsOnly("a", "b", "c");
        assertThat(meters.get("hedge.delay").tag("name", "b").meter().getId().getTag("region"))
                .isEqualTo("eu");
        assertThat(meters.get("hedge.delay").tag("name", "a").meter().getId().getTag("region"))
                .isEqualTo("none");
    }

    @Test
    void prometheusGetsEverySeriesOfHedgesWithDifferentTags() {
        var prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        prometheus.config().onMeterRegistrationFailed((id, reason) -> {
            throw new AssertionError(id + ": " + reason);
        });
        TaggedHedgeMetrics.ofHedgeRegistry(hedges).bindTo(prometheus);
        succeed(hedges.hedge("a"));
        var tagged = hedges.hedge("b", Map.of("region", "eu"));
        var call = tagged.decorateTargets(targets(Map.entry("replica", () -> after(0, "x"))))
                .get();
        assertThat(call.toCompletableFuture()).isCompleted();

        assertThat(prometheus.scrape())
                .contains("hedge_calls_total{kind=\"won_by_primary\",name=\"a\",region=\"none\"} 1.0")
                .contains("hedge_calls_total{kind=\"won_by_primary\",name=\"b\",region=\"eu\"} 1.0")
                .contains("hedge_attempts_total{name=\"b\",outcome=\"success\",region=\"eu\",target=\"replica\"} 1.0")
                .contains("hedge_budget_available_tokens{name=\"a\",region=\"none\"} +Inf")
                .contains("hedge_delay_seconds{name=\"a\",region=\"none\"} 0.05")
                .contains("hedge_call_duration_seconds_count{name=\"a\",region=\"none\"} 1")
                .contains("hedge_latency_seconds{name=\"a\",percentile=\"0.99\",region=\"none\"}");
    }

    // ---- error rates

    /** Three targets take turns as the first to be asked; one of them fails 30 calls in 100 at once. */
    @Test
    void theErrorRateOfATargetIsItsOwnWhateverHedgingMakesOfIt() {
        var hedge = Hedge.of("search", HedgeConfig.from(config).maxAttempts(3).build());
        TaggedHedgeMetrics.ofHedge(hedge).bindTo(meters);
        var random = new SplittableRandom(42);
        BiFunction<Double, String, Supplier<CompletionStage<String>>> target = (failing, name) -> () -> {
            long millis = random.nextInt(20) == 0 ? 200 : 10;
            return random.nextDouble() < failing ? fails(5, new IOException(name)) : after(millis, name);
        };
        var names = List.of("a", "b", "c");

        for (int i = 0; i < 30_000; i++) {
            var order = new LinkedHashMap<String, Supplier<CompletionStage<String>>>();
            for (int j = 0; j < 3; j++) {
                var name = names.get((i + j) % 3);
                order.put(name, target.apply(name.equals("b") ? 0.3 : 0.0, name));
            }
            var call = hedge.decorateTargets(order).get().toCompletableFuture();
            timer.advance(ofMillis(400));
            assertThat(call).isCompleted();
        }

        assertThat(errorRate("a")).isZero();
        assertThat(errorRate("b")).isCloseTo(0.3, within(0.02));
        assertThat(errorRate("c")).isZero();
        assertThat(count("hedge.attempts", "target", "b", "outcome", "cancelled"))
                .isPositive();
        assertThat(count("hedge.calls", "kind", "failed")).isZero();
        double won = count("hedge.wins", "target", "a")
                + count("hedge.wins", "target", "b")
                + count("hedge.wins", "target", "c");
        assertThat(won).isEqualTo(30_000);
    }

    private double errorRate(String target) {
        double failures = count("hedge.attempts", "target", target, "outcome", "failure");
        return failures / (failures + count("hedge.attempts", "target", target, "outcome", "success"));
    }

    // ---- parts

    private void succeed(Hedge hedge) {
        var call = hedge.executeCompletionStage(() -> CompletableFuture.completedFuture("at once"));
        assertThat(call.toCompletableFuture()).isCompleted();
    }

    private CompletableFuture<String> after(long millis, String value) {
        var future = new CompletableFuture<String>();
        if (millis == 0) {
            future.complete(value);
        } else {
            cancellable(
                    future,
                    timer.schedule(
                            () -> future.complete(value), ofMillis(millis).toNanos())::cancel);
        }
        return future;
    }

    private CompletableFuture<String> fails(long millis, Exception failure) {
        var future = new CompletableFuture<String>();
        cancellable(
                future,
                timer.schedule(
                        () -> future.completeExceptionally(failure),
                        ofMillis(millis).toNanos())::cancel);
        return future;
    }

    private static void cancellable(CompletableFuture<?> future, Runnable cancel) {
        CompletionStage<?> unused = future.whenComplete((value, failure) -> cancel.run());
    }

    @SafeVarargs
    private static Map<String, Supplier<CompletionStage<String>>> targets(
            Map.Entry<String, Supplier<CompletionStage<String>>>... targets) {
        var map = new LinkedHashMap<String, Supplier<CompletionStage<String>>>();
        for (var target : targets) {
            map.put(target.getKey(), target.getValue());
        }
        return map;
    }

    private double count(String meter, String... tags) {
        return meters.get(meter).tags(tags).functionCounter().count();
    }

    private double gauge(String meter) {
        return meters.get(meter).gauge().value();
    }

    private double latencyMillis(String quantile) {
        return meters.get("hedge.latency")
                .tag("percentile", quantile)
                .timeGauge()
                .value(TimeUnit.MILLISECONDS);
    }

    private static List<String> names(MeterRegistry meters) {
        return meters.getMeters().stream()
                .map(Meter::getId)
                .map(id -> id.getTag("name"))
                .distinct()
                .toList();
    }
}
