package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAfter;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Losers that are not to be cancelled. */
class RunningOnTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    private final List<String> released = new ArrayList<>();

    @Test
    void losersThatAreNotToBeCancelledRunToTheirEndAndAreDiscarded() {
        scenario.configured(config -> config.cancelLosers(false))
                .primary(source -> {
                    source.attempt.onCancel(() -> released.add("primary"));
                    return succeedsAfter(200, "primary").play(source);
                })
                .hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(70);
        assertThat(call).isCompletedWithValue("hedge");
        assertThat(call.settled()).isNotDone();
        scenario.advance(130);

        assertThat(call.settled()).isCompleted();
        assertThat(scenario.trail)
                .containsExactly(
                        "0 ms: attempt 0 started",
                        "50 ms: attempt 1 started",
                        "70 ms: call got hedge",
                        "200 ms: discarded primary");
        assertThat(released).isEmpty();
        assertThat(scenario.report(call).attempts().get(0).outcome()).isEqualTo(AttemptOutcome.SUCCESS);
    }

    @Test
    void losersThatAreNotToBeCancelledAreAwaitedNoLongerThanTheGrace() {
        scenario.configured(config -> config.cancelLosers(false).loserGrace(ofMillis(30)))
                .primary(succeedsAfter(200, "primary"))
                .hedge(succeedsAfter(20, "hedge"));

        var call = scenario.start();
        scenario.advance(100);

        assertThat(call.settled()).isCompleted();
        scenario.advance(100);
        assertThat(scenario.discarded).containsExactly("primary");
    }

    @Test
    void noFurtherHedgeStartsAlsoIfLosersAreNotToBeCancelled() {
        scenario.configured(config -> config.cancelLosers(false).maxAttempts(4).hedgeOnFailure(true))
                .primary(failsAfter(80, new IOException()))
                .hedge(succeedsAfter(20, "hedge"));

        scenario.begin();
        scenario.advance(1000);

        assertThat(scenario.invocations()).isEqualTo(2);
    }

    @Test
    void aCallThatItsCallerCancelsIsCancelledAlsoIfLosersAreNot() {
        scenario.configured(config -> config.cancelLosers(false));
        var call = scenario.start();

        call.cancel(true);

        assertThat(scenario.source(0)).isCancelled();
    }

    @Test
    void theDeadlineCancelsAttemptsAlsoIfLosersAreNotToBeCancelled() {
        scenario.configured(config -> config.cancelLosers(false).timeout(ofMillis(60)));
        scenario.begin();

        scenario.advance(60);

        assertThat(scenario.source(0)).isCancelled();
        assertThat(scenario.source(1)).isCancelled();
    }
}
