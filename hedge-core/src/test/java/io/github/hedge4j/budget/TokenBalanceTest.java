package io.github.hedge4j.budget;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBalanceTest {

    @Test
    void unlimitedAlwaysHasATokenAndInfinitelyMany() {
        var balance = TokenBalance.unlimited();

        for (int i = 0; i < 1_000; i++) {
            assertThat(balance.tryTake(i)).isTrue();
        }

        assertThat(balance.available(0)).isEqualTo(Double.POSITIVE_INFINITY);
    }

    @Test
    void noneNeverHasATokenWhateverIsCreditedOrGivenBack() {
        var balance = TokenBalance.none();

        for (int i = 0; i < 1_000; i++) {
            balance.credit();
            balance.giveBack();
        }

        assertThat(balance.tryTake(0)).isFalse();
        assertThat(balance.available(0)).isZero();
    }
}
