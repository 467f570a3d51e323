package io.github.hedge4j;

import io.github.hedge4j.budget.TokenBalance;
import io.github.hedge4j.delay.DelayRule;
import io.github.hedge4j.event.HedgeEvent;
import io.github.hedge4j.time.Expiry;
import io.github.hedge4j.time.HedgeTimer;
import io.github.hedge4j.time.Timeout;
import io.github.hedge4j.time.VirtualTimer;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One random script: a hedge, up to four calls on it, and everything that was seen of them. Without threads everything happens on the
 * thread that runs the script and a seed tells it all; with threads, what the script does to the engine races with what the engine does.
 */
final class FuzzScript {

    static final Duration TICK = Duration.ofMillis(5);
    private static final int MOST_CALLS = 4;
    private static final int LONGEST_DELAY = 5;

    /** What a predicate, a listener or a delay throws. */
    static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Broken() {
            super("broken by the script", null, false, false);
        }
    }

    final long seed;
    final FuzzDice dice;
    final boolean hasThreads;
    final VirtualTimer timer;
    final FuzzExecutor executor;
    final StandardHedge hedge;
    final boolean watched;

    /** Each call that was made, in order. */
    final List<FuzzCall> calls = new CopyOnWriteArrayList<>();

    private final Queue<Object[]> trace = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable AssertionError> broken = new AtomicReference<>();
    private final AtomicInteger depth = new AtomicInteger();
    private final Map<Object, AtomicInteger> discards = Collections.synchronizedMap(new IdentityHashMap<>());
    private final Map<HedgeEvent.Type, AtomicInteger> events = new EnumMap<>(HedgeEvent.Type.class);
    private final FuzzExecutor.Mood mood;

    /** How often something unexpected happens, in percent. */
    private final int mischief;

    /** How long things take at most; the fewer ticks there are, the more happens at the same one. */
    private final int mostTicks;

    /** How often results are the same object, in percent. */
    final int sharing;

    private final FuzzBalance balance;
    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicInteger learnt = new AtomicInteger();
    private final AtomicInteger predicatesBroken = new AtomicInteger();
    private int limit = Integer.MAX_VALUE;

    FuzzScript(long seed, @Nullable Executor threads) {
        this.seed = seed;
        this.dice = new FuzzDice(seed);
        this.mischief = dice.oneOf(0, 3, 8, 20);
        this.mostTicks = dice.oneOf(2, 4, 12);
        this.sharing = dice.oneOf(0, 30, 90);
        this.hasThreads = threads != null;
        this.timer = new VirtualTimer(dice.chance(50) ? 0 : Long.MAX_VALUE - 20_000_000);
        this.mood = dice.oneOf(FuzzExecutor.Mood.values());
        this.executor =
                new FuzzExecutor(mood, dice, threads, thrown -> broken.compareAndSet(null, new AssertionError(thrown)));
        this.balance = new FuzzBalance(this);
        for (HedgeEvent.Type type : HedgeEvent.Type.values()) {
            events.put(type, new AtomicInteger());
        }
        this.hedge = new StandardHedge("fuzz", config(), Map.of());
        // What a refusing executor does not take runs on a thread: a script without threads must not notice.
        this.watched = dice.chance(60) && (hasThreads || mood != FuzzExecutor.Mood.REFUSING);
        if (watched) {
            hedge.getEventPublisher().onEvent(this::onEvent);
        }
    }

    // ---- the hedge

    private HedgeConfig config() {
        boolean dispatches = hasThreads || mood != FuzzExecutor.Mood.REFUSING;
        HedgeConfig.Builder config = HedgeConfig.custom()
                .timer(new EngineTimer())
                .executor(executor)
                .maxAttempts(1 + dice.below(5))
                .delay(delay())
                .budget(balance)
                .hedgeOnFailure(dice.chance(70))
                .cancelLosers(dice.chance(80))
                .loserGrace(dispatches ? dice.oneOf(Duration.ZERO, TICK, Duration.ofHours(1)) : Duration.ZERO)
                .mode(dice.chance(90) ? HedgeMode.ACTIVE : dice.oneOf(HedgeMode.SHADOW, HedgeMode.OFF))
                .writableStackTraceEnabled(false)
                .onDiscard(this::discarded);
        if (dispatches && dice.chance(40)) {
            config.timeout(TICK.multipliedBy(LONGEST_DELAY + 1 + dice.below(3)));
        }
        if (dice.chance(40)) {
            limit = dice.below(3);
            config.maxConcurrentHedges(limit);
        }
        if (dice.chance(40)) {
            config.hedgeOnResult(this::isRefused);
        }
        if (dice.chance(30)) {
            config.stopHedgingOn(FuzzFailure.Stop.class::isInstance);
        }
        if (dice.chance(30)) {
            config.ignoreExceptions(FuzzFailure.Ignored.class);
        }
        if (dice.chance(10)) {
            config.hedgeOnException(failure -> {
                if (failure instanceof FuzzFailure.Poison) {
                    throw new Broken();
                }
                return true;
            });
        }
        return config.build();
    }

    private HedgeDelay delay() {
        int kind = dice.below(5);
        long[] nanos = new long[6];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = dice.chance(30)
                    ? 0
                    : TICK.multipliedBy(1 + dice.below(LONGEST_DELAY)).toNanos();
        }
        return switch (kind) {
            case 0 -> HedgeDelay.fixed(Duration.ZERO);
            case 1 -> HedgeDelay.fixed(Duration.ofNanos(nanos[0]));
            case 2 ->
                HedgeDelay.perAttempt(number -> {
                    mischief();
                    if (dice.chance(5)) {
                        throw new Broken();
                    }
                    return Duration.ofNanos(nanos[number]);
                });
            default -> () -> new LearningRule(dice.chance(10) ? DelayRule.NONE : nanos[0]);
        };
    }

    /** The script's timer, as the engine sees it: how many of the tasks are the engine's is known here. */
    private final class EngineTimer implements HedgeTimer {

        @Override
        public long nanoTime() {
            return timer.nanoTime();
        }

        @Override
        public Timeout schedule(Runnable task, long delayNanos) {
            pending.incrementAndGet();
            Runnable counted = () -> {
                pending.decrementAndGet();
                task.run();
            };
            Timeout timeout = timer.schedule(task instanceof Expiry ? (Expiry) counted::run : counted, delayNanos);
            return () -> {
                boolean cancelled = timeout.cancel();
                if (cancelled) {
                    pending.decrementAndGet();
                }
                return cancelled;
            };
        }
    }

    /** Wants to be told of every call, and counts what it is told. */
    private final class LearningRule implements DelayRule {

        private final long nanos;

        LearningRule(long nanos) {
            this.nanos = nanos;
        }

        @Override
        public long delayNanos(int number) {
            return nanos;
        }

        @Override
        public boolean learns() {
            return true;
        }

        @Override
        public void completed(long latencyNanos, long issuedNanos) {
            learnt.incrementAndGet();
        }

        @Override
        public void exceeded(long waitedNanos) {
            learnt.incrementAndGet();
        }
    }

    /** A balance that counts; some have no tokens at all, some a few, some enough. */
    private static final class FuzzBalance implements HedgeBudget, TokenBalance {

        private final FuzzScript script;
        private final HedgeBudget budget;
        private TokenBalance tokens = TokenBalance.none();
        final AtomicInteger taken = new AtomicInteger();
        final AtomicInteger givenBack = new AtomicInteger();
        final AtomicInteger credits = new AtomicInteger();

        FuzzBalance(FuzzScript script) {
            this.script = script;
            this.budget = script.dice.oneOf(
                    HedgeBudget.unlimited(),
                    HedgeBudget.unlimited(),
                    HedgeBudget.none(),
                    HedgeBudget.ratio(0.5).withBurst(2),
                    HedgeBudget.ratio(0).withBurst(3).withPerSecond(100));
        }

        @Override
        public TokenBalance open(HedgeTimer timer) {
            tokens = budget.open(timer);
            return this;
        }

        @Override
        public boolean tryTake(long nowNanos) {
            script.mischief();
            if (!tokens.tryTake(nowNanos)) {
                return false;
            }
            taken.incrementAndGet();
            return true;
        }

        @Override
        public void giveBack() {
            givenBack.incrementAndGet();
            tokens.giveBack();
        }

        @Override
        public void credit() {
            credits.incrementAndGet();
            tokens.credit();
        }

        @Override
        public double available(long nowNanos) {
            return tokens.available(nowNanos);
        }
    }

    private boolean isRefused(Object value) {
        mischief();
        if (value instanceof FuzzValue result && result.poison()) {
            predicatesBroken.incrementAndGet();
            throw new Broken();
        }
        return FuzzValue.isRefused(value);
    }

    private void discarded(Object value) {
        trace("discarded", value);
        discards.computeIfAbsent(value, any -> new AtomicInteger()).incrementAndGet();
        mischief();
        if (dice.chance(5)) {
            throw new Broken();
        }
    }

    int discardsOf(Object value) {
        AtomicInteger count = discards.get(value);
        return count == null ? 0 : count.get();
    }

    private void onEvent(HedgeEvent event) {
        events.get(event.getEventType()).incrementAndGet();
        trace("event", event.getEventType());
        mischief();
        if (dice.chance(5)) {
            throw new Broken();
        }
    }

    // ---- running

    void run() {
        try {
            play();
        } catch (AssertionError | RuntimeException failed) {
            throw new AssertionError(
                    "seed " + seed + (hasThreads ? " with threads" : "") + ": " + failed.getMessage() + "\n  "
                            + hedge.getHedgeConfig() + "\n  watched=" + watched + ", executor=" + mood
                            + told(),
                    failed);
        }
    }

    private void play() {
        int first = 1 + dice.below(3);
        for (int i = 0; i < first; i++) {
            later(someTicks(), this::newCall);
        }
        eventually(this::quiesce, () -> calls.forEach(FuzzCall::checkNothingIsLeft));
        eventually(this::letAllEnd, this::check);
    }

    private void letAllEnd() {
        quiesce();
        for (int rounds = 0; letOneEnd(); rounds++) {
            quiesce();
            require(rounds < 1000, "attempts never end");
        }
    }

    /** One attempt that hangs ends after all; false if none does. */
    private boolean letOneEnd() {
        for (FuzzCall call : calls) {
            for (FuzzAttempt attempt : call.attempts()) {
                if (attempt.endNow()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Until nothing is queued, running or due. */
    private void quiesce() {
        while (true) {
            if (executor.runOne()) {
                continue;
            }
            if (executor.isBusy()) {
                if (timer.pending() > 0 && dice.chance(20)) {
                    timer.advance(TICK);
                }
                Thread.onSpinWait();
            } else if (!timer.advanceToNext() && !executor.isBusy() && timer.pending() == 0) {
                if (!executor.runOne()) {
                    return;
                }
            }
        }
    }

    /** In a script without threads at once; otherwise when the last resort's threads, of which nobody knows, are done. */
    private void eventually(Runnable prepare, Runnable check) {
        long giveUpNanos = System.nanoTime() + 5_000_000_000L;
        while (hasThreads && System.nanoTime() - giveUpNanos < 0) {
            try {
                prepare.run();
                check.run();
                return;
            } catch (AssertionError | RuntimeException early) {
                Thread.onSpinWait();
            }
        }
        prepare.run();
        check.run();
    }

    /** Does this after so many ticks, before what is due then. */
    void later(int ticks, Runnable step) {
        timer.schedule(
                () -> {
                    trace("at", timer.nanoTime());
                    checkTimers();
                    executor.onThread(step);
                },
                TICK.multipliedBy(ticks).toNanos());
    }

    /** Between two steps, and not in the middle of one that lets time pass. */
    private void checkTimers() {
        if (!hasThreads && depth.get() == 0 && calls.stream().allMatch(FuzzCall::isOver)) {
            expect(pending.get() == 0, "a timer outlives its call");
        }
    }

    int someTicks() {
        return dice.below(mostTicks);
    }

    private void newCall() {
        if (calls.size() < MOST_CALLS) {
            FuzzCall call = new FuzzCall(this, calls.size());
            calls.add(call);
            call.make();
        }
    }

    /** Now and then something that nobody expects at this point. */
    void mischief() {
        if (!dice.chance(mischief) || depth.get() >= 3) {
            return;
        }
        depth.incrementAndGet();
        try {
            switch (dice.below(6)) {
                case 0 -> executor.runOne();
                case 1 -> advanceWithin();
                case 2 -> newCall();
                case 3 -> someCall(FuzzCall::completeSomeAttempt);
                case 4 -> someCall(FuzzCall::registerLate);
                default -> someCall(FuzzCall::endFromOutside);
            }
        } finally {
            depth.decrementAndGet();
        }
    }

    /** The slow supplier, or predicate, or listener. */
    private void advanceWithin() {
        if (!hasThreads) {
            trace("time passes, from", timer.nanoTime());
            timer.advance(TICK);
        }
    }

    private void someCall(java.util.function.Consumer<FuzzCall> action) {
        if (!calls.isEmpty()) {
            action.accept(calls.get(dice.below(calls.size())));
        }
    }

    // ---- what must hold

    private void check() {
        AssertionError early = broken.get();
        if (early != null) {
            throw early;
        }
        calls.forEach(FuzzCall::check);
        require(timer.pending() == 0, "timers are left: " + timer.pending());
        require(mood != FuzzExecutor.Mood.QUEUED || !executor.runOne(), "tasks are left");
        checkCounters();
        checkBudget();
        checkPlaces();
        if (watched) {
            checkEvents();
        }
    }

    private void checkCounters() {
        Hedge.Metrics metrics = hedge.getMetrics();
        equal(calls.size(), metrics.getNumberOfCalls(), "calls");
        equal(count(FuzzCall::wonByPrimary), metrics.getNumberOfCallsWonByPrimary(), "calls won by primary");
        equal(count(FuzzCall::wonByHedge), metrics.getNumberOfCallsWonByHedge(), "calls won by hedge");
        equal(count(call -> call.ended(CallOutcome.FAILURE)), metrics.getNumberOfFailedCalls(), "failed calls");
        equal(count(call -> call.ended(CallOutcome.TIMEOUT)), metrics.getNumberOfTimedOutCalls(), "timed out");
        equal(count(call -> call.ended(CallOutcome.CANCELLED)), metrics.getNumberOfCancelledCalls(), "cancelled");
        equal(sum(FuzzCall::invocations), metrics.getNumberOfAttempts(), "attempts");
        equal(sum(call -> call.invocations() - 1), metrics.getNumberOfHedges(), "hedges");
        equal(sum(FuzzCall::unresponsive), metrics.getNumberOfUnresponsiveLosers(), "unresponsive losers");
        equal(0, metrics.getInFlightAttempts(), "attempts in flight");
        // Among threads a hedge may be denied while its call is ending.
        boolean allOnReports = !hasThreads && calls.stream().allMatch(FuzzCall::hasTrailFromTheStart);
        for (DenialReason reason : DenialReason.values()) {
            long counted = metrics.getNumberOfDeniedHedges(reason);
            long reported = sum(call -> call.denials(reason));
            if (reason == DenialReason.ERROR && predicatesBroken.get() > 0) {
                reported = Math.max(reported, counted);
            }
            require(
                    allOnReports ? reported == counted : reported <= counted,
                    reason + " reported " + reported + " times, counted " + counted);
        }
        require(learnt.get() <= calls.size(), "a call was learnt from twice");
    }

    private void checkBudget() {
        long started = hedge.getMetrics().getNumberOfHedges();
        long shadows = hedge.getMetrics().getNumberOfDeniedHedges(DenialReason.SHADOW);
        long spent = (long) balance.taken.get() - balance.givenBack.get();
        if (hedge.getHedgeConfig().getMode() == HedgeMode.SHADOW) {
            require(spent >= shadows, "shadows are paid for"); // also if the call ends while one is
        } else {
            equal(started, spent, "tokens spent");
        }
        equal(count(FuzzCall::earnsCredit), balance.credits.get(), "credits");
    }

    /** A place is free if one can be taken, and only one of one. */
    private void checkPlaces() {
        require(hedge.enter(1), "a hedge's place was not given back");
        require(!hedge.enter(1), "a hedge's place was given back twice");
        hedge.leave();
    }

    private void checkEvents() {
        equal(
                sum(FuzzCall::invocations),
                events.get(HedgeEvent.Type.ATTEMPT_STARTED).get(),
                "AttemptStarted events");
        equal(
                sum(FuzzCall::invocations),
                events.get(HedgeEvent.Type.ATTEMPT_ENDED).get(),
                "AttemptEnded events");
        equal(calls.size(), events.get(HedgeEvent.Type.CALL_ENDED).get(), "CallEnded events");
        if (predicatesBroken.get() == 0) {
            equal(
                    hedge.getMetrics().getNumberOfDeniedHedges(),
                    events.get(HedgeEvent.Type.HEDGE_DENIED).get(),
                    "HedgeDenied events");
        }
    }

    private long count(java.util.function.Predicate<FuzzCall> which) {
        return calls.stream().filter(which).count();
    }

    private long sum(java.util.function.ToLongFunction<FuzzCall> what) {
        return calls.stream().mapToLong(what).sum();
    }

    /** For what is seen in the middle of the engine, where a throw would be taken for a user's. */
    void expect(boolean holds, String what) {
        if (!holds) {
            trace("BROKEN:", what);
            broken.compareAndSet(null, new AssertionError(what));
        }
    }

    static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private static void equal(long expected, long actual, String what) {
        require(expected == actual, what + ": expected " + expected + ", but was " + actual);
    }

    /** Put into words only if they are needed. */
    void trace(Object... what) {
        trace.add(what);
    }

    private String told() {
        StringBuilder told = new StringBuilder();
        for (Object[] what : trace) {
            told.append("\n  ");
            for (Object part : what) {
                told.append(part).append(' ');
            }
        }
        return told.toString();
    }
}
