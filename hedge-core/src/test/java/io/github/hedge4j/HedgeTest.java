package io.github.hedge4j;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The forms in which a hedge can be made and used; what it then does is the business of the engine's tests. */
class HedgeTest {

    private final Hedge hedge = Hedge.ofDefaults("backend");

    @Test
    void aHedgeIsMadeOfANameAConfigurationAndTags() {
        var config = HedgeConfig.racing(3);
        var tags = new HashMap<>(Map.of("region", "eu"));
        var tagged = Hedge.of("backend", config, tags);
        tags.clear();

        assertThat(tagged.getName()).isEqualTo("backend");
        assertThat(tagged.getHedgeConfig()).isSameAs(config);
        assertThat(tagged.getTags()).isEqualTo(Map.of("region", "eu")).isUnmodifiable();
        assertThat(Hedge.of("backend", config).getTags()).isEmpty();
        assertThat(hedge.getHedgeConfig()).isSameAs(HedgeConfig.ofDefaults());
    }

    @Test
    @SuppressWarnings("NullAway")
    void nullIsRefused() {
        var config = HedgeConfig.ofDefaults();

        assertThatNullPointerException()
                .isThrownBy(() -> Hedge.ofDefaults(null))
                .withMessage("name must not be null");
        assertThatNullPointerException().isThrownBy(() -> Hedge.of("x", null)).withMessage("config must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> Hedge.of("x", config, null))
                .withMessage("tags must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> Hedge.of("x", config, Collections.singletonMap("region", null)))
                .withMessage("tags must not have a null value, but had one for 'region'");
        assertThatNullPointerException()
                .isThrownBy(() -> Hedge.of("x", config, Collections.singletonMap(null, "eu")))
                .withMessage("tags must not have a null key");
    }

    @Test
    void suppliersOfFuturesAreTakenInEveryForm() {
        Supplier<CompletableFuture<String>> futures = () -> completedFuture("result");
        Supplier<CompletionStage<String>> stages = () -> completedFuture("result");
        Supplier<? extends CompletionStage<? extends String>> wildcards = futures;

        Supplier<CompletionStage<String>> ofFutures = hedge.decorateCompletionStage(futures);
        Supplier<CompletionStage<String>> ofStages = Hedge.decorateCompletionStage(hedge, stages);
        Supplier<CompletionStage<CharSequence>> ofWildcards = hedge.decorateCompletionStage(wildcards);
        Supplier<CompletionStage<String>> ofReference = Hedge.decorateCompletionStage(hedge, this::result);
        CompletionStage<String> ofLambda = hedge.executeCompletionStage(() -> completedFuture("result"));

        assertThat(ofFutures.get()).isCompletedWithValue("result");
        assertThat(ofStages.get()).isCompletedWithValue("result");
        assertThat(ofWildcards.get()).isCompletedWithValue("result");
        assertThat(ofReference.get()).isCompletedWithValue("result");
        assertThat(ofLambda).isCompletedWithValue("result");
    }

    @Test
    void attemptsAreToldWhichTheyAre() {
        Function<Attempt, CompletableFuture<Integer>> attempts = attempt -> completedFuture(attempt.number());

        Supplier<CompletionStage<Integer>> instance = hedge.decorateAttempts(attempts);
        Supplier<CompletionStage<Number>> statically = Hedge.decorateAttempts(hedge, attempts);
        HedgedFuture<Integer> started = hedge.start(attempts);

        assertThat(instance.get()).isCompletedWithValue(0);
        assertThat(statically.get()).isCompletedWithValue(0);
        assertThat(started).isCompletedWithValue(0);
        assertThat(started.settled())
                .isCompletedWithValueMatching(report -> report.attempts().size() == 1);
    }

    @Test
    void targetsAreAskedInOrder() {
        Map<String, Supplier<CompletableFuture<String>>> targets = Map.of("replica-a", this::result);

        Supplier<CompletionStage<String>> instance = hedge.decorateTargets(targets);
        Supplier<CompletionStage<String>> statically = Hedge.decorateTargets(hedge, targets);

        assertThat(instance.get()).isCompletedWithValue("result");
        assertThat(statically.get()).isCompletedWithValue("result");
    }

    @Test
    void callablesAreCalledOnTheExecutor() {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Supplier<CompletionStage<String>> instance = hedge.decorateCallable(() -> "result", executor);
            Supplier<CompletionStage<String>> statically = Hedge.decorateCallable(hedge, () -> "result", executor);

            assertThat(instance.get().toCompletableFuture().join()).isEqualTo("result");
            assertThat(statically.get().toCompletableFuture().join()).isEqualTo("result");
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void aHedgeIsADecoratorInAChain() {
        UnaryOperator<Supplier<CompletionStage<String>>> chain = hedge.decorator();

        var decorated = chain.andThen(
                        other -> Hedge.ofDefaults("other").<String>decorator().apply(other))
                .apply(this::result);

        assertThat(decorated.get()).isCompletedWithValue("result");
    }

    private CompletableFuture<String> result() {
        return completedFuture("result");
    }
}
