package io.github.hedge4j.examples.simulation;

import io.github.hedge4j.HedgeConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What the defaults do in one setting after another: the figures for a decision. */
record WhenToHedge(List<Row> tails, List<Row> likeness, List<Row> loads, List<Row> troubles) {

    private static final int CALLS = 100_000;
    private static final int WARM_UP = 5_000;
    private static final int REPLICAS = 10;

    /** One setting, without hedging and with the defaults. */
    record Row(String setting, Outcome plain, Outcome hedged) {}

    static WhenToHedge run() {
        List<Supplier<Row>> tails = new ArrayList<>();
        for (int ratio : new int[] {2, 5, 10, 40, 100}) {
            Backend backend = Backend.idle(Law.logNormalThrough(10, 10.0 * ratio));
            tails.add(() -> row("p99 = " + ratio + " × p50", backend, Traffic.perSecond(500, CALLS)));
        }
        List<Supplier<Row>> likeness = new ArrayList<>();
        for (double share : new double[] {0, 0.1, 0.25, 0.5, 1}) {
            Backend backend = Backend.idle(Law.logNormalThrough(10, 100)).withLikeness(share);
            likeness.add(() -> row(Markdown.percent(share, 0), backend, Traffic.perSecond(500, CALLS)));
        }
        List<Supplier<Row>> loads = new ArrayList<>();
        for (double load : new double[] {0.2, 0.4, 0.6, 0.8, 0.9}) {
            Backend deaf = Backend.queues(BrownOut.LAW, REPLICAS, 1);
            loads.add(() ->
                    row(Markdown.percent(load, 0) + ", worked on to the end", deaf, Traffic.load(load, deaf, CALLS)));
            loads.add(() ->
                    row(Markdown.percent(load, 0) + ", cancelled", deaf.cancelling(), Traffic.load(load, deaf, CALLS)));
        }
        return new WhenToHedge(Runs.all(tails), Runs.all(likeness), Runs.all(loads), Runs.all(troubleRuns()));
    }

    private static List<Supplier<Row>> troubleRuns() {
        Backend backend = Backend.queues(BrownOut.LAW, REPLICAS, 8).cancelling();
        Traffic traffic = Traffic.load(0.4, backend, CALLS);
        double ever = Double.POSITIVE_INFINITY;
        return List.of(
                () -> row("all is well", backend, traffic),
                () -> row(
                        "one of ten replicas takes three times as long",
                        backend.with(Trouble.slow(0, ever, 1, 3)),
                        traffic),
                () -> row("all take twice as long", backend.with(Trouble.slow(0, ever, REPLICAS, 2)), traffic),
                () -> row("one of ten refuses", backend.with(Trouble.outage(0, ever, 1)), traffic));
    }

    private static Row row(String setting, Backend backend, Traffic traffic) {
        List<Outcome> outcomes = Runs.compare(
                backend,
                traffic.withWarmUp(WARM_UP),
                Policy.of("none", Policies.none()),
                Policy.of("defaults", HedgeConfig.ofDefaults()));
        return new Row(setting, outcomes.get(0), outcomes.get(1));
    }

    String markdown() {
        Markdown page = new Markdown();
        page.line("In each table, a cell with two numbers is *without hedging → with the defaults*.");
        page.line(
                "**How long is the tail?** Log-normal latencies with a p50 of 10 ms, no queues, attempts independent.");
        page.table(
                latencyHeader("tail"),
                tails.stream().map(WhenToHedge::latencies).toList());
        page.line(
                "**Is slowness the replica's or the request's?** p50 10 ms, p99 100 ms; a hedge repeats this much of its primary's"
                        + " latency on top of its own.");
        page.table(
                latencyHeader("likeness"),
                likeness.stream().map(WhenToHedge::latencies).toList());
        page.line(
                "**How busy is the backend, and does it hear a cancellation?** Ten single-slot replicas, 10 ms of work on average,"
                        + " a fiftieth of it ten times as long.");
        page.table(
                List.of("load", "p50 ms", "p99 ms", "p99.9 ms", "utilisation", "hedges"),
                loads.stream().map(WhenToHedge::queueing).toList());
        page.line("**What is wrong?** Ten replicas of eight slots with the same work, 40% load, cancelling.");
        page.table(
                List.of("trouble", "p50 ms", "p99 ms", "p99.9 ms", "failed calls", "hedges"),
                troubles.stream().map(WhenToHedge::failing).toList());
        return page.toString();
    }

    private static List<String> latencyHeader(String setting) {
        return List.of(setting, "p50 ms", "p99 ms", "p99.9 ms", "p99 by a factor of", "hedges");
    }

    private static List<String> latencies(Row row) {
        double factor = row.plain().millisAt(0.99) / row.hedged().millisAt(0.99);
        return cells(row, Markdown.decimal(factor, 2));
    }

    private static List<String> queueing(Row row) {
        return cells(
                row,
                Markdown.percent(row.plain().utilisation(), 0) + " → "
                        + Markdown.percent(row.hedged().utilisation(), 0));
    }

    private static List<String> failing(Row row) {
        return cells(
                row,
                Markdown.percent(row.plain().failed(), 2) + " → "
                        + Markdown.percent(row.hedged().failed(), 2));
    }

    private static List<String> cells(Row row, String special) {
        return List.of(
                row.setting(),
                both(row, 0.5),
                both(row, 0.99),
                both(row, 0.999),
                special,
                Markdown.percent(row.hedged().extraCalls(), 1));
    }

    private static String both(Row row, double quantile) {
        return Markdown.ms(row.plain().millisAt(quantile)) + " → "
                + Markdown.ms(row.hedged().millisAt(quantile));
    }
}
