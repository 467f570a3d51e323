package io.github.hedge4j.examples.simulation;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.HedgeConfig;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Kaler, He and Elnikety, Optimal Reissue Policies (2017): a hedge that starts after the percentile it is meant to lower cannot lower
 * it, and one that starts earlier, with a probability, can. Latencies are Pareto, shape 1.1, from 2 ms; in the second part a hedge takes
 * half as long again as its primary, on top of its own draw.
 */
record SingleR(List<Row> rows) {

    private static final long COIN_SEED = 7;

    /**
     * One target.
     *
     * @param likeness how much of its primary's latency a hedge repeats
     * @param quantile the target
     * @param budget hedges per call
     * @param expected the values in theory: never hedged, hedged after a delay, hedged after a delay with a probability
     * @param values the same, simulated
     * @param extraCalls hedges per call of the last of them
     */
    record Row(
            double likeness,
            double quantile,
            double budget,
            List<Double> expected,
            List<Double> values,
            double delayMillis,
            double probability,
            double extraCalls) {}

    /** A policy: never is probability 0, after a delay alone is probability 1. */
    private record Reissue(double likeness, double delayMillis, double probability) {

        Outcome run(int calls) {
            Backend backend = Backend.idle(Law.pareto(1.1, 2)).withLikeness(likeness);
            HedgeConfig config = Policies.singleR(delayMillis, probability, COIN_SEED);
            return Simulation.run(backend, Traffic.perSecond(100, calls), Policy.of("SingleR", config));
        }
    }

    /** What theory says of one target. */
    private record Theory(
            double likeness,
            double quantile,
            double budget,
            double singleDMillis,
            double delayMillis,
            double probability,
            double none,
            double singleD,
            double singleR) {

        List<Reissue> policies() {
            return List.of(
                    new Reissue(likeness, singleDMillis, 0),
                    new Reissue(likeness, singleDMillis, 1),
                    new Reissue(likeness, delayMillis, probability));
        }

        Row row(Map<Reissue, Outcome> outcomes) {
            return new Row(
                    likeness,
                    quantile,
                    budget,
                    List.of(none, singleD, singleR),
                    policies().stream()
                            .map(policy -> requireNonNull(outcomes.get(policy)).millisAt(quantile))
                            .toList(),
                    delayMillis,
                    probability,
                    requireNonNull(outcomes.get(policies().get(2))).extraCalls());
        }
    }

    private static final List<Theory> THEORY = List.of(
            new Theory(0, 0.95, 0.02, 69.9, 18.8, 0.235, 30.4, 30.4, 25.6),
            new Theory(0, 0.95, 0.05, 30.4, 14.8, 0.450, 30.4, 30.4, 21.3),
            new Theory(0, 0.95, 0.10, 16.2, 11.4, 0.678, 30.4, 19.4, 17.2),
            new Theory(0, 0.99, 0.02, 69.9, 51.3, 0.711, 131.6, 73.5, 60.2),
            new Theory(0, 0.99, 0.05, 30.4, 30.4, 1, 131.6, 37.4, 37.4),
            new Theory(0, 0.99, 0.10, 16.2, 16.2, 1, 131.6, 26.2, 26.2),
            new Theory(0.5, 0.95, 0.10, 16.2, 6.2, 0.345, 30.5, 30.5, 28.6),
            new Theory(0.5, 0.99, 0.02, 69.9, 34.0, 0.450, 131.3, 131.3, 117.6),
            new Theory(0.5, 0.99, 0.05, 30.4, 26.8, 0.868, 131.3, 102.8, 102.6));

    static SingleR run(int calls) {
        Map<Reissue, Outcome> outcomes =
                THEORY.stream().flatMap(theory -> theory.policies().stream()).distinct().toList().parallelStream()
                        .collect(Collectors.toConcurrentMap(Function.identity(), policy -> policy.run(calls)));
        return new SingleR(THEORY.stream().map(theory -> theory.row(outcomes)).toList());
    }

    String markdown() {
        return new Markdown()
                .line(
                        "**Pareto latencies, shape 1.1, from 2 ms.** After a delay alone (SingleD), or after a shorter one with a"
                                + " probability (SingleR); in theory, and simulated.")
                .table(
                        List.of(
                                "likeness",
                                "target",
                                "budget",
                                "none ms",
                                "SingleD ms",
                                "theory",
                                "SingleR delay ms, probability",
                                "SingleR ms",
                                "theory",
                                "hedges"),
                        rows.stream().map(SingleR::cells).toList())
                .toString();
    }

    private static List<String> cells(Row row) {
        return List.of(
                Markdown.decimal(row.likeness(), 1),
                "p" + Markdown.decimal(100 * row.quantile(), 0),
                Markdown.percent(row.budget(), 0),
                Markdown.ms(row.values().get(0)),
                Markdown.ms(row.values().get(1)),
                Markdown.ms(row.expected().get(1)),
                Markdown.ms(row.delayMillis()) + ", " + Markdown.decimal(row.probability(), 3),
                Markdown.ms(row.values().get(2)),
                Markdown.ms(row.expected().get(2)),
                Markdown.percent(row.extraCalls(), 2));
    }
}
