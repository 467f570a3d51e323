package io.github.hedge4j.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RatioBalanceTest {

    private static final long SECOND = 1_000_000_000L;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, Integer.MAX_VALUE})
    void aNewBalanceHoldsOneTokenWhateverItsBurst(int burst) {
        var balance = new RatioBalance(0.1, burst, 0, 0);

        assertThat(balance.available(0)).isEqualTo(1);
        assertThat(takes(balance, 0)).isEqualTo(1);
        assertThat(balance.available(0)).isZero();
    }

    @ParameterizedTest(name = "ratio {0}, burst {1}: {2} credits to an empty balance pay for {3} hedges")
    @CsvSource({
        "0.1, 10, 9, 0", //
        "0.1, 10, 10, 1",
        "0.1, 10, 19, 1",
        "0.1, 10, 20, 2",
        "0.1, 10, 99, 9",
        "0.1, 10, 100, 10",
        "0.1, 10, 101, 10",
        "0.1, 10, 100000, 10",
        "0.1, 1, 9, 0",
        "0.1, 1, 10, 1",
        "0.1, 1, 11, 1",
        "0.1, 1, 1000, 1",
        "0, 10, 100000, 0",
        "1e-10, 10, 100000, 0",
        "1, 10, 0, 0",
        "1, 10, 1, 1",
        "1, 10, 10, 10",
        "1, 10, 11, 10",
        "1, 1, 2, 1",
        "2.5, 10, 1, 2",
        "2.5, 10, 2, 5",
        "2.5, 10, 4, 10",
        "2.5, 10, 5, 10",
        "1e300, 3, 1, 3",
        // 29 even though 0.29 * 1e9 is less than 290,000,000 in doubles
        "0.29, 100, 99, 28",
        "0.29, 100, 100, 29",
        // rounded down, so the credit that makes a third whole is the one after
        "0.3333333333333333, 10, 3, 0",
        "0.3333333333333333, 10, 4, 1",
        "0.3333333333333333, 10, 6, 1",
        "0.3333333333333333, 10, 7, 2",
        "0.6666666666666666, 10, 3, 1",
        "0.6666666666666666, 10, 4, 2",
    })
    void creditsAreWorthTheirRatioUpToTheBurst(double ratio, int burst, int credits, int hedges) {
        var balance = emptied(ratio, burst);

        credit(balance, credits);

        assertThat(takes(balance, 0)).isEqualTo(hedges);
    }

    @Test
    void creditsAtAFullBalanceAreNotSavedUp() {
        var balance = emptied(0.1, 10);
        credit(balance, 1_000);

        assertThat(takes(balance, 0)).isEqualTo(10);
        credit(balance, 9);
        assertThat(balance.tryTake(0)).isFalse();
        credit(balance, 1);
        assertThat(balance.tryTake(0)).isTrue();
    }

    @Test
    void creditsThatNobodySettledYetCountOnlyUpToTheBurst() {
        var elsewhere = new StripedCount();
        var balance = new RatioBalance(0.1, 2, 0, 0, elsewhere);
        credit(balance, 5);
        assertThat(balance.tryTake(0)).isTrue();
        balance.giveBack();

        // 1.5 tokens so far; these are counted by other threads, none of which has cause to look at the whole
        for (int i = 0; i < 19; i++) {
            elsewhere.increment();
        }

        assertThat(balance.available(0)).isEqualTo(2);
        assertThat(takes(balance, 0)).as("1.5 + 1.9 tokens in a balance of two").isEqualTo(2);
    }

    @Test
    void anyNumberOfCreditsFillsABalanceOfAnySizeAndNoMore() {
        var elsewhere = new StripedCount();
        var balance = new RatioBalance(1e300, Integer.MAX_VALUE, 0, 0, elsewhere);

        for (int i = 0; i < 1_000; i++) {
            elsewhere.increment();
            assertThat(balance.available(0)).isEqualTo(Integer.MAX_VALUE);
        }
    }

    @Test
    void aFullBalanceDoesNotCountCredits() {
        var credits = new StripedCount();
        var balance = new RatioBalance(0.1, 10, 0, 0, credits);

        credit(balance, 2 * 90);
        long counted = credits.sum();
        credit(balance, 1_000);

        assertThat(counted).isBetween(90L, 180L);
        assertThat(credits.sum()).isEqualTo(counted);
        assertThat(takes(balance, 0)).isEqualTo(10);
        credit(balance, 10);
        assertThat(credits.sum()).as("counting again").isEqualTo(counted + 10);
    }

    @Test
    void creditsThatAreWorthNothingAreNotCounted() {
        var credits = new StripedCount();
        var balance = new RatioBalance(0, 10, 1, 0, credits);

        credit(balance, 1_000);
        assertThat(balance.tryTake(0)).isTrue();
        credit(balance, 1_000);

        assertThat(credits.sum()).isZero();
    }

    @Test
    void aTokenGivenBackCanBeTakenAgain() {
        var balance = emptied(0.1, 10);
        credit(balance, 10);
        assertThat(balance.tryTake(0)).isTrue();

        balance.giveBack();

        assertThat(takes(balance, 0)).isEqualTo(1);
    }

    @Test
    void aTokenGivenBackNeverLiftsTheBalanceAboveItsBurst() {
        var balance = emptied(0.5, 2);
        credit(balance, 3);

        balance.giveBack();

        assertThat(balance.available(0)).isEqualTo(2);
        credit(balance, 100);
        balance.giveBack();
        assertThat(takes(balance, 0)).isEqualTo(2);
    }

    @Test
    void aBalanceFilledByAGivenBackTokenIsFull() {
        var balance = new RatioBalance(0.1, 1, 0, 0);
        assertThat(balance.tryTake(0)).isTrue();
        balance.giveBack();
        credit(balance, 1_000);

        assertThat(takes(balance, 0)).isEqualTo(1);
        credit(balance, 9);
        assertThat(balance.tryTake(0)).isFalse();
    }

    @Test
    void whatIsAvailableIncludesFractionsAndChangesNothing() {
        var balance = new RatioBalance(0.1, 10, 0.5, 0);
        assertThat(balance.tryTake(0)).isTrue();
        credit(balance, 3);

        assertThat(balance.available(0)).isEqualTo(0.3);
        assertThat(balance.available(SECOND)).isEqualTo(0.8);
        assertThat(balance.available(1_000_000 * SECOND)).isEqualTo(10);
        assertThat(balance.available(SECOND)).isEqualTo(0.8);
        assertThat(balance.tryTake(SECOND)).isFalse();
    }

    @Test
    void aTokenFromTimeComesAtItsVeryNanosecond() {
        var balance = new RatioBalance(0, 10, 0.1, 0);
        assertThat(balance.tryTake(0)).isTrue();

        assertThat(balance.tryTake(10 * SECOND - 1)).isFalse();
        assertThat(balance.tryTake(10 * SECOND)).isTrue();
        assertThat(balance.tryTake(20 * SECOND - 1)).isFalse();
        assertThat(balance.tryTake(20 * SECOND)).isTrue();
    }

    @Test
    void halfANanoTokenIsCarriedFromOneTakeToTheNext() {
        var balance = new RatioBalance(0, 10, 0.5, 0);
        assertThat(balance.tryTake(0)).isTrue();

        // leaves half a nano-token, which is worth a nanosecond
        assertThat(balance.tryTake(2 * SECOND + 1)).isTrue();

        assertThat(balance.tryTake(4 * SECOND - 1)).isFalse();
        assertThat(balance.tryTake(4 * SECOND)).isTrue();
    }

    @Test
    void askingOftenEarnsExactlyWhatAskingOnceDoes() {
        var balance = new RatioBalance(0, 10, 0.7, 0);
        assertThat(balance.tryTake(0)).isTrue();

        int taken = 0;
        for (long now = 0; now <= 100 * SECOND; now += 1_234_567) {
            taken += balance.tryTake(now) ? 1 : 0;
        }

        assertThat(taken).isEqualTo(69);
        assertThat(balance.tryTake(100 * SECOND)).as("the seventieth").isTrue();
        assertThat(balance.available(100 * SECOND)).isZero();
    }

    @Test
    void timeFillsTheBalanceOnlyUpToItsBurst() {
        var balance = new RatioBalance(0, 3, 0.5, 0);

        assertThat(takes(balance, 1_000 * SECOND)).isEqualTo(3);
        assertThat(balance.tryTake(1_002 * SECOND - 1)).isFalse();
        assertThat(balance.tryTake(1_002 * SECOND)).isTrue();
    }

    @Test
    void nothingOfAFullBalanceIsCarriedToAfterTheTake() {
        var balance = new RatioBalance(0, 1, 0.7, 0);

        assertThat(balance.tryTake(1)).isTrue();

        // 0.7 of a nano-token, had the balance not been full
        assertThat(balance.tryTake(1 + 1_428_571_428L)).isFalse();
        assertThat(balance.tryTake(1 + 1_428_571_429L)).isTrue();
    }

    @Test
    void creditAndTimeAddUpAndAreCappedTogether() {
        var balance = new RatioBalance(0.1, 2, 0.5, 0);
        assertThat(balance.tryTake(0)).isTrue();

        credit(balance, 5);
        assertThat(balance.tryTake(SECOND - 1)).isFalse();
        assertThat(balance.tryTake(SECOND)).isTrue();

        credit(balance, 15);
        assertThat(takes(balance, 5 * SECOND)).isEqualTo(2);
        assertThat(balance.available(5 * SECOND)).isZero();
    }

    @Test
    void timeGoesOnAcrossTheWrapAroundOfTheClock() {
        long start = Long.MAX_VALUE - SECOND;
        var balance = new RatioBalance(0, 10, 0.5, start);
        assertThat(balance.tryTake(start)).isTrue();

        assertThat(balance.tryTake(start + 2 * SECOND - 1)).isFalse();
        assertThat(balance.tryTake(start + 2 * SECOND)).isTrue();
        assertThat(balance.tryTake(start + 4 * SECOND)).isTrue();
    }

    @Test
    void aClockThatGoesBackwardsAddsNothingAndTakesNothing() {
        var balance = new RatioBalance(0, 10, 0.5, 10 * SECOND);
        assertThat(balance.tryTake(10 * SECOND)).isTrue();
        assertThat(balance.tryTake(12 * SECOND)).isTrue();

        assertThat(balance.tryTake(5 * SECOND)).isFalse();
        assertThat(balance.available(5 * SECOND)).isZero();
        assertThat(balance.tryTake(14 * SECOND - 1)).isFalse();
        assertThat(balance.tryTake(14 * SECOND)).isTrue();
    }

    @Test
    void aTakeWithAnOlderReadingDoesNotEarnTheTimeInBetweenTwice() {
        var balance = new RatioBalance(0, 10, 0.5, 0);

        assertThat(balance.tryTake(4 * SECOND)).as("3 tokens by now").isTrue();
        assertThat(balance.tryTake(SECOND)).isTrue();

        assertThat(balance.available(4 * SECOND)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "1e-9, 2147483647, 9223372036854775807, 10.223372036",
        "0.1, 2147483647, 9223372036854775807, 922337204.6854775",
        "1, 2147483647, 9223372036854775807, 2147483647",
        "1e300, 2147483647, 9223372036854775807, 2147483647",
        "1e300, 2147483647, 1, 10.223372036",
        "9e9, 2147483647, 1, 10",
        "1e300, 1, 1, 1",
        "1, 10, 9000000001, 10",
        "1, 10, 9000000000, 10",
        "1, 10, 8999999999, 9.999999999",
    })
    void refillOverAnySpanAtAnyRateSaturatesAtTheBurst(double perSecond, int burst, long elapsedNanos, double tokens) {
        var balance = new RatioBalance(0, burst, perSecond, 0);

        assertThat(balance.available(elapsedNanos)).isCloseTo(tokens, within(tokens * 1e-15));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, -Double.MIN_VALUE, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void ratesThatAreNotFiniteAndNotNegativeAreRefused(double rate) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RatioBalance(rate, 10, 0, 0))
                .withMessage("ratio must be finite and >= 0, but was " + rate);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RatioBalance(0.1, 10, rate, 0))
                .withMessage("perSecond must be finite and >= 0, but was " + rate);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void aBurstThatHoldsNoTokenIsRefused(int burst) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RatioBalance(0.1, burst, 0, 0))
                .withMessage("burst must be >= 1, but was " + burst);
    }

    private static RatioBalance emptied(double ratio, int burst) {
        var balance = new RatioBalance(ratio, burst, 0, 0);
        assertThat(balance.tryTake(0)).isTrue();
        return balance;
    }

    private static void credit(TokenBalance balance, int times) {
        for (int i = 0; i < times; i++) {
            balance.credit();
        }
    }

    private static int takes(TokenBalance balance, long nowNanos) {
        int taken = 0;
        while (balance.tryTake(nowNanos)) {
            assertThat(++taken).as("tokens taken at once").isLessThan(1_000);
        }
        return taken;
    }
}
