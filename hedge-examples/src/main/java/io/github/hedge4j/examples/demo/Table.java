package io.github.hedge4j.examples.demo;

import static com.github.freva.asciitable.HorizontalAlign.LEFT;
import static com.github.freva.asciitable.HorizontalAlign.RIGHT;
import static java.util.stream.Collectors.joining;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Runs side by side, as text. */
final class Table {

    private static final int HEADER_WIDTH = 12;

    /** What is told of a run, by its heading, at any time. */
    static final Map<String, Function<Run, String>> FIGURES = figures();

    private Table() {}

    static String of(List<Run> runs) {
        List<ColumnData<Run>> columns = new ArrayList<>();
        columns.add(new Column().header("").dataAlign(LEFT).with(Run::strategy));
        FIGURES.forEach((header, value) -> columns.add(right(header, value)));
        columns.add(right(
                "in flight at the end",
                run -> run.inFlight().stream().map(String::valueOf).collect(joining(" "))));
        return AsciiTable.getTable(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS, runs, columns);
    }

    private static Map<String, Function<Run, String>> figures() {
        Map<String, Function<Run, String>> figures = new LinkedHashMap<>();
        figures.put("p50 ms", run -> decimal("%.1f", run.millisAt(50)));
        figures.put("p95 ms", run -> decimal("%.1f", run.millisAt(95)));
        figures.put("p99 ms", run -> decimal("%.1f", run.millisAt(99)));
        figures.put("p99.9 ms", run -> decimal("%.1f", run.millisAt(99.9)));
        figures.put("backend calls per request", run -> decimal("%.2f", run.backendCallsPerRequest()));
        figures.put("losers cancelled, seen by servers", run -> String.valueOf(run.cancelled()));
        return figures;
    }

    /** What each run but the first gained over the first, and what that cost, a line each. */
    static String gains(List<Run> runs) {
        Run base = runs.get(0);
        return runs.stream()
                .skip(1)
                .map(run -> String.format(
                        Locale.ROOT,
                        "%s against %s: p99 %+.0f %%, backend calls %+.0f %%",
                        run.strategy(),
                        base.strategy(),
                        changePercent(base.millisAt(99), run.millisAt(99)),
                        changePercent(base.backendCallsPerRequest(), run.backendCallsPerRequest())))
                .collect(joining(System.lineSeparator()));
    }

    private static double changePercent(double from, double to) {
        return 100 * (to - from) / from;
    }

    private static ColumnData<Run> right(String header, Function<Run, String> value) {
        return new Column()
                .header(header)
                .maxWidth(HEADER_WIDTH)
                .headerAlign(RIGHT)
                .dataAlign(RIGHT)
                .with(value);
    }

    private static String decimal(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
