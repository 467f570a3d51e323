package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failureOf;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofNanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.junit.jupiter.api.Named.named;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Races without a policy, and rule L4 for them. */
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

    private static List<Supplier<CompletableFuture<String>>> suppliers(List<CompletableFuture<String>> futures) {
        return futures.stream()
                .<Supplier<CompletableFuture<String>>>map(future -> () -> future)
                .toList();
    }
}
