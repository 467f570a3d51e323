package io.github.hedge4j;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.decorators.HedgeDecorators;
import io.github.hedge4j.time.VirtualTimer;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The JDK's minimal stages are instances of CompletableFuture that throw when they are used as one. */
class MinimalStageTest {

    private final VirtualTimer timer = new VirtualTimer();
    private final Hedge hedge = Hedge.of(
            "minimal",
            HedgeConfig.custom()
                    .delay(HedgeDelay.fixed(ofMillis(50)))
                    .budget(HedgeBudget.unlimited())
                    .timer(timer)
                    .executor(Runnable::run)
                    .build());

    private CompletionStage<String> call(String way, Supplier<CompletionStage<String>> source) {
        return switch (way) {
            case "attempts" -> hedge.start(attempt -> source.get());
            case "targets" -> hedge.decorateTargets(Map.of("a", source)).get();
            case "cancellable" -> hedge.executeCompletionStage(Attempt.cancellable(source));
            case "chain" ->
                HedgeDecorators.<String>ofCompletionStage(source)
                        .with(inner -> inner)
                        .withFallback((String value) -> false, value -> value)
                        .withHedge(hedge)
                        .withFallback((String value) -> false, value -> value)
                        .get();
            default -> hedge.executeCompletionStage(source);
        };
    }

    @AfterEach
    void nothingIsPending() {
        assertThat(timer.pending()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hedge", "attempts", "targets", "cancellable", "chain"})
    void aMinimalStageIsASourceLikeAnyOther(String way) {
        var pending = new CompletableFuture<String>();
        var running = call(way, pending::minimalCompletionStage).toCompletableFuture();
        assertThat(running.isDone()).isFalse();
        pending.complete("later");

        assertThat(running).isCompletedWithValue("later");
        assertThat(call(way, () -> CompletableFuture.completedStage("x")).toCompletableFuture())
                .isCompletedWithValue("x");
        assertThat(call(way, () -> CompletableFuture.failedStage(new IOException()))
                        .toCompletableFuture())
                .isCompletedExceptionally();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hedge", "attempts", "targets", "cancellable", "chain"})
    void aMinimalStageCannotBeCancelledWhichIsNoNewsForTheLog(String way) {
        var source = new CompletableFuture<String>();
        var running = call(way, source::minimalCompletionStage).toCompletableFuture();

        try (var log = new CapturedLog()) {
            running.cancel(true);

            assertThat(running).isCancelled();
            assertThat(log.messages()).isEmpty();
        }
        source.complete("so it runs on to its end");
    }
}
