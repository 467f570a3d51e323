package io.github.hedge4j.examples.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Vulimiri and others, Low Latency via Redundancy (2013): two copies of every request to different servers, both worked on to the end.
 * Up to some load the mean falls, above it rises: a third for exponential service, less for lighter tails.
 */
record TwoCopies(List<Row> exponential, List<Row> aroundThresholds) {

    /** One load, with one copy and with two. */
    record Row(String law, int servers, double load, Outcome one, Outcome two) {

        double gain() {
            return one.meanMillis() - two.meanMillis();
        }
    }

    static TwoCopies run(int calls) {
        List<Supplier<Row>> rows = new ArrayList<>();
        for (double load : new double[] {0.1, 0.2, 0.3, 0.35, 0.4}) {
            rows.add(() -> row("exponential", Law.exponential(1), 20, load, calls));
        }
        List<Supplier<Row>> around = new ArrayList<>();
        for (double step : new double[] {-0.006, 0.006}) {
            around.add(() -> row("exponential", Law.exponential(1), 20, 0.332 + step, calls));
            around.add(() -> row("constant", Law.constant(1), 20, 0.263 + step, calls));
            around.add(() -> row("constant", Law.constant(1), 1_000, 0.272 + step, calls));
        }
        return new TwoCopies(Runs.all(rows), Runs.all(around));
    }

    private static Row row(String name, Law law, int servers, double load, int calls) {
        Backend backend = Backend.queues(law, servers, 1);
        Traffic traffic = Traffic.load(load, backend, calls).withWarmUp(calls / 20);
        List<Outcome> outcomes =
                Runs.compare(backend, traffic, Policy.of("one", Policies.none()), Policy.of("two", Policies.racing(2)));
        return new Row(name, servers, load, outcomes.get(0), outcomes.get(1));
    }

    String markdown() {
        Markdown page = new Markdown();
        page.line(
                "**20 servers, exponential service of mean 1 ms.** Theory for the means: 1 / (1 - load) and 0.5 / (1 - 2 load).");
        page.table(
                List.of("load", "mean, one copy", "mean, two copies", "p99, one copy", "p99, two copies"),
                exponential.stream()
                        .map(row -> List.of(
                                Markdown.percent(row.load(), 0),
                                Markdown.decimal(row.one().meanMillis(), 3),
                                Markdown.decimal(row.two().meanMillis(), 3),
                                Markdown.decimal(row.one().millisAt(0.99), 2),
                                Markdown.decimal(row.two().millisAt(0.99), 2)))
                        .toList());
        page.line(
                "**Where two copies stop paying**: what the second copy takes off the mean, just below and just above the load that"
                        + " theory gives.");
        page.table(
                List.of("service", "servers", "load", "gain, ms"),
                aroundThresholds.stream()
                        .map(row -> List.of(
                                row.law(),
                                Markdown.count(row.servers()),
                                Markdown.percent(row.load(), 1),
                                Markdown.decimal(row.gain(), 4)))
                        .toList());
        return page.toString();
    }
}
