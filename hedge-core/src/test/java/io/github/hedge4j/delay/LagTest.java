package io.github.hedge4j.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LagTest {
    private final Lag lag = new Lag();

    @Test
    void isZeroAtFirst() {
        assertThat(lag.calls()).isZero();
    }

    @Test
    void isZeroIfEachCallIsHeardOfBeforeTheDelayMoves() {
        for (int call = 1; call <= 1_000; call++) {
            lag.moved(1_000 + call, call);
            lag.heardOf(1_000 + call, 1_000 + call, call);
        }

        assertThat(lag.calls()).isZero();
    }

    @Test
    void isHowManyCallsAgoTheDelayWasThatShort() {
        rise(1, 3_000, 300);

        assertThat(lag.calls()).isCloseTo(300, within(30.0));
    }

    @Test
    void spansAnyNumberOfCalls() {
        rise(1, 3_000_000, 100_000);

        assertThat(lag.calls()).isCloseTo(100_000, within(10_000.0));
    }

    @Test
    void callsThatWaitedLongerThanTheDelayShowNone() {
        for (int call = 1; call <= 1_000; call++) {
            lag.moved(2_000 - call, call);
            lag.heardOf(2_100 - call, 2_000 - call, call);
        }

        assertThat(lag.calls()).isZero();
    }

    @Test
    void isForgottenWhenNewsComesAtOnce() {
        rise(1, 3_000, 300);

        for (int call = 3_001; call <= 10_000; call++) {
            lag.heardOf(call, call, call);
        }

        assertThat(lag.calls()).isZero(); // and not a subnormal number, with which reckoning is slow
    }

    /** The delay is always as long as the call's number, so it is easily told which delay a call was issued with. */
    private void rise(int from, int to, int behind) {
        for (int call = from; call <= to; call++) {
            lag.moved(call, call);
            lag.heardOf(Math.max(0, call - behind), call, call);
        }
    }
}
