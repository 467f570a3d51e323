package io.github.hedge4j.examples.demo;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.decorators.HedgeDecorators;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each of three HTTP replicas behind a bulkhead of two, hedged, with two hundred calls in flight that all want one of the six permits. */
@Tag("realtime")
class BulkheadUnderLoadTest {

    private static final int CALLS = 600;
    private static final int IN_FLIGHT = 200;
    private static final int PERMITS = 2;

    private final List<Bulkhead> bulkheads = new ArrayList<>();
    private final Hedge hedge = Hedge.of(
            "replicas",
            HedgeConfig.custom()
                    .delay(HedgeDelay.fixed(Duration.ofMillis(10)))
                    .maxAttempts(3)
                    .budget(HedgeBudget.unlimited())
                    .build());
    private final Retry patient = Retry.of(
            "patient",
            RetryConfig.custom()
                    .maxAttempts(100_000)
                    .waitDuration(Duration.ofMillis(2))
                    .build());

    @Test
    void everyCallGetsItsTurnAndEveryPermitComesBack() throws Exception {
        var scheduler = new ScheduledThreadPoolExecutor(1);
        try (var replicas = Replicas.following(new LatencyLaw(3, 1, 0.1, 10), 5)) {
            var search = search(new ReplicaClient(HttpClient.newHttpClient(), replicas.uris()), scheduler);
            var free = new Semaphore(IN_FLIGHT);
            List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
            for (int n = 0; n < CALLS; n++) {
                assertThat(free.tryAcquire(20, SECONDS))
                        .as("calls go on ending")
                        .isTrue();
                var call = search.get().toCompletableFuture();
                calls.add(call);
                var unused = call.whenComplete((response, failure) -> free.release());
                if (n % 10 == 9) {
                    calls.get(n - 5).cancel(true); // has ended, is running or is waiting for its next try
                }
            }
            assertThat(free.tryAcquire(IN_FLIGHT, 20, SECONDS))
                    .as("no call starves")
                    .isTrue();

            assertThat(calls).allMatch(call -> call.isCancelled() || !call.isCompletedExceptionally());
            assertThat(calls).filteredOn(call -> !call.isCancelled()).hasSizeGreaterThanOrEqualTo(CALLS * 9 / 10);
            assertThat(replicas.awaitIdle(Duration.ofSeconds(10)))
                    .allSatisfy(counts -> assertThat(counts.inFlight()).isZero());
            assertThat(bulkheads)
                    .allSatisfy(bulkhead -> assertThat(bulkhead.getMetrics().getAvailableConcurrentCalls())
                            .isEqualTo(PERMITS));
            assertThat(hedge.getMetrics().getNumberOfCallsWonByHedge()).isPositive();
            assertThat(hedge.getMetrics().getInFlightAttempts()).isZero();
            assertThat(scheduler.getQueue()).isEmpty();
        } finally {
            scheduler.shutdownNow();
        }
    }

    /** Attempt n of a call asks the n-th replica from the call's own; the first is another one for each call. */
    private Supplier<CompletionStage<HttpResponse<String>>> search(
            ReplicaClient client, ScheduledThreadPoolExecutor scheduler) {
        List<Supplier<CompletionStage<HttpResponse<String>>>> guarded = new ArrayList<>();
        for (int n = 0; n < client.size(); n++) {
            int replica = n;
            var bulkhead = Bulkhead.of(
                    "replica " + n,
                    BulkheadConfig.custom()
                            .maxConcurrentCalls(PERMITS)
                            .maxWaitDuration(Duration.ZERO)
                            .build());
            bulkheads.add(bulkhead);
            guarded.add(HedgeDecorators.ofCompletionStage(() -> client.ask(replica))
                    .withBulkhead(bulkhead)
                    .decorate());
        }
        var turn = new AtomicInteger();
        return HedgeDecorators.ofCompletionStage(hedge.<HttpResponse<String>>decorateAttempts(attempt -> {
                    int first = attempt.isHedge() ? turn.get() : turn.incrementAndGet();
                    return guarded.get(Math.floorMod(first + attempt.number(), guarded.size()))
                            .get();
                }))
                .withRetry(patient, scheduler)
                .decorate();
    }
}
