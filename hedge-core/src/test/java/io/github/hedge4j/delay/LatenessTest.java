package io.github.hedge4j.delay;

import static io.github.hedge4j.delay.DelayRule.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The promise of {@link QuantileTracker}, in simulated traffic: which share of calls outlasts its delay. */
class LatenessTest {
    private static final int WINDOW = 500;

    static Stream<Arguments> streams() {
        return Stream.of(Latency.values())
                .flatMap(latency -> Stream.of(0.9, 0.95, 0.99).map(p -> Arguments.of(latency, p)));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void promisedShareOfCallsIsLateWhateverTheLatencies(Latency latency, double p) {
        double tolerance = p == 0.9 ? 0.01 : p == 0.95 ? 0.005 : 0.003;
        for (double correlation : new double[] {0, 0.5}) {
            var traffic = traffic(p, 1).latency(latency).correlation(correlation);

            double first10000 = traffic.lateAmong(10_000);
            double next10000 = traffic.lateAmong(10_000);

            assertThat(first10000).as("first 10 000").isCloseTo(1 - p, within(tolerance));
            assertThat(next10000).as("next 10 000").isCloseTo(1 - p, within(tolerance));
        }
    }

    @ParameterizedTest
    @MethodSource("streams")
    void tenfoldSlowdownIsFollowedWithin2000Calls(Latency latency, double p) {
        var traffic = traffic(p, 2).latency(latency);
        traffic.lateAmong(10_000);

        traffic.slowdown(10);

        assertThat(callsUntilBetween(traffic, 1 - p - 0.025, 1 - p + 0.025)).isLessThanOrEqualTo(2_000);
        assertThat(traffic.lateAmong(2_000)).isCloseTo(1 - p, within(0.025));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void tenfoldSpeedupIsFollowedWithin10000Calls(Latency latency, double p) {
        var traffic = traffic(p, 3).latency(latency).slowdown(10);
        traffic.lateAmong(10_000);

        traffic.slowdown(1);

        double least = Math.max(1 - p - 0.025, (1 - p) / 2); // 2.5 points would be no condition at p99
        assertThat(callsUntilBetween(traffic, least, 1 - p + 0.025)).isLessThanOrEqualTo(10_000);
        assertThat(traffic.lateAmong(2_000)).isCloseTo(1 - p, within(0.025));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void delayJittersLittleAroundTheQuantile(Latency latency, double p) {
        boolean quantileIsInTheGap = latency == Latency.ONE_IN_10_SLOW && p == 0.9;
        if (quantileIsInTheGap) {
            return;
        }
        var tracker = tracker(p);
        var traffic = new Traffic(tracker, new SplittableRandom(4)).latency(latency);
        traffic.lateAmong(20_000);
        double truth = Math.log((double) latency.quantileNanos(p));

        double sum = 0;
        double squares = 0;
        for (int i = 0; i < 1_000; i++) {
            traffic.lateAmong(50);
            double off = tracker.logDelayNanos() - truth;
            sum += off;
            squares += off * off;
        }

        assertThat(sum / 1_000).as("bias").isCloseTo(0, within(0.06));
        assertThat(Math.sqrt(squares / 1_000)).as("jitter").isLessThan(0.16);
    }

    @ParameterizedTest
    @CsvSource({"0.9, 100", "0.9, 1000", "0.95, 100", "0.95, 1000", "0.95, 3000", "0.99, 1000", "0.99, 3000"})
    void promiseHoldsWithManyCallsInFlight(double p, int callsPerDelay) {
        for (var latency : new Latency[] {Latency.LOG_NORMAL, Latency.PARETO, Latency.TWO_PERCENT_SLOW}) {
            var traffic = traffic(p, 5).latency(latency).every(latency.quantileNanos(p) / callsPerDelay);
            traffic.lateAmong(30 * callsPerDelay);

            double late = traffic.lateAmong(50 * callsPerDelay);

            assertThat(late).as("%s", latency).isCloseTo(1 - p, within(0.1 * (1 - p)));
        }
    }

    @ParameterizedTest
    @CsvSource({"0.95"})
    void stallOfAllCallsInFlightIsSoonForgotten(double p) {
        var latency = Latency.LOG_NORMAL;
        var tracker = tracker(p);
        var traffic = new Traffic(tracker, new SplittableRandom(6)).every(latency.quantileNanos(p) / 1_000);
        traffic.lateAmong(50_000);
        long before = tracker.delayNanos(1);

        traffic.slowdown(100).lateAmong(1_000);
        traffic.slowdown(1).lateAmong(1_000);
        assertThat(tracker.delayNanos(1)).isLessThan(5 * before);
        traffic.lateAmong(30_000);

        assertThat(tracker.delayNanos(1)).isLessThan(2 * before);
    }

    /** What must not pass: a delay from the latencies of winners finds its calls faster than they are, and hedges more and more. */
    @ParameterizedTest
    @CsvSource({"LOG_NORMAL, 0.10, 0.13", "ONE_IN_10_SLOW, 0.115, 0.15", "PARETO, 0.12, 0.15"})
    void recorderOfWinnersHedgesTwiceAsMuchAsItShould(Latency latency, double atLeast, double atMost) {
        assertThat(new WinnersOnly(latency, new SplittableRandom(7)).lateAmong(200_000))
                .isBetween(atLeast, atMost);
    }

    private static int callsUntilBetween(Traffic traffic, double least, double most) {
        double[] shares = new double[WINDOW / 50];
        double sum = 0;
        for (int i = 0; i < 1_000; i++) {
            double share = traffic.lateAmong(50);
            sum += share - shares[i % shares.length];
            shares[i % shares.length] = share;
            double inWindow = sum / shares.length;
            if (i >= shares.length - 1 && inWindow >= least - 1e-9 && inWindow <= most + 1e-9) {
                return 50 * (i + 1);
            }
        }
        return Integer.MAX_VALUE;
    }

    private static QuantileTracker tracker(double p) {
        return new QuantileTracker(p, 0, Long.MAX_VALUE, NONE, QuantileTracker.defaultMinSamples(p));
    }

    private static Traffic traffic(double p, long seed) {
        return new Traffic(tracker(p), new SplittableRandom(seed));
    }

    /** A p95 of what the winning attempts took, each from its own start. */
    private record WinnersOnly(Latency latency, RandomGenerator random) {
        double lateAmong(int calls) {
            var winners = new LatencyCurve(8_192);
            long delayNanos = NONE;
            long late = 0;
            for (int i = 0; i < calls; i++) {
                if (i % 100 == 99) {
                    delayNanos = winners.quantileNanos(0.95).orElse(NONE);
                }
                long primaryNanos = latency.nanos(random);
                long hedgeNanos = latency.nanos(random);
                boolean isLate = primaryNanos > delayNanos;
                late += isLate && i >= calls / 2 ? 1 : 0;
                winners.completed(isLate && hedgeNanos < primaryNanos - delayNanos ? hedgeNanos : primaryNanos);
            }
            return late / (calls / 2.0);
        }
    }
}
