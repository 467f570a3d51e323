package io.github.hedge4j;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.hedge4j.time.VirtualTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Results that somebody hands to a hedge or an attempt because nobody waits for them. */
class DiscardTest {

    private final VirtualTimer timer = new VirtualTimer();
    private final List<Object> discarded = new ArrayList<>();
    private final List<Attempt> attempts = new ArrayList<>();
    private final Hedge hedge = Hedge.of(
            "discard",
            HedgeConfig.custom()
                    .delay(HedgeDelay.fixed(ofMillis(50)))
                    .budget(HedgeBudget.unlimited())
                    .timer(timer)
                    .executor(Runnable::run)
                    .onDiscard(result -> {
                        discarded.add(result);
                        throw new IllegalStateException("onDiscard fails");
                    })
                    .build());

    private HedgedFuture<Object> start() {
        HedgedFuture<Object> call = hedge.start(attempt -> {
            attempts.add(attempt);
            return new CompletableFuture<>();
        });
        timer.advance(ofMillis(50));
        return call;
    }

    @AfterEach
    void nothingIsPending() {
        assertThat(timer.pending()).isZero();
    }

    @Test
    void whatAnAttemptDiscardsIsKeptUntilItIsKnownWhatTheCallerGets() {
        HedgedFuture<Object> call = start();

        attempts.get(0).discard("early");
        assertThat(discarded).isEmpty();
        call.cancel(true);

        assertThat(discarded).containsExactly("early");
    }

    @Test
    void whatAnAttemptDiscardsAfterTheEndIsDiscardedAtOnceAndOnce() {
        HedgedFuture<Object> call = start();
        call.cancel(true);

        attempts.get(0).discard("late");
        attempts.get(1).discard("late");

        assertThat(discarded).containsExactly("late");
    }

    @Test
    void theVeryObjectThatTheCallerGetsIsNotDiscarded() {
        HedgedFuture<Object> call = start();

        attempts.get(0).discard("shared");
        call.complete("shared");
        attempts.get(1).discard("shared");

        assertThat(discarded).isEmpty();
    }

    @Test
    void aHedgeDiscardsWhatItIsGivenAtOnce() {
        hedge.discard("delivered");

        assertThat(discarded).containsExactly("delivered");
    }

    @Test
    void nullIsNoResultToDiscard() {
        start().cancel(true);

        assertThatNullPointerException().isThrownBy(() -> attempts.get(0).discard(null));
        assertThatNullPointerException().isThrownBy(() -> hedge.discard(null));
    }
}
