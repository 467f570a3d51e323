package io.github.hedge4j;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.hedge4j.delay.DelayRule;
import io.github.hedge4j.time.Timeout;
import io.github.hedge4j.time.VirtualTimer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The promise of a percentile is a rate, kept by the real engine on virtual time: the slowest 1 - p of calls are hedged, whatever the
 * distribution, although the latency of a loser is never known.
 */
class LearntDelayTest {

    /** A latency law in milliseconds. */
    private record Law(String name, ToDoubleFunction<SplittableRandom> millis) {

        static Law logNormal(double sigma) {
            return new Law("lognormal " + sigma, random -> 10 * Math.exp(sigma * random.nextGaussian()));
        }

        static Law bimodal(double slow) {
            return new Law(
                    "bimodal " + slow,
                    random -> (random.nextDouble() < slow ? 20 : 1) * 10 * Math.exp(0.2 * random.nextGaussian()));
        }

        static final Law PARETO = new Law("Pareto 1.1", random -> 2 * Math.pow(1 - random.nextDouble(), -1 / 1.1));
        static final Law SHIFTED_EXPONENTIAL =
                new Law("5 + Exp(5)", random -> 5 - 5 * Math.log(1 - random.nextDouble()));

        static List<Law> all() {
            return List.of(
                    logNormal(0.5),
                    logNormal(1),
                    bimodal(0.02),
                    bimodal(0.06),
                    bimodal(0.10),
                    PARETO,
                    SHIFTED_EXPONENTIAL);
        }

        Law times(double factor) {
            return new Law(name + " x " + factor, random -> factor * millis.applyAsDouble(random));
        }

        double quantileMillis(double q) {
            SplittableRandom random = new SplittableRandom(1);
            double[] samples = new double[1_000_000];
            Arrays.setAll(samples, i -> millis.applyAsDouble(random));
            Arrays.sort(samples);
            return samples[(int) (q * samples.length)];
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Calls one after the other; each attempt takes a time drawn from the law. */
    private static final class Traffic {

        final VirtualTimer timer = new VirtualTimer(Long.MAX_VALUE - 1_000_000_000L);
        final Hedge hedge;
        private final SplittableRandom random = new SplittableRandom(7);
        private final double sameSlowness;
        private final Supplier<CompletionStage<String>> calls;
        Law law;
        private double primaryMillis;
        private DoubleUnaryOperator fate = millis -> millis;

        Traffic(HedgeConfig.Builder config, Law law, double sameSlowness) {
            this.law = law;
            this.sameSlowness = sameSlowness;
            this.hedge = Hedge.of(
                    "traffic", config.timer(timer).executor(Runnable::run).build());
            this.calls = hedge.decorateAttempts(this::attempt);
        }

        private CompletionStage<String> attempt(Attempt attempt) {
            double millis = attempt.isHedge() && random.nextDouble() < sameSlowness
                    ? primaryMillis
                    : law.millis().applyAsDouble(random);
            if (!attempt.isHedge()) {
                primaryMillis = millis;
            }
            CompletableFuture<String> answer = new CompletableFuture<>();
            if (fate.applyAsDouble(millis) >= 0) {
                Timeout due = timer.schedule(() -> answer.complete("answer"), (long) (millis * 1e6));
                CompletionStage<?> unused = answer.whenComplete((any, failure) -> due.cancel());
            }
            return answer;
        }

        void call() {
            CompletableFuture<String> call = calls.get().toCompletableFuture();
            while (!call.isDone() && timer.advanceToNext()) {
                // the next event
            }
        }

        /** The share of these calls whose delay expired. */
        double rate(int count) {
            long before = wanted();
            for (int i = 0; i < count; i++) {
                call();
            }
            return (double) (wanted() - before) / count;
        }

        private long wanted() {
            Hedge.Metrics metrics = hedge.getMetrics();
            return metrics.getNumberOfHedges()
                    + metrics.getNumberOfDeniedHedges(DenialReason.BUDGET)
                    + metrics.getNumberOfDeniedHedges(DenialReason.SHADOW);
        }
    }

    private static HedgeConfig.Builder percentile(double p) {
        return HedgeConfig.custom().delay(HedgeDelay.percentile(p)).budget(HedgeBudget.unlimited());
    }

    private static Stream<Arguments> lawsAndPercentiles() {
        return Law.all().stream()
                .flatMap(law -> Stream.of(0.0, 0.5)
                        .flatMap(same -> Stream.of(
                                arguments(law, same, 0.90, 0.010),
                                arguments(law, same, 0.95, 0.005),
                                arguments(law, same, 0.99, 0.003))));
    }

    @ParameterizedTest(name = "{0}, hedge as slow as primary {1}: p{2}")
    @MethodSource("lawsAndPercentiles")
    void hedgesTheSlowestCallsAtThePromisedRate(Law law, double same, double p, double tolerance) {
        Traffic traffic = new Traffic(percentile(p), law, same);

        double first = traffic.rate(10_000);
        double second = traffic.rate(10_000);

        assertThat(second).isEqualTo(1 - p, within(tolerance));
        assertThat(first).as("cold start included").isEqualTo(1 - p, within(2 * tolerance));
        assertThat(traffic.timer.pending()).isZero();
    }

    @Test
    void aRecorderOfWinnersOnlyFailsTheSameCheck() {
        Traffic traffic = new Traffic(
                HedgeConfig.custom().delay(WinnersOnly::new).budget(HedgeBudget.unlimited()), Law.logNormal(1), 0);

        traffic.rate(10_000);

        assertThat(traffic.rate(10_000)).isGreaterThan(0.09);
    }

    /** What most libraries do: the percentile of what primaries took that were not beaten. */
    private static final class WinnersOnly implements DelayRule {

        private final Deque<Long> window = new ArrayDeque<>();
        private long delay = NONE;

        @Override
        public boolean learns() {
            return true;
        }

        @Override
        public long delayNanos(int number) {
            return delay;
        }

        @Override
        public void completed(long latencyNanos, long issuedNanos) {
            window.add(latencyNanos);
            if (window.size() > 10_000) {
                window.remove();
            }
            if (window.size() >= 45 && (delay == NONE || window.size() % 100 == 0 || window.size() == 10_000)) {
                if (window.size() < 10_000 || latencyNanos % 100 == 0) {
                    long[] sorted =
                            window.stream().mapToLong(Long::longValue).sorted().toArray();
                    delay = sorted[(int) (0.95 * sorted.length)];
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("steps")
    void isBackAtTheRateSoonAfterATenfoldStep(Law law, double factor, int calls) {
        Traffic traffic = new Traffic(percentile(0.95), law, 0);
        traffic.rate(20_000);

        traffic.law = law.times(factor);
        traffic.rate(calls);

        assertThat(traffic.rate(2_000)).isEqualTo(0.05, within(0.025));
    }

    private static Stream<Arguments> steps() {
        return Law.all().stream().flatMap(law -> Stream.of(arguments(law, 10, 2_000), arguments(law, 0.1, 10_000)));
    }

    @ParameterizedTest
    @MethodSource("steps")
    void aStepNeverMakesMoreHedgesThanTheBudgetAllowsInAnyTenSeconds(Law law, double factor, int calls) {
        Traffic traffic = new Traffic(percentile(0.95).budget(HedgeBudget.ratio(0.10)), law, 0);
        traffic.rate(2_000);
        traffic.law = law.times(factor);
        List<long[]> marks = new ArrayList<>(); // time, calls, hedges

        for (int i = 0; i < calls; i++) {
            marks.add(new long[] {
                traffic.timer.nanoTime(), i, traffic.hedge.getMetrics().getNumberOfHedges()
            });
            traffic.call();
        }

        int from = 0;
        for (long[] to : marks) {
            while (to[0] - marks.get(from)[0] > 10_000_000_000L) {
                from++;
            }
            long[] start = marks.get(from);
            assertThat((double) (to[2] - start[2])).isLessThanOrEqualTo(10 + 0.10 * (to[1] - start[1]) + 1e-9);
        }
    }

    @Test
    void nothingIsHedgedWhileTheHedgeIsCold() {
        Traffic traffic = new Traffic(percentile(0.95), Law.logNormal(1), 0);

        traffic.rate(44);

        assertThat(traffic.hedge.getMetrics().getCurrentDelay()).isEmpty();
        assertThat(traffic.hedge.getMetrics().getNumberOfHedges()).isZero();
        assertThat(traffic.hedge.getMetrics().getNumberOfDeniedHedges(DenialReason.COLD))
                .isEqualTo(44);
        traffic.call();
        assertThat(traffic.hedge.getMetrics().getCurrentDelay()).isPresent();
    }

    @Test
    void anInitialDelayHedgesWhileTheHedgeIsCold() {
        Traffic traffic = new Traffic(
                HedgeConfig.custom()
                        .delay(HedgeDelay.percentile(0.95).withInitial(ofMillis(1)))
                        .budget(HedgeBudget.unlimited()),
                Law.SHIFTED_EXPONENTIAL,
                0);

        traffic.rate(10);

        assertThat(traffic.hedge.getMetrics().getNumberOfHedges()).isEqualTo(10);
    }

    @Test
    void theLastEstimateStandsAfterAnHourWithoutCalls() {
        Traffic traffic = new Traffic(percentile(0.95), Law.logNormal(0.5), 0);
        traffic.rate(5_000);
        var before = traffic.hedge.getMetrics().getCurrentDelay();

        traffic.timer.advance(ofHours(1));

        assertThat(traffic.hedge.getMetrics().getCurrentDelay())
                .isEqualTo(before)
                .isPresent();
    }

    @Test
    void oneCallAMinuteIsLearntFromAsWell() {
        Traffic traffic = new Traffic(percentile(0.95), Law.logNormal(0.5), 0);

        for (int i = 0; i < 2_000; i++) {
            traffic.timer.advance(ofMinutes(1));
            traffic.call();
        }

        assertThat(traffic.rate(10_000)).isEqualTo(0.05, within(0.005));
    }

    @Test
    void aDelayBeyondTheDeadlineStartsNoHedgeAndIsCounted() {
        Traffic traffic = new Traffic(percentile(0.95), Law.logNormal(0.5), 0);
        traffic.rate(1_000);
        traffic.hedge.changeConfig(HedgeConfig.from(traffic.hedge.getHedgeConfig())
                .timeout(ofMillis(5))
                .build());
        long hedges = traffic.hedge.getMetrics().getNumberOfHedges();

        traffic.rate(100);

        assertThat(traffic.hedge.getMetrics().getNumberOfHedges()).isEqualTo(hedges);
        assertThat(traffic.hedge.getMetrics().getNumberOfDeniedHedges(DenialReason.DEADLINE))
                .isEqualTo(100);
        assertThat(traffic.timer.pending()).isZero();
    }

    @Test
    void aBackendThatNeverAnswersNeitherStormsNorBreaksTheDelay() {
        Traffic traffic = new Traffic(
                HedgeConfig.custom().delay(HedgeDelay.percentile(0.95)).timeout(ofSeconds(1)), Law.logNormal(0.5), 0);
        traffic.rate(5_000);
        long before = traffic.hedge.getMetrics().getNumberOfHedges();

        traffic.fate = millis -> -1;
        traffic.rate(1_000);

        assertThat(traffic.hedge.getMetrics().getNumberOfTimedOutCalls()).isEqualTo(1_000);
        assertThat(traffic.hedge.getMetrics().getNumberOfHedges() - before).isLessThanOrEqualTo(10);
        traffic.fate = millis -> millis;
        traffic.rate(10_000);
        assertThat(traffic.rate(2_000)).isEqualTo(0.05, within(0.025));
    }

    @Test
    void shadowModeStartsNothingCountsWhatItWouldAndGoesOnLearning() {
        Traffic traffic = new Traffic(percentile(0.95).mode(HedgeMode.SHADOW), Law.logNormal(1), 0);

        traffic.rate(10_000);

        assertThat(traffic.rate(10_000)).isEqualTo(0.05, within(0.005));
        assertThat(traffic.hedge.getMetrics().getNumberOfHedges()).isZero();
        assertThat(traffic.hedge.getMetrics().getNumberOfDeniedHedges(DenialReason.SHADOW))
                .isPositive();
    }

    @Test
    void changingTheConfigurationKeepsWhatWasLearntAndTheBalance() {
        Traffic traffic = new Traffic(percentile(0.95).budget(HedgeBudget.ratio(0.10)), Law.logNormal(1), 0);
        traffic.rate(5_000);
        var delay = traffic.hedge.getMetrics().getCurrentDelay();
        double balance = traffic.hedge.getMetrics().getAvailableBudget();

        traffic.hedge.changeConfig(
                HedgeConfig.from(traffic.hedge.getHedgeConfig()).maxAttempts(3).build());

        assertThat(traffic.hedge.getMetrics().getCurrentDelay()).isEqualTo(delay);
        assertThat(traffic.hedge.getMetrics().getAvailableBudget()).isEqualTo(balance);
    }

    private static Stream<Law> tails() {
        return Stream.of(Law.logNormal(1), Law.bimodal(0.10));
    }

    @ParameterizedTest
    @MethodSource("tails")
    void theLatencyCurveIsRightAtP99EvenIfHalfOfTheCallsAreHedged(Law law) {
        Traffic traffic = new Traffic(percentile(0.50), law, 0);

        traffic.rate(400_000);

        double p99 = traffic.hedge.getMetrics().getLatency(0.99).orElseThrow().toNanos() / 1e6;
        assertThat(p99 / law.quantileMillis(0.99)).isEqualTo(1, within(0.07));
    }

    @Test
    void theLatencyCurveOfAFixedDelayIsKnownToo() {
        Traffic traffic = new Traffic(
                HedgeConfig.custom().delay(HedgeDelay.fixed(ofMillis(10))).budget(HedgeBudget.unlimited()),
                Law.logNormal(1),
                0);

        traffic.rate(400_000);

        double p99 = traffic.hedge.getMetrics().getLatency(0.99).orElseThrow().toNanos() / 1e6;
        assertThat(p99 / Law.logNormal(1).quantileMillis(0.99)).isEqualTo(1, within(0.07));
        assertThat(traffic.hedge.getMetrics().getLatency(0)).isPresent();
        assertThatThrownBy(() -> traffic.hedge.getMetrics().getLatency(1.5))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
