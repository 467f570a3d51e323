package io.github.hedge4j.examples.demo;

import io.github.hedge4j.DenialReason;
import io.github.hedge4j.Hedge;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What the demo's page shows: the runs, with their curves, and the hedges as they are now. */
final class Numbers {

    private static final int POINTS_PER_DECADE = 40;

    /** A point of a curve stands for as many calls at least, or it would be one call's luck. */
    private static final double CALLS_BEYOND = 3;

    private static final Map<String, Function<Hedge.Metrics, String>> FIGURES = figures();

    private Numbers() {}

    static JsonObject of(Collection<Run> runs, Collection<Hedge> hedges) {
        return new JsonObject()
                .put("calls", runs.stream().mapToLong(Run::calls).sum())
                .put("runs", table(Table.FIGURES, runs, run -> run, Run::strategy))
                .put("hedges", table(FIGURES, hedges, Hedge::getMetrics, Hedge::getName))
                .put("curves", new JsonArray(runs.stream().map(Numbers::curve).toList()));
    }

    private static <R, F> JsonArray table(
            Map<String, Function<F, String>> figures,
            Collection<R> rows,
            Function<R, F> subject,
            Function<R, String> name) {
        JsonArray table = new JsonArray();
        table.add(row("", figures.keySet()));
        for (R each : rows) {
            F of = subject.apply(each);
            List<String> cells =
                    figures.values().stream().map(figure -> figure.apply(of)).toList();
            table.add(row(name.apply(each), cells));
        }
        return table;
    }

    private static JsonArray row(String first, Collection<String> others) {
        JsonArray row = new JsonArray().add(first);
        others.forEach(row::add);
        return row;
    }

    /** Its points are pairs: the share of calls that are slower, and than how many milliseconds. */
    private static JsonObject curve(Run run) {
        JsonArray points = new JsonArray();
        double step = Math.pow(10, -1.0 / POINTS_PER_DECADE);
        for (double slower = 0.99; slower * run.calls() >= CALLS_BEYOND; slower *= step) {
            points.add(new JsonArray().add(slower).add(run.millisAt(100 * (1 - slower))));
        }
        return new JsonObject().put("name", run.strategy()).put("points", points);
    }

    private static Map<String, Function<Hedge.Metrics, String>> figures() {
        Map<String, Function<Hedge.Metrics, String>> figures = new LinkedHashMap<>();
        figures.put("calls", metrics -> String.format(Locale.ROOT, "%,d", metrics.getNumberOfCalls()));
        figures.put("hedges per call", metrics -> percent(metrics.getNumberOfHedges(), metrics.getNumberOfCalls()));
        figures.put("hedges that won", Numbers::hedgesThatWon);
        figures.put(
                "denied by the budget",
                metrics -> String.format(Locale.ROOT, "%,d", metrics.getNumberOfDeniedHedges(DenialReason.BUDGET)));
        figures.put("budget now", metrics -> String.format(Locale.ROOT, "%.1f hedges", metrics.getAvailableBudget()));
        figures.put("delay now", metrics -> millis(metrics.getCurrentDelay()));
        figures.put("p99 without hedging", metrics -> millis(metrics.getLatency(0.99)));
        figures.put("failed calls", metrics -> String.valueOf(metrics.getNumberOfFailedCalls()));
        return figures;
    }

    private static String hedgesThatWon(Hedge.Metrics metrics) {
        return percent(metrics.getNumberOfCallsWonByHedge(), metrics.getNumberOfHedges());
    }

    private static String percent(long part, long whole) {
        return whole == 0 ? "-" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
    }

    private static String millis(Optional<Duration> time) {
        return time.map(some -> String.format(Locale.ROOT, "%.1f ms", some.toNanos() / 1e6))
                .orElse("-");
    }
}
