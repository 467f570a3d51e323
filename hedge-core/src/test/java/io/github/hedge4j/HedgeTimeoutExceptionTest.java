package io.github.hedge4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class HedgeTimeoutExceptionTest {

    private final IOException first = new IOException("first");
    private final IllegalStateException second = new IllegalStateException("second");

    @Test
    void itNamesTheHedgeAndTheTimeout() {
        var exception = timedOut(List.of(), true);

        assertThat(exception)
                .isInstanceOf(TimeoutException.class)
                .hasMessage("Hedge 'backend' did not succeed within PT0.25S")
                .hasNoCause()
                .hasNoSuppressedExceptions();
        assertThat(exception.getHedgeName()).isEqualTo("backend");
    }

    @Test
    void itCarriesTheFailuresSoFarAndLeavesThemAlone() {
        var exception = timedOut(List.of(first, second, first), true);

        assertThat(exception.getSuppressed()).containsExactly(first, second);
        assertThat(first).hasNoSuppressedExceptions();
        assertThat(second).hasNoSuppressedExceptions();
    }

    @Test
    void withoutWritableStackTraceItHasNone() {
        var exception = timedOut(List.of(first), false);

        assertThat(exception.getStackTrace()).isEmpty();
        assertThat(exception.getSuppressed()).containsExactly(first);
    }

    @Test
    void theStackTraceStartsWhereTheCallTimedOut() {
        assertThat(timedOut(List.of(), true).getStackTrace()[0].getMethodName()).isEqualTo("timedOut");
    }

    private static HedgeTimeoutException timedOut(List<Throwable> failures, boolean writableStackTrace) {
        return new HedgeTimeoutException("backend", Duration.ofMillis(250), failures, writableStackTrace);
    }
}
