package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Named.named;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rule S1: work that runs until a signal stops it. */
class UnlessStoppedTest {

    private static final int MANY = 10_000;

    private final List<CompletableFuture<String>> futures = IntStream.range(0, 3)
            .mapToObj(number -> new CompletableFuture<String>())
            .toList();

    static Stream<Named<Consumer<CompletableFuture<Object>>>> stops() {
        return Stream.of(
                named("success", stop -> stop.complete("stop")),
                named("null", stop -> stop.complete(null)),
                named("failure", stop -> stop.completeExceptionally(new IOException("stop"))),
                named("cancellation", stop -> stop.cancel(true)));
    }

    @ParameterizedTest
    @MethodSource("stops")
    void workIsCancelledAsSoonAsTheSignalCompletes(Consumer<CompletableFuture<Object>> complete) {
        var stop = new CompletableFuture<>();
        var call = Race.unlessStopped(stop, () -> futures.get(0));

        complete.accept(stop);

        assertThat(failureOf(call)).isInstanceOf(StoppedException.class);
        assertThat(call).isCancelled();
        assertThat(futures.get(0)).isCancelled();
        assertThat(call.settled()).isCompleted();
    }

    @ParameterizedTest
    @MethodSource("stops")
    void workIsNotStartedIfTheSignalHasCompletedBefore(Consumer<CompletableFuture<Object>> complete) {
        var stop = new CompletableFuture<>();
        complete.accept(stop);
        var started = new AtomicInteger();

        var call = Race.unlessStopped(stop, () -> {
            started.incrementAndGet();
            return futures.get(0);
        });

        assertThat(failureOf(call)).isInstanceOf(StoppedException.class);
        assertThat(started).hasValue(0);
        Threads.awaitEnd(call.settled().toCompletableFuture());
    }

    @Test
    void whoeverWaitsIsToldOfAStopByItsType() {
        var stop = CompletableFuture.completedFuture("shutdown");

        HedgedFuture<Object> call = Race.unlessStopped(stop, () -> new CompletableFuture<>());

        assertThatExceptionOfType(StoppedException.class).isThrownBy(call::get);
        assertThatExceptionOfType(StoppedException.class).isThrownBy(() -> call.get(1, TimeUnit.SECONDS));
        assertThatExceptionOfType(StoppedException.class).isThrownBy(call::join);
        assertThatExceptionOfType(StoppedException.class).isThrownBy(() -> call.getNow("nothing"));
    }

    @Test
    void theFailureOfTheSignalIsTheCause() {
        var failure = new IOException("stop");
        var stop = new CompletableFuture<>();
        var call = Race.unlessStopped(stop, () -> futures.get(0));

        stop.completeExceptionally(failure);

        assertThat(failureOf(call).getCause()).isSameAs(failure);
    }

    @Test
    void aSignalThatCompletesInsideTheWorksSupplierCancelsTheWork() {
        var stop = new CompletableFuture<>();

        var call = Race.unlessStopped(stop, () -> {
            stop.complete("stop");
            return futures.get(0);
        });

        assertThat(failureOf(call)).isInstanceOf(StoppedException.class);
        assertThat(futures.get(0)).isCancelled();
    }

    @Test
    void workThatEndsFirstStandsAndTheSignalIsLeftAlone() {
        var stop = new CompletableFuture<>();
        var call = Race.unlessStopped(stop, () -> futures.get(0));

        futures.get(0).complete("done");
        assertThat(stop).isNotDone();
        stop.complete("stop");

        assertThat(call).isCompletedWithValue("done");
    }

    @Test
    void workThatFailsFirstFailsTheCallAsItIs() {
        var failure = new IOException();
        var stop = new CompletableFuture<>();
        var call = Race.unlessStopped(stop, () -> futures.get(0));

        futures.get(0).completeExceptionally(failure);

        assertThat(failureOf(call)).isSameAs(failure);
        assertThat(stop).isNotDone();
        assertThat(stop.getNumberOfDependents()).isZero();
    }

    @Test
    void cancellingStoppableWorkCancelsItAndLeavesTheSignalAlone() {
        var stop = new CompletableFuture<>();
        var call = Race.unlessStopped(stop, () -> futures.get(0));

        call.cancel(true);

        assertThat(failureOf(call)).isExactlyInstanceOf(CancellationException.class);
        assertThat(futures.get(0)).isCancelled();
        assertThat(stop).isNotDone();
        assertThat(stop.getNumberOfDependents()).isZero();
    }

    @Test
    void aSignalNeedNotBeAFuture() {
        var stop = new CompletableFuture<>();
        var call = Race.unlessStopped(
                CustomStage.of(stop).throwingOn("toCompletableFuture").stage(), () -> futures.get(0));

        stop.complete("stop");

        assertThat(failureOf(call)).isInstanceOf(StoppedException.class);
    }

    @Test
    void aMillionCallsLeaveNothingOnTheirSignal() {
        var stop = new CompletableFuture<>();

        for (int i = 0; i < 1_000_000; i++) {
            var work = new CompletableFuture<Integer>();
            var call = Race.unlessStopped(stop, () -> work);
            work.complete(i);
            if (!call.isDone()) {
                throw new AssertionError("call " + i);
            }
        }

        assertThat(stop.getNumberOfDependents()).isZero();
    }

    @Test
    void callsThatOverlapLeaveNothingOnTheirSignalEither() {
        var stop = new CompletableFuture<>();
        var works = Stream.generate(CompletableFuture<String>::new).limit(1000).toList();
        var calls =
                works.stream().map(work -> Race.unlessStopped(stop, () -> work)).toList();
        assertThat(stop.getNumberOfDependents()).isPositive();

        works.forEach(work -> work.complete("done"));

        assertThat(calls).allMatch(CompletableFuture::isDone);
        assertThat(stop.getNumberOfDependents()).isZero();
    }

    @Test
    void theSignalStopsAllThatStillRuns() {
        var stop = new CompletableFuture<>();
        var calls = Stream.generate(() -> Race.unlessStopped(stop, CompletableFuture<String>::new))
                .limit(MANY)
                .toList();

        stop.complete("stop");

        assertThat(calls).allMatch(call -> failureOf(call) instanceof StoppedException);
    }
}
