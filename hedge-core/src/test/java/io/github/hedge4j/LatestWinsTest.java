package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rule S2: calls of which the newest supersedes the one before. */
class LatestWinsTest {

    private final List<CompletableFuture<String>> futures = IntStream.range(0, 3)
            .mapToObj(number -> new CompletableFuture<String>())
            .toList();

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
}
