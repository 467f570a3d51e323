package io.github.hedge4j;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.time.VirtualTimer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two things that happen to one call at the same moment, on two threads, many times over. Whichever comes first: the call has one end,
 * every attempt has ended, every result went somewhere once, and the counters add up.
 */
class RacingThreadsTest {

    private static final int ROUNDS = 3000;

    private final VirtualTimer timer = new VirtualTimer();
    private final FakeBudget budget = new FakeBudget(10);
    private final ConcurrentLinkedQueue<Object> discarded = new ConcurrentLinkedQueue<>();
    private final List<CompletableFuture<Object>> attempts = new CopyOnWriteArrayList<>();
    private final Partner other = new Partner();
    private Hedge hedge;
    private int calls;

    @BeforeEach
    void hedgesAfter50Millis() {
        hedge(config());
    }

    @AfterEach
    void stop() {
        other.close();
    }

    @Test
    void aHedgeStartsWhileThePrimarySucceeds() {
        for (int round = 0; round < ROUNDS; round++) {
            var call = hedge.executeCompletionStage(this::attempt).toCompletableFuture();

            other.meanwhile(() -> attempts.get(0).complete("primary"), () -> timer.advance(ofMillis(50)));

            assertThat(call).isCompletedWithValue("primary");
            allIsOver(call);
        }
    }

    @Test
    void aHedgeStartsWhileThePrimaryFails() {
        for (int round = 0; round < ROUNDS; round++) {
            var call = hedge.executeCompletionStage(this::attempt).toCompletableFuture();

            other.meanwhile(
                    () -> attempts.get(0).completeExceptionally(new IOException()), () -> timer.advance(ofMillis(50)));

            assertThat(attempts).hasSize(2);
            attempts.get(1).complete("hedge");
            assertThat(call).isCompletedWithValue("hedge");
            allIsOver(call);
        }
    }

    @Test
    void aHedgeStartsWhileTheCallerCancels() {
        for (int round = 0; round < ROUNDS; round++) {
            var call = hedge.executeCompletionStage(this::attempt).toCompletableFuture();

            other.meanwhile(() -> call.cancel(true), () -> timer.advance(ofMillis(50)));

            assertThat(call).isCancelled();
            allIsOver(call);
        }
    }

    @Test
    void theDeadlinePassesWhileThePrimarySucceeds() {
        hedge(config().maxAttempts(1).timeout(ofMillis(80)));
        for (int round = 0; round < ROUNDS; round++) {
            var call = hedge.executeCompletionStage(this::attempt).toCompletableFuture();

            other.meanwhile(() -> attempts.get(0).complete(new Object()), () -> timer.advance(ofMillis(80)));

            allIsOver(call);
        }
    }

    @Test
    void twoAttemptsSucceed() {
        hedge(config().delay(HedgeDelay.fixed(ZERO)));
        for (int round = 0; round < ROUNDS; round++) {
            var call = start();

            other.meanwhile(
                    () -> attempts.get(0).complete(new Object()),
                    () -> attempts.get(1).complete(new Object()));

            allIsOver(call);
        }
    }

    @Test
    void twoAttemptsSucceedWithTheSameInstance() {
        hedge(config().delay(HedgeDelay.fixed(ZERO)));
        for (int round = 0; round < ROUNDS; round++) {
            var call = start();
            var cached = new Object();

            other.meanwhile(
                    () -> attempts.get(0).complete(cached),
                    () -> attempts.get(1).complete(cached));

            assertThat(discarded).isEmpty();
            allIsOver(call);
        }
    }

    @Test
    void theLastTwoAttemptsFail() {
        hedge(config().delay(HedgeDelay.fixed(ZERO)));
        for (int round = 0; round < ROUNDS; round++) {
            var call = start();

            other.meanwhile(
                    () -> attempts.get(0).completeExceptionally(new IOException()),
                    () -> attempts.get(1).completeExceptionally(new IOException()));

            assertThat(call).isCompletedExceptionally();
            allIsOver(call);
        }
    }

    @Test
    void oneAttemptFailsAndStartsTheNextWhileAnotherSucceeds() {
        hedge(config().delay(HedgeDelay.perAttempt(number -> number == 1 ? ZERO : ofMillis(50)))
                .maxAttempts(3));
        for (int round = 0; round < ROUNDS; round++) {
            var call = start();

            other.meanwhile(
                    () -> attempts.get(0).completeExceptionally(new IOException()),
                    () -> attempts.get(1).complete("hedge"));

            assertThat(call).isCompletedWithValue("hedge");
            allIsOver(call);
        }
    }

    @Test
    void theCallerEndsTheCallWhileThePrimarySucceeds() {
        for (int round = 0; round < ROUNDS; round++) {
            var call = hedge.executeCompletionStage(this::attempt).toCompletableFuture();

            other.meanwhile(() -> attempts.get(0).complete(new Object()), () -> call.complete("mine"));

            allIsOver(call);
        }
    }

    @Test
    void theGraceIsOverWhileTheLoserEnds() {
        hedge(config().delay(HedgeDelay.fixed(ZERO)));
        for (int round = 0; round < ROUNDS; round++) {
            var call = start();
            var stubborn = (Stubborn) attempts.get(0);
            stubborn.stubborn = true;
            attempts.get(1).complete("hedge");

            other.meanwhile(() -> stubborn.complete(new Object()), () -> timer.advance(ofSeconds(1)));

            allIsOver(call);
        }
        assertThat(hedge.getMetrics().getNumberOfUnresponsiveLosers()).isBetween(0L, (long) ROUNDS);
    }

    @Test
    void settledIsAskedForWhileThePrimarySucceeds() {
        for (int round = 0; round < ROUNDS; round++) {
            var call = (HedgedFuture<Object>) hedge.executeCompletionStage(this::attempt);
            var settled = new ArrayList<CompletableFuture<CallReport>>();

            other.meanwhile(
                    () -> attempts.get(0).complete("primary"),
                    () -> settled.add(call.settled().toCompletableFuture()));

            assertThat(settled.get(0)).isCompletedWithValueMatching(report -> report.outcome() == CallOutcome.SUCCESS);
            allIsOver(call);
        }
    }

    @Test
    void anActionIsRegisteredWhileItsAttemptLoses() {
        for (int round = 0; round < ROUNDS; round++) {
            var ran = new AtomicInteger();
            var attempt = new ArrayList<Attempt>();
            var call = hedge.start(current -> {
                attempt.add(current);
                return attempt();
            });

            other.meanwhile(() -> call.cancel(true), () -> attempt.get(0).onCancel(ran::incrementAndGet));

            assertThat(ran).hasValue(1);
            allIsOver(call);
        }
    }

    @Test
    void aRaceOfRunningWorkTimesOutWhileItIsBeingStarted() {
        for (int round = 0; round < 50; round++) {
            var running =
                    Stream.generate(CompletableFuture<String>::new).limit(1000).toList();

            var race = Race.firstSuccessOf(running, ofNanos(1));
            Threads.awaitEnd(race);
            Threads.awaitEnd(race.settled().toCompletableFuture());

            assertThat(running).allMatch(CompletableFuture::isCancelled);
        }
    }

    @Test
    void theSignalStopsWorkWhileItSucceeds() {
        for (int round = 0; round < ROUNDS; round++) {
            var stop = new CompletableFuture<>();
            var work = new CompletableFuture<String>();
            var call = Race.unlessStopped(stop, () -> work);

            other.meanwhile(() -> stop.complete("stop"), () -> work.complete("done"));

            assertThat(call).isDone();
            assertThat(call.settled()).isCompleted();
            assertThat(stop.getNumberOfDependents()).isZero();
        }
    }

    private HedgeConfig.Builder config() {
        return HedgeConfig.custom()
                .delay(HedgeDelay.fixed(ofMillis(50)))
                .budget(budget)
                .timer(timer)
                .executor(Runnable::run)
                .onDiscard(discarded::add);
    }

    private void hedge(HedgeConfig.Builder config) {
        hedge = Hedge.of("racing", config.build());
    }

    private HedgedFuture<Object> start() {
        return hedge.start(attempt -> attempt());
    }

    private CompletableFuture<Object> attempt() {
        var attempt = new Stubborn();
        attempts.add(attempt);
        return attempt;
    }

    /** Checks what must hold after any call, and forgets the call. */
    private void allIsOver(CompletableFuture<Object> call) {
        calls++;
        assertThat(call).isDone();
        if (call instanceof HedgedFuture<Object> hedged) {
            assertThat(hedged.settled()).isCompleted();
        }
        assertThat(attempts).as("attempts").allMatch(CompletableFuture::isDone);
        assertThat(timer.pending()).as("timers").isZero();
        var metrics = hedge.getMetrics();
        assertThat(metrics.getInFlightAttempts()).as("in flight").isZero();
        assertThat(metrics.getNumberOfCalls()).as("calls").isEqualTo(calls);
        assertThat(metrics.getNumberOfAttempts()).as("attempts").isEqualTo(calls + metrics.getNumberOfHedges());
        assertThat(budget.tokens()).as("tokens").isEqualTo(10 - (attempts.size() - 1));
        budget.add(attempts.size() - 1);

        Object received = call.isCompletedExceptionally() ? null : call.join();
        for (var attempt : attempts) {
            Object value = attempt.isCompletedExceptionally() ? null : attempt.join();
            if (value != null && value != received) {
                assertThat(discarded.remove(value)).as("discarded " + value).isTrue();
            }
        }
        assertThat(discarded).as("other discards").isEmpty();
        attempts.clear();
    }

    /** A future that can be made to take no notice of being cancelled. */
    private static final class Stubborn extends CompletableFuture<Object> {
        private volatile boolean stubborn;

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return !stubborn && super.cancel(mayInterruptIfRunning);
        }
    }
}
