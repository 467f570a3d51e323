package io.github.hedge4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.time.VirtualTimer;
import java.io.File;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who brings none of the optional dependencies can still hedge. */
@Tag("realtime")
class OptionalDependenciesTest {

    /** A class of each, by the start of its jar's name. */
    private static final Map<String, String> OPTIONAL = Map.of(
            "vavr", "io.vavr.control.Try",
            "resilience4j-retry", "io.github.resilience4j.retry.Retry",
            "resilience4j-circuitbreaker", "io.github.resilience4j.circuitbreaker.CircuitBreaker",
            "resilience4j-bulkhead", "io.github.resilience4j.bulkhead.Bulkhead",
            "resilience4j-timelimiter", "io.github.resilience4j.timelimiter.TimeLimiter",
            "resilience4j-ratelimiter", "io.github.resilience4j.ratelimiter.RateLimiter");

    @Test
    void hedgingNeedsNoneOfThem() {
        String bare = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> OPTIONAL.keySet().stream().noneMatch(new File(entry).getName()::startsWith))
                .collect(Collectors.joining(File.pathSeparator));

        assertThat(ForkedJvm.runOn(bare, Hedging.class)).isEqualTo("present: [], got: [hedge, racer, here]");
    }

    static final class Hedging {
        public static void main(String[] arguments) throws Exception {
            var timer = new VirtualTimer();
            var config = HedgeConfig.custom()
                    .delay(HedgeDelay.fixed(Duration.ofMillis(50)))
                    .timer(timer)
                    .executor(Runnable::run)
                    .build();
            var hedge = HedgeRegistry.of(config).hedge("backend");
            hedge.getEventPublisher().onEvent(event -> {});
            CompletableFuture<String> hedged = hedge.start(attempt ->
                    attempt.isHedge() ? CompletableFuture.completedFuture("hedge") : new CompletableFuture<>());
            timer.advance(Duration.ofMillis(50));
            Supplier<CompletionStage<String>> racer = () -> CompletableFuture.completedFuture("racer");
            var raced = Race.firstSuccess(List.of(racer));
            var called =
                    hedge.decorateCallable(() -> "here", new CallerThread()).get();
            System.out.print("present: " + present() + ", got: "
                    + List.of(
                            hedged.join(),
                            raced.join(),
                            called.toCompletableFuture().join()));
        }

        private static List<String> present() {
            return OPTIONAL.values().stream().filter(Hedging::isPresent).toList();
        }

        private static boolean isPresent(String type) {
            try {
                Class.forName(type);
                return true;
            } catch (ClassNotFoundException e) {
                return false;
            }
        }

        private Hedging() {}
    }
}
