package io.github.hedge4j.delay;

import static io.github.hedge4j.delay.DelayRule.NONE;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantileTrackerTest {
    private static final long MS = MILLISECONDS.toNanos(1);

    // ---- cold

    @Test
    void hasNoDelayUntilEnoughCallsHaveSucceeded() {
        var tracker = tracker(0.95);

        for (int call = 1; call <= 45; call++) {
            assertThat(tracker.delayNanos(1)).isEqualTo(NONE);
            tracker.completed(call * MS, NONE);
        }

        assertThat(tracker.delayNanos(1)).isCloseTo(45 * MS, within(1L));
    }

    @Test
    void usesTheInitialDelayUntilThen() {
        var tracker = new QuantileTracker(0.95, 0, Long.MAX_VALUE, 70 * MS, 3);

        for (int call = 1; call <= 3; call++) {
            assertThat(tracker.delayNanos(1)).isEqualTo(70 * MS);
            tracker.completed(call * MS, 70 * MS);
        }

        assertThat(tracker.delayNanos(1)).isCloseTo(3 * MS, within(1L));
    }

    @ParameterizedTest
    @CsvSource({"0.5, 4", "0.9, 22", "0.95, 45", "0.99, 230", "0.999, 2302", "0.01, 1"})
    void needsSoManySamplesForItsMaximumToBeLongEnough(double p, int samples) {
        assertThat(QuantileTracker.defaultMinSamples(p)).isEqualTo(samples);
    }

    @ParameterizedTest
    @CsvSource({
        "0.9, 22",
        "0.95, 45",
        "0.99, 230",
        "0.9, 100",
        "0.95, 100",
        "0.95, 1000",
        "0.99, 1000",
        "0.5, 500",
        "0.05, 400"
    })
    void firstDelayIsLongEnoughNineTimesOutOfTen(double p, int minSamples) {
        var random = new SplittableRandom(7);
        int longEnough = 0;
        for (int run = 0; run < 2_000; run++) {
            var tracker = new QuantileTracker(p, 0, Long.MAX_VALUE, NONE, minSamples);
            for (int i = 0; i < minSamples; i++) {
                tracker.completed((long) (1e9 * random.nextDouble()), NONE);
            }
            longEnough += tracker.delayNanos(1) >= 1e9 * p ? 1 : 0;
        }

        assertThat(longEnough / 2_000.0).isBetween(0.88, 0.97);
    }

    @Test
    void timeoutsDoNotEndTheColdPhaseButCountAsSlow() {
        var tracker = new QuantileTracker(0.95, 0, Long.MAX_VALUE, NONE, 2);
        for (int i = 0; i < 1_000; i++) {
            tracker.exceeded(500 * MS);
        }
        assertThat(tracker.delayNanos(1)).isEqualTo(NONE);

        tracker.completed(10 * MS, NONE);
        tracker.completed(20 * MS, NONE);

        assertThat(tracker.delayNanos(1)).isCloseTo(500 * MS, within(1L));
    }

    @Test
    void callsOfUnknownSlownessLeaveTheLongestKnownSample() {
        var tracker = new QuantileTracker(0.95, 0, Long.MAX_VALUE, NONE, 2);

        tracker.exceeded(NONE);
        tracker.completed(10 * MS, NONE);
        tracker.completed(20 * MS, NONE);

        assertThat(tracker.delayNanos(1)).isCloseTo(20 * MS, within(1L));
    }

    @Test
    void callsThatOutlastTheInitialDelayAreSamples() {
        var tracker = new QuantileTracker(0.95, 0, Long.MAX_VALUE, MS, 3);

        tracker.exceeded(MS);
        tracker.exceeded(0); // the call has not kept its delay
        tracker.completed(MS / 2, MS);
        assertThat(tracker.delayNanos(1)).isCloseTo(MS, within(1L));
        tracker.exceeded(MS);

        assertThat(tracker.delayNanos(1)).isGreaterThan(2 * MS);
    }

    // ---- judging

    @Test
    void callThatTakesJustItsDelayIsOnTime() {
        var tracker = warm(0.95);
        double before = tracker.logDelayNanos();

        tracker.completed(tracker.delayNanos(1), tracker.delayNanos(1));

        assertThat(tracker.logDelayNanos()).isLessThan(before);
    }

    @Test
    void successThatBeatTheTimerButNotTheDelayIsLate() {
        var tracker = warm(0.95);
        double before = tracker.logDelayNanos();

        tracker.completed(tracker.delayNanos(1) + 1, tracker.delayNanos(1));

        assertThat(tracker.logDelayNanos()).isGreaterThan(before);
    }

    @Test
    void callThatHasNotKeptItsDelayIsBelieved() {
        var tracker = warm(0.95);
        double before = tracker.logDelayNanos();
        tracker.completed(HOURS.toNanos(1), 0);
        double onTime = tracker.logDelayNanos();
        tracker.exceeded(0);

        assertThat(onTime).isLessThan(before);
        assertThat(tracker.logDelayNanos()).isGreaterThan(onTime);
    }

    @Test
    void callIssuedWhileColdIsJudgedByThePresentDelay() {
        var tracker = warm(0.95);
        double before = tracker.logDelayNanos();
        tracker.completed(tracker.delayNanos(1) + 1, NONE);
        double late = tracker.logDelayNanos();
        tracker.completed(tracker.delayNanos(1) - 1, NONE);

        assertThat(late).isGreaterThan(before);
        assertThat(tracker.logDelayNanos()).isLessThan(late);
    }

    @Test
    void callCutFarShortOfTheDelaySaysNothing() {
        var tracker = warm(0.95);
        double before = tracker.logDelayNanos();

        tracker.exceeded(tracker.delayNanos(1) / 5);

        assertThat(tracker.logDelayNanos()).isEqualTo(before);
    }

    @Test
    void deadlinesDoNotLookLikeALag() {
        var tracker = warm(0.95);
        int calls = 0;
        while (calls++ < 3_000) {
            callWithDeadline(tracker, calls % 2 == 0);
        }
        assertThat(tracker.delayNanos(1)).isBetween(1_500 * MS, 2_200 * MS);

        int callsUntilRecovered = 0;
        while (tracker.delayNanos(1) > 500 * MS && callsUntilRecovered++ < 100_000) {
            callWithDeadline(tracker, callsUntilRecovered % 100 == 0);
        }

        assertThat(callsUntilRecovered).isLessThan(2_000);
    }

    private static void callWithDeadline(QuantileTracker tracker, boolean slow) {
        if (slow) {
            tracker.timedOut(500 * MS);
        } else {
            tracker.completed(10 * MS, tracker.delayNanos(1));
        }
    }

    @Test
    void lateCallsMoveTheDelayAtOnceAndOnTimeOnesSoonEnough() {
        var tracker = warm(0.95);
        long before = tracker.delayNanos(1);
        tracker.exceeded(before);
        tracker.exceeded(before);
        long after = tracker.delayNanos(1);
        for (int i = 0; i < 64; i++) {
            tracker.completed(MS, after);
        }

        assertThat(after).isGreaterThan(before);
        assertThat(tracker.delayNanos(1)).isLessThan(after);
    }

    @Test
    void sameCallsGiveTheSameDelays() {
        var one = tracker(0.95);
        var other = tracker(0.95);
        new Traffic(one, new SplittableRandom(1)).lateAmong(5_000);
        new Traffic(other, new SplittableRandom(1)).lateAmong(5_000);

        assertThat(one.delayNanos(1)).isEqualTo(other.delayNanos(1));
    }

    @Test
    void rateIsTheWayTheDelayHasGone() {
        double gain = 0.02;
        for (double p : new double[] {0.5, 0.9, 0.95, 0.99}) {
            var tracker = new QuantileTracker(p, 0, Long.MAX_VALUE, NONE, 10, gain);
            var traffic = new Traffic(tracker, new SplittableRandom(3)).latency(Latency.PARETO);
            traffic.lateAmong(20_000); // settles

            double first = tracker.logDelayNanos();
            double rate = traffic.lateAmong(100_000);
            double last = tracker.logDelayNanos();

            assertThat(rate - (1 - p)).isCloseTo((last - first) / (gain * 100_000), within(1e-9));
        }
    }

    @Test
    void rateIsTheWayTheDelayHasGoneWhateverTheBackendDoes() {
        double gain = 0.02;
        var tracker = new QuantileTracker(0.95, 0, Long.MAX_VALUE, NONE, 10, gain);
        var traffic = new Traffic(tracker, new SplittableRandom(4));
        traffic.lateAmong(20_000);

        double first = tracker.logDelayNanos();
        double late = 0;
        for (int flip = 0; flip < 100; flip++) {
            late += 1_000 * traffic.slowdown(flip % 2 == 0 ? 10 : 1).lateAmong(1_000);
        }
        double last = tracker.logDelayNanos();

        assertThat(late / 100_000 - 0.05).isCloseTo((last - first) / (gain * 100_000), within(1e-9));
    }

    // ---- bounds

    @Test
    void staysWithinItsBounds() {
        var tracker = new QuantileTracker(0.95, 20 * MS, 40 * MS, NONE, 10);
        for (int i = 0; i < 10; i++) {
            tracker.completed(MS, NONE);
        }
        assertThat(tracker.delayNanos(1)).isEqualTo(20 * MS);

        for (int i = 0; i < 1_000; i++) {
            tracker.exceeded(tracker.delayNanos(1));
        }
        assertThat(tracker.delayNanos(1)).isEqualTo(40 * MS);
    }

    @Test
    void leavesItsMaximumSoonAfterALongTimeThere() {
        var tracker = new QuantileTracker(0.95, 0, 40 * MS, NONE, 45);
        var traffic = new Traffic(tracker, new SplittableRandom(5)).slowdown(100);
        assertThat(traffic.lateAmong(100_000)).isGreaterThan(0.9);
        assertThat(tracker.delayNanos(1)).isEqualTo(40 * MS);

        traffic.slowdown(0.1).lateAmong(300);

        assertThat(tracker.delayNanos(1)).isLessThan(40 * MS);
    }

    @Test
    void leavesItsMinimumSoonAfterALongTimeThere() {
        var tracker = new QuantileTracker(0.95, 40 * MS, Long.MAX_VALUE, NONE, 45);
        var traffic = new Traffic(tracker, new SplittableRandom(6)).slowdown(0.01);
        assertThat(traffic.lateAmong(100_000)).isLessThan(0.001);
        assertThat(tracker.delayNanos(1)).isEqualTo(40 * MS);

        traffic.slowdown(100).lateAmong(20);

        assertThat(tracker.delayNanos(1)).isGreaterThan(40 * MS);
    }

    @Test
    void isAMicrosecondIfNothingTakesAnyTime() {
        var tracker = tracker(0.95);
        for (int i = 0; i < 100_000; i++) {
            tracker.completed(0, tracker.delayNanos(1));
        }

        assertThat(tracker.delayNanos(1)).isEqualTo(MICROSECONDS.toNanos(1));
    }

    @Test
    void isADayAtMostIfNothingEverEnds() {
        var tracker = warm(0.95);
        for (int i = 0; i < 100_000; i++) {
            tracker.exceeded(tracker.delayNanos(1));
        }

        assertThat(tracker.delayNanos(1)).isEqualTo(DAYS.toNanos(1));
        assertThat(new Traffic(tracker, new SplittableRandom(7)).lateAmong(10_000))
                .isLessThan(0.05);
        assertThat(tracker.delayNanos(1)).isLessThan(100 * MS);
    }

    @Test
    void staysWithinReachOfTheDeadlineWhileEveryCallTimesOut() {
        var tracker = warm(0.95);
        var traffic = new Traffic(tracker, new SplittableRandom(8)).timeout(500 * MS);
        traffic.slowdown(1e6).lateAmong(100_000);
        assertThat(tracker.delayNanos(1)).isBetween(500 * MS, 2_100 * MS);

        traffic.slowdown(1).lateAmong(3_000);

        assertThat(tracker.delayNanos(1)).isLessThan(100 * MS);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 3_600_000_000_000L, -1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 1})
    void takesAnyLatency(long nanos) {
        for (var tracker : new QuantileTracker[] {tracker(0.95), warm(0.95)}) {
            for (int i = 0; i < 1_000; i++) {
                tracker.completed(nanos, tracker.delayNanos(1));
                tracker.exceeded(nanos);
            }

            assertThat(tracker.delayNanos(1)).isBetween(MICROSECONDS.toNanos(1), DAYS.toNanos(1));
        }
    }

    @Test
    void refusesWhatMakesNoSense() {
        for (double p : new double[] {0, 1, -0.5, 2, Double.NaN}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new QuantileTracker(p, 0, 1, NONE, 1))
                    .withMessage("p must be > 0 and < 1, but was " + p);
            assertThatIllegalArgumentException().isThrownBy(() -> QuantileTracker.defaultMinSamples(p));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QuantileTracker(0.95, -1, 10, NONE, 1))
                .withMessage("min must be >= 0 ns, but was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QuantileTracker(0.95, 11, 10, NONE, 1))
                .withMessage("max must be >= 1 ns and >= min, but was 10");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QuantileTracker(0.95, 5, 10, 4, 1))
                .withMessage("initial must be within min and max, but was 4");
        assertThatIllegalArgumentException().isThrownBy(() -> new QuantileTracker(0.95, 5, 10, 11, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QuantileTracker(0.95, 0, 10, NONE, 0))
                .withMessage("minSamples must be >= 1, but was 0");
    }

    // ---- many threads

    @Test
    void noCallIsLostAmongManyThreads() throws Exception {
        double gain = 0.01;
        int threads = 8;
        int callsEach = 50_000;
        var tracker = new QuantileTracker(0.9, 0, Long.MAX_VALUE, NONE, 10, gain);
        new Traffic(tracker, new SplittableRandom(9)).lateAmong(10_000);
        double first = tracker.logDelayNanos();

        var late = new LongAdder();
        var longestNanos = new LongAccumulator(Math::max, 0);
        InParallel.run(threads, thread -> {
            var random = new SplittableRandom(thread);
            for (int i = 0; i < callsEach; i++) {
                long issuedNanos = tracker.delayNanos(1);
                longestNanos.accumulate(issuedNanos);
                if (random.nextInt(10) == 0) {
                    late.increment();
                    tracker.exceeded(0);
                } else {
                    tracker.completed(1, issuedNanos);
                }
            }
        });

        double moves = 0.9 * late.sum() - 0.1 * ((long) threads * callsEach - late.sum());
        assertThat(tracker.logDelayNanos() - first).isCloseTo(gain * moves, within(1e-6));
        // A walk of independent steps goes no further than a few of its deviations, gain * sqrt(0.9 * 0.1 * calls),
        // which is 1.9.
        assertThat(Math.log((double) longestNanos.get()) - first).isLessThan(6);
    }

    @Test
    void coldPhaseEndsOnceAmongManyThreads() throws Exception {
        for (int round = 0; round < 200; round++) {
            var tracker = new QuantileTracker(0.95, 0, Long.MAX_VALUE, NONE, 45);
            InParallel.run(4, thread -> {
                for (int i = 0; i < 20; i++) {
                    tracker.completed(10 * MS, 1_000 * MS);
                }
            });

            // Seeded with 10 ms; then 35 calls on time, each of which lowers it by a twentieth at the most.
            assertThat(tracker.delayNanos(1)).isBetween((long) (10 * MS * Math.exp(-35 / 20.0)), 10 * MS);
        }
    }

    private static QuantileTracker tracker(double p) {
        return new QuantileTracker(p, 0, Long.MAX_VALUE, NONE, QuantileTracker.defaultMinSamples(p));
    }

    private static QuantileTracker warm(double p) {
        var tracker = tracker(p);
        new Traffic(tracker, new SplittableRandom(2)).lateAmong(10_000);
        return tracker;
    }
}
