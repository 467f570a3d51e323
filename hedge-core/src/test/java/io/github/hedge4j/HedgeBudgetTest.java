package io.github.hedge4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.hedge4j.budget.TokenBalance;
import io.github.hedge4j.time.HedgeTimer;
import io.github.hedge4j.time.VirtualTimer;
import java.time.Duration;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HedgeBudgetTest {

    private final VirtualTimer timer = new VirtualTimer();

    @Test
    void aRatioSavesUpTenTokensAndGetsNoneWithTimeByDefault() {
        var budget = HedgeBudget.ratio(0.10);

        assertThat(budget.getRatio()).isEqualTo(0.10);
        assertThat(budget.getBurst()).isEqualTo(10);
        assertThat(budget.getPerSecond()).isZero();
    }

    @Test
    void withersReturnNewBudgetsAndKeepTheRest() {
        var base = HedgeBudget.ratio(0.2);

        var budget = base.withBurst(3).withPerSecond(0.5);

        assertThat(budget.getRatio()).isEqualTo(0.2);
        assertThat(budget.getBurst()).isEqualTo(3);
        assertThat(budget.getPerSecond()).isEqualTo(0.5);
        assertThat(base).isEqualTo(HedgeBudget.ratio(0.2));
    }

    @Test
    void aRatioOpensWithOneTokenAndEarnsWithCalls() {
        var balance = HedgeBudget.ratio(0.5).withBurst(2).open(timer);

        assertThat(takes(balance)).isTrue();
        assertThat(takes(balance)).isFalse();
        balance.credit();
        balance.credit();
        assertThat(takes(balance)).isTrue();
        assertThat(takes(balance)).isFalse();
    }

    @Test
    void aRatioEarnsWithTimeByTheTimerItWasOpenedWith() {
        var late = new VirtualTimer(Duration.ofDays(1).toNanos());
        var balance = HedgeBudget.ratio(0).withPerSecond(1).open(late);
        balance.tryTake(late.nanoTime());

        late.advance(Duration.ofSeconds(1));

        assertThat(balance.available(late.nanoTime())).isEqualTo(1);
    }

    @Test
    void everyHedgeHasItsOwnBalance() {
        var budget = HedgeBudget.ratio(0.1);
        takes(budget.open(timer));

        assertThat(takes(budget.open(timer))).isTrue();
    }

    @Test
    void aSharedBudgetIsOneBalance() {
        var budget = HedgeBudget.ratio(0.5).shared();
        var one = budget.open(timer);
        var other = budget.open(timer);

        assertThat(takes(one)).isTrue();
        assertThat(takes(other)).isFalse();
        one.credit();
        other.credit();
        assertThat(takes(other)).isTrue();
        other.giveBack();
        assertThat(takes(one)).isTrue();
    }

    @Test
    void aBudgetSharedTwiceIsTwoBalances() {
        var ratio = HedgeBudget.ratio(0.1);
        takes(ratio.shared().open(timer));

        assertThat(takes(ratio.shared().open(timer))).isTrue();
    }

    @Test
    void sharingASharedBudgetChangesNothing() {
        var budget = HedgeBudget.ratio(0.1).shared();

        assertThat(budget.shared()).isSameAs(budget);
    }

    @Test
    void aSharedBudgetKeepsTheClockOfTheHedgeThatOpenedIt() {
        var budget = HedgeBudget.ratio(0).withPerSecond(1).shared();
        var one = budget.open(timer);
        var aheadByADay = new VirtualTimer(Duration.ofDays(1).toNanos());
        var other = budget.open(aheadByADay);
        one.tryTake(timer.nanoTime());

        assertThat(other.tryTake(aheadByADay.nanoTime())).isFalse();
        timer.advance(Duration.ofSeconds(1));
        assertThat(other.available(aheadByADay.nanoTime())).isEqualTo(1);
        assertThat(other.tryTake(aheadByADay.nanoTime())).isTrue();
        other.giveBack();
        assertThat(one.available(timer.nanoTime())).isEqualTo(1);
    }

    @Test
    void hedgesOfDifferentClocksEarnForEachOther() {
        var budget = HedgeBudget.ratio(0.5).shared();
        var one = budget.open(timer);
        var other = budget.open(new VirtualTimer());

        other.credit();

        assertThat(one.available(timer.nanoTime())).isEqualTo(1.5);
    }

    @Test
    void aBudgetOfTheUsersCanBeSharedToo() {
        HedgeBudget budget = new HedgeBudget() {
            @Override
            public TokenBalance open(HedgeTimer timer) {
                return HedgeBudget.ratio(0).open(timer);
            }
        };
        var shared = budget.shared();

        assertThat(takes(shared.open(timer))).isTrue();
        assertThat(takes(shared.open(timer))).isFalse();
    }

    @Test
    void unlimitedPaysForEverythingAndNoneForNothing() {
        var unlimited = HedgeBudget.unlimited().open(timer);
        var none = HedgeBudget.none().open(timer);
        none.credit();

        assertThat(takes(unlimited)).isTrue();
        assertThat(unlimited.available(0)).isInfinite();
        assertThat(takes(none)).isFalse();
        assertThat(none.available(0)).isZero();
    }

    @ParameterizedTest
    @MethodSource
    void badSettingsAreRefused(ThrowingCallable setting, String message) {
        assertThatIllegalArgumentException().isThrownBy(setting).withMessage(message);
    }

    static Stream<Arguments> badSettingsAreRefused() {
        var ratio = HedgeBudget.ratio(0.1);
        return Stream.of(
                refusal(() -> HedgeBudget.ratio(-0.1), "ratio must be finite and >= 0, but was -0.1"),
                refusal(() -> HedgeBudget.ratio(Double.NaN), "ratio must be finite and >= 0, but was NaN"),
                refusal(
                        () -> HedgeBudget.ratio(Double.POSITIVE_INFINITY),
                        "ratio must be finite and >= 0, but was Infinity"),
                refusal(() -> ratio.withBurst(0), "burst must be >= 1, but was 0"),
                refusal(() -> ratio.withPerSecond(-1), "perSecond must be finite and >= 0, but was -1.0"),
                refusal(() -> ratio.withPerSecond(Double.NaN), "perSecond must be finite and >= 0, but was NaN"));
    }

    @Test
    void budgetsAreEqualIfTheyDescribeTheSameUnlessTheyAreShared() {
        var ratio = HedgeBudget.ratio(0.1);

        assertThat(ratio)
                .isEqualTo(HedgeBudget.ratio(0.1))
                .hasSameHashCodeAs(HedgeBudget.ratio(0.1))
                .doesNotHaveSameHashCodeAs(HedgeBudget.ratio(0.2))
                .isNotEqualTo(HedgeBudget.ratio(0.2))
                .isNotEqualTo(ratio.withBurst(1))
                .isNotEqualTo(ratio.withPerSecond(1))
                .isNotEqualTo(HedgeBudget.none());
        assertThat(HedgeBudget.unlimited()).isEqualTo(HedgeBudget.unlimited()).isNotEqualTo(HedgeBudget.none());
        assertThat(ratio.shared()).isNotEqualTo(ratio.shared());
    }

    @Test
    void budgetsReadAsTheyAreWritten() {
        assertThat(HedgeBudget.ratio(0.1)).hasToString("ratio(0.1, burst=10, perSecond=0.0)");
        assertThat(HedgeBudget.unlimited()).hasToString("unlimited()");
        assertThat(HedgeBudget.none().shared()).hasToString("none().shared()");
    }

    private boolean takes(TokenBalance balance) {
        return balance.tryTake(timer.nanoTime());
    }

    private static Arguments refusal(ThrowingCallable setting, String message) {
        return arguments(named(message, setting), message);
    }
}
