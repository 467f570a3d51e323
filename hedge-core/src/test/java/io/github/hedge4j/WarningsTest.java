package io.github.hedge4j;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.time.VirtualTimer;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** User code that fails in every call does not fill the log. */
class WarningsTest {

    private final CapturedLog log = new CapturedLog();
    private final VirtualTimer clock = new VirtualTimer();
    private final Warnings warnings = new Warnings("search", clock);
    private final IOException failure = new IOException("no");

    @AfterEach
    void release() {
        log.close();
    }

    @Test
    void oneASecondIsLoggedWithTheNumberOfThoseThatWereNot() {
        for (int i = 0; i < 25; i++) {
            warnings.warn("The clock of hedge '{}' failed", failure);
            clock.advance(ofMillis(100));
        }

        assertThat(log.messages())
                .containsExactly(
                        "The clock of hedge 'search' failed",
                        "The clock of hedge 'search' failed (and 9 times more since it was last told)",
                        "The clock of hedge 'search' failed (and 9 times more since it was last told)");
        assertThat(log.thrown()).containsOnly("no").hasSize(3);
    }

    @Test
    void anotherKindIsNotHeldBackNorIsAnotherHedges() {
        warnings.warn("The clock of hedge '{}' failed", failure);
        warnings.warn("The bell of hedge '{}' failed", failure);
        new Warnings("find", clock).warn("The clock of hedge '{}' failed", failure);

        assertThat(log.messages())
                .containsExactly(
                        "The clock of hedge 'search' failed",
                        "The bell of hedge 'search' failed",
                        "The clock of hedge 'find' failed");
    }

    @Test
    void aPredicateThatFailsInEveryCallIsCountedEachTimeAndLoggedNowAndThen() {
        Hedge hedge = Hedge.of(
                "search",
                HedgeConfig.custom()
                        .hedgeOnResult(value -> {
                            throw new IllegalStateException("no such field");
                        })
                        .build());
        for (int i = 0; i < 10_000; i++) {
            assertThat(hedge.start(attempt -> CompletableFuture.completedFuture("found")))
                    .isCompletedWithValue("found");
        }

        assertThat(hedge.getMetrics().getNumberOfDeniedHedges(DenialReason.ERROR))
                .isEqualTo(10_000);
        assertThat(log.messages()).isNotEmpty().hasSizeLessThan(1_000);
    }
}
