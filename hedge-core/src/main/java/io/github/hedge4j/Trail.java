package io.github.hedge4j;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.time.Timeout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a call keeps once it is more than a primary that succeeds: its attempts, why hedges were denied, how it ended and who waits for
 * its losers. A plain call never makes one.
 */
final class Trail<T> {

    private static final VarHandle NEWEST;
    private static final VarHandle REPORT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            NEWEST = lookup.findVarHandle(Trail.class, "newest", CallAttempt.class);
            REPORT = lookup.findVarHandle(Trail.class, "report", CompletableFuture.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final CallAttempt<T> primary;

    /** The caller's context, for attempts on other threads; null where nothing is propagated. */
    final @Nullable CapturedContext context;

    /** Attempts, newest first, linked by {@link CallAttempt#older}. Pushed by the thread that starts one. */
    private volatile CallAttempt<T> newest;

    /** Failures that want the next attempt; added before the failure is counted finished, taken by the pump's owner. */
    private final AtomicInteger requests = new AtomicInteger();

    private final ConcurrentLinkedQueue<DenialReason> denials = new ConcurrentLinkedQueue<>();

    /** When the latest attempt started; a hint for the pump, written by the thread that starts one. */
    volatile long latestStartNanos;

    /** Written by an attempt before it is counted finished, read by whoever finds all of them finished. */
    volatile @Nullable CallAttempt<T> latestRefused;

    volatile @Nullable Throwable latestFailure;

    /** What gives up on the losers; written by the thread that ended the call, cancelled by whoever settles it. */
    volatile @Nullable Timeout grace;

    /** The call's id, made when it is first asked for. */
    private @Nullable UUID id;

    /** The end: written once, by the thread that made the deciding write. */
    private volatile @Nullable CallOutcome outcome;

    private @Nullable CallAttempt<T> winner;
    private long endNanos;

    /** No attempt is left but those that were given up on. */
    private volatile boolean isSettled;

    /** Made by the first who asks; completed by whoever finds it and {@link #isSettled}, which is the later of the two at least. */
    @SuppressWarnings("unused") // set through REPORT
    private volatile @Nullable CompletableFuture<CallReport> report;

    /** Null if nobody wants them. */
    final @Nullable Leftovers leftovers;

    Trail(CallAttempt<T> primary, @Nullable CapturedContext context, @Nullable Leftovers leftovers) {
        this.primary = primary;
        this.newest = primary;
        this.context = context;
        this.leftovers = leftovers;
        this.latestStartNanos = primary.startNanos;
    }

    synchronized UUID id() {
        if (id == null) {
            id = UUID.randomUUID();
        }
        return id;
    }

    void add(CallAttempt<T> attempt) {
        do {
            attempt.older = newest;
        } while (!NEWEST.compareAndSet(this, attempt.older, attempt));
    }

    void forEachAttempt(Consumer<? super CallAttempt<T>> action) {
        for (CallAttempt<T> attempt = newest; attempt != null; attempt = attempt.older) {
            action.accept(attempt);
        }
    }

    void request() {
        requests.getAndIncrement();
    }

    boolean takeRequest() {
        if (requests.get() == 0) {
            return false;
        }
        requests.getAndDecrement();
        return true;
    }

    void denied(DenialReason reason) {
        denials.add(reason);
    }

    long endNanos() {
        return endNanos;
    }

    void end(CallOutcome outcome, @Nullable CallAttempt<T> winner, long endNanos) {
        this.winner = winner;
        this.endNanos = endNanos;
        this.outcome = outcome;
    }

    @Nullable
    CallAttempt<T> winner() {
        return outcome == null ? null : winner;
    }

    /** The failures so far, in the order of their attempts. */
    List<Throwable> failures() {
        List<Throwable> failures = new ArrayList<>();
        for (CallAttempt<T> attempt : inOrder()) {
            Throwable failure = attempt.failure();
            if (failure != null) {
                failures.add(failure);
            }
        }
        return failures;
    }

    /** By their numbers; attempts that start at the same time are added in any order. */
    private List<CallAttempt<T>> inOrder() {
        List<CallAttempt<T>> attempts = new ArrayList<>();
        forEachAttempt(attempts::add);
        attempts.sort(Comparator.comparingInt(CallAttempt::number));
        return attempts;
    }

    void settle(Call<T> call) {
        isSettled = true;
        CompletableFuture<CallReport> asked = report;
        if (asked != null) {
            asked.complete(report(call));
        }
    }

    /** Completes when the call is settled. A report is only made if somebody asks for it. */
    CompletableFuture<CallReport> settled(Call<T> call) {
        REPORT.compareAndSet(this, null, new CompletableFuture<CallReport>());
        CompletableFuture<CallReport> asked = requireNonNull(report);
        if (isSettled && !asked.isDone()) {
            asked.complete(report(call));
        }
        return asked;
    }

    /** What is known now; an attempt still in flight is reported as cancelled, without an end. */
    CallReport report(Call<T> call) {
        List<AttemptReport> attempts = new ArrayList<>();
        for (CallAttempt<T> attempt : inOrder()) {
            if (attempt.wasStarted()) {
                attempts.add(attempt.report());
            }
        }
        CallOutcome how = requireNonNull(outcome, "the call has not ended");
        OptionalInt number = winner == null ? OptionalInt.empty() : OptionalInt.of(winner.number());
        Duration elapsed = Duration.ofNanos(endNanos - primary.startNanos);
        return new CallReport(call.policy.hedge.getName(), how, number, attempts, List.copyOf(denials), elapsed);
    }
}
