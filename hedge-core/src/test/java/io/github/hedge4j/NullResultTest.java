package io.github.hedge4j;

import static io.github.hedge4j.Scenario.hangs;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static io.github.hedge4j.Scenario.succeedsAtOnce;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.event.CallEnded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Null, the only result of work that has none, is a success like any other. */
class NullResultTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    private final CompletableFuture<Void> done = CompletableFuture.completedFuture(null);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ofAPrimaryThatIsDoneAtOnce(boolean watched) {
        listenIf(watched);
        scenario.primary(succeedsAtOnce(null));

        var call = scenario.get();

        assertThat(call.toCompletableFuture()).isCompletedWithValue(null);
        assertThat(scenario.metrics().getNumberOfCallsWonByPrimary()).isOne();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ofAPrimaryThatIsPending(boolean watched) {
        listenIf(watched);
        scenario.primary(succeedsAfter(10, null));

        var call = scenario.get();
        scenario.advance(10);

        assertThat(call.toCompletableFuture()).isCompletedWithValue(null);
        assertThat(scenario.metrics().getNumberOfCallsWonByPrimary()).isOne();
    }

    private void listenIf(boolean watched) {
        if (watched) {
            scenario.hedge().getEventPublisher().onCallEnded(event -> {});
        }
    }

    @Test
    void ofAHedgeWhosePrimaryHangs() {
        scenario.hedge(succeedsAfter(10, null));

        var call = scenario.start();
        scenario.advance(60);

        assertThat(call).isCompletedWithValue(null);
        assertThat(scenario.source(0)).isCancelled();
        assertThat(scenario.metrics().getNumberOfCallsWonByHedge()).isOne();
        assertThat(scenario.report(call).attempts())
                .extracting(AttemptReport::outcome)
                .containsExactly(AttemptOutcome.CANCELLED, AttemptOutcome.SUCCESS);
    }

    @Test
    void isReportedAndPublishedAsASuccess() {
        List<CallReport> published = new ArrayList<>();
        scenario.hedge().getEventPublisher().onCallEnded((CallEnded event) -> published.add(event.report()));
        scenario.primary(succeedsAfter(10, null));

        var call = scenario.start();
        scenario.advance(10);

        assertThat(published).containsExactly(scenario.report(call));
        assertThat(published.get(0).outcome()).isEqualTo(CallOutcome.SUCCESS);
        assertThat(published.get(0).winner()).hasValue(0);
    }

    @Test
    void isJudgedByThePredicateOnResults() {
        var asked = new AtomicBoolean();
        scenario.configured(config -> config.hedgeOnResult(value -> {
                    asked.set(true);
                    return value == null;
                }))
                .primary(succeedsAtOnce(null))
                .hedge(succeedsAtOnce("something"));

        var call = scenario.start();

        assertThat(asked).isTrue();
        assertThat(call).isCompletedWithValue("something");
    }

    @Test
    void ofATarget() {
        Supplier<CompletionStage<Void>> target = () -> done;

        Hedge hedge = Hedge.ofDefaults("targets");

        var call = hedge.decorateTargets(Map.of("a", target)).get();

        assertThat(call.toCompletableFuture()).isCompletedWithValue(null);
        assertThat(hedge.getMetrics().getTargets()).containsEntry("a", new TargetMetrics(1, 0, 0, 1));
    }

    @Test
    void ofBlockingWork() {
        Hedge hedge = Hedge.ofDefaults("blocking");

        var call = hedge.<Void>decorateCallable(() -> null, new CallerThread()).get();

        assertThat(call.toCompletableFuture()).isCompletedWithValue(null);
        assertThat(hedge.getMetrics().getNumberOfCallsWonByPrimary()).isOne();
    }

    @Test
    void ofRacers() {
        var pending = new CompletableFuture<Void>();
        Supplier<CompletionStage<Void>> hanging = CompletableFuture::new;
        Supplier<CompletionStage<Void>> late = () -> pending;
        Supplier<CompletionStage<Void>> here = () -> done;

        var atOnce = Race.firstSuccess(List.of(hanging, here));
        var later = Race.firstSuccess(List.of(hanging, late));
        var running = Race.firstSuccessOf(List.of(new CompletableFuture<Void>(), pending), ofMinutes(1));
        var stoppable = Race.unlessStopped(new CompletableFuture<>(), late);
        var latest = new LatestWins<Void>().call(late);
        pending.complete(null);

        assertThat(List.of(atOnce, later, running, stoppable, latest))
                .allSatisfy(call -> assertThat(call).isCompletedWithValue(null));
    }

    @Test
    void thatComesTooLateIsNothingToDiscard() {
        scenario.primary(Scenario.stubborn()).hedge(succeedsAfter(10, "hedge")).attempt(2, hangs());

        var call = scenario.start();
        scenario.advance(60);
        scenario.source(0).complete(null);

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(scenario.discarded).isEmpty();
        assertThat(scenario.report(call).attempts().get(0).outcome()).isEqualTo(AttemptOutcome.SUCCESS);
    }
}
