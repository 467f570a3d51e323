package io.github.hedge4j.delay;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyCurveTest {
    private static final long MS = MILLISECONDS.toNanos(1);

    private final LatencyCurve curve = new LatencyCurve();

    @Test
    void isEmptyAtFirst() {
        assertThat(curve.quantileNanos(0.5)).isEmpty();
    }

    @Test
    void isEmptyWhileNothingHasSucceeded() {
        curve.censored(500 * MS);

        assertThat(curve.quantileNanos(0.5)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000, 12_345, 1_000_000, 16_777_215, 16_777_216, 999_999_999, 3_600_000_000_000L})
    void isWithin3PercentAtAnyMagnitude(long nanos) {
        curve.completed(nanos);

        for (double q : new double[] {0, 0.01, 0.5, 0.99, 1}) {
            assertThat(curve.quantileNanos(q).orElseThrow()).isCloseTo(nanos, Percentage.withPercentage(3.2));
        }
    }

    @Test
    void interpolatesWithinABucket() {
        for (long nanos = 16_000_001; nanos < 16_500_000; nanos += 1_000) {
            curve.completed(nanos);
        }

        assertThat(curve.quantileNanos(0.25).orElseThrow()).isCloseTo(16_125_000, Percentage.withPercentage(0.5));
        assertThat(curve.quantileNanos(0.75).orElseThrow()).isCloseTo(16_375_000, Percentage.withPercentage(0.5));
    }

    @Test
    void quantilesNeverFall() {
        var random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            long nanos = Latency.PARETO.nanos(random);
            if (random.nextInt(3) == 0) {
                curve.censored(nanos);
            } else {
                curve.completed(nanos);
            }
        }

        long last = 0;
        for (double q = 0; q <= 1; q += 0.001) {
            long value = curve.quantileNanos(q).orElseThrow();
            assertThat(value).isGreaterThanOrEqualTo(last);
            last = value;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, Long.MIN_VALUE})
    void takesTimesTooShortToTell(long nanos) {
        curve.completed(nanos);
        curve.censored(nanos);

        assertThat(curve.quantileNanos(0.5).orElseThrow()).isBetween(0L, 32L);
    }

    @Test
    void takesTimesTooLongToTell() {
        curve.completed(Long.MAX_VALUE);
        curve.censored(Long.MAX_VALUE);

        assertThat(curve.quantileNanos(0.5).orElseThrow()).isGreaterThan(HOURS.toNanos(1));
    }

    @Test
    void censoredCallsCountUntilTheyAreCutShort() {
        // of four calls one ends at 10, one is cut at 20, the others end at 30 and 40: S = 3/4, 3/8, 0
        curve.completed(10 * MS);
        curve.censored(20 * MS);
        curve.completed(30 * MS);
        curve.completed(40 * MS);

        assertQuantile(0.25, 10 * MS);
        assertQuantile(0.62, 30 * MS);
        assertQuantile(0.63, 40 * MS);
    }

    @Test
    void whereTheDataEndTheLongestTimeIsALowerBound() {
        for (int i = 0; i < 90; i++) {
            curve.completed(10 * MS);
        }
        for (int i = 0; i < 10; i++) {
            curve.censored(500 * MS);
        }

        assertQuantile(0.9, 10 * MS);
        assertThat(curve.quantileNanos(0.95).orElseThrow()).isBetween(480 * MS, 500 * MS);
    }

    @Test
    void aChangeShowsInTheMedianWithinTwoShares() {
        var rolling = new LatencyCurve(1_024);
        for (int i = 0; i < 100_000; i++) {
            rolling.completed(10 * MS);
        }
        for (int i = 0; i < 2_048; i++) {
            rolling.completed(100 * MS);
        }

        assertThat(rolling.quantileNanos(0.5).orElseThrow()).isGreaterThan(90 * MS);
    }

    @Test
    void forgetsWhatIsOlderThanAllLevels() {
        var rolling = new LatencyCurve(1_024);
        for (int i = 0; i < 10_000; i++) {
            rolling.completed(10 * MS);
        }
        for (int i = 0; i < 64 * 1_024; i++) {
            rolling.completed(i % 1_000 == 0 ? 200 * MS : 100 * MS);
            rolling.censored(50 * MS);
        }

        assertThat(rolling.quantileNanos(0).orElseThrow()).isGreaterThan(90 * MS);
    }

    @Test
    void keepsAllOfTheLastCallsWhileTheyAreFewerThanTheLevelsHold() {
        var rolling = new LatencyCurve(64);
        for (int call = 1; call <= 15 * 64; call++) {
            rolling.completed(call % 100 == 0 ? 100 * MS : 10 * MS);
            if (call >= 200) {
                assertThat(rolling.quantileNanos(0.996).orElseThrow()).isGreaterThan(90 * MS);
            }
        }
    }

    @Test
    void doesNotJumpWhenTheSlicesChangePlaces() {
        var random = new SplittableRandom(2);
        var rolling = new LatencyCurve(4_096);
        for (int i = 0; i < 8_192; i++) {
            rolling.completed(Latency.LOG_NORMAL.nanos(random));
        }
        long truth = Latency.LOG_NORMAL.quantileNanos(0.95);
        for (int i = 0; i < 50_000; i++) {
            rolling.completed(Latency.LOG_NORMAL.nanos(random));
            if (i % 64 == 0) {
                assertThat(rolling.quantileNanos(0.95).orElseThrow()).isCloseTo(truth, Percentage.withPercentage(15));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
    void refusesWhatIsNoQuantile(double q) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> curve.quantileNanos(q))
                .withMessage("quantile must be >= 0 and <= 1, but was " + q);
    }

    @Test
    void noCallIsLostAmongManyThreads() throws Exception {
        int threads = 8;
        InParallel.run(threads, thread -> {
            for (int i = 0; i < 5_000; i++) {
                curve.completed((10 << thread) * MS);
            }
        });

        for (int thread = 0; thread < threads; thread++) {
            double upToThisOne = (thread + 1.0) / threads;
            assertQuantile(upToThisOne, (10 << thread) * MS);
            assertQuantile(upToThisOne - 1.0 / threads + 1e-6, (10 << thread) * MS);
        }
    }

    @Test
    void keepsRollingAmongManyThreads() throws Exception {
        var rolling = new LatencyCurve(1_024);
        InParallel.run(8, thread -> {
            for (int i = 0; i < 100_000; i++) {
                rolling.completed(thread == 0 && i < 10_000 ? MS : 10 * MS);
                if (i % 10_000 == 0) {
                    assertThat(rolling.quantileNanos(0.5)).isPresent();
                }
            }
        });

        assertThat(rolling.quantileNanos(0).orElseThrow()).isGreaterThan(9 * MS);
    }

    // ---- what hedging hides

    @ParameterizedTest
    @EnumSource(names = {"LOG_NORMAL", "PARETO", "ONE_IN_10_SLOW"})
    void findsTheTailThatHedgingAtTheMedianHides(Latency latency) {
        for (double correlation : new double[] {0, 0.5}) {
            assertThat(hedgedAtTheMedian(latency, correlation, new LatencyCurve()))
                    .isCloseTo(1, within(0.07));
        }
    }

    @Test
    void beyondTheDelayIsNoLessExactThanBefore() {
        var measured = new LatencyCurve();
        new Traffic(DelayRule.fixed(Latency.LOG_NORMAL.quantileNanos(0.95)), measured, new SplittableRandom(5))
                .lateAmong(1_000_000);

        double p99 = 10 * MS * Math.exp(2.3263);
        assertThat(measured.quantileNanos(0.99).orElseThrow() / p99).isCloseTo(1, within(0.02));
    }

    /** What must not pass: taking the time at which a primary was cancelled for its latency. */
    @ParameterizedTest
    @CsvSource({"LOG_NORMAL, 0.5", "PARETO, 0.2"})
    void timeAtCancellationIsNoLatency(Latency latency, double atMost) {
        assertThat(elapsedAtTheMedian(latency)).isLessThan(atMost);
    }

    private void assertQuantile(double q, long nanos) {
        assertThat(curve.quantileNanos(q).orElseThrow()).isCloseTo(nanos, Percentage.withPercentage(3.2));
    }

    /** The curve's p99 over the true one. */
    private static double hedgedAtTheMedian(Latency latency, double correlation, LatencyCurve measured) {
        var rule = DelayRule.fixed(latency.quantileNanos(0.5));
        new Traffic(rule, measured, new SplittableRandom(3))
                .latency(latency)
                .correlation(correlation)
                .lateAmong(1_000_000);
        return measured.quantileNanos(0.99).orElseThrow() / (double) latency.quantileNanos(0.99);
    }

    private static double elapsedAtTheMedian(Latency latency) {
        var random = new SplittableRandom(4);
        var elapsed = new LatencyCurve();
        long delayNanos = latency.quantileNanos(0.5);
        for (int i = 0; i < 100_000; i++) {
            elapsed.completed(Math.min(latency.nanos(random), delayNanos + latency.nanos(random)));
        }
        return elapsed.quantileNanos(0.99).orElseThrow() / (double) latency.quantileNanos(0.99);
    }
}
