package io.github.hedge4j.benchmarks.report;

import static io.github.hedge4j.benchmarks.report.Goal.atLeast;
import static io.github.hedge4j.benchmarks.report.Goal.atMost;

import io.github.hedge4j.benchmarks.BalanceCost;
import io.github.hedge4j.benchmarks.Balances;
import io.github.hedge4j.benchmarks.EstimatorCost;
import io.github.hedge4j.benchmarks.Estimators;
import io.github.hedge4j.benchmarks.Scenario;
import io.github.hedge4j.benchmarks.Subject;
import io.github.hedge4j.benchmarks.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What hedging may cost. Times and bytes of calls are those beyond the bare call. */
final class Goals {

    private static final String TIMES = " x";
    private static final String BYTES = " B";

    private final Results results;
    private final Measurements times;

    Goals(Results results) {
        this.results = results;
        this.times = results.times();
    }

    List<Goal> all() {
        List<Goal> goals = new ArrayList<>();
        goals.addAll(calls());
        goals.addAll(heap());
        goals.addAll(pieces());
        return goals;
    }

    private List<Goal> calls() {
        Scenario done = Scenario.DONE;
        Scenario pending = Scenario.PENDING;
        Subject fixed = Subject.HEDGE_FIXED;
        Subject ours = Subject.HEDGE_DEFAULTS;
        Subject breaker = Subject.CIRCUIT_BREAKER;
        return List.of(
                atMost(0, BYTES, "already done, fixed delay: allocation", bytes(done, fixed)),
                atMost(0.1, TIMES, "already done, fixed delay: CircuitBreaker's time", time(done, fixed, breaker)),
                atMost(0, BYTES, "already done: allocation", bytes(done, ours)),
                atMost(0.9, TIMES, "already done: CircuitBreaker's time", time(done, ours, breaker)),
                atMost(160, BYTES, "pending, fixed delay: allocation", bytes(pending, fixed)),
                atMost(1.0, TIMES, "pending, fixed delay: CircuitBreaker's time", time(pending, fixed, breaker)),
                atMost(176, BYTES, "pending: allocation", bytes(pending, ours)),
                atMost(1.2, TIMES, "pending: CircuitBreaker's time", time(pending, ours, breaker)),
                atMost(1.3, TIMES, "pending, two threads on one hedge: CircuitBreaker's time", overTwoThreads(ours)),
                atLeast(2.5, TIMES, "pending: Finagle takes ... our time", time(pending, Subject.FINAGLE, ours)),
                atLeast(3, TIMES, "pending: Finagle allocates ... our bytes", space(Subject.FINAGLE, ours)),
                atLeast(
                        2,
                        TIMES,
                        "pending: the naive race of two takes ... our time",
                        time(pending, Subject.RACE_OF_TWO, ours)),
                atLeast(
                        2.5,
                        TIMES,
                        "pending: the naive race of two allocates ... our bytes",
                        space(Subject.RACE_OF_TWO, ours)),
                atLeast(
                        2,
                        TIMES,
                        "pending: the naive race of one takes ... our time",
                        time(pending, Subject.RACE_OF_ONE, ours)),
                atLeast(
                        2.5,
                        TIMES,
                        "pending: the naive race of one allocates ... our bytes",
                        space(Subject.RACE_OF_ONE, ours)));
    }

    private List<Goal> heap() {
        List<Goal> goals = new ArrayList<>();
        for (int calls : Suite.IN_FLIGHT) {
            HeapUse heap = results.heapBeyondRaw(Subject.HEDGE_DEFAULTS, calls);
            String of = String.format(Locale.ROOT, " of %,d", calls);
            goals.add(atMost(176, BYTES, "heap per call in flight," + of, heap.inFlight()));
            goals.add(atMost(48, BYTES, "heap per call that has ended," + of, heap.afterwards()));
        }
        return goals;
    }

    private List<Goal> pieces() {
        List<Spread> late = results.lateness(Timers.HEDGE);
        List<Spread> latePool = results.lateness(Timers.POOL_REMOVING);
        return List.of(
                atMost(
                        1.5,
                        TIMES,
                        "lateness, p50: ScheduledThreadPoolExecutor's",
                        late.get(0).over(latePool.get(0))),
                atMost(
                        1.5,
                        TIMES,
                        "lateness, p99: ScheduledThreadPoolExecutor's",
                        late.get(1).over(latePool.get(1))),
                atMost(
                        1,
                        TIMES,
                        "telling the delay, one thread: AtomicHistogram's time",
                        recording(Estimators.DELAY, 1)),
                atMost(
                        0.3,
                        TIMES,
                        "telling the delay, two threads: AtomicHistogram's time",
                        recording(Estimators.DELAY, 2)),
                atMost(
                        1,
                        TIMES,
                        "telling the curve, one thread: AtomicHistogram's time",
                        recording(Estimators.CURVE, 1)),
                atMost(
                        0.3,
                        TIMES,
                        "telling the curve, two threads: AtomicHistogram's time",
                        recording(Estimators.CURVE, 2)),
                atMost(0.5, TIMES, "budget, two threads: one AtomicLong's time", paying(2)));
    }

    private Spread bytes(Scenario scenario, Subject subject) {
        return times.overhead(scenario, subject, 1).bytes();
    }

    private Spread time(Scenario scenario, Subject subject, Subject than) {
        return times.overhead(scenario, subject, 1)
                .nanos()
                .over(times.overhead(scenario, than, 1).nanos());
    }

    private Spread space(Subject subject, Subject than) {
        return bytes(Scenario.PENDING, subject).over(bytes(Scenario.PENDING, than));
    }

    private Spread overTwoThreads(Subject subject) {
        return times.overhead(Scenario.PENDING, subject, 2)
                .nanos()
                .over(times.overhead(Scenario.PENDING, Subject.CIRCUIT_BREAKER, 2)
                        .nanos());
    }

    private Spread recording(Estimators estimator, int threads) {
        return times.get(EstimatorCost.class, "record", threads, estimator)
                .nanos()
                .over(times.get(EstimatorCost.class, "record", threads, Estimators.HDR_ATOMIC)
                        .nanos());
    }

    private Spread paying(int threads) {
        return times.get(BalanceCost.class, "call", threads, Balances.HEDGE)
                .nanos()
                .over(times.get(BalanceCost.class, "call", threads, Balances.COMPARE_AND_SET)
                        .nanos());
    }
}
