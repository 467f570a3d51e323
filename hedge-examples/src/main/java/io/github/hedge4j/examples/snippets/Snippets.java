package io.github.hedge4j.examples.snippets;

import io.github.hedge4j.AllAttemptsFailedException;
import io.github.hedge4j.Attempt;
import io.github.hedge4j.CallOutcome;
import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.HedgeMode;
import io.github.hedge4j.HedgeRegistry;
import io.github.hedge4j.HedgeReports;
import io.github.hedge4j.HedgedFuture;
import io.github.hedge4j.LatestWins;
import io.github.hedge4j.Race;
import io.github.hedge4j.decorators.HedgeDecorators;
import io.github.hedge4j.micrometer.TaggedHedgeMetrics;
import io.github.hedge4j.micrometer.TaggedHedgeMetricsPublisher;
import io.github.hedge4j.time.VirtualTimer;
import io.github.hedge4j.vavr.VavrHedge;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.core.ContextPropagator;
import io.github.resilience4j.retry.Retry;
import io.micrometer.core.instrument.MeterRegistry;
import io.vavr.concurrent.Future;
import io.vavr.control.Try;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Each region between {@code tag::name} and {@code end::name} stands in the documentation too, under {@code snippet: name}. */
@SuppressWarnings("unused")
final class Snippets {

    private static final Logger log = LoggerFactory.getLogger(Snippets.class);

    private Snippets() {}

    static CompletionStage<HttpResponse<String>> quickstart(HttpClient client, HttpRequest request) {
        // tag::quickstart[]
        HedgeRegistry hedges = HedgeRegistry.of(HedgeConfig.custom()
                .delay(HedgeDelay.fixed(Duration.ofMillis(20)))
                .budget(HedgeBudget.ratio(0.10))
                .timeout(Duration.ofMillis(500))
                .build());

        Hedge hedge = hedges.hedge("search");
        Supplier<CompletionStage<HttpResponse<String>>> search =
                hedge.decorateCompletionStage(() -> client.sendAsync(request, BodyHandlers.ofString()));

        CompletionStage<HttpResponse<String>> answer = search.get();
        // end::quickstart[]
        return answer;
    }

    static void targets(Hedge hedge, Function<String, CompletionStage<String>> ask) {
        // tag::targets[]
        Map<String, Supplier<CompletionStage<String>>> replicas = new LinkedHashMap<>();
        replicas.put("eu-1", () -> ask.apply("eu-1"));
        replicas.put("eu-2", () -> ask.apply("eu-2"));

        Supplier<CompletionStage<String>> search = hedge.decorateTargets(replicas);
        // end::targets[]
    }

    static void attempts(Hedge hedge, List<String> replicas, Function<String, CompletionStage<String>> ask) {
        // tag::attempts[]
        AtomicInteger turn = new AtomicInteger();
        Supplier<CompletionStage<String>> search = hedge.decorateAttempts(attempt -> {
            int first = attempt.isHedge() ? turn.get() : turn.incrementAndGet();
            return ask.apply(replicas.get(Math.floorMod(first + attempt.number(), replicas.size())));
        });
        // end::attempts[]
    }

    static void report(Hedge hedge, Function<String, CompletionStage<String>> ask) {
        // tag::report[]
        HedgedFuture<String> answer = hedge.start(attempt -> ask.apply("tail latency"));

        answer.settled().thenAccept(report -> log.info("{}", report));
        // end::report[]
    }

    static void events(Hedge hedge) {
        // tag::events[]
        hedge.getEventPublisher()
                .onHedgeDenied(event -> log.info("no hedge: {}", event.reason()))
                .onCallEnded(event -> log.info("{}", event.report()));
        // end::events[]
    }

    static void slowCalls(Hedge hedge) {
        // tag::slow[]
        hedge.getEventPublisher().onCallEnded(HedgeReports.logSlowerThan(Duration.ofMillis(500)));
        // end::slow[]
    }

    static void failures(Supplier<CompletionStage<String>> search) {
        // tag::failures[]
        CompletionStage<String> answer = search.get().exceptionally(failure -> {
            if (failure instanceof AllAttemptsFailedException all) {
                all.getFailures().forEach(each -> log.error("an attempt failed", each));
            }
            return "nothing found";
        });
        // end::failures[]
    }

    static void failedCalls(Hedge hedge) {
        // tag::failed[]
        hedge.getEventPublisher().onCallEnded(event -> {
            if (event.report().outcome() == CallOutcome.FAILURE) {
                log.warn("{}", event.report());
            }
        });
        // end::failed[]
    }

    static void change(Hedge hedge) {
        // tag::change[]
        HedgeConfig active =
                HedgeConfig.from(hedge.getHedgeConfig()).mode(HedgeMode.ACTIVE).build();

        hedge.changeConfig(active);
        // end::change[]
    }

    // tag::mdc[]
    static final class MdcPropagator implements ContextPropagator<Map<String, String>> {

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
    // end::mdc[]

    static HedgeConfig mdcConfig() {
        // tag::mdc-config[]
        HedgeConfig config =
                HedgeConfig.custom().contextPropagator(new MdcPropagator()).build();
        // end::mdc-config[]
        return config;
    }

    static void vavr(
            Hedge hedge,
            ExecutorService pool,
            Function<String, String> ask,
            Supplier<CompletionStage<String>> search,
            Function<Supplier<CompletionStage<String>>, Supplier<CompletionStage<String>>> logged) {
        // tag::vavr[]
        Supplier<Future<String>> hedged =
                VavrHedge.decorateFuture(hedge, () -> Future.of(pool, () -> ask.apply("tail latency")));

        CompletionStage<Try<String>> result = VavrHedge.executeTry(hedge, search);

        Supplier<CompletionStage<String>> chained =
                VavrHedge.<String>decorator(hedge).andThen(logged).apply(search);
        // end::vavr[]
    }

    static void blocking(Hedge hedge, DataSource dataSource, ExecutorService pool) {
        // tag::blocking[]
        Supplier<CompletionStage<Integer>> score = hedge.decorateCallable(
                () -> {
                    try (Connection connection = dataSource.getConnection();
                            Statement query = connection.createStatement()) {
                        Attempt.current().orElseThrow().onCancel(() -> cancel(query));
                        ResultSet rows = query.executeQuery("select score from credit where customer = 42");
                        rows.next();
                        return rows.getInt(1);
                    }
                },
                pool);
        // end::blocking[]
    }

    private static void cancel(Statement query) {
        try {
            query.cancel();
        } catch (SQLException e) {
            log.warn("The losing query could not be cancelled", e);
        }
    }

    static void discard() {
        // tag::discard[]
        HedgeConfig config = HedgeConfig.custom()
                .delay(HedgeDelay.fixed(Duration.ofMillis(20)))
                .onDiscard(late -> {
                    if (late instanceof HttpResponse<?> response && response.body() instanceof InputStream body) {
                        closeQuietly(body);
                    }
                })
                .build();
        // end::discard[]
    }

    private static void closeQuietly(InputStream body) {
        try {
            body.close();
        } catch (java.io.IOException e) {
            log.debug("Closing a late body failed", e);
        }
    }

    static void race(Supplier<CompletionStage<Integer>> bureau1, Supplier<CompletionStage<Integer>> bureau2) {
        // tag::race[]
        HedgedFuture<Integer> score = Race.firstSuccess(List.of(bureau1, bureau2), Duration.ofMillis(500));
        // end::race[]
    }

    static void unlessStopped(Supplier<CompletionStage<String>> work) {
        // tag::stop[]
        CompletableFuture<Void> shutdown = new CompletableFuture<>();

        HedgedFuture<String> result = Race.unlessStopped(shutdown, work);

        shutdown.complete(null); // the work is cancelled, result fails with StoppedException
        // end::stop[]
    }

    static void latestWins(Function<String, CompletionStage<List<String>>> search) {
        // tag::latest[]
        LatestWins<List<String>> suggestions = new LatestWins<>();

        CompletableFuture<List<String>> first = suggestions.call(() -> search.apply("tail"));
        CompletableFuture<List<String>> second =
                suggestions.call(() -> search.apply("tail lat")); // supersedes the first
        // end::latest[]
    }

    static void chain(
            Function<String, CompletionStage<String>> ask,
            Bulkhead bulkhead,
            Hedge hedge,
            CircuitBreaker circuitBreaker,
            Retry retry,
            ScheduledExecutorService scheduler) {
        // tag::chain[]
        Supplier<CompletionStage<String>> search = HedgeDecorators.ofCompletionStage(() -> ask.apply("tail latency"))
                .withBulkhead(bulkhead) // a permit for each attempt
                .withHedge(hedge)
                .withCircuitBreaker(circuitBreaker) // judges calls, not attempts
                .withRetry(retry, scheduler)
                .withFallback(failure -> "nothing found")
                .decorate();
        // end::chain[]
    }

    static void nesting(Supplier<CompletionStage<String>> source, Bulkhead bulkhead, Hedge hedge) {
        // tag::nesting[]
        CircuitBreaker circuitBreaker = CircuitBreaker.of(
                "search",
                CircuitBreakerConfig.custom()
                        .ignoreExceptions(CancellationException.class) // losers say nothing about the backend
                        .build());

        Supplier<CompletionStage<String>> guarded = CircuitBreaker.decorateCompletionStage(
                circuitBreaker, Bulkhead.decorateCompletionStage(bulkhead, Attempt.cancellable(source)));
        Supplier<CompletionStage<String>> search = Hedge.decorateCompletionStage(hedge, guarded);
        // end::nesting[]
    }

    static void bound(
            Supplier<CompletionStage<String>> source, Retry retry, ScheduledExecutorService scheduler, Hedge hedge) {
        // tag::bound[]
        Supplier<CompletionStage<String>> search = hedge.decorateAttempts(
                attempt -> Retry.decorateCompletionStage(retry, scheduler, attempt.bind(Attempt.cancellable(source)))
                        .get());
        // end::bound[]
    }

    static void metrics(HedgeRegistry hedges, MeterRegistry meters) {
        // tag::metrics[]
        TaggedHedgeMetrics.ofHedgeRegistry(hedges).bindTo(meters);
        // end::metrics[]
    }

    static void metricsPublisher(HedgeConfig config, MeterRegistry meters) {
        // tag::metrics-publisher[]
        HedgeRegistry hedges = HedgeRegistry.of(config, new TaggedHedgeMetricsPublisher(meters));
        // end::metrics-publisher[]
    }

    static void metricsHistogram(HedgeRegistry hedges, MeterRegistry meters) {
        // tag::metrics-histogram[]
        TaggedHedgeMetrics.ofHedgeRegistry(hedges).withCallDurationHistogram().bindTo(meters);
        // end::metrics-histogram[]
    }

    static void virtualTime() {
        // tag::virtual[]
        VirtualTimer timer = new VirtualTimer();
        Hedge hedge = Hedge.of(
                "test",
                HedgeConfig.custom()
                        .delay(HedgeDelay.fixed(Duration.ofMillis(50)))
                        .timer(timer)
                        .executor(Runnable::run)
                        .build());
        CompletableFuture<String> slow = new CompletableFuture<>();
        CompletableFuture<String> quick = CompletableFuture.completedFuture("hedge");

        CompletableFuture<String> call = hedge.start(attempt -> attempt.isHedge() ? quick : slow);
        timer.advance(Duration.ofMillis(50));

        assert call.join().equals("hedge") && slow.isCancelled() && timer.pending() == 0;
        // end::virtual[]
    }
}
