package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failureOf;
import static io.github.hedge4j.Scenario.hangs;
import static io.github.hedge4j.Scenario.stubborn;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static io.github.hedge4j.Scenario.succeedsAtOnce;
import static java.time.Duration.ofMillis;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls that end because somebody else ends their future. */
class EndedFromOutsideTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    private final List<String> released = new ArrayList<>();

    static Stream<Named<Consumer<CompletableFuture<Object>>>> externalEnds() {
        return Stream.of(
                named("cancel(true)", call -> call.cancel(true)),
                named("cancel(false)", call -> call.cancel(false)),
                named("complete", call -> call.complete("mine")),
                named("complete with null", call -> call.complete(null)),
                named("completeExceptionally", call -> call.completeExceptionally(new IOException("mine"))),
                // What Resilience4j's TimeLimiter does when its time is over.
                named("a TimeLimiter", call -> call.completeExceptionally(new TimeoutException("TimeLimiter"))),
                named("orTimeout", call -> Threads.awaitEnd(call.orTimeout(1, MILLISECONDS))),
                named("completeOnTimeout", call -> Threads.awaitEnd(call.completeOnTimeout("mine", 1, MILLISECONDS))),
                named("completeAsync", call -> call.completeAsync(() -> "mine", Runnable::run)),
                named(
                        "completeAsync that throws",
                        call -> call.completeAsync(
                                () -> {
                                    throw new IllegalStateException("mine");
                                },
                                Runnable::run)),
                named("obtrudeValue", call -> call.obtrudeValue("mine")),
                named("obtrudeException", call -> call.obtrudeException(new IOException("mine"))));
    }

    @ParameterizedTest
    @MethodSource("externalEnds")
    void howeverTheFutureIsEndedItsAttemptsAreCancelledAndItsTimersGone(Consumer<CompletableFuture<Object>> end)
            throws Exception {
        scenario.configured(config -> config.maxAttempts(3).timeout(ofMillis(500)));
        scenario.primary(source -> {
            source.attempt.onCancel(() -> released.add("primary"));
            return source;
        });
        var call = scenario.start();
        scenario.advance(60);

        end.accept(call);
        call.settled().toCompletableFuture().get(10, SECONDS);

        assertThat(scenario.trail)
                .containsOnlyOnce("60 ms: attempt 0 cancelled(true)", "60 ms: attempt 1 cancelled(true)");
        assertThat(released).containsExactly("primary");
        assertThat(scenario.timer.pending()).isZero();
        assertThat(scenario.metrics().getNumberOfCancelledCalls()).isOne();
        assertThat(scenario.report(call).outcome()).isEqualTo(CallOutcome.CANCELLED);
        assertThat(scenario.report(call).winner()).isEmpty();
        assertThat(scenario.invocations()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("externalEnds")
    void theStageOfADecoratedSupplierIsEndedAsWell(Consumer<CompletableFuture<Object>> end) {
        scenario.configured(config -> config.timeout(ofMillis(500)));
        var stage = scenario.get();
        scenario.advance(60);

        end.accept(stage.toCompletableFuture());
        Threads.until(() -> scenario.metrics().getNumberOfCancelledCalls() == 1);

        assertThat(scenario.source(0)).isCancelled();
        assertThat(scenario.source(1)).isCancelled();
        assertThat(scenario.timer.pending()).isZero();
    }

    @ParameterizedTest
    @MethodSource("externalEnds")
    void endingACallThatHasItsResultChangesNothingThatCounts(Consumer<CompletableFuture<Object>> end) {
        scenario.primary(succeedsAfter(200, "primary")).hedge(succeedsAfter(20, "hedge"));
        var call = scenario.start();
        scenario.advance(70);

        end.accept(call);

        assertThat(scenario.metrics().getNumberOfCallsWonByHedge()).isOne();
        assertThat(scenario.metrics().getNumberOfCalls()).isOne();
        assertThat(scenario.report(call).winner()).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("externalEnds")
    void aResultThatArrivesAfterAnExternalEndIsDiscarded(Consumer<CompletableFuture<Object>> end) throws Exception {
        scenario.primary(stubborn());
        var call = scenario.start();
        end.accept(call);
        Threads.until(() -> scenario.metrics().getNumberOfCancelledCalls() == 1);

        scenario.source(0).complete("late");
        call.settled().toCompletableFuture().get(10, SECONDS);

        assertThat(scenario.discarded).containsExactly("late");
    }

    @Test
    void cancellingReportsWhetherItDidAnything() {
        var call = scenario.start();

        assertThat(call.cancel(true)).isTrue();
        assertThat(call).isCancelled();
        assertThat(failureOf(call)).isExactlyInstanceOf(CancellationException.class);
        scenario.primary(succeedsAtOnce("primary"));
        assertThat(scenario.start().cancel(true)).isFalse();
    }

    @Test
    void aCallThatIsDoneIsNotCompletedAsynchronously() {
        scenario.primary(succeedsAtOnce("primary"));
        var call = scenario.start();

        var same = call.completeAsync(
                () -> {
                    released.add("asked");
                    return "mine";
                },
                Runnable::run);

        assertThat(same).isSameAs(call).isCompletedWithValue("primary");
        assertThat(released).isEmpty();
    }

    @Test
    void cancellingADependentLeavesTheCallAlone() {
        scenario.primary(succeedsAfter(10, "primary"));
        var call = scenario.start();

        call.thenApply(value -> value).cancel(true);
        call.copy().cancel(true);
        call.minimalCompletionStage().toCompletableFuture().cancel(true);
        scenario.advance(10);

        assertThat(call).isCompletedWithValue("primary");
    }

    @Test
    void aCallMayBeEndedFromADependentOfOneOfItsAttempts() {
        scenario.hedge(hangs());
        var call = scenario.start();
        scenario.advance(50);
        var unused = scenario.source(0).whenComplete((value, failure) -> call.cancel(true));

        scenario.source(0).complete("primary");

        assertThat(unused).isCompleted();
        assertThat(call).isDone();
        assertThat(scenario.metrics().getNumberOfCalls()).isOne();
    }
}
