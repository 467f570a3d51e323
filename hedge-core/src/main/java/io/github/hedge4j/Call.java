package io.github.hedge4j;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.delay.DelayRule;
import io.github.hedge4j.future.Stages;
import io.github.hedge4j.time.Expiry;
import io.github.hedge4j.time.Timeout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One use of a hedged supplier. It is the future its caller holds, the listener of its primary and the task of its first timer, in one
 * object, because most calls need nothing more; what others need is in their {@link Trail}.
 *
 * <pre>
 *            +--- a failure asks for the next attempt, or its delay is over ---+
 *            v                                                                 |
 *   NEW --> running ---- first success, all failed, deadline, caller ----> ENDED --> CLOSED --> settled
 *                        decide(): the one deciding write                   tidy,    losers
 *                                                                           complete end
 * </pre>
 *
 * <p><b>One word decides.</b> {@code state} counts attempts started, in transit to their executor and finished, and carries the flag
 * ENDED. Every claim of an attempt's number and the end of the call are compare-and-sets on that word, so no attempt starts after the
 * end, never more than {@code maxAttempts} do, and "nothing is left" is only believed if nothing was claimed since it was seen.
 *
 * <p><b>One thread at a time plans.</b> What comes next (start an attempt, arm the timer, fail because nothing is left) is worked out
 * by the pump's owner alone. Others leave AGAIN and go on; nobody waits. Attempts that fail while they are being started, thousands in
 * a row on an executor that runs them at once, thus become turns of one loop instead of a recursion. Ending never needs the pump.
 *
 * <p><b>The short path is for a call without a trail.</b> It neither cancels nor awaits anybody. Whoever makes a trail marks the word
 * first: from then on the short path is closed, or it has been taken and the trail is told so before anybody sees it.
 *
 * <p><b>Publish, then look again.</b> A timer is armed before the pump is left, and leaving sees ENDED; an attempt is added to the
 * trail before ENDED is looked at once more. So the end finds every timer and every loser, or whoever made it finds the end.
 *
 * <p>No lock is held anywhere while user code runs. The timer's thread only hands over to the executor.
 */
final class Call<T> extends CallState<T> implements Stages.Listener<T>, Expiry {

    /** The start of a call whose delay and deadline can do without the clock until its primary turns out to be pending. */
    static final long UNREAD = Long.MIN_VALUE;

    private static final VarHandle TRAIL;

    static {
        try {
            TRAIL = MethodHandles.lookup().findVarHandle(Call.class, "trail", Trail.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Policy policy;
    final Work<T> work;

    /** Written by the caller's thread before anything else can see the call. */
    private long startNanos;

    /** Written by the caller's thread before the timers are armed; for the trail's primary, if a trail is needed later. */
    private @Nullable CompletionStage<? extends T> primary;

    /** The delay before the next attempt. Written by the pump's owner, read by the end after ENDED. */
    private @Nullable Timeout delay;

    /** The call's deadline; as {@link #delay}. */
    private @Nullable Timeout deadline;

    /** Set once through {@link #TRAIL}, by whoever needs it first. */
    @SuppressWarnings("unused")
    private @Nullable Trail<T> trail;

    Call(Policy policy, Work<T> work, long startNanos) {
        this.policy = policy;
        this.work = work;
        this.startNanos = startNanos;
    }

    // ---- starting

    /** Makes the call, on the caller's thread. */
    Call<T> begin() {
        CallAttempt<T> first = trail().primary;
        if (has(state(), ENDED)) {
            neverStarted(first);
            return this;
        }
        policy.hedge.counters.primaryStarted();
        first.start();
        pumping();
        return this;
    }

    /** Goes on with a call whose primary was invoked before there was a call. */
    Call<T> begin(@Nullable CompletionStage<? extends T> returned, @Nullable Throwable thrown) {
        if (startNanos == UNREAD) {
            startNanos = policy.timer.nanoTime();
        }
        policy.hedge.counters.primaryStarted();
        Trail<T> early = peekTrail(); // somebody asked for the current attempt
        if (early == null) {
            primary = returned;
            Stages.listen(returned, thrown, this);
        } else {
            early.primary.listen(returned, thrown);
        }
        pumping();
        return this;
    }

    /** A delay is over: the attempt with this number is due, on the executor. */
    private void due(int number) {
        long s = state();
        if (has(s, ENDED | PUSHBACK) || next(s) != number) {
            return; // it was started by a failure in the meantime, or must not start any more
        }
        DenialReason reason = permit(number);
        if (reason != null) {
            deny(number, reason);
            return;
        }
        if (claim(number)) {
            start(number);
        } else {
            giveBack();
        }
    }

    /** Starts the attempt whose number this thread has claimed. */
    private void start(int number) {
        Trail<T> t = trail();
        long now = policy.timer.nanoTime();
        t.latestStartNanos = now;
        CallAttempt<T> attempt = new CallAttempt<>(this, number, now, null);
        pump(); // before the supplier, which may block: the next delay counts from here
        if (has(state(), ENDED)) {
            giveBack();
            neverStarted(attempt);
            return;
        }
        t.add(attempt);
        policy.hedge.counters.hedgeStarted();
        if (has(state(), ENDED)) { // the end may have looked through the attempts before this one was there
            attempt.cancel();
        }
        attempt.start();
        if (has(state(), GRACE_OVER)) { // nor may whoever gave up on the losers have seen it
            giveUpOn(attempt);
        }
    }

    private void neverStarted(CallAttempt<T> attempt) {
        attempt.neverStarted();
        if (isSettled(addFinished(attempt))) {
            settle();
        }
    }

    // ---- planning: the pump

    private void pump() {
        if (takePump()) {
            pumping();
        }
    }

    /** The owner's loop: does what is to be done next until nothing is, and nothing has happened since that was seen. */
    private void pumping() {
        int planned = -1;
        armDeadline();
        for (; ; ) {
            long s = state();
            if (has(s, ENDED)) {
                disarm();
                return;
            }
            int number = next(s);
            boolean open = number < policy.maxAttempts && !has(s, PUSHBACK);
            boolean unplanned = open && !has(s, PLANNED) && planned != number;
            if (unplanned || !open) {
                disarmDelay(); // what was armed was for an attempt that has started since
            }
            if (takeRequest()) {
                planned = number;
                if (open) {
                    offer(number);
                }
                continue;
            }
            if (unplanned && plan(number, s)) {
                planned = number;
                continue;
            }
            if (isIdle(s)) {
                if (decideIf(s)) {
                    allFailed();
                }
                continue;
            }
            if (leavePump(s, planned == number)) {
                return;
            }
        }
    }

    private boolean takeRequest() {
        Trail<T> t = peekTrail();
        return t != null && t.takeRequest();
    }

    /** Deals with the delay before this attempt. False if that must wait: for the one before to start, or for the call to fail. */
    private boolean plan(int number, long s) {
        long nanos = policy.delayNanos(number);
        if (nanos <= 0) {
            offer(number);
            return true;
        }
        if (isIdle(s) || isInTransit(s)) {
            return false;
        }
        if (nanos == DelayRule.NONE) {
            raise(COLD);
            deny(number, DenialReason.COLD);
        } else if (nanos == Policy.BROKEN) {
            deny(number, DenialReason.ERROR);
        } else {
            armDelay(number, nanos);
        }
        return true;
    }

    private void armDelay(int number, long nanos) {
        long from = number == 1 ? startNanos : trail().latestStartNanos;
        long dueNanos = from + nanos;
        if (policy.timeoutNanos > 0 && dueNanos - (startNanos + policy.timeoutNanos) >= 0) {
            deny(number, DenialReason.DEADLINE);
            return;
        }
        delay = policy.arm(number == 1 ? this : () -> delayOver(number), dueNanos);
        if (delay == null) {
            deny(number, DenialReason.ERROR);
        }
    }

    private void armDeadline() {
        if (policy.timeoutNanos > 0 && deadline == null && !has(state(), ENDED)) {
            deadline =
                    policy.arm((Expiry) () -> policy.dispatch(this::deadlinePassed), startNanos + policy.timeoutNanos);
        }
    }

    /** The primary outlived the delay it was issued with; on the timer's thread. */
    @Override
    public void run() {
        if (!has(raise(LATE), ENDED)) {
            policy.exceeded(policy.timer.nanoTime() - startNanos);
            delayOver(1);
        }
    }

    /** Hands over to the executor; on the timer's thread. */
    private void delayOver(int number) {
        try {
            policy.executor.execute(() -> due(number));
        } catch (Throwable refused) {
            if (isDenied(DenialReason.EXECUTOR)) {
                policy.dispatch(() -> policy.hedge.publisher.hedgeDenied(number, DenialReason.EXECUTOR));
            }
        }
    }

    /** Hands the next attempt to the executor if it may start; by the pump's owner. */
    private void offer(int number) {
        DenialReason reason = permit(number);
        if (reason != null) {
            deny(number, reason);
            return;
        }
        if (!send(number)) { // its delay was over meanwhile, and what it got was a permit for this number
            giveBack();
            return;
        }
        AtomicBoolean taken = new AtomicBoolean();
        try {
            policy.starter.execute(() -> {
                if (taken.compareAndSet(false, true)) {
                    arrived();
                }
            });
        } catch (Throwable refused) {
            if (taken.compareAndSet(false, true)) {
                notStarted(number, DenialReason.EXECUTOR);
            }
        }
    }

    /** An offered attempt has reached its executor and gets its number. */
    private void arrived() {
        int number = arrive();
        if (number == TOO_LATE) {
            giveBack();
        } else if (number == STOPPED) {
            notStarted(next(state()) - 1, DenialReason.PUSHBACK);
            pump();
        } else {
            start(number);
        }
    }

    /** An offered attempt does not start after all. It is in transit until that is on record: nobody fails the call before. */
    private void notStarted(int number, DenialReason reason) {
        giveBack();
        deny(number, reason);
        turnBack();
    }

    /** Why this attempt may not start, or null if it may: then it holds a token and a place among the hedges in flight. */
    private @Nullable DenialReason permit(int number) {
        return number < work.limit() ? policy.permit() : DenialReason.NO_TARGET;
    }

    private void giveBack() {
        policy.giveBack();
    }

    private void deny(int number, DenialReason reason) {
        if (isDenied(reason)) {
            policy.hedge.publisher.hedgeDenied(number, reason);
        }
    }

    /** Notes that a hedge was denied. False if the call has ended meanwhile: then nothing was due any more. */
    private boolean isDenied(DenialReason reason) {
        if (has(state(), ENDED)) {
            return false;
        }
        Trail<T> t = peekTrail();
        if (t != null) {
            t.denied(reason);
        }
        policy.hedge.counters.denied(reason);
        return true;
    }

    private void disarm() {
        disarmDelay();
        if (deadline != null) {
            deadline.cancel();
        }
    }

    private void disarmDelay() {
        Timeout armed = delay;
        if (armed != null) {
            armed.cancel();
        }
    }

    // ---- ending

    /** The primary of a call without a trail has ended. */
    @Override
    public void accept(@Nullable T value, @Nullable Throwable failure) {
        boolean refused = failure == null && policy.refuses(value);
        if (failure == null && !refused && decideAlone()) {
            disarm();
            policy.hedge.counters.primaryWon();
            policy.credit();
            learnShortly();
            completeFromInside(value);
            Trail<T> made = peekTrail();
            if (made != null) { // made between the decision and the completion, and perhaps waiting for that
                discardLeftovers(made);
                settle();
            }
        } else {
            trail().primary.ended(value, failure, refused);
        }
    }

    /** An attempt has ended, whose {@link CallAttempt#outcome} is known; called once for each. */
    void attemptEnded(CallAttempt<T> attempt, @Nullable T value) {
        switch (attempt.outcome()) {
            case SUCCESS -> {
                if (decide(ONE_FINISHED)) {
                    policy.credit();
                    succeed(attempt, value);
                } else {
                    endedLate(attempt);
                }
            }
            case REJECTED_RESULT -> {
                trail().latestRefused = attempt;
                endedInVain(attempt, policy.hedgeOnFailure);
            }
            default -> failed(attempt);
        }
    }

    private void failed(CallAttempt<T> attempt) {
        Throwable failure = attempt.failure();
        trail().latestFailure = failure;
        Policy.Verdict verdict = failure == null || has(state(), ENDED) ? Policy.Verdict.WAIT : policy.judge(failure);
        switch (verdict) {
            case END -> {
                if (decide(ONE_FINISHED)) {
                    fail();
                } else {
                    endedLate(attempt);
                }
                return;
            }
            case STOP -> stopHedging(DenialReason.PUSHBACK);
            case BROKEN -> stopHedging(DenialReason.ERROR);
            default -> {}
        }
        endedInVain(attempt, verdict == Policy.Verdict.NEXT);
    }

    /** No further attempt starts in this call; the one that was due next is denied. */
    private void stopHedging(DenialReason reason) {
        long s = raise(PUSHBACK);
        if (!has(s, PUSHBACK | ENDED) && next(s) < policy.maxAttempts) {
            deny(next(s), reason);
        }
    }

    /** An attempt has ended that cannot end the call by itself. */
    private void endedInVain(CallAttempt<T> attempt, boolean wantsNext) {
        if (wantsNext) {
            trail().request();
        }
        long s = addFinished(attempt);
        if (has(s, ENDED)) {
            afterEnd(attempt, s);
        } else {
            publish(attempt);
            pump();
        }
    }

    private void endedLate(CallAttempt<T> attempt) {
        afterEnd(attempt, addFinished(attempt));
    }

    /** Between ENDED and CLOSED, whoever closes looks after what has ended; from then on everyone does so himself. */
    private void afterEnd(CallAttempt<T> attempt, long s) {
        if (has(s, CLOSED)) {
            publish(attempt);
            discardValueOf(attempt);
            if (isSettled(s)) {
                settle();
            }
        }
    }

    private void succeed(CallAttempt<T> winner, @Nullable T value) {
        if (winner.isHedge()) {
            policy.hedge.counters.hedgeWon(winner);
        } else {
            policy.hedge.counters.primaryWon(winner);
            if (winner.hasSucceeded()) {
                learn(winner.endNanos() - startNanos, 1);
            }
        }
        finish(CallOutcome.SUCCESS, winner, () -> completeFromInside(value));
    }

    @SuppressWarnings("unchecked")
    private void allFailed() {
        CallAttempt<T> refused = trail().latestRefused;
        if (refused != null) {
            succeed(refused, (T) refused.takeValue());
        } else {
            fail();
        }
    }

    private void fail() {
        policy.hedge.counters.failed();
        List<Throwable> failures = trail().failures();
        Throwable failure = failures.size() == 1
                ? failures.get(0)
                : policy.allFailed(failures, requireNonNull(trail().latestFailure));
        finish(CallOutcome.FAILURE, null, () -> failFromInside(failure));
    }

    /** On the executor. */
    private void deadlinePassed() {
        if (decide(0)) {
            if (!has(state(), LATE) && !trail().primary.isEnded()) {
                policy.timedOut(policy.timer.nanoTime() - startNanos);
            }
            policy.hedge.counters.timedOut();
            Throwable timeout = policy.timedOut(trail().failures());
            finish(CallOutcome.TIMEOUT, null, () -> failFromInside(timeout));
        }
    }

    @Override
    protected boolean endFromOutside(Runnable ending) {
        if (!decide(0)) {
            return false;
        }
        policy.hedge.counters.cancelled();
        finish(CallOutcome.CANCELLED, null, ending);
        return true;
    }

    /** Everything that follows the deciding write, by the thread that made it: tidy, complete, publish. */
    private void finish(CallOutcome outcome, @Nullable CallAttempt<T> winner, Runnable completion) {
        Trail<T> t = trail();
        t.end(outcome, winner, policy.timer.nanoTime());
        learnCensored(t);
        if (outcome == CallOutcome.SUCCESS) {
            policy.hedge.counters.succeededAfter(t.endNanos() - startNanos, 1);
        }
        disarm();
        if (outcome != CallOutcome.SUCCESS || policy.cancelLosers) {
            t.forEachAttempt(CallAttempt::cancel);
        }
        completion.run();
        close(t);
    }

    private void close(Trail<T> t) {
        long s = raise(CLOSED) | CLOSED;
        t.forEachAttempt(attempt -> {
            if (attempt.isEnded()) {
                publish(attempt);
                discardValueOf(attempt);
            }
        });
        discardLeftovers(t);
        policy.hedge.publisher.callEnded(this);
        if (isSettled(s)) {
            settle();
        } else {
            awaitLosers(t);
        }
    }

    /** The primary succeeded just now; the clock is only read if somebody wants to know how long it took. */
    private void learnShortly() {
        long s = state();
        int weight = has(s, LATE) ? 1 : policy.hedge.sampling.weightPending(startNanos);
        if (weight > 0 || policy.wantsLatency() || has(s, COLD)) {
            long latencyNanos = policy.timer.nanoTime() - startNanos;
            learn(latencyNanos, weight);
            if (weight > 0) {
                policy.hedge.counters.succeededAfter(latencyNanos, weight);
            }
        } else {
            learn(0, 0);
        }
    }

    /** The primary succeeded after this time. The delay is told unless it was over by then, which it has been told already. */
    private void learn(long latencyNanos, int weight) {
        long s = state();
        if (!has(s, LATE)) {
            policy.completed(policy.wantsLatency() || has(s, COLD) ? latencyNanos : 0, has(s, COLD));
        }
        if (weight > 0) {
            policy.hedge.sampling.completed(latencyNanos, weight);
        }
    }

    /** The call has ended without its primary having succeeded: it takes longer than it was let run. */
    private void learnCensored(Trail<T> t) {
        CallAttempt<T> first = t.primary;
        if (first.wasStarted() && !first.hasSucceeded()) {
            policy.hedge.sampling.censored((first.isEnded() ? first.endNanos() : t.endNanos()) - startNanos);
        }
    }

    // ---- afterwards: losers, their results and their report

    private void awaitLosers(Trail<T> t) {
        Expiry graceOver = () -> policy.dispatch(this::giveUp);
        Timeout grace =
                policy.graceNanos > 0 ? policy.arm(graceOver, policy.timer.nanoTime() + policy.graceNanos) : null;
        if (grace == null) {
            giveUp();
            return;
        }
        t.grace = grace;
        if (isSettled(state())) { // the last loser may have ended before it could see the timer
            grace.cancel();
        }
    }

    /** The losers' grace is over. One that has just ended, and only has to say so, is not given up on. */
    private void giveUp() {
        raise(GRACE_OVER);
        trail().forEachAttempt(this::giveUpOn);
    }

    private void giveUpOn(CallAttempt<T> attempt) {
        if (attempt.giveUp()) {
            policy.hedge.counters.unresponsive(attempt);
            publish(attempt);
            if (isSettled(addFinished())) {
                settle();
            }
        }
    }

    private void settle() {
        Trail<T> t = trail();
        Timeout grace = t.grace;
        if (grace != null) {
            grace.cancel();
        }
        t.settle(this);
    }

    private void publish(CallAttempt<T> attempt) {
        if (attempt.isFirstToPublish()) {
            policy.hedge.publisher.attemptEnded(attempt);
        }
    }

    private void discardValueOf(CallAttempt<T> attempt) {
        Object value = attempt.takeValue();
        if (value != null && attempt != trail().winner()) {
            discard(value);
        }
    }

    /** Passes on a result that came too late. */
    void discard(Object value) {
        Leftovers leftovers = trail().leftovers;
        if (leftovers != null) {
            leftovers.add(value);
        }
    }

    private static void discardLeftovers(Trail<?> t) {
        if (t.leftovers != null) {
            t.leftovers.discardAll();
        }
    }

    @Override
    public CompletionStage<CallReport> settled() {
        return trail().settled(this).minimalCompletionStage();
    }

    // ---- what attempts ask

    UUID id() {
        return trail().id();
    }

    Optional<Duration> remaining() {
        if (policy.timeoutNanos <= 0) {
            return Optional.empty();
        }
        long nanos = startNanos + policy.timeoutNanos - policy.timer.nanoTime();
        return Optional.of(Duration.ofNanos(Math.max(0, nanos)));
    }

    // ---- state

    /** Counts an attempt that has ended, unless it was counted when it was given up on. */
    private long addFinished(CallAttempt<T> attempt) {
        return attempt.isGivenUp() ? state() : addFinished();
    }

    @SuppressWarnings("unchecked")
    private @Nullable Trail<T> peekTrail() {
        return (Trail<T>) TRAIL.getVolatile(this);
    }

    Trail<T> trail() {
        Trail<T> present = peekTrail();
        if (present != null) {
            return present;
        }
        long before = raise(TRAILED);
        CallAttempt<T> first = new CallAttempt<>(this, 0, startNanos, primary);
        Leftovers leftovers = policy.discard == null ? null : new Leftovers(this);
        Trail<T> made =
                new Trail<>(first, CapturedContext.capture(policy.propagators, policy.hedge.warnings), leftovers);
        if (has(before, PRIMARY_ENDED)) {
            endShortly(made);
        }
        @SuppressWarnings("unchecked")
        Trail<T> witness = (Trail<T>) TRAIL.compareAndExchange(this, null, made);
        if (has(before, PRIMARY_ENDED) && isDone()) {
            settle();
        }
        return witness == null ? made : witness;
    }

    /** Tells a new trail, before anybody else can see it, how the short path has ended the call. */
    private void endShortly(Trail<T> made) {
        long now = policy.timer.nanoTime();
        made.end(CallOutcome.SUCCESS, made.primary, now);
        made.primary.endedShortly(now);
    }
}
