package io.github.hedge4j;

import static io.github.hedge4j.FuzzScript.require;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call of a {@link FuzzScript}: how it is made, how its caller ends it, and whether what was seen of it fits together. */
final class FuzzCall {

    private enum Kind {
        START,
        PLAIN,
        ATTEMPTS,
        TARGETS
    }

    final FuzzScript script;
    final HedgeConfig config;

    /** A result that several attempts, and the caller, may come up with. */
    final FuzzValue shared;

    private final int index;
    private final Kind kind;
    private final int targets;
    private final List<FuzzAttempt> attempts = new CopyOnWriteArrayList<>();
    private final AtomicInteger ends = new AtomicInteger();
    private final AtomicBoolean endedByCaller = new AtomicBoolean();
    private volatile @Nullable CompletionStage<Object> stage;
    private volatile long madeNanos;

    /** Of a call whose {@code settled()} is watched. */
    private volatile @Nullable Long settledNanos;

    FuzzCall(FuzzScript script, int index) {
        this.script = script;
        this.index = index;
        this.config = script.hedge.getHedgeConfig();
        Kind any = script.dice.oneOf(Kind.values());
        // A plain call of a hedge that is off is none: it is the user's own stage that comes back.
        this.kind = any == Kind.PLAIN && config.getMode() == HedgeMode.OFF ? Kind.START : any;
        this.targets = 1 + script.dice.below(5);
        this.shared = new FuzzValue("shared by " + this, script.dice);
    }

    // ---- making it

    void make() {
        madeNanos = script.timer.nanoTime();
        CompletionStage<Object> made = switch (kind) {
            case START -> script.hedge.start(this::invoke);
            case PLAIN ->
                script.hedge
                        .<Object>decorateCompletionStage(() -> invoke(askForAttempt()))
                        .get();
            case ATTEMPTS -> script.hedge.<Object>decorateAttempts(this::invoke).get();
            case TARGETS -> script.hedge.<Object>decorateTargets(targets()).get();
        };
        stage = made;
        require(
                !attempts.isEmpty() && attempts.get(0).number == 0,
                "the primary was not invoked before get() returned");
        CompletionStage<Object> unused = made.whenComplete((value, failure) -> ended());
        if (kind == Kind.START || (script.watched && script.dice.chance(50))) {
            watchSettled();
        }
        if (script.dice.chance(35)) {
            script.later(script.someTicks(), this::endFromOutside);
        }
    }

    private Map<String, Supplier<CompletionStage<Object>>> targets() {
        Map<String, Supplier<CompletionStage<Object>>> byName = new LinkedHashMap<>();
        for (int number = 0; number < targets; number++) {
            int target = number;
            byName.put("target " + number, () -> {
                Attempt attempt = Attempt.current().orElseThrow();
                script.expect(attempt.number() == target, "attempt " + attempt.number() + " asked target " + target);
                return invoke(attempt);
            });
        }
        return byName;
    }

    /** A primary that does not ask has no attempt: nobody needs one until something happens to the call. */
    private @Nullable Attempt askForAttempt() {
        return attempts.isEmpty() && script.dice.chance(70)
                ? null
                : Attempt.current().orElseThrow();
    }

    private CompletionStage<Object> invoke(@Nullable Attempt attempt) {
        int number = attempt == null ? 0 : attempt.number();
        if (!script.hasThreads) {
            script.expect(!isDone(), "attempt " + number + " started after the end");
            script.expect(
                    attempt == null || !attempt.isCancelled(),
                    "attempt " + number + " was cancelled before it started");
        }
        FuzzAttempt invoked = new FuzzAttempt(this, number, attempt);
        attempts.add(invoked);
        return invoked.invoke();
    }

    private boolean isDone() {
        CompletionStage<Object> made = stage;
        return made != null && made.toCompletableFuture().isDone();
    }

    /** Whether nothing can happen to it any more. */
    boolean isOver() {
        return isDone() && attempts.stream().allMatch(FuzzAttempt::isEnded);
    }

    private void ended() {
        script.trace(this, "ended");
        ends.incrementAndGet();
        if (config.isCancelLosers() && !script.hasThreads) {
            for (FuzzAttempt attempt : attempts) {
                script.expect(attempt.isEnded() || attempt.isCancelledIfKnown(), "an attempt runs on after the end");
            }
        }
        script.mischief();
    }

    private void watchSettled() {
        if (stage instanceof HedgedFuture<?> hedged) {
            CompletionStage<CallReport> unused = hedged.settled().whenComplete((report, failure) -> {
                script.trace(this, "settled");
                settledNanos = script.timer.nanoTime();
                script.mischief();
            });
        }
    }

    // ---- what else happens to it

    void endFromOutside() {
        if (!(stage instanceof HedgedFuture<Object> future)) {
            return; // not yet made, or made without a call: then the stage is the user's own
        }
        script.trace("the caller ends", this);
        FuzzDice dice = script.dice;
        boolean did = switch (dice.below(4)) {
            case 0 -> future.cancel(dice.chance(50));
            case 1 -> future.complete(new FuzzValue("from the caller", dice));
            case 2 -> future.complete(shared);
            default -> future.completeExceptionally(new FuzzFailure("from the caller"));
        };
        if (did) {
            endedByCaller.set(true);
        }
    }

    void completeSomeAttempt() {
        if (!attempts.isEmpty()) {
            attempts.get(script.dice.below(attempts.size())).endNow();
        }
    }

    void registerLate() {
        if (!attempts.isEmpty()) {
            attempts.get(script.dice.below(attempts.size())).registerAction();
        }
    }

    List<FuzzAttempt> attempts() {
        return attempts;
    }

    // ---- what must hold

    /** When nothing is due any more but attempts may hang: whoever lost was cancelled, and nobody is waited for. */
    void checkNothingIsLeft() {
        require(stage != null, this + " was never made");
        if (!isDone()) {
            require(
                    attempts.stream().anyMatch(attempt -> !attempt.isEnded()),
                    this + " hangs although no attempt does");
            require(config.getTimeout().isEmpty(), this + " outlived its deadline");
            return;
        }
        CallReport report = report();
        if (report != null && (report.outcome() != CallOutcome.SUCCESS || config.isCancelLosers())) {
            for (FuzzAttempt attempt : attempts) {
                require(attempt.isEnded() || attempt.wasCancelledInVain(), attempt + " was left running");
            }
        }
    }

    void check() {
        require(isDone(), this + " never ended");
        require(ends.get() == 1, this + " ended " + ends.get() + " times");
        checkNumbers();
        attempts.forEach(FuzzAttempt::check);
        checkValues();
        CallReport report = report();
        if (report != null) {
            checkReport(report);
            checkResult(report);
        }
    }

    private void checkNumbers() {
        int most = most();
        require(attempts.size() <= most, this + " made " + attempts.size() + " attempts");
        Set<Integer> numbers = new java.util.HashSet<>();
        for (FuzzAttempt attempt : attempts) {
            require(attempt.number < most && numbers.add(attempt.number), attempt + " has a wrong number");
        }
    }

    private int most() {
        int most = config.getMode() == HedgeMode.OFF ? 1 : config.getMaxAttempts();
        return kind == Kind.TARGETS ? Math.min(targets, most) : most;
    }

    /** Every result is the caller's or was discarded, once. */
    private void checkValues() {
        Object delivered = delivered();
        Set<Object> produced = Collections.newSetFromMap(new IdentityHashMap<>());
        attempts.forEach(attempt -> attempt.values().forEach(produced::add));
        for (Object value : produced) {
            int expected = value == delivered ? 0 : 1;
            require(
                    script.discardsOf(value) == expected,
                    value + " of " + this + " was discarded " + script.discardsOf(value) + " times, not " + expected);
        }
        if (!produced.contains(shared)) {
            require(script.discardsOf(shared) == 0, "what nobody produced was discarded");
        }
    }

    private void checkReport(CallReport report) {
        List<AttemptReport> reported = report.attempts();
        for (int i = 1; i < reported.size(); i++) {
            require(reported.get(i - 1).number() < reported.get(i).number(), "attempts are not in order: " + report);
        }
        boolean all = !script.hasThreads || !config.getLoserGrace().isZero();
        require(!all || reported.size() == attempts.size(), attempts.size() + " attempts were started: " + report);
        for (AttemptReport attempt : reported) {
            require(attempt(attempt.number()).explains(attempt), attempts + " do not explain " + report);
        }
        Long settled = settledNanos;
        boolean waited = settled == null
                || settled - madeNanos
                        >= report.elapsed().plus(config.getLoserGrace()).toNanos();
        require(waited || script.hasThreads || unresponsive() == 0, "given up before its time: " + report);
        boolean failed = attempts.stream().anyMatch(FuzzAttempt::mayHaveAskedForMore);
        require(failed || report.denials().size() <= 1, "one hedge was denied more than once: " + report);
    }

    private void checkResult(CallReport report) {
        require(report.winner().isPresent() == (report.outcome() == CallOutcome.SUCCESS), "who won? " + report);
        Throwable failure = failure();
        switch (report.outcome()) {
            case SUCCESS -> checkWinner(report);
            case FAILURE -> checkFailures(report, failure);
            case TIMEOUT -> require(failure instanceof HedgeTimeoutException, "not a timeout: " + failure);
            case CANCELLED -> require(endedByCaller.get(), this + " was not cancelled");
        }
        require(!endedByCaller.get() || report.outcome() == CallOutcome.CANCELLED, "cancelled, but " + report);
    }

    private void checkWinner(CallReport report) {
        int number = report.winner().orElseThrow();
        FuzzAttempt winner = attempt(number);
        Object delivered = delivered();
        require(failure() == null, "a success failed with " + failure());
        require(winner.hasProduced(delivered), winner + " won, but the result is " + delivered);
        require(!winner.wasCancelled(), winner + " won and was cancelled");
        AttemptOutcome outcome = reportOf(number, report).outcome();
        if (outcome == AttemptOutcome.REJECTED_RESULT) {
            require(
                    report.attempts().stream().noneMatch(other -> other.outcome() == AttemptOutcome.SUCCESS),
                    "a refused result won against a success: " + report);
        } else {
            require(outcome == AttemptOutcome.SUCCESS, "the winner did not succeed: " + report);
        }
    }

    private void checkFailures(CallReport report, @Nullable Throwable failure) {
        List<Throwable> failures = new ArrayList<>();
        report.attempts().forEach(attempt -> attempt.failure().ifPresent(failures::add));
        List<Throwable> told = failure instanceof AllAttemptsFailedException all ? all.getFailures() : List.of(failure);
        failures.retainAll(told); // others may have failed while the call was ending
        require(failures.equals(told), "failed with " + told + ", but " + report);
        boolean endedByOne = attempts.stream().anyMatch(FuzzAttempt::mayHaveEndedTheCall);
        boolean triedAll = attempts.size() == most() || !report.denials().isEmpty();
        require(
                !config.isHedgeOnFailure() || endedByOne || triedAll,
                "failed although more could be started: " + report);
        require(told.size() > 1 == failure instanceof AllAttemptsFailedException, "wrongly wrapped: " + failure);
    }

    private FuzzAttempt attempt(int number) {
        return attempts.stream()
                .filter(attempt -> attempt.number == number)
                .findAny()
                .orElseThrow();
    }

    private static AttemptReport reportOf(int number, CallReport report) {
        return report.attempts().stream()
                .filter(attempt -> attempt.number() == number)
                .findAny()
                .orElseThrow();
    }

    private @Nullable Object delivered() {
        CompletableFuture<Object> future = stage.toCompletableFuture();
        return future.isCompletedExceptionally() ? null : future.getNow(null);
    }

    private @Nullable Throwable failure() {
        return stage.handle((value, failure) -> failure).toCompletableFuture().join();
    }

    /** Null if there was no call: its primary had succeeded at once. */
    private @Nullable CallReport report() {
        if (!(stage instanceof HedgedFuture<?> hedged)) {
            return null;
        }
        CallReport report = hedged.settled().toCompletableFuture().getNow(null);
        require(report != null, this + " never settled");
        return report;
    }

    // ---- what adds up

    boolean ended(CallOutcome outcome) {
        CallReport report = report();
        return report == null ? outcome == CallOutcome.SUCCESS : report.outcome() == outcome;
    }

    boolean wonByPrimary() {
        CallReport report = report();
        return report == null || (report.winner().isPresent() && report.winner().getAsInt() == 0);
    }

    boolean wonByHedge() {
        return ended(CallOutcome.SUCCESS) && !wonByPrimary();
    }

    boolean earnsCredit() {
        CallReport report = report();
        return report == null
                || (report.outcome() == CallOutcome.SUCCESS
                        && reportOf(report.winner().orElseThrow(), report).outcome() == AttemptOutcome.SUCCESS);
    }

    long invocations() {
        return attempts.size();
    }

    long unresponsive() {
        CallReport report = report();
        return report == null
                ? 0
                : report.attempts().stream()
                        .filter(attempt -> attempt.outcome() == AttemptOutcome.UNRESPONSIVE)
                        .count();
    }

    long denials(DenialReason reason) {
        CallReport report = report();
        return report == null
                ? 0
                : report.denials().stream().filter(reason::equals).count();
    }

    /** Whether all its denials are on its report: a call without a trail keeps none. */
    boolean hasTrailFromTheStart() {
        return kind != Kind.PLAIN || script.watched;
    }

    @Override
    public String toString() {
        return "call " + index + " (" + kind + ")";
    }
}
