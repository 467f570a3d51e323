package io.github.hedge4j.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.Attempt;
import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.time.VirtualTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

class ReactorRecipeTest {

    private final VirtualTimer timer = new VirtualTimer();
    private final List<String> trail = new ArrayList<>();
    private final Hedge hedge = Hedge.of(
            "reactor",
            HedgeConfig.custom()
                    .delay(HedgeDelay.fixed(Duration.ofMillis(50)))
                    .timer(timer)
                    .executor(Runnable::run)
                    .build());

    // tag::reactor[]
    static <T> Mono<T> hedged(Hedge hedge, Function<Attempt, Mono<T>> attempts) {
        return Mono.fromFuture(
                () -> hedge.start(attempt -> attempts.apply(attempt).toFuture()));
    }
    // end::reactor[]

    private Mono<String> neverAnswers(Attempt attempt) {
        return Mono.<String>never()
                .doOnSubscribe(start -> trail.add("start " + attempt.number()))
                .doOnCancel(() -> trail.add("cancel " + attempt.number()));
    }

    @AfterEach
    void nothingIsPending() {
        assertThat(timer.pending()).isZero();
        assertThat(hedge.getMetrics().getInFlightAttempts()).isZero();
    }

    @Test
    void theLosersSubscriptionIsCancelled() {
        List<String> answers = new ArrayList<>();

        Disposable unused = hedged(hedge, attempt -> attempt.isHedge() ? Mono.just("hedge") : neverAnswers(attempt))
                .subscribe(answers::add);
        timer.advance(Duration.ofMillis(50));

        assertThat(answers).containsExactly("hedge");
        assertThat(trail).containsExactly("start 0", "cancel 0");
    }

    @Test
    void whoeverCancelsTheMonoCancelsAllAttempts() {
        Disposable subscription = hedged(hedge, this::neverAnswers).subscribe();
        timer.advance(Duration.ofMillis(50));

        subscription.dispose();

        assertThat(trail)
                .startsWith("start 0", "start 1")
                .containsExactlyInAnyOrder("start 0", "start 1", "cancel 0", "cancel 1");
        assertThat(hedge.getMetrics().getNumberOfCancelledCalls()).isEqualTo(1);
    }

    @Test
    void nothingStartsBeforeSomebodySubscribesAndEverySubscriptionIsACall() {
        Mono<String> answer = hedged(hedge, attempt -> Mono.just("primary"));
        assertThat(hedge.getMetrics().getNumberOfAttempts()).isZero();

        assertThat(answer.block()).isEqualTo("primary");
        assertThat(answer.block()).isEqualTo("primary");

        assertThat(hedge.getMetrics().getNumberOfCalls()).isEqualTo(2);
    }
}
