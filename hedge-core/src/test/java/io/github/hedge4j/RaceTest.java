package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failureOf;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofNanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.junit.jupiter.api.Named.named;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Races without a policy, rules S, and rule L4 for races. */
class RaceTest {

    private static final int MANY = 10_000;

    private final List<CompletableFuture<String>> futures = IntStream.range(0, 3)
            .mapToObj(number -> new CompletableFuture<String>())
            .toList();

    @Test
    void theFirstSuccessWinsAndTheOthersAreCancelled() {
        var race = Race.firstSuccess(suppliers(futures));

        futures.get(1).complete("second");

        assertThat(race).isCompletedWithValue("second");
        assertThat(futures.get(0)).isCancelled();
        assertThat(futures.get(2)).isCancelled();
        assertThat(race.settled()).isCompleted();
        assertThat(race.settled().toCompletableFuture().join().winner()).hasValue(1);
    }

    @Test
    void aFailureNeverWinsWhileAnotherRacerRuns() {
        var race = Race.firstSuccess(suppliers(futures));

        futures.get(0).completeExceptionally(new IOException("Bureau-1 down!"));
        futures.get(2).completeExceptionally(new IOException("Bureau-3 down!"));
        assertThat(race).isNotDone();
        futures.get(1).complete("750");

        assertThat(race).isCompletedWithValue("750");
    }

    @Test
    void allFailuresAreKept() {
        var failures = Stream.of("0", "1", "2").map(IOException::new).toList();
        var race = Race.firstSuccess(suppliers(futures));

        for (int number : new int[] {2, 0, 1}) {
            futures.get(number).completeExceptionally(failures.get(number));
        }

        assertThat(failureOf(race))
                .asInstanceOf(type(AllAttemptsFailedException.class))
                .satisfies(failure -> {
                    assertThat(failure.getFailures()).containsExactlyElementsOf(failures);
                    assertThat(failure.getCause()).isSameAs(failures.get(1));
                });
    }

    @Test
    void theFailureOfAnOnlyRacerIsPassedThrough() {
        var failure = new IOException();

        var race = Race.firstSuccess(suppliers(List.of(CompletableFuture.failedFuture(failure))));

        assertThat(failureOf(race)).isSameAs(failure);
    }

    @Test
    void racersStartInOrderOnTheCallersThreadUntilOneHasSucceeded() {
        List<String> started = new ArrayList<>();
        List<Supplier<CompletionStage<String>>> racers = List.of(
                () -> {
                    started.add("0 on " + Thread.currentThread().getName());
                    throw new IllegalStateException();
                },
                () -> {
                    started.add("1 on " + Thread.currentThread().getName());
                    return CompletableFuture.completedFuture("1");
                },
                () -> {
                    started.add("2 on " + Thread.currentThread().getName());
                    return CompletableFuture.completedFuture("2");
                });

        var race = Race.firstSuccess(racers);

        assertThat(race).isCompletedWithValue("1");
        var here = Thread.currentThread().getName();
        assertThat(started).containsExactly("0 on " + here, "1 on " + here);
    }

    @Test
    void aRacerThatThrowsOrReturnsNullIsAFailedRacer() {
        List<Supplier<CompletionStage<String>>> racers = List.of(
                () -> {
                    throw new StackOverflowError();
                },
                () -> null,
                () -> futures.get(0));
        var race = Race.firstSuccess(racers);

        futures.get(0).complete("third");

        assertThat(race).isCompletedWithValue("third");
    }

    @Test
    void cancellingTheRaceCancelsTheRacers() {
        var race = Race.firstSuccess(suppliers(futures), ofHours(1));

        race.cancel(true);

        assertThat(futures).allMatch(CompletableFuture::isCancelled);
    }

    @Test
    void theTimeoutEndsTheRaceAndCancelsTheRacers() {
        List<CompletableFuture<String>> started = new ArrayList<>();
        Supplier<CompletableFuture<String>> racer = () -> {
            started.add(new CompletableFuture<>());
            return started.get(started.size() - 1);
        };
        var race = Race.firstSuccess(Collections.nCopies(3, racer), ofNanos(1));
        Threads.awaitEnd(race);
        Threads.awaitEnd(race.settled().toCompletableFuture());

        assertThat(failureOf(race)).isInstanceOf(HedgeTimeoutException.class);
        assertThat(started).isNotEmpty().allMatch(CompletableFuture::isCancelled);
    }

    @Test
    void workThatRunsAlreadyMayHaveEndedBefore() {
        var running = List.of(
                CompletableFuture.<String>failedFuture(new IOException()),
                CompletableFuture.completedFuture("done"),
                futures.get(0),
                futures.get(1));

        var race = Race.firstSuccessOf(running, ofHours(1));

        assertThat(race).isCompletedWithValue("done");
        assertThat(futures.get(0)).isCancelled();
        assertThat(futures.get(1)).isCancelled();
    }

    @Test
    void workThatRunsAlreadyIsCancelledWhenItLoses() {
        var race = Race.firstSuccessOf(futures, ofHours(1));

        futures.get(2).complete("third");

        assertThat(race).isCompletedWithValue("third");
        assertThat(futures.get(0)).isCancelled();
        assertThat(futures.get(1)).isCancelled();
    }

    @Test
    void oneAndTheSameStageMayRaceTwice() {
        var race = Race.firstSuccessOf(List.of(futures.get(0), futures.get(0)), ofHours(1));

        futures.get(0).complete("first");

        assertThat(race).isCompletedWithValue("first");
    }

    @Test
    void minimalStagesMayRace() {
        var running =
                List.of(futures.get(0).minimalCompletionStage(), futures.get(1).minimalCompletionStage());
        var race = Race.firstSuccessOf(running, ofHours(1));

        futures.get(1).complete("second");

        assertThat(race).isCompletedWithValue("second");
    }

    @Test
    void changingTheCollectionAfterwardsChangesNothing() {
        var racers = new ArrayList<>(suppliers(futures));
        var race = Race.firstSuccess(racers);

        racers.clear();
        futures.get(2).complete("third");

        assertThat(race).isCompletedWithValue("third");
    }

    @Test
    void aRaceNeedsRacers() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Race.firstSuccess(suppliers(List.of())))
                .withMessageStartingWith("racers");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Race.firstSuccess(suppliers(List.of()), ofHours(1)))
                .withMessageStartingWith("racers");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Race.firstSuccessOf(List.<CompletableFuture<String>>of(), ofHours(1)))
                .withMessageStartingWith("running");
    }

    @Test
    void aRaceNeedsAPositiveTimeout() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Race.firstSuccess(suppliers(futures), ZERO))
                .withMessageStartingWith("timeout");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Race.firstSuccessOf(futures, ofMillis(-1)))
                .withMessageStartingWith("timeout")
                .withMessageContaining("-");
        assertThat(futures).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void nothingMayBeNull() {
        List<Supplier<CompletionStage<String>>> withNull = Arrays.asList(() -> futures.get(0), null);

        assertThatNullPointerException().isThrownBy(() -> Race.firstSuccess(null));
        assertThatNullPointerException().isThrownBy(() -> Race.firstSuccess(withNull));
        assertThatNullPointerException().isThrownBy(() -> Race.firstSuccess(suppliers(futures), null));
        assertThatNullPointerException().isThrownBy(() -> Race.firstSuccessOf(null, ofHours(1)));
        assertThatNullPointerException().isThrownBy(() -> Race.firstSuccessOf(futures, null));
        assertThatNullPointerException().isThrownBy(() -> Race.unlessStopped(null, () -> futures.get(0)));
        assertThatNullPointerException().isThrownBy(() -> Race.unlessStopped(futures.get(0), null));
        assertThatNullPointerException().isThrownBy(() -> new LatestWins<String>().call(null));
        assertThat(futures).noneMatch(CompletableFuture::isDone);
    }

    static Stream<Named<Supplier<CompletionStage<Integer>>>> manyRacers() {
        return Stream.of(
                named("failing at once", () -> CompletableFuture.failedFuture(new IOException())),
                named("throwing", () -> {
                    throw new IllegalStateException();
                }));
    }

    @ParameterizedTest
    @MethodSource("manyRacers")
    void tenThousandRacersThatFailAtOnceDoNotRecur(Supplier<CompletionStage<Integer>> racer) {
        var race = Race.firstSuccess(Collections.nCopies(MANY, racer));

        assertThat(failureOf(race))
                .asInstanceOf(type(AllAttemptsFailedException.class))
                .satisfies(failure -> assertThat(failure.getFailures()).hasSize(MANY));
    }

    @Test
    void theLastOfTenThousandRacersMayWin() {
        var racers = Stream.generate(CompletableFuture<String>::new).limit(MANY).toList();
        var race = Race.firstSuccess(suppliers(racers));

        racers.get(MANY - 1).complete("last");

        assertThat(race).isCompletedWithValue("last");
        assertThat(racers.subList(0, MANY - 1)).allMatch(CompletableFuture::isCancelled);
    }

    @Test
    void tenThousandRacersThatSucceedAtOnceCostOne() {
        var started = new AtomicInteger();
        Supplier<CompletionStage<Integer>> racer = () -> CompletableFuture.completedFuture(started.incrementAndGet());

        var race = Race.firstSuccess(Collections.nCopies(MANY, racer));

        assertThat(race).isCompletedWithValue(1);
        assertThat(started).hasValue(1);
    }

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

    @Test
    void theNewestCallSupersedesTheOneBefore() {
        var latest = new LatestWins<String>();
        var first = latest.call(() -> futures.get(0));
        var second = latest.call(() -> futures.get(1));

        futures.get(1).complete("second");

        assertThat(failureOf(first)).isInstanceOf(SupersededException.class);
        assertThat(first).isCancelled();
        assertThat(futures.get(0)).isCancelled();
        assertThat(second).isCompletedWithValue("second");
    }

    @Test
    void thePreviousCallIsCancelledBeforeTheNewWorkStarts() {
        var latest = new LatestWins<String>();
        var first = latest.call(() -> futures.get(0));

        var second = latest.call(() -> {
            assertThat(futures.get(0)).isCancelled();
            assertThat(first).isDone();
            return futures.get(1);
        });

        futures.get(1).complete("second");
        assertThat(second).isCompletedWithValue("second");
    }

    @Test
    void aResultThatThePreviousCallAlreadyHasStands() {
        var latest = new LatestWins<String>();
        var first = latest.call(() -> futures.get(0));
        futures.get(0).complete("first");

        var second = latest.call(() -> futures.get(1));

        assertThat(first).isCompletedWithValue("first");
        assertThat(second).isNotDone();
        assertThat(futures.get(1)).isNotDone();
    }

    @Test
    void theFailureOfTheNewestIsItsOwn() {
        var failure = new IOException();
        var latest = new LatestWins<String>();
        var first = latest.call(() -> futures.get(0));
        var second = latest.call(() -> {
            throw new UncheckedIOException(failure);
        });

        assertThat(failureOf(first)).isInstanceOf(SupersededException.class);
        assertThat(failureOf(second)).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void aCallMadeInsideAnotherOnesSupplierSupersedesIt() {
        var latest = new LatestWins<String>();
        List<CompletableFuture<String>> inner = new ArrayList<>();

        var outer = latest.call(() -> {
            inner.add(latest.call(() -> futures.get(1)));
            return futures.get(0);
        });

        assertThat(failureOf(outer)).isInstanceOf(SupersededException.class);
        assertThat(futures.get(0)).isCancelled();
        futures.get(1).complete("inner");
        assertThat(inner.get(0)).isCompletedWithValue("inner");
    }

    @Test
    void aCallMadeBecauseAnotherWasSupersededSupersedesItsSuccessor() {
        var latest = new LatestWins<String>();
        List<CompletableFuture<String>> again = new ArrayList<>();
        var first = latest.call(() -> futures.get(0));
        var unused = first.whenComplete((value, failure) -> again.add(latest.call(() -> futures.get(2))));

        var second = latest.call(() -> futures.get(1));
        futures.get(2).complete("again");

        assertThat(again).hasSize(1);
        assertThat(again.get(0)).isCompletedWithValue("again");
        assertThat(failureOf(second)).isInstanceOf(SupersededException.class);
    }

    @Test
    void aSupersededCallWhoseSupplierStillRunsIsCancelledWhenItReturns() {
        var latest = new LatestWins<String>();
        var inside = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var first = new AtomicReference<CompletableFuture<String>>();
        var starting = CompletableFuture.runAsync(() -> first.set(latest.call(() -> {
            inside.countDown();
            Threads.await(goOn);
            return futures.get(0);
        })));
        Threads.await(inside);

        var second = latest.call(() -> futures.get(1));
        goOn.countDown();
        Threads.awaitEnd(starting);

        assertThat(failureOf(first.get())).isInstanceOf(SupersededException.class);
        assertThat(futures.get(0)).isCancelled();
        assertThat(second).isNotDone();
    }

    @Test
    void ofManyCallsByManyThreadsOneIsLeft() {
        var latest = new LatestWins<String>();
        var calls = new ConcurrentLinkedQueue<CompletableFuture<String>>();
        var works = new ConcurrentLinkedQueue<CompletableFuture<String>>();
        var threads = Stream.generate(() -> CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 2000; i++) {
                        calls.add(latest.call(() -> {
                            var work = new CompletableFuture<String>();
                            works.add(work);
                            return work;
                        }));
                    }
                }))
                .limit(4)
                .toList();

        threads.forEach(Threads::awaitEnd);

        assertThat(threads).noneMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(calls.stream().filter(call -> !call.isDone())).hasSize(1);
        assertThat(works.stream().filter(work -> !work.isDone())).hasSize(1);
        assertThat(calls.stream().filter(CompletableFuture::isDone))
                .allMatch(call -> failureOf(call) instanceof SupersededException);
    }

    private static List<Supplier<CompletableFuture<String>>> suppliers(List<CompletableFuture<String>> futures) {
        return futures.stream()
                .<Supplier<CompletableFuture<String>>>map(future -> () -> future)
                .toList();
    }
}
