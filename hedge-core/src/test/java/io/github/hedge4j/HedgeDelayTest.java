package io.github.hedge4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.hedge4j.delay.DelayRule;
import java.time.Duration;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class HedgeDelayTest {

    @Test
    void aFixedDelayIsTheSameBeforeEveryHedge() {
        var rule = HedgeDelay.fixed(Duration.ofMillis(50)).open();

        assertThat(rule.delayNanos(1)).isEqualTo(50_000_000);
        assertThat(rule.delayNanos(7)).isEqualTo(50_000_000);
        assertThat(rule.learns()).isFalse();
    }

    @Test
    void aDelayTooLongToCountIsTheLongestOneAndNotAnUnknownOne() {
        var rule = HedgeDelay.fixed(Duration.ofSeconds(Long.MAX_VALUE)).open();

        assertThat(rule.delayNanos(1)).isEqualTo(Long.MAX_VALUE / 2).isNotEqualTo(DelayRule.NONE);
    }

    @Test
    void aComputedDelayIsAskedForEachAttempt() {
        var rule =
                HedgeDelay.perAttempt(number -> Duration.ofMillis(10L * number)).open();

        assertThat(rule.delayNanos(1)).isEqualTo(10_000_000);
        assertThat(rule.delayNanos(2)).isEqualTo(20_000_000);
        assertThat(rule.learns()).isFalse();
    }

    @Test
    void aComputedDelayThatIsNullOrNegativeIsRefusedWhenAsked() {
        var absent = HedgeDelay.perAttempt(number -> null).open();
        var negative = HedgeDelay.perAttempt(number -> Duration.ofMillis(-1)).open();

        assertThatNullPointerException()
                .isThrownBy(() -> absent.delayNanos(1))
                .withMessage("delay of attempt 1 must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> negative.delayNanos(2))
                .withMessage("delay of attempt 2 must be >= PT0S, but was PT-0.001S");
    }

    @Test
    void whatAComputedDelayThrowsIsPassedOn() {
        var rule = HedgeDelay.perAttempt(number -> {
                    throw new IllegalStateException("no idea");
                })
                .open();

        assertThatIllegalStateException().isThrownBy(() -> rule.delayNanos(1)).withMessage("no idea");
    }

    @Test
    void aPercentileHasNoBoundsAndNoInitialDelayByDefault() {
        var delay = HedgeDelay.percentile(0.95);

        assertThat(delay.getPercentile()).isEqualTo(0.95);
        assertThat(delay.getMin()).isZero();
        assertThat(delay.getMax()).isEmpty();
        assertThat(delay.getInitial()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0.5, 4", "0.9, 22", "0.95, 45", "0.99, 230", "0.999, 2302", "0.001, 1"})
    void aPercentileNeedsAsManySamplesAsItsTailIsRare(double percentile, int minSamples) {
        assertThat(HedgeDelay.percentile(percentile).getMinSamples()).isEqualTo(minSamples);
    }

    @Test
    void withersReturnNewDelaysAndKeepTheRest() {
        var base = HedgeDelay.percentile(0.9);

        var delay = base.withMin(Duration.ofMillis(1))
                .withMax(Duration.ofMillis(9))
                .withInitial(Duration.ofMillis(5))
                .withMinSamples(100);

        assertThat(delay.getPercentile()).isEqualTo(0.9);
        assertThat(delay.getMin()).hasMillis(1);
        assertThat(delay.getMax()).contains(Duration.ofMillis(9));
        assertThat(delay.getInitial()).contains(Duration.ofMillis(5));
        assertThat(delay.getMinSamples()).isEqualTo(100);
        assertThat(base).isEqualTo(HedgeDelay.percentile(0.9));
    }

    @Test
    void theBoundsOfAPercentileMayMeet() {
        var five = Duration.ofMillis(5);

        var delay = HedgeDelay.percentile(0.9).withMin(five).withMax(five).withInitial(five);

        assertThat(delay.open().delayNanos(1)).isEqualTo(5_000_000);
    }

    @Test
    void aPercentileWithoutInitialDelayDoesNotHedgeUntilItKnowsEnough() {
        var rule = HedgeDelay.percentile(0.9).withMinSamples(3).open();

        assertThat(rule.learns()).isTrue();
        assertThat(rule.delayNanos(1)).isEqualTo(DelayRule.NONE);
    }

    @Test
    void aPercentileWithInitialDelayUsesItUntilItKnowsEnough() {
        var rule = HedgeDelay.percentile(0.9).withInitial(Duration.ofMillis(5)).open();

        assertThat(rule.delayNanos(1)).isEqualTo(5_000_000);
    }

    @Test
    void aPercentileThatKnowsEnoughStaysWithinItsBounds() {
        var delay = HedgeDelay.percentile(0.9).withMinSamples(1);
        var bounded = delay.withMin(Duration.ofMillis(20))
                .withMax(Duration.ofMillis(30))
                .open();
        var unbounded = delay.open();

        for (int i = 0; i < 100; i++) {
            unbounded.completed(1_000_000, unbounded.delayNanos(1));
            bounded.completed(1_000_000, bounded.delayNanos(1));
        }

        assertThat(unbounded.delayNanos(1)).isBetween(500_000L, 2_000_000L);
        assertThat(bounded.delayNanos(1)).isEqualTo(20_000_000);
    }

    @Test
    void everyHedgeLearnsForItself() {
        var delay = HedgeDelay.percentile(0.9).withMinSamples(1);
        var taught = delay.open();

        taught.completed(1_000_000, DelayRule.NONE);

        assertThat(taught.delayNanos(1)).isNotEqualTo(DelayRule.NONE);
        assertThat(delay.open().delayNanos(1)).isEqualTo(DelayRule.NONE);
    }

    @ParameterizedTest
    @MethodSource
    void badSettingsAreRefused(ThrowingCallable setting, String message) {
        assertThatIllegalArgumentException().isThrownBy(setting).withMessage(message);
    }

    static Stream<Arguments> badSettingsAreRefused() {
        var percentile = HedgeDelay.percentile(0.9);
        var second = Duration.ofSeconds(1);
        return Stream.of(
                refusal(() -> HedgeDelay.fixed(second.negated()), "delay must be >= PT0S, but was PT-1S"),
                refusal(() -> HedgeDelay.percentile(0), "percentile must be > 0 and < 1, but was 0.0"),
                refusal(() -> HedgeDelay.percentile(1), "percentile must be > 0 and < 1, but was 1.0"),
                refusal(() -> HedgeDelay.percentile(95), "percentile must be > 0 and < 1, but was 95.0"),
                refusal(() -> HedgeDelay.percentile(Double.NaN), "percentile must be > 0 and < 1, but was NaN"),
                refusal(() -> percentile.withMin(second.negated()), "min must be >= PT0S, but was PT-1S"),
                refusal(() -> percentile.withMax(Duration.ZERO), "max must be > PT0S, but was PT0S"),
                refusal(() -> percentile.withInitial(second.negated()), "initial must be >= PT0S, but was PT-1S"),
                refusal(() -> percentile.withMinSamples(0), "minSamples must be >= 1, but was 0"),
                refusal(
                        () -> percentile.withMax(second).withMin(Duration.ofSeconds(2)),
                        "min must be <= max PT1S, but was PT2S"),
                refusal(
                        () -> percentile.withMin(Duration.ofSeconds(2)).withMax(second),
                        "min must be <= max PT1S, but was PT2S"),
                refusal(
                        () -> percentile.withInitial(second).withMin(Duration.ofSeconds(2)),
                        "initial must be >= min PT2S, but was PT1S"),
                refusal(
                        () -> percentile.withMax(second).withInitial(Duration.ofSeconds(2)),
                        "initial must be <= max PT1S, but was PT2S"));
    }

    @ParameterizedTest
    @MethodSource
    void nullIsRefused(ThrowingCallable setting, String message) {
        assertThatNullPointerException().isThrownBy(setting).withMessage(message);
    }

    static Stream<Arguments> nullIsRefused() {
        var percentile = HedgeDelay.percentile(0.9);
        return Stream.of(
                refusal(() -> HedgeDelay.fixed(null), "delay must not be null"),
                refusal(() -> HedgeDelay.perAttempt(null), "delays must not be null"),
                refusal(() -> percentile.withMin(null), "min must not be null"),
                refusal(() -> percentile.withMax(null), "max must not be null"),
                refusal(() -> percentile.withInitial(null), "initial must not be null"));
    }

    @Test
    void delaysAreEqualIfTheyDescribeTheSame() {
        IntFunction<Duration> delays = number -> Duration.ofMillis(number);

        assertThat(HedgeDelay.fixed(Duration.ofMillis(5)))
                .isEqualTo(HedgeDelay.fixed(Duration.ofMillis(5)))
                .isNotEqualTo(HedgeDelay.fixed(Duration.ofMillis(6)));
        assertThat(HedgeDelay.perAttempt(delays)).isEqualTo(HedgeDelay.perAttempt(delays));
        var percentile = HedgeDelay.percentile(0.9);
        assertThat(percentile)
                .isEqualTo(HedgeDelay.percentile(0.9))
                .hasSameHashCodeAs(HedgeDelay.percentile(0.9))
                .doesNotHaveSameHashCodeAs(HedgeDelay.percentile(0.8))
                .isNotEqualTo(HedgeDelay.percentile(0.8))
                .isNotEqualTo(percentile.withMin(Duration.ofMillis(1)))
                .isNotEqualTo(percentile.withMax(Duration.ofMillis(1)))
                .isNotEqualTo(percentile.withInitial(Duration.ofMillis(1)))
                .isNotEqualTo(percentile.withMinSamples(1))
                .isNotEqualTo(HedgeDelay.fixed(Duration.ZERO));
    }

    @Test
    void delaysReadAsTheyAreWritten() {
        assertThat(HedgeDelay.fixed(Duration.ofMillis(50))).hasToString("fixed(PT0.05S)");
        assertThat(HedgeDelay.percentile(0.99)).hasToString("percentile(0.99, min=PT0S, minSamples=230)");
        assertThat(HedgeDelay.percentile(0.9)
                        .withMin(Duration.ofMillis(1))
                        .withMax(Duration.ofMillis(9))
                        .withInitial(Duration.ofMillis(5)))
                .hasToString("percentile(0.9, min=PT0.001S, max=PT0.009S, initial=PT0.005S, minSamples=22)");
        assertThat(HedgeDelay.perAttempt(number -> Duration.ZERO).toString()).startsWith("perAttempt(");
    }

    private static Arguments refusal(ThrowingCallable setting, String message) {
        return arguments(named(message, setting), message);
    }
}
