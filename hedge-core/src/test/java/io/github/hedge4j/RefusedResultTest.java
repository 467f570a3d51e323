package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAfter;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Results that do not count as a success, and when they are returned all the same. */
class RefusedResultTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    @Test
    void theLastRefusedResultIsReturnedIfNothingBetterCame() {
        scenario.configured(config -> config.hedgeOnResult(result -> true))
                .primary(succeedsAfter(100, "refused last"))
                .hedge(succeedsAfter(10, "refused first"));

        var call = scenario.start();
        scenario.advance(100);

        assertThat(call).isCompletedWithValue("refused last");
        assertThat(scenario.discarded).containsExactly("refused first");
        assertThat(scenario.report(call).outcome()).isEqualTo(CallOutcome.SUCCESS);
        assertThat(scenario.report(call).winner()).hasValue(0);
        assertThat(scenario.report(call).attempts())
                .extracting(AttemptReport::outcome)
                .containsExactly(AttemptOutcome.REJECTED_RESULT, AttemptOutcome.REJECTED_RESULT);
    }

    @Test
    void aRefusedResultIsReturnedRatherThanAFailureThatCameAfterIt() {
        scenario.configured(config -> config.hedgeOnResult(result -> true))
                .primary(succeedsAfter(10, "refused"))
                .hedge(failsAfter(10, new IOException()));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(call).isCompletedWithValue("refused");
    }

    @Test
    void aRefusedResultIsReturnedRatherThanAFailureThatCameBefore() {
        scenario.configured(config -> config.hedgeOnResult(result -> true))
                .primary(failsAfter(10, new IOException()))
                .hedge(succeedsAfter(10, "refused"));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(call).isCompletedWithValue("refused");
    }

    @Test
    void aRefusedResultOfAnOnlyAttemptIsReturnedAtOnce() {
        scenario.configured(config -> config.hedgeOnResult(result -> true)
                        .budget(HedgeBudget.none())
                        .timeout(ofMillis(500)))
                .primary(succeedsAfter(10, "refused"));

        var call = scenario.start();
        scenario.advance(10);

        assertThat(call).isCompletedWithValue("refused");
        assertThat(scenario.discarded).isEmpty();
    }

    @Test
    void aRefusedNullIsReturnedToo() {
        scenario.configured(config -> config.hedgeOnResult(result -> result == null))
                .primary(succeedsAfter(10, null))
                .hedge(succeedsAfter(10, null));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(call).isCompletedWithValue(null);
    }

    @Test
    void anIgnoredFailureEndsACallThatHasARefusedResult() {
        var ignored = new FileNotFoundException();
        scenario.configured(
                        config -> config.hedgeOnResult("refused"::equals).ignoreExceptions(FileNotFoundException.class))
                .primary(succeedsAfter(10, "refused"))
                .hedge(failsAfter(10, ignored));

        var call = scenario.start();
        scenario.advance(20);

        assertThat(call).isDone();
    }
}
