package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAfter;
import static io.github.hedge4j.Scenario.stubborn;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static io.github.hedge4j.Scenario.succeedsAtOnce;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.event.AttemptEnded;
import io.github.hedge4j.event.AttemptStarted;
import io.github.hedge4j.event.CallEnded;
import io.github.hedge4j.event.HedgeDenied;
import io.github.hedge4j.event.HedgeEvent;
import java.io.IOException;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What listeners are told, and when. */
class EventsTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    private final List<HedgeEvent> events = new ArrayList<>();

    @Test
    void aCallTellsOfItsAttemptsAndOfItsEnd() {
        scenario.configured(config -> config.maxAttempts(3))
                .primary(failsAfter(10, new IOException()))
                .hedge(succeedsAfter(200, "slow"))
                .attempt(2, succeedsAfter(20, "hedge 2"));
        listen();

        scenario.begin();
        scenario.advance(80);

        assertThat(told())
                .startsWith("started 0")
                .contains("started 1", "started 2")
                .contains("ended 0 FAILURE", "ended 1 CANCELLED", "ended 2 SUCCESS")
                .containsOnlyOnce("call SUCCESS")
                .hasSize(7);
        assertThat(told().indexOf("ended 0 FAILURE")).isGreaterThan(told().indexOf("started 0"));
    }

    @Test
    void everyAttemptThatStartsIsToldOnceAndEndsOnce() {
        scenario.configured(config -> config.loserGrace(ofMillis(10)))
                .primary(stubborn())
                .hedge(succeedsAfter(20, "hedge"));
        listen();
        scenario.begin();
        scenario.advance(100);
        assertThat(told()).contains("ended 0 UNRESPONSIVE");

        scenario.source(0).complete("very late");

        assertThat(told()).containsOnlyOnce("started 0", "started 1", "ended 0 UNRESPONSIVE", "ended 1 SUCCESS");
        assertThat(told()).hasSize(5);
    }

    @Test
    void aHedgeThatIsDeniedIsNotToldAsStarted() {
        scenario.configured(config -> config.budget(HedgeBudget.none())).primary(succeedsAfter(100, "primary"));
        listen();

        scenario.begin();
        scenario.advance(100);

        assertThat(told()).containsExactlyInAnyOrder("started 0", "denied 1 BUDGET", "ended 0 SUCCESS", "call SUCCESS");
        assertThat(told()).startsWith("started 0", "denied 1 BUDGET");
    }

    @Test
    void aHedgeThatTheEndOfItsCallOvertookIsToldNeitherAsStartedNorAsDenied() {
        var executor = new QueueExecutor();
        scenario.configured(config -> config.executor(executor));
        listen();
        var call = scenario.start();
        scenario.advance(50);

        call.cancel(true);
        executor.runAll();

        assertThat(told()).containsExactlyInAnyOrder("started 0", "ended 0 CANCELLED", "call CANCELLED");
    }

    @Test
    void aCallEndsOnceWhateverComesLater() {
        scenario.configured(config -> config.timeout(ofMillis(60)))
                .primary(stubborn())
                .hedge(stubborn());
        listen();

        var call = scenario.start();
        scenario.advance(60);
        call.cancel(true);
        scenario.source(0).complete("late");
        scenario.source(1).completeExceptionally(new IOException());

        assertThat(told().stream().filter(event -> event.startsWith("call"))).containsExactly("call TIMEOUT");
    }

    @Test
    void theCallsEndCarriesItsReport() {
        scenario.primary(failsAfter(10, new IOException())).hedge(succeedsAfter(10, "hedge"));
        listen();

        scenario.begin();
        scenario.advance(20);

        assertThat(events)
                .filteredOn(CallEnded.class::isInstance)
                .singleElement()
                .satisfies(event -> {
                    var report = ((CallEnded) event).report();
                    assertThat(report.hedgeName()).isEqualTo("scenario");
                    assertThat(report.winner()).hasValue(1);
                    assertThat(report.attempts())
                            .extracting(AttemptReport::outcome)
                            .containsExactly(AttemptOutcome.FAILURE, AttemptOutcome.SUCCESS);
                    assertThat(report.elapsed()).isEqualTo(ofMillis(20));
                });
    }

    @Test
    void aLoserThatIsCancelledHasEndedByTheTimeItsCallIsToldToHave() {
        scenario.hedge(succeedsAfter(20, "hedge"));
        listen();

        scenario.begin();
        scenario.advance(70);

        assertThat(events)
                .filteredOn(CallEnded.class::isInstance)
                .singleElement()
                .satisfies(event -> assertThat(
                                ((CallEnded) event).report().attempts().get(0))
                        .isEqualTo(new AttemptReport(
                                0,
                                Optional.empty(),
                                ZERO,
                                Optional.of(ofMillis(70)),
                                AttemptOutcome.CANCELLED,
                                Optional.empty())));
    }

    @Test
    void aPrimaryThatIsDoneAtOnceIsToldLikeAnyOther() {
        scenario.primary(succeedsAtOnce("primary"));
        listen();

        scenario.get();

        assertThat(told()).containsExactlyInAnyOrder("started 0", "ended 0 SUCCESS", "call SUCCESS");
    }

    @Test
    void eventsCarryTheirHedgesNameAndWhenTheyWereMade() {
        var before = ZonedDateTime.now(ZoneId.systemDefault());
        scenario.configured(config -> config.budget(HedgeBudget.none())).primary(succeedsAfter(100, "primary"));
        listen();

        scenario.begin();
        scenario.advance(100);

        assertThat(events).hasSize(4).allSatisfy(event -> {
            assertThat(event.getHedgeName()).isEqualTo("scenario");
            assertThat(event.getCreationTime()).isBetween(before, ZonedDateTime.now(ZoneId.systemDefault()));
            assertThat(event.toString()).contains("scenario");
        });
        assertThat(events).extracting(HedgeEvent::getEventType).doesNotHaveDuplicates();
    }

    @Test
    void aListenerOfOneKindGetsThatKindOnly() {
        scenario.configured(config -> config.maxAttempts(3).budget(new FakeBudget(1)))
                .primary(succeedsAfter(300, "primary"));
        scenario.hedge()
                .getEventPublisher()
                .onAttemptStarted(events::add)
                .onAttemptEnded(events::add)
                .onHedgeDenied(events::add)
                .onCallEnded(events::add);

        scenario.begin();
        scenario.advance(300);

        assertThat(told())
                .containsExactlyInAnyOrder(
                        "started 0",
                        "started 1",
                        "denied 2 BUDGET",
                        "ended 0 SUCCESS",
                        "ended 1 CANCELLED",
                        "call SUCCESS");
    }

    @Test
    void aListenerThatComesLateHearsOfWhatComesAfter() {
        scenario.primary(succeedsAfter(10, "primary"));
        scenario.begin();

        listen();
        scenario.advance(10);

        assertThat(told()).contains("call SUCCESS").doesNotContain("started 0");
    }

    @Test
    void aListenerMayMakeAnotherCall() {
        scenario.primary(succeedsAfter(10, "primary"));
        List<HedgedFuture<Object>> again = new ArrayList<>();
        scenario.hedge().getEventPublisher().onCallEnded(event -> {
            if (again.isEmpty()) {
                again.add(scenario.start());
            }
        });

        scenario.begin();
        scenario.advance(20);

        assertThat(again).singleElement().satisfies(call -> assertThat(call).isCompletedWithValue("primary"));
    }

    private void listen() {
        scenario.hedge().getEventPublisher().onEvent(events::add);
    }

    private List<String> told() {
        return events.stream().map(EventsTest::told).toList();
    }

    private static String told(HedgeEvent event) {
        if (event instanceof AttemptStarted started) {
            return "started " + started.number();
        }
        if (event instanceof AttemptEnded ended) {
            return "ended " + ended.attempt().number() + " " + ended.attempt().outcome();
        }
        if (event instanceof HedgeDenied denied) {
            return "denied " + denied.number() + " " + denied.reason();
        }
        return "call " + ((CallEnded) event).report().outcome();
    }
}
