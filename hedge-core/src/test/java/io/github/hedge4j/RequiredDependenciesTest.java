package io.github.hedge4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.decorators.HedgeDecorators;
import io.github.resilience4j.core.CallableUtils;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** All that hedging needs is resilience4j-core and slf4j-api: the root package loads with them, and so does a chain of nothing else. */
class RequiredDependenciesTest {

    @Test
    void hedgingNeedsNoneOfThem() {
        String output = ForkedJvm.runOn(requiredClassPath(), WithoutThem.class);

        assertThat(output).contains("every class of the root package loads", "hedge won", "chain: replaced");
    }

    private static String requiredClassPath() {
        return Stream.of(Hedge.class, RequiredDependenciesTest.class, CallableUtils.class, Logger.class)
                .map(RequiredDependenciesTest::placeOf)
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    static Path placeOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    static final class WithoutThem {

        public static void main(String[] arguments) throws Exception {
            for (String optional : List.of(
                    "io.github.resilience4j.bulkhead.Bulkhead",
                    "io.github.resilience4j.circuitbreaker.CircuitBreaker",
                    "io.github.resilience4j.ratelimiter.RateLimiter",
                    "io.github.resilience4j.retry.Retry",
                    "io.github.resilience4j.timelimiter.TimeLimiter",
                    "io.vavr.concurrent.Future")) {
                mustNotBeThere(optional);
            }
            loadAndVerifyTheRootPackage();
            hedge();
            chain();
        }

        private static void mustNotBeThere(String name) {
            try {
                throw new AssertionError(Class.forName(name) + " is on the class path");
            } catch (ClassNotFoundException expected) {
                // as it should be
            }
        }

        private static void loadAndVerifyTheRootPackage() throws IOException, ClassNotFoundException {
            Path root = placeOf(Hedge.class).resolve("io/github/hedge4j");
            try (Stream<Path> files = Files.list(root)) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".class")).toList()) {
                    String name = file.getFileName().toString().replace(".class", "");
                    if (!name.equals("package-info")) {
                        Class.forName("io.github.hedge4j." + name);
                    }
                }
            }
            System.out.println("every class of the root package loads");
        }

        private static void hedge() throws Exception {
            Hedge hedge = Hedge.of(
                    "alone",
                    HedgeConfig.custom()
                            .delay(HedgeDelay.fixed(Duration.ofMillis(1)))
                            .build());
            String result = hedge.<String>executeCompletionStage(Attempt.cancellable(WithoutThem::ask))
                    .toCompletableFuture()
                    .get();
            System.out.println(result + " won");
        }

        private static CompletionStage<String> ask() {
            return Attempt.current().orElseThrow().isHedge()
                    ? CompletableFuture.completedFuture("hedge")
                    : new CompletableFuture<>();
        }

        /** A chain needs only the modules that it names. */
        private static void chain() {
            String result = HedgeDecorators.<String>ofCompletionStage(
                            () -> CompletableFuture.failedFuture(new IOException()))
                    .withHedge(Hedge.of("chained", HedgeConfig.racing(2)))
                    .with(inner -> inner)
                    .withFallback(IOException.class, failure -> "replaced")
                    .get()
                    .toCompletableFuture()
                    .join();
            System.out.println("chain: " + result);
        }
    }
}
