package io.github.hedge4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.time.Timeout;
import io.github.hedge4j.time.VirtualTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One hedge on virtual time. Its attempts are futures that a script or the test ends, the {@link #trail} tells what happened when, and
 * after each test nothing may be left: no timer, no attempt in flight, no counter that does not add up, no result that was neither
 * delivered nor discarded.
 *
 * <p>Unless configured otherwise, a hedge starts 50 ms after the attempt before it, is free, and runs where it is due.
 */
final class Scenario implements AfterEachCallback {

    /** What one attempt does when it is invoked: its source, having been told when to end, or any other stage. */
    @FunctionalInterface
    interface Script {
        CompletionStage<?> play(Source source) throws Throwable;
    }

    final VirtualTimer timer;
    final List<String> trail = new CopyOnWriteArrayList<>();
    final List<Object> discarded = new CopyOnWriteArrayList<>();

    private final long startNanos;
    private final List<Source> sources = new CopyOnWriteArrayList<>();
    private final List<CompletionStage<?>> calls = new CopyOnWriteArrayList<>();
    private final List<Optional<?>> delivered = new CopyOnWriteArrayList<>();
    private final Map<Integer, Script> scripts = new HashMap<>();
    private HedgeConfig config;
    private Hedge hedge;

    Scenario() {
        this(new VirtualTimer());
    }

    Scenario(VirtualTimer timer) {
        this.timer = timer;
        this.startNanos = timer.nanoTime();
        this.config = HedgeConfig.custom()
                .delay(HedgeDelay.fixed(Duration.ofMillis(50)))
                .budget(HedgeBudget.unlimited())
                .timer(timer)
                .executor(Runnable::run)
                .onDiscard(this::discard)
                .build();
    }

    static Script hangs() {
        return source -> source;
    }

    static Script succeedsAfter(long millis, Object value) {
        return source -> {
            source.in(millis, () -> source.complete(value));
            return source;
        };
    }

    static Script failsAfter(long millis, Throwable failure) {
        return source -> {
            source.in(millis, () -> source.completeExceptionally(failure));
            return source;
        };
    }

    static Script succeedsAtOnce(Object value) {
        return source -> {
            source.complete(value);
            return source;
        };
    }

    static Script failsAtOnce(Throwable failure) {
        return source -> {
            source.completeExceptionally(failure);
            return source;
        };
    }

    static Script throwing(Throwable failure) {
        return source -> {
            throw failure;
        };
    }

    /** Never ends by itself and takes no notice of being cancelled. */
    static Script stubborn() {
        return source -> {
            source.stubborn = true;
            return source;
        };
    }

    Scenario configured(UnaryOperator<HedgeConfig.Builder> settings) {
        config = settings.apply(HedgeConfig.from(config)).build();
        return this;
    }

    Scenario primary(Script script) {
        return attempt(0, script);
    }

    Scenario hedge(Script script) {
        return attempt(1, script);
    }

    /** What attempt {@code number} of every call does; those without a script hang. */
    Scenario attempt(int number, Script script) {
        scripts.put(number, script);
        return this;
    }

    /** The hedge of all calls of this scenario, made when first asked for. */
    Hedge hedge() {
        if (hedge == null) {
            hedge = Hedge.of("scenario", config);
        }
        return hedge;
    }

    HedgedFuture<Object> start() {
        HedgedFuture<Object> call = hedge().start(this::invoke);
        watch(call);
        return call;
    }

    /** Makes a call that the test only looks at from outside. */
    void begin() {
        HedgedFuture<Object> unused = start();
    }

    /** Makes a call that gives nothing but its stage. */
    CompletionStage<Object> get() {
        CompletionStage<Object> stage =
                hedge().executeCompletionStage(() -> invoke(Attempt.current().orElseThrow()));
        watch(stage);
        return stage;
    }

    /** For calls that are made otherwise. */
    void watch(CompletionStage<?> call) {
        calls.add(call);
        CompletionStage<?> unused = call.whenComplete((value, failure) -> {
            if (failure == null) {
                delivered.add(Optional.ofNullable(value));
                note("call got " + value);
            } else {
                note("call failed with " + failure.getClass().getSimpleName());
            }
        });
    }

    /** The attempts' function, for calls that are made otherwise. */
    CompletionStage<Object> invoke(Attempt attempt) {
        var source = new Source(attempt);
        sources.add(source);
        note("attempt " + attempt.number() + " started");
        try {
            var stage = scripts.getOrDefault(attempt.number(), hangs()).play(source);
            source.untracked = stage != source;
            return cast(stage);
        } catch (Throwable failure) {
            source.untracked = true;
            Scenario.<RuntimeException>sneakilyThrow(failure);
            throw new AssertionError("not reached", failure);
        }
    }

    /** What the n-th invocation of all runs on. */
    Source source(int number) {
        return sources.get(number);
    }

    int invocations() {
        return sources.size();
    }

    void advance(long millis) {
        timer.advance(Duration.ofMillis(millis));
    }

    /** Adds what happened to the trail, with the time. */
    void note(String what) {
        trail.add((timer.nanoTime() - startNanos) / 1_000_000 + " ms: " + what);
    }

    Hedge.Metrics metrics() {
        return hedge().getMetrics();
    }

    /** What this stage has failed with, as a dependent of it sees that. */
    static Throwable failureOf(CompletionStage<?> call) {
        var future = call.<Throwable>handle((value, failure) -> failure).toCompletableFuture();
        assertThat(future).isCompletedWithValueMatching(failure -> failure != null, "is a failure");
        return future.join();
    }

    CallReport report(HedgedFuture<?> call) {
        assertThat(call.settled()).isCompleted();
        return call.settled().toCompletableFuture().join();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        assertThat(timer.pending()).as("pending timers").isZero();
        if (hedge != null) {
            everyCallHasSettled();
            countersAddUp();
            everyResultWasDeliveredOrDiscardedOnce();
        }
    }

    private void everyCallHasSettled() {
        for (var call : calls) {
            assertThat(call).as("call").isDone();
            if (call instanceof HedgedFuture<?> hedged) {
                Threads.awaitEnd(hedged.settled().toCompletableFuture());
            }
        }
    }

    private void countersAddUp() {
        var metrics = metrics();
        assertThat(metrics.getInFlightAttempts()).as("attempts in flight").isZero();
        assertThat(metrics.getNumberOfCalls())
                .as("calls")
                .isEqualTo(metrics.getNumberOfCallsWonByPrimary()
                        + metrics.getNumberOfCallsWonByHedge()
                        + metrics.getNumberOfFailedCalls()
                        + metrics.getNumberOfTimedOutCalls()
                        + metrics.getNumberOfCancelledCalls());
        assertThat(metrics.getNumberOfAttempts())
                .as("attempts")
                .isEqualTo(sources.size())
                .isEqualTo(metrics.getNumberOfCalls() + metrics.getNumberOfHedges());
        var denials = new ArrayList<Long>();
        for (var reason : DenialReason.values()) {
            denials.add(metrics.getNumberOfDeniedHedges(reason));
        }
        assertThat(metrics.getNumberOfDeniedHedges())
                .as("denials")
                .isEqualTo(denials.stream().mapToLong(Long::longValue).sum());
    }

    private void everyResultWasDeliveredOrDiscardedOnce() {
        List<?> received = delivered.stream().flatMap(Optional::stream).toList();
        for (var source : sources) {
            if (!source.untracked && source.isDone() && !source.isCompletedExceptionally() && source.join() != null) {
                Object value = source.join();
                int expected = occurrences(value, received) > 0 ? 0 : 1;
                assertThat(occurrences(value, discarded))
                        .as("discards of " + value)
                        .isEqualTo(expected);
            }
        }
        assertThat(discarded).doesNotContainNull();
    }

    private static long occurrences(Object value, Collection<?> values) {
        return values.stream().filter(other -> other == value).count();
    }

    private void discard(Object value) {
        discarded.add(value);
        note("discarded " + value);
    }

    @SuppressWarnings("unchecked")
    private static CompletionStage<Object> cast(CompletionStage<?> stage) {
        return (CompletionStage<Object>) stage;
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void sneakilyThrow(Throwable failure) throws X {
        throw (X) failure;
    }

    /** The future of one attempt. Notes on the trail how it is cancelled, and takes its script's timers with it. */
    final class Source extends CompletableFuture<Object> {

        final Attempt attempt;
        private final List<Timeout> timeouts = new CopyOnWriteArrayList<>();
        private Runnable onCancelled = () -> {};
        private boolean stubborn;
        private boolean untracked;

        private Source(Attempt attempt) {
            this.attempt = attempt;
        }

        /** Does this after so many milliseconds, unless this future is cancelled before. */
        void in(long millis, Runnable action) {
            timeouts.add(timer.schedule(action, Duration.ofMillis(millis).toNanos()));
        }

        /** Does this whenever this future is cancelled, with or without effect. */
        void onCancelled(Runnable action) {
            onCancelled = action;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            onCancelled.run();
            note("attempt " + attempt.number() + " cancelled(" + mayInterruptIfRunning + ")");
            if (stubborn) {
                return false;
            }
            timeouts.forEach(Timeout::cancel);
            return super.cancel(mayInterruptIfRunning);
        }
    }
}
