package io.github.hedge4j.benchmarks.report;

import io.github.hedge4j.benchmarks.BalanceCost;
import io.github.hedge4j.benchmarks.Balances;
import io.github.hedge4j.benchmarks.CallPath;
import io.github.hedge4j.benchmarks.EstimatorCost;
import io.github.hedge4j.benchmarks.Estimators;
import io.github.hedge4j.benchmarks.HeapPerCall;
import io.github.hedge4j.benchmarks.HedgedCalls;
import io.github.hedge4j.benchmarks.Lateness;
import io.github.hedge4j.benchmarks.Scenario;
import io.github.hedge4j.benchmarks.Subject;
import io.github.hedge4j.benchmarks.TimerCost;
import io.github.hedge4j.benchmarks.Timers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.runner.RunnerException;

/** All that is measured in one run. */
final class Suite {

    /** Those that the goals compare. */
    static final List<Subject> RIVALS =
            List.of(Subject.RAW, Subject.HEDGE_FIXED, Subject.HEDGE_DEFAULTS, Subject.CIRCUIT_BREAKER);

    static final List<Subject> HEDGERS =
            List.of(Subject.HEDGE_FIXED, Subject.HEDGE_DEFAULTS, Subject.RACE_OF_TWO, Subject.FINAGLE);

    static final List<Subject> KEEPERS = List.of(
            Subject.RAW,
            Subject.HEDGE_FIXED,
            Subject.HEDGE_DEFAULTS,
            Subject.CIRCUIT_BREAKER,
            Subject.TIME_LIMITER,
            Subject.OR_TIMEOUT,
            Subject.RACE_OF_ONE,
            Subject.TWITTER_RAW,
            Subject.FINAGLE);

    static final List<Integer> OUTSTANDING = List.of(0, 10_000, 100_000);
    static final List<Integer> IN_FLIGHT = List.of(1_000, 10_000, 100_000);

    /** Collections that leave nothing dead behind. */
    private static final List<String> HEAP =
            List.of("-XX:+UseSerialGC", "-XX:MarkSweepAlwaysCompactCount=1", "-Xms1g", "-Xmx1g");

    private static final int TASKS_A_ROUND = 250;

    private final Scale scale;

    Suite(Scale scale) {
        this.scale = scale;
    }

    Measurements measureTimes() throws RunnerException {
        Measurements measured = new Measurements();
        List<Plan> plans = plans();
        for (Plan plan : plans) {
            System.out.println((plans.indexOf(plan) + 1) + "/" + plans.size() + " " + plan);
            plan.run(scale).forEach(measured::add);
        }
        return measured;
    }

    private static List<Plan> plans() {
        List<Plan> plans = new ArrayList<>();
        Plan calls = Plan.of(CallPath.class, "call");
        for (Scenario scenario : List.of(Scenario.DONE, Scenario.PENDING)) {
            Plan calling = calls.with("scenario", scenario);
            plans.add(calling.with("subject", RIVALS).deciding());
            plans.add(calling.with("subject", RIVALS).threads(2).deciding());
            plans.add(calling.with("subject", List.of(Subject.RACE_OF_ONE, Subject.TWITTER_RAW, Subject.FINAGLE))
                    .deciding());
            plans.add(calling.with(
                    "subject",
                    List.of(
                            Subject.BULKHEAD,
                            Subject.RETRY,
                            Subject.TIME_LIMITER,
                            Subject.OR_TIMEOUT,
                            Subject.RACE_OF_TWO,
                            Subject.FAILSAFE_TIMEOUT)));
        }
        plans.add(calls.with("scenario", Scenario.OTHER_THREAD).with("subject", RIVALS));
        plans.add(calls.with("scenario", Scenario.OTHER_THREAD)
                .with("subject", List.of(Subject.TWITTER_RAW, Subject.FINAGLE)));
        plans.add(calls.with("scenario", Scenario.FAILED).with("subject", RIVALS));
        plans.add(calls.with("scenario", Scenario.FAILED).with("subject", List.of(Subject.RETRY, Subject.RACE_OF_TWO)));
        plans.add(Plan.of(HedgedCalls.class, "call").with("subject", HEDGERS));
        for (int outstanding : OUTSTANDING) {
            plans.add(Plan.of(TimerCost.class, "scheduleAndCancel")
                    .with("outstanding", outstanding)
                    .with("timers", List.of(Timers.values())));
        }
        Plan estimating = Plan.of(EstimatorCost.class, "record").with("estimators", List.of(Estimators.values()));
        plans.add(estimating);
        plans.add(estimating.threads(2));
        plans.add(Plan.of(EstimatorCost.class, "recordAndQuery").with("estimators", List.of(Estimators.values())));
        Plan paying = Plan.of(BalanceCost.class, "call").with("balances", List.of(Balances.values()));
        plans.add(paying);
        plans.add(paying.threads(2));
        return plans;
    }

    /** p50 and p99 in nanoseconds, for each timer. */
    Map<Timers, List<Spread>> measureLateness() throws IOException, InterruptedException {
        System.out.println("Lateness");
        Map<Timers, List<Spread>> lateness = new EnumMap<>(Timers.class);
        columns(JavaProgram.run(Lateness.class, List.of(), scale.rounds(), TASKS_A_ROUND))
                .forEach((timer, columns) -> lateness.put(
                        Timers.valueOf(timer), columns.stream().map(Spread::of).toList()));
        return lateness;
    }

    /** For each subject, by the number of calls. */
    Map<Subject, Map<Integer, HeapUse>> measureHeap() throws IOException, InterruptedException {
        Map<Subject, Map<Integer, HeapUse>> heap = new EnumMap<>(Subject.class);
        for (Subject subject : KEEPERS) {
            System.out.println("Heap, " + subject);
            List<Object> arguments = new ArrayList<>(List.of(subject));
            arguments.addAll(IN_FLIGHT);
            Map<Integer, HeapUse> uses = new TreeMap<>();
            columns(JavaProgram.run(HeapPerCall.class, HEAP, arguments.toArray()))
                    .forEach((calls, columns) ->
                            uses.put(Integer.valueOf(calls), HeapUse.of(columns, Integer.parseInt(calls))));
            heap.put(subject, uses);
        }
        return heap;
    }

    /** The numbers of the second and third column of all lines that begin with the same word, by that word. */
    private static Map<String, List<List<Double>>> columns(List<String[]> lines) {
        Map<String, List<List<Double>>> columns = new TreeMap<>();
        for (String[] line : lines) {
            List<List<Double>> ofWord =
                    columns.computeIfAbsent(line[0], word -> List.of(new ArrayList<>(), new ArrayList<>()));
            ofWord.get(0).add(Double.valueOf(line[1]));
            ofWord.get(1).add(Double.valueOf(line[2]));
        }
        return columns;
    }
}
