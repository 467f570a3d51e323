package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAtOnce;
import static io.github.hedge4j.Scenario.hangs;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.core.ContextPropagator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;

/** Rule R4: the caller's context is in every attempt, gone afterwards, and nobody else's is touched. */
class ContextTest {

    /** As people write it. */
    private static final class MdcPropagator implements ContextPropagator<Map<String, String>> {

        @Override
        public Supplier<Optional<Map<String, String>>> retrieve() {
            return () -> Optional.ofNullable(MDC.getCopyOfContextMap());
        }

        @Override
        public Consumer<Optional<Map<String, String>>> copy() {
            return context -> context.ifPresent(MDC::setContextMap);
        }

        @Override
        public Consumer<Optional<Map<String, String>>> clear() {
            return context -> MDC.clear();
        }
    }

    /** Takes away what it is told to, and no more; and adds to what is there. */
    private static final class BaggagePropagator implements ContextPropagator<Map<String, String>> {

        static final ThreadLocal<Map<String, String>> BAGGAGE = ThreadLocal.withInitial(HashMap::new);

        @Override
        public Supplier<Optional<Map<String, String>>> retrieve() {
            return () -> BAGGAGE.get().isEmpty() ? Optional.empty() : Optional.of(Map.copyOf(BAGGAGE.get()));
        }

        @Override
        public Consumer<Optional<Map<String, String>>> copy() {
            return context -> BAGGAGE.get().putAll(context.orElseThrow());
        }

        @Override
        public Consumer<Optional<Map<String, String>>> clear() {
            return context -> context.ifPresent(own -> BAGGAGE.get().keySet().removeAll(own.keySet()));
        }
    }

    @RegisterExtension
    final Scenario scenario = new Scenario();

    private final QueueExecutor executor = new QueueExecutor();

    @BeforeEach
    @AfterEach
    void clean() {
        MDC.clear();
        BaggagePropagator.BAGGAGE.remove();
    }

    // ---- MDC

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyAttemptSeesTheCallersMdcAndTheExecutorsThreadKeepsNoneOfIt(boolean executorHasItsOwn) {
        List<String> seen = new ArrayList<>();
        scenario.configured(config ->
                config.contextPropagator(new MdcPropagator()).executor(executor).maxAttempts(3));
        for (int number = 0; number < 3; number++) {
            scenario.attempt(number, source -> {
                seen.add(MDC.get("request") + " and " + MDC.get("own"));
                MDC.put("left", "behind");
                return source;
            });
        }
        MDC.put("request", "r-1");
        var call = scenario.start();
        MDC.clear();

        scenario.advance(50);
        if (executorHasItsOwn) {
            MDC.put("own", "thread's");
        }
        executor.runAll();
        scenario.advance(50);
        executor.runAll();
        scenario.source(2).complete("hedge 2");

        assertThat(call).isCompletedWithValue("hedge 2");
        assertThat(seen).containsExactly("r-1 and null", "r-1 and null", "r-1 and null");
        assertThat(mdc()).isEqualTo(executorHasItsOwn ? Map.of("own", "thread's") : Map.of());
        executor.runAll();
    }

    @Test
    void theCallersOwnMdcIsUntouchedWhereHedgesRunInItsThread() {
        List<String> seen = new ArrayList<>();
        scenario.configured(config -> config.contextPropagator(new MdcPropagator()))
                .primary(failsAtOnce(new IOException()))
                .hedge(source -> {
                    seen.add(MDC.get("request"));
                    source.complete("hedge");
                    return source;
                });
        MDC.put("request", "r-1");

        var call = scenario.start();

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(seen).containsExactly("r-1");
        assertThat(mdc()).isEqualTo(Map.of("request", "r-1"));
    }

    /** A direct executor runs a hedge on the thread that failed the primary, which may be busy with somebody else's request. */
    @Test
    void aCallerWithoutAContextIsNotGivenTheOneOfTheThreadThatFailsItsPrimary() {
        List<String> seen = new ArrayList<>();
        scenario.configured(config -> config.contextPropagator(new MdcPropagator()))
                .hedge(source -> {
                    seen.add(MDC.get("request"));
                    source.complete("hedge");
                    return source;
                });
        var call = scenario.start();

        MDC.put("request", "somebody else's");
        scenario.source(0).completeExceptionally(new IOException());

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(seen).containsExactly((String) null);
        assertThat(mdc()).isEqualTo(Map.of("request", "somebody else's"));
    }

    @Test
    void aSupplierThatThrowsLeavesNoContextBehind() {
        scenario.configured(
                        config -> config.contextPropagator(new MdcPropagator()).executor(executor))
                .primary(failsAtOnce(new IOException()))
                .hedge(Scenario.throwing(new IllegalStateException()));
        MDC.put("request", "r-1");
        var call = scenario.start();
        MDC.clear();

        executor.runAll();

        assertThat(call).isCompletedExceptionally();
        assertThat(mdc()).isEmpty();
    }

    @Test
    void nestedHedgesPassTheContextOn() {
        List<String> seen = new ArrayList<>();
        scenario.configured(
                config -> config.contextPropagator(new MdcPropagator()).executor(executor));
        var inner = Hedge.of(
                "inner", HedgeConfig.from(scenario.hedge().getHedgeConfig()).build());
        scenario.hedge(source -> inner.start(attempt -> {
            seen.add("inner " + attempt.number() + " of " + MDC.get("request"));
            return attempt.isHedge() ? CompletableFuture.completedFuture("inner hedge") : new CompletableFuture<>();
        }));
        MDC.put("request", "r-1");
        var call = scenario.start();
        MDC.clear();

        scenario.advance(50);
        executor.runAll();
        scenario.advance(50);
        executor.runAll();

        assertThat(call).isCompletedWithValue("inner hedge");
        assertThat(seen).containsExactly("inner 0 of r-1", "inner 1 of r-1");
        assertThat(mdc()).isEmpty();
        executor.runAll();
    }

    @Test
    void nestedHedgesOnOneThreadPutBackWhatEachFound() {
        List<String> seen = new ArrayList<>();
        scenario.configured(config -> config.contextPropagator(new MdcPropagator()))
                .primary(failsAtOnce(new IOException()));
        var inner = Hedge.of(
                "inner", HedgeConfig.from(scenario.hedge().getHedgeConfig()).build());
        scenario.hedge(source -> {
            MDC.put("request", "changed inside");
            var result = inner.<Object>start(attempt -> {
                seen.add(MDC.get("request"));
                return attempt.isHedge()
                        ? CompletableFuture.completedFuture("inner hedge")
                        : CompletableFuture.failedFuture(new IOException());
            });
            seen.add(MDC.get("request"));
            return result;
        });
        MDC.put("request", "r-1");

        var call = scenario.start();

        assertThat(call).isCompletedWithValue("inner hedge");
        assertThat(seen).containsExactly("changed inside", "changed inside", "changed inside");
        assertThat(MDC.get("request")).isEqualTo("r-1");
    }

    // ---- blocking work

    @Test
    void blockingWorkSeesTheCallersMdcInEveryAttemptAndThePoolKeepsNoneOfIt() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            List<String> seen = new CopyOnWriteArrayList<>();
            var hedge = Hedge.of(
                    "blocking",
                    HedgeConfig.custom().contextPropagator(new MdcPropagator()).build());
            var work = hedge.<Object>decorateCallable(
                    () -> {
                        seen.add(MDC.get("request"));
                        throw new IOException();
                    },
                    pool);
            MDC.put("request", "r-1");

            var call = work.get().toCompletableFuture();
            Threads.until(call::isDone);

            assertThat(seen).containsExactly("r-1", "r-1");
            assertThat(MDC.get("request")).isEqualTo("r-1");
            for (int i = 0; i < 4; i++) {
                assertThat(pool.submit(ContextTest::mdc).get(20, TimeUnit.SECONDS))
                        .isEmpty();
            }
        } finally {
            Threads.end(pool);
        }
    }

    @Test
    void poolsThatRunInTheCallersThreadLeaveItsMdcAlone() {
        var hedge = Hedge.of(
                "blocking",
                HedgeConfig.custom().contextPropagator(new MdcPropagator()).build());
        MDC.put("request", "r-1");

        var call = hedge.decorateCallable(
                        () -> {
                            String request = MDC.get("request");
                            MDC.put("left", "behind");
                            return request;
                        },
                        new CallerThread())
                .get();

        assertThat(call.toCompletableFuture()).isCompletedWithValue("r-1");
        assertThat(mdc()).isEqualTo(Map.of("request", "r-1"));
    }

    // ---- other propagators

    @Test
    void aPropagatorThatOnlyTakesAwayWhatItIsToldIsToldWhatWasPutThere() {
        List<Map<String, String>> seen = new ArrayList<>();
        scenario.configured(config ->
                        config.contextPropagator(new BaggagePropagator()).executor(executor))
                .hedge(source -> {
                    seen.add(Map.copyOf(BaggagePropagator.BAGGAGE.get()));
                    source.complete("hedge");
                    return source;
                });
        BaggagePropagator.BAGGAGE.get().put("request", "r-1");
        var call = scenario.start();
        BaggagePropagator.BAGGAGE.get().clear();
        BaggagePropagator.BAGGAGE.get().put("own", "thread's");

        scenario.advance(50);
        executor.runAll();

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(seen).containsExactly(Map.of("request", "r-1"));
        assertThat(BaggagePropagator.BAGGAGE.get()).isEqualTo(Map.of("own", "thread's"));
        executor.runAll();
    }

    @Test
    void propagatorsArePutInPlaceInOrderAndTakenAwayInReverse() {
        List<String> trail = new ArrayList<>();
        scenario.configured(config -> config.contextPropagator(noting("a", trail), noting("b", trail))
                        .executor(executor))
                .hedge(source -> {
                    trail.add("hedge");
                    source.complete("hedge");
                    return source;
                });
        var call = scenario.start();
        trail.clear();

        scenario.advance(50);
        executor.runAll();

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(trail)
                .containsExactly(
                        "clear a", "copy a", "clear b", "copy b", "hedge", "clear b", "copy b", "clear a", "copy a");
        executor.runAll();
    }

    /** What cannot be read now could not be put back afterwards. */
    @Test
    void aContextThatCannotBeReadIsLeftAlone() {
        List<String> trail = new ArrayList<>();
        var readable = new boolean[] {true};
        var propagator = propagator(
                () -> {
                    if (!readable[0]) {
                        throw new IllegalStateException("propagator");
                    }
                    return Optional.of("context");
                },
                context -> trail.add("copied"),
                context -> trail.add("cleared"));
        scenario.configured(config -> config.contextPropagator(propagator, new MdcPropagator()))
                .hedge(Scenario.succeedsAtOnce("hedge"));
        try (var log = new CapturedLog()) {
            var call = scenario.start();
            readable[0] = false;
            scenario.advance(50);

            assertThat(call).isCompletedWithValue("hedge");
            assertThat(log.thrown()).containsExactly("propagator");
        }
        assertThat(trail).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"copy", "clear"})
    void aPropagatorThatThrowsDoesNotKeepTheOthersFromWorking(String broken) {
        List<String> seen = new ArrayList<>();
        Consumer<Optional<String>> throwing = context -> {
            throw new IllegalStateException("propagator");
        };
        var propagator = propagator(
                () -> Optional.of("context"),
                broken.equals("copy") ? throwing : context -> {},
                broken.equals("clear") ? throwing : context -> {});
        scenario.configured(config -> config.contextPropagator(propagator, new MdcPropagator(), propagator)
                        .executor(executor))
                .hedge(source -> {
                    seen.add(MDC.get("request"));
                    source.complete("hedge");
                    return source;
                });
        MDC.put("request", "r-1");
        var call = scenario.start();
        MDC.clear();

        scenario.advance(50);
        executor.runAll();

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(seen).containsExactly("r-1");
        assertThat(mdc()).isEmpty();
        executor.runAll();
    }

    @Test
    void theContextIsReadOncePerCallOnTheCallersThread() {
        List<String> threads = new ArrayList<>();
        var propagator = propagator(
                () -> {
                    threads.add(Thread.currentThread().getName());
                    return Optional.empty();
                },
                context -> {},
                context -> {});
        scenario.configured(config -> config.contextPropagator(propagator)).primary(hangs());

        var call = scenario.get().toCompletableFuture();

        assertThat(threads).containsExactly(Thread.currentThread().getName());
        call.cancel(true);
    }

    @Test
    void resilience4jsEmptyPropagatorDoesNothing() {
        scenario.configured(config -> config.contextPropagator(ContextPropagator.<String>empty()))
                .hedge(Scenario.succeedsAtOnce("hedge"));
        try (var log = new CapturedLog()) {
            var call = scenario.start();
            scenario.advance(50);

            assertThat(call).isCompletedWithValue("hedge");
            assertThat(log.thrown()).isEmpty();
        }
    }

    private static Map<String, String> mdc() {
        Map<String, String> context = MDC.getCopyOfContextMap();
        return context == null ? Map.of() : context;
    }

    private static ContextPropagator<String> noting(String name, List<String> trail) {
        return propagator(
                () -> Optional.of(name), context -> trail.add("copy " + name), context -> trail.add("clear " + name));
    }

    private static <V> ContextPropagator<V> propagator(
            Supplier<Optional<V>> retrieve, Consumer<Optional<V>> copy, Consumer<Optional<V>> clear) {
        return new ContextPropagator<>() {
            @Override
            public Supplier<Optional<V>> retrieve() {
                return retrieve;
            }

            @Override
            public Consumer<Optional<V>> copy() {
                return copy;
            }

            @Override
            public Consumer<Optional<V>> clear() {
                return clear;
            }
        };
    }
}
