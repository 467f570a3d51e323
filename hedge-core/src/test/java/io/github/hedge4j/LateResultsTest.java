package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failureOf;
import static io.github.hedge4j.Scenario.stubborn;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Results that nobody receives: each is discarded once. */
class LateResultsTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    @Test
    void theLosersResultIsDiscardedAndTheWinnersIsNot() {
        scenario.primary(stubborn()).hedge(succeedsAfter(20, "hedge"));
        scenario.begin();
        scenario.advance(70);

        scenario.source(0).complete("primary");

        assertThat(scenario.discarded).containsExactly("primary");
    }

    @Test
    void aResultThatArrivesAfterTheDeadlineIsDiscarded() {
        scenario.configured(config -> config.timeout(ofMillis(80)).maxAttempts(1))
                .primary(stubborn());
        var call = scenario.start();
        scenario.advance(80);

        scenario.source(0).complete("late");

        assertThat(failureOf(call)).isInstanceOf(HedgeTimeoutException.class);
        assertThat(scenario.discarded).containsExactly("late");
    }

    @Test
    void aResultThatAnAttemptHasWhenItsSupplierReturnsTooLateIsDiscarded() {
        List<HedgedFuture<?>> call = new ArrayList<>();
        scenario.hedge(source -> {
            call.get(0).cancel(true);
            source.complete("too late");
            return source;
        });

        call.add(scenario.start());
        scenario.advance(50);

        assertThat(scenario.discarded).containsExactly("too late");
    }

    @Test
    void anInstanceThatTwoAttemptsReturnedIsNotDiscarded() {
        scenario.primary(stubborn()).hedge(succeedsAfter(20, "cached"));
        scenario.begin();
        scenario.advance(70);

        scenario.source(0).complete("cached");

        assertThat(scenario.discarded).isEmpty();
    }

    @Test
    void twoResultsThatAreEqualButNotTheSameAreTwoResults() {
        List<Object> winner = List.of(1);
        List<Object> loser = new ArrayList<>(winner);
        scenario.primary(stubborn()).hedge(succeedsAfter(20, winner));
        scenario.begin();
        scenario.advance(70);

        scenario.source(0).complete(loser);

        assertThat(scenario.discarded).singleElement().isSameAs(loser);
    }

    @Test
    void anInstanceThatTwoLosersReturnedIsDiscardedOnce() {
        scenario.configured(config -> config.maxAttempts(3))
                .primary(stubborn())
                .hedge(stubborn())
                .attempt(2, succeedsAfter(20, "hedge 2"));
        scenario.begin();
        scenario.advance(120);

        scenario.source(0).complete("cached");
        scenario.source(1).complete("cached");

        assertThat(scenario.discarded).containsExactly("cached");
    }

    @Test
    void anInstanceThatTheCallerGotOtherwiseIsNotDiscarded() {
        scenario.primary(stubborn());
        var call = scenario.start();
        call.complete("cached");

        scenario.source(0).complete("cached");

        assertThat(scenario.discarded).isEmpty();
    }

    @Test
    void aNullThatNobodyReceivesIsNothingToDiscard() {
        scenario.primary(stubborn()).hedge(succeedsAfter(20, "hedge"));
        scenario.begin();
        scenario.advance(70);

        scenario.source(0).complete(null);

        assertThat(scenario.discarded).isEmpty();
    }

    @Test
    void aRefusedResultThatIsNotReturnedInTheEndIsDiscarded() {
        scenario.configured(config -> config.maxAttempts(3)
                        .hedgeOnResult(result -> result.toString().startsWith("empty")))
                .primary(succeedsAfter(10, "empty 0"))
                .hedge(succeedsAfter(10, "empty 1"))
                .attempt(2, succeedsAfter(10, "empty 2"));

        var call = scenario.start();
        scenario.advance(30);

        assertThat(call).isCompletedWithValue("empty 2");
        assertThat(scenario.discarded).containsExactlyInAnyOrder("empty 0", "empty 1");
    }

    @Test
    void aRefusedResultIsDiscardedWhenTheDeadlineEndsTheCall() {
        scenario.configured(config -> config.hedgeOnResult("empty"::equals).timeout(ofMillis(80)))
                .primary(succeedsAfter(10, "empty"));

        var call = scenario.start();
        scenario.advance(80);

        assertThat(failureOf(call)).isInstanceOf(HedgeTimeoutException.class);
        assertThat(scenario.discarded).containsExactly("empty");
    }

    @Test
    void aRefusedResultIsDiscardedWhenTheCallerCancels() {
        scenario.configured(config -> config.hedgeOnResult("empty"::equals)).primary(succeedsAfter(10, "empty"));
        var call = scenario.start();
        scenario.advance(10);

        call.cancel(true);

        assertThat(scenario.discarded).containsExactly("empty");
    }

    @Test
    void aDiscardThatThrowsIsLoggedAndKeepsNothing() {
        try (var log = new CapturedLog()) {
            scenario.configured(config -> config.onDiscard(value -> {
                        scenario.discarded.add(value);
                        throw new IllegalStateException("cannot close");
                    }))
                    .primary(stubborn())
                    .hedge(succeedsAfter(20, "hedge"));
            var call = scenario.start();
            scenario.advance(70);

            scenario.source(0).complete("late");

            assertThat(call.settled()).isCompleted();
            assertThat(log.thrown()).containsExactly("cannot close");
        }
    }
}
