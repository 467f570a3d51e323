package io.github.hedge4j.examples.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Gardner and others, Redundancy-d (2017): d copies of every request, cancelled everywhere when the first is done. With exponential
 * service and independent copies that helps at any load.
 */
record Redundancy(List<Row> rows) {

    private static final int SERVERS = 10;

    /** One load and number of copies: the mean that the paper's formula gives, and the simulated one. */
    record Row(double load, int copies, double theory, double mean) {}

    static Redundancy run(int calls) {
        List<Supplier<Row>> rows = new ArrayList<>();
        for (double load : new double[] {0.5, 0.7}) {
            for (int copies = 1; copies <= 3; copies++) {
                int d = copies;
                rows.add(() -> row(load, d, calls));
            }
        }
        return new Redundancy(Runs.all(rows));
    }

    private static Row row(double load, int copies, int calls) {
        Backend backend = Backend.queues(Law.exponential(1), SERVERS, 1).cancelling();
        Traffic traffic = Traffic.load(load, backend, calls).withWarmUp(calls / 20);
        Outcome outcome = Simulation.run(backend, traffic, Policy.of(copies + " copies", Policies.racing(copies)));
        return new Row(load, copies, theory(load, copies), outcome.meanMillis());
    }

    /** The sum over i from d to k of 1 / (k C(k-1, d-1) / C(i-1, d-1) - k load), for k servers of rate 1. */
    private static double theory(double load, int copies) {
        double sum = 0;
        for (int i = copies; i <= SERVERS; i++) {
            double ratio = choose(SERVERS - 1, copies - 1) / choose(i - 1, copies - 1);
            sum += 1 / (SERVERS * ratio - SERVERS * load);
        }
        return sum;
    }

    private static double choose(int n, int k) {
        double product = 1;
        for (int i = 1; i <= k; i++) {
            product = product * (n - k + i) / i;
        }
        return product;
    }

    String markdown() {
        return new Markdown()
                .line(
                        "**10 servers, exponential service of mean 1 ms, all copies at once, losers cancelled at the servers.**")
                .table(
                        List.of("load", "copies", "mean ms, theory", "mean ms"),
                        rows.stream()
                                .map(row -> List.of(
                                        Markdown.percent(row.load(), 0),
                                        Markdown.count(row.copies()),
                                        Markdown.decimal(row.theory(), 4),
                                        Markdown.decimal(row.mean(), 4)))
                                .toList())
                .toString();
    }
}
