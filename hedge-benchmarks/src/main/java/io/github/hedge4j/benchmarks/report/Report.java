package io.github.hedge4j.benchmarks.report;

import io.github.hedge4j.benchmarks.BalanceCost;
import io.github.hedge4j.benchmarks.Balances;
import io.github.hedge4j.benchmarks.CallPath;
import io.github.hedge4j.benchmarks.EstimatorCost;
import io.github.hedge4j.benchmarks.Estimators;
import io.github.hedge4j.benchmarks.HedgedCalls;
import io.github.hedge4j.benchmarks.Scenario;
import io.github.hedge4j.benchmarks.Subject;
import io.github.hedge4j.benchmarks.TimerCost;
import io.github.hedge4j.benchmarks.Timers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What one run has measured, as docs/performance.md. */
final class Report {

    private final Results results;
    private final Measurements times;
    private final Markdown text = new Markdown();

    Report(Results results) {
        this.results = results;
        this.times = results.times();
    }

    String text(String machine, String command) {
        text.heading(1, "Performance")
                .paragraph("Written by `" + command + "`; do not edit. On yours, ratios will be alike and times not.")
                .paragraph("Measured on " + machine + ".")
                .paragraph("""
                        Everything is measured side by side in this one run (JMH with `-prof gc`, each subject in
                        JVMs of its own). A value is the median of all iterations with the quartiles around it; a
                        ratio takes the quartiles of both sides for its bounds, so that its range is rather too
                        wide. On a shared machine a ratio between 0.8 and 1.2 is no difference. "Beyond the bare
                        call" is what is left when the same call without a decorator is subtracted: the one to
                        compare.""");
        goals();
        for (Scenario scenario : Scenario.values()) {
            calls(scenario, 1);
        }
        calls(Scenario.DONE, 2);
        calls(Scenario.PENDING, 2);
        hedgedCalls();
        heap();
        timers();
        lateness();
        estimators();
        balances();
        return text.toString();
    }

    private void goals() {
        text.heading(2, "Goals")
                .paragraph("""
                        Ours has the defaults, and metrics bound, unless a fixed delay is mentioned. Calls are compared
                        beyond the bare call. Where their time goes is in
                        [the rationale](rationale.md#where-does-a-calls-time-go).""")
                .table(
                        List.of("what", "goal", "measured", "result"),
                        new Goals(results).all().stream().map(Goal::row).toList());
    }

    private void calls(Scenario scenario, int threads) {
        List<List<String>> rows = new ArrayList<>();
        Spread breaker =
                times.overhead(scenario, Subject.CIRCUIT_BREAKER, threads).nanos();
        for (Subject subject : Subject.values()) {
            if (times.has(CallPath.class, "call", threads, scenario, subject)) {
                Measurement overhead = times.overhead(scenario, subject, threads);
                boolean isRaw = subject == subject.raw();
                rows.add(List.of(
                        subject.label(),
                        times.call(scenario, subject, threads).nanos().toString(),
                        times.call(scenario, subject, threads).bytes().rounded(),
                        isRaw ? "" : overhead.nanos().rounded(),
                        isRaw ? "" : overhead.bytes().rounded(),
                        isRaw ? "" : overhead.nanos().over(breaker).toString()));
            }
        }
        text.heading(2, "A call: " + scenario.label() + (threads == 1 ? "" : ", two threads on one decorator"))
                .paragraph(about(scenario))
                .table(
                        List.of(
                                "around the call",
                                "ns",
                                "B",
                                "ns beyond the bare call",
                                "B beyond it",
                                "ns beyond it / CircuitBreaker's"),
                        rows);
    }

    private static String about(Scenario scenario) {
        return switch (scenario) {
            case DONE -> "The supplier returns a future that has succeeded.";
            case PENDING -> """
                The supplier returns a future that is pending, and the caller's thread completes it right after:
                what a usual call costs. Delays and timeouts are 100 ms and never pass.""";
            case OTHER_THREAD -> """
                As before, but a second thread that spins completes it. On two cores this is mostly the two cores'
                talk, and whether the decorator saw the future before or after it was completed is chance.""";
            case FAILED -> """
                The supplier returns a future that has failed. Hedges and Retry make a second attempt, which
                succeeds at once, on another thread (Retry after its least wait, a millisecond); the others pass the
                failure on. Budgets are unlimited here.""";
        };
    }

    private void hedgedCalls() {
        List<List<String>> rows = new ArrayList<>();
        Spread ours =
                times.get(HedgedCalls.class, "call", 1, Subject.HEDGE_DEFAULTS).nanos();
        for (Subject subject : Suite.HEDGERS) {
            Measurement call = times.get(HedgedCalls.class, "call", 1, subject);
            rows.add(List.of(
                    subject.label(),
                    call.nanos().toString(),
                    call.bytes().rounded(),
                    call.nanos().over(ours).toString()));
        }
        text.heading(2, "A call: hedged")
                .paragraph("""
                        A thousand calls at a time whose primaries never answer; after 1 ms each is hedged, the
                        hedge answers at once, and the primary is cancelled. The delay is shared by all thousand:
                        1,000 ns per call are waiting. The naive race does not wait.""")
                .table(List.of("around the call", "ns", "B", "ns / ours"), rows);
    }

    private void heap() {
        List<List<String>> rows = new ArrayList<>();
        for (Subject subject : Suite.KEEPERS) {
            if (subject != subject.raw()) {
                List<String> row = new ArrayList<>(List.of(subject.label()));
                for (int calls : Suite.IN_FLIGHT) {
                    row.add(results.heapBeyondRaw(subject, calls).inFlight().rounded());
                }
                for (int calls : Suite.IN_FLIGHT) {
                    row.add(results.heapBeyondRaw(subject, calls).afterwards().rounded());
                }
                rows.add(row);
            }
        }
        text.heading(2, "Heap per call")
                .paragraph("""
                        Bytes per call after a full collection, beyond what the same program keeps without a
                        decorator. In flight: primaries pending, delays and timeouts an hour. Ended: the primaries
                        have succeeded, nobody holds the results, and the hour is not over.""")
                .table(
                        List.of(
                                "around the call",
                                "in flight: 1,000",
                                "10,000",
                                "100,000",
                                "ended: 1,000",
                                "10,000",
                                "100,000"),
                        rows);
    }

    private void timers() {
        List<List<String>> rows = new ArrayList<>();
        for (Timers timer : Timers.values()) {
            List<String> row = new ArrayList<>(List.of(timer.label()));
            for (int outstanding : Suite.OUTSTANDING) {
                row.add(times.get(TimerCost.class, "scheduleAndCancel", 1, outstanding, timer)
                        .nanos()
                        .toString());
            }
            row.add(times.get(TimerCost.class, "scheduleAndCancel", 1, 0, timer)
                    .bytes()
                    .rounded());
            rows.add(row);
        }
        text.heading(2, "Timers: schedule and cancel")
                .paragraph("""
                        A task in a second, cancelled at once, in nanoseconds, while others wait for an hour.
                        Without removeOnCancel cancelled tasks pile up until their second is over: its times depend
                        on how long one measures.""")
                .table(List.of("timer", "0 waiting", "10,000", "100,000", "B"), rows);
    }

    private void lateness() {
        List<List<String>> rows = new ArrayList<>();
        for (Timers timer : List.of(Timers.HEDGE, Timers.POOL_REMOVING)) {
            List<String> row = new ArrayList<>(List.of(timer.label()));
            results.lateness(timer).forEach(late -> row.add(late.times(1e-3).toString()));
            rows.add(row);
        }
        text.heading(2, "Timers: lateness")
                .paragraph(
                        "How late a task runs that is due in 20 ms, in microseconds. Two timers by turns, a task each millisecond.")
                .table(List.of("timer", "p50", "p99"), rows);
    }

    private void estimators() {
        List<List<String>> rows = new ArrayList<>();
        for (Estimators estimator : Estimators.values()) {
            rows.add(List.of(
                    estimator.label(),
                    times.get(EstimatorCost.class, "record", 1, estimator)
                            .nanos()
                            .toString(),
                    times.get(EstimatorCost.class, "record", 2, estimator)
                            .nanos()
                            .toString(),
                    times.get(EstimatorCost.class, "recordAndQuery", 1, estimator)
                            .nanos()
                            .toString()));
        }
        text.heading(2, "Estimators")
                .paragraph("""
                        To tell a latency and to ask for the 95th percentile, in nanoseconds. The delay is told of
                        every call and asked by every call; the curve is told of one call in eight once it knows
                        enough, and asked by who looks at the metrics.""")
                .table(List.of("estimator", "tell, one thread", "tell, two threads", "tell and ask"), rows);
    }

    private void balances() {
        text.heading(2, "Budget")
                .paragraph("A credit per call and a hedge to be paid for every tenth, in nanoseconds per call.")
                .table(
                        List.of("balance", "one thread", "two threads"),
                        Arrays.stream(Balances.values())
                                .map(balance -> List.of(
                                        balance.label(),
                                        times.get(BalanceCost.class, "call", 1, balance)
                                                .nanos()
                                                .toString(),
                                        times.get(BalanceCost.class, "call", 2, balance)
                                                .nanos()
                                                .toString()))
                                .toList());
    }
}
