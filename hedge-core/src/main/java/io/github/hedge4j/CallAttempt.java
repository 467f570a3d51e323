package io.github.hedge4j;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.future.Stages;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a {@link Call}: what the user's supplier sees, what listens to its stage, and what is cancelled when it loses.
 *
 * <pre>
 *   running --REPORTED--> ended
 *      |                    ^
 *      +--CANCELLED---------+        GIVEN_UP: still running when the losers' grace was over
 * </pre>
 *
 * {@code state} takes each flag once. REPORTED is set by whoever reports the end first (a stage may complete twice, or from several
 * threads) and CANCELLED only before it; so an attempt that has ended is never cancelled, and the winner's actions never run. Whoever
 * publishes something for the canceller (the stage, an action) looks at the flag again afterwards: either the canceller saw what was
 * published or the publisher sees the flag, and the atomic take makes sure that only one of them acts.
 */
final class CallAttempt<T> implements Attempt, Stages.Listener<T> {

    private static final int CANCELLED = 1;
    private static final int REPORTED = 2;
    private static final int ENDED = 4;
    private static final int GIVEN_UP = 8;
    private static final int PUBLISHED = 16;
    private static final int NEVER_STARTED = 32;

    private static final VarHandle STATE;
    private static final VarHandle STAGE;
    private static final VarHandle VALUE;
    private static final VarHandle ACTIONS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(CallAttempt.class, "state", int.class);
            STAGE = lookup.findVarHandle(CallAttempt.class, "stage", CompletionStage.class);
            VALUE = lookup.findVarHandle(CallAttempt.class, "value", Object.class);
            ACTIONS = lookup.findVarHandle(CallAttempt.class, "actions", Action.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private record Action(Runnable action, @Nullable Action next) {}

    final Call<T> call;
    private final int number;
    private final @Nullable String target;
    final long startNanos;

    /** The attempt before this one in {@link Trail}'s list; written before this one is published. */
    @Nullable
    CallAttempt<T> older;

    private volatile int state;

    /** What the supplier returned, until it has ended or been cancelled. */
    @SuppressWarnings("unused") // taken through STAGE
    private volatile @Nullable CompletionStage<? extends T> stage;

    /** Registered and not yet taken. */
    private volatile @Nullable Action actions;

    /** How it ended: written before ENDED, by whoever set REPORTED. */
    private AttemptOutcome outcome = AttemptOutcome.CANCELLED;

    private @Nullable Throwable failure;
    private long endNanos;

    /** A result that is neither delivered nor discarded yet. */
    private volatile @Nullable Object value;

    CallAttempt(Call<T> call, int number, long startNanos, @Nullable CompletionStage<? extends T> stage) {
        this.call = call;
        this.number = number;
        this.target = call.work.target(number);
        this.startNanos = startNanos;
        this.stage = stage;
    }

    // ---- what the user's supplier sees

    @Override
    public int number() {
        return number;
    }

    @Override
    public boolean isHedge() {
        return number > 0;
    }

    @Override
    public Optional<String> target() {
        return Optional.ofNullable(target);
    }

    @Override
    public UUID callId() {
        return call.id();
    }

    @Override
    public Optional<Duration> remaining() {
        return call.remaining();
    }

    @Override
    public boolean isCancelled() {
        return has(CANCELLED);
    }

    @Override
    public void onCancel(Runnable action) {
        requireNonNull(action, "action must not be null");
        if (isCancelled()) {
            runLogged(action);
            return;
        }
        Action head;
        do {
            head = actions;
        } while (!ACTIONS.compareAndSet(this, head, new Action(action, head)));
        if (isCancelled()) { // it may have lost between the check and the registration
            forEachTaken(this::runLogged);
        }
    }

    @Override
    public void discard(Object result) {
        call.discard(requireNonNull(result, "result must not be null"));
    }

    @Override
    public <R> Supplier<R> bind(Supplier<? extends R> work) {
        requireNonNull(work, "work must not be null");
        return () -> {
            try {
                return callInContext(work::get);
            } catch (Exception failed) {
                CallAttempt.<RuntimeException>rethrow(failed);
                throw new AssertionError("not reached", failed);
            }
        };
    }

    @SuppressWarnings("unchecked") // a supplier declares no checked exception, whatever it throws
    private static <X extends Exception> void rethrow(Exception failure) throws X {
        throw (X) failure;
    }

    /** Cancels this stage, too, when this attempt is cancelled; it ran inside the supplier and may not be what the supplier returns. */
    void own(CompletionStage<?> running) {
        Sources sources = sources();
        sources.add(running);
        if (isCancelled()) { // it may have lost while the source was being started
            sources.cancel();
        }
    }

    /** Those among the actions, if there are any; an attempt that never asks carries no field for them. */
    private Sources sources() {
        for (Action a = actions; a != null; a = a.next) {
            if (a.action instanceof Sources present) {
                return present;
            }
        }
        Sources made = new Sources();
        onCancel(made);
        return made;
    }

    /** How many of these have not ended. */
    int ownedSources() {
        int size = 0;
        for (Action a = actions; a != null; a = a.next) {
            size += a.action instanceof Sources present ? present.size() : 0;
        }
        return size;
    }

    // ---- starting

    /** Invokes the user's supplier on this thread and listens to what it returns. */
    void start() {
        CompletionStage<? extends T> returned = null;
        Throwable thrown = null;
        try {
            returned = number == 0 ? invoke() : callInContext(this::invoke);
        } catch (Throwable failed) {
            thrown = failed;
        }
        call.policy.hedge.publisher.attemptStarted(this);
        listen(returned, thrown);
    }

    private @Nullable CompletionStage<? extends T> invoke() throws Exception {
        return asCurrent(() -> call.work.invoke(this));
    }

    /** Runs user code of this attempt on a thread that is not the caller's: with the caller's context, as the current attempt. */
    <R> R callInContext(Callable<? extends R> work) throws Exception {
        CapturedContext context = call.trail().context;
        Callable<R> current = () -> asCurrent(work);
        return context == null ? current.call() : context.call(current);
    }

    private <R> R asCurrent(Callable<? extends R> work) throws Exception {
        @Nullable Object[] slot = CurrentAttempt.slot();
        Object outer = slot[0];
        slot[0] = this;
        try {
            return work.call();
        } finally {
            slot[0] = outer;
        }
    }

    /** Lets what the supplier is about to return be cancelled before it does. */
    void publish(CompletionStage<? extends T> running) {
        stage = running;
        if (isCancelled()) { // it may have lost before there was a stage to cancel
            cancelStage();
        }
    }

    void listen(@Nullable CompletionStage<? extends T> returned, @Nullable Throwable thrown) {
        stage = returned;
        Stages.listen(returned, thrown, this);
        if (isCancelled()) { // it may have lost inside the supplier, before there was a stage to cancel
            cancelStage();
        }
    }

    // ---- ending

    /** The stage has ended. */
    @Override
    public void accept(@Nullable T value, @Nullable Throwable failure) {
        ended(value, failure, failure == null && call.policy.refuses(value));
    }

    void ended(@Nullable T value, @Nullable Throwable thrown, boolean refused) {
        int before = (int) STATE.getAndBitwiseOr(this, REPORTED);
        if ((before & REPORTED) != 0) {
            if (value != null && value != this.value) {
                call.discard(value); // a stage that completes twice
            }
            return;
        }
        failure = thrown == null ? null : Stages.unwrap(thrown);
        outcome = outcome(before, refused);
        endNanos = call.policy.timer.nanoTime();
        this.value = value;
        stage = null;
        STATE.getAndBitwiseOr(this, ENDED);
        call.policy.hedge.attemptEnded(this, outcome, (before & GIVEN_UP) != 0);
        call.attemptEnded(this, value);
    }

    private AttemptOutcome outcome(int before, boolean refused) {
        if (failure != null) {
            return (before & CANCELLED) != 0 ? AttemptOutcome.CANCELLED : AttemptOutcome.FAILURE;
        }
        return refused ? AttemptOutcome.REJECTED_RESULT : AttemptOutcome.SUCCESS;
    }

    /** The call ended before this attempt's supplier was invoked, and it never will be. */
    void neverStarted() {
        endNanos = startNanos;
        STATE.getAndBitwiseOr(this, REPORTED | ENDED | PUBLISHED | NEVER_STARTED);
    }

    boolean wasStarted() {
        return !has(NEVER_STARTED);
    }

    /** The primary succeeded on the call's short path, which has counted and published all there is. */
    void endedShortly(long nowNanos) {
        if (((int) STATE.getAndBitwiseOr(this, REPORTED) & REPORTED) == 0) {
            outcome = AttemptOutcome.SUCCESS;
            endNanos = nowNanos;
            STATE.getAndBitwiseOr(this, ENDED | PUBLISHED);
        }
    }

    /** It lost: cancels its future and hands over its actions, unless it has ended by itself. */
    void cancel() {
        int now;
        do {
            now = state;
            if ((now & (REPORTED | CANCELLED)) != 0) {
                return;
            }
        } while (!STATE.compareAndSet(this, now, now | CANCELLED));
        cancelStage();
        for (Action a = actions; a != null; a = a.next) { // all futures before any action, which may block right here
            if (a.action instanceof Sources sources) {
                sources.cancel();
            }
        }
        forEachTaken(this::runOrHandOver);
    }

    private void cancelStage() {
        CompletionStage<?> taken = (CompletionStage<?>) STAGE.getAndSet(this, null);
        if (taken != null) {
            Stages.cancel(taken);
        }
    }

    /** Sources are futures to be cancelled, as the stage is: that is not for later. */
    private void runOrHandOver(Runnable action) {
        if (action instanceof Sources sources) {
            sources.cancel();
        } else {
            call.policy.handOver(() -> runLogged(action));
        }
    }

    private void forEachTaken(Consumer<Runnable> consumer) {
        for (Action a = (Action) ACTIONS.getAndSet(this, null); a != null; a = a.next) {
            consumer.accept(a.action);
        }
    }

    private void runLogged(Runnable action) {
        try {
            action.run();
        } catch (Throwable failed) {
            call.policy.hedge.warnings.warn("A cancel action of hedge '{}' failed", failed);
        }
    }

    /** Its grace is over; true if it was still running. */
    boolean giveUp() {
        int now;
        do {
            now = state;
            if ((now & (REPORTED | GIVEN_UP)) != 0) {
                return false;
            }
        } while (!STATE.compareAndSet(this, now, now | GIVEN_UP));
        return true;
    }

    // ---- afterwards

    /** Does not change any more once it has ended. */
    boolean isGivenUp() {
        return has(GIVEN_UP);
    }

    boolean isEnded() {
        return has(ENDED);
    }

    @Nullable
    String targetName() {
        return target;
    }

    boolean hasSucceeded() {
        return isEnded() && outcome == AttemptOutcome.SUCCESS;
    }

    AttemptOutcome outcome() {
        return outcome;
    }

    /** What it failed with by itself; an attempt that ended because it was cancelled has not failed. */
    @Nullable
    Throwable failure() {
        return isEnded() && outcome == AttemptOutcome.FAILURE ? failure : null;
    }

    long endNanos() {
        return endNanos;
    }

    /** The result that nobody has yet, once. */
    @Nullable
    Object takeValue() {
        return VALUE.getAndSet(this, null);
    }

    /** Whether its end is to be published now, by the one who asks. */
    boolean isFirstToPublish() {
        return ((int) STATE.getAndBitwiseOr(this, PUBLISHED) & PUBLISHED) == 0;
    }

    AttemptReport report() {
        long callStart = call.trail().primary.startNanos;
        boolean ended = isEnded() && !has(GIVEN_UP);
        return new AttemptReport(
                number,
                target(),
                Duration.ofNanos(startNanos - callStart),
                ended ? Optional.of(Duration.ofNanos(endNanos - callStart)) : Optional.empty(),
                has(GIVEN_UP) ? AttemptOutcome.UNRESPONSIVE : ended ? outcome : AttemptOutcome.CANCELLED,
                ended ? Optional.ofNullable(failure()) : Optional.empty());
    }

    private boolean has(int flag) {
        return (state & flag) != 0;
    }

    @Override
    public String toString() {
        return "attempt " + number + (target == null ? "" : " at " + target);
    }
}
