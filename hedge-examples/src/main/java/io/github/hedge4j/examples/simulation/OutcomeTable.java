package io.github.hedge4j.examples.simulation;

import static com.github.freva.asciitable.HorizontalAlign.LEFT;
import static com.github.freva.asciitable.HorizontalAlign.RIGHT;
import static java.util.stream.Collectors.joining;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Outcomes side by side, as text. */
final class OutcomeTable {

    private static final int HEADER_WIDTH = 12;

    /** The columns after the policy's name, for this table and the report's. */
    static final List<Map.Entry<String, Function<Outcome, String>>> COLUMNS = List.of(
            Map.entry("p50 ms", outcome -> Markdown.ms(outcome.millisAt(0.5))),
            Map.entry("p90 ms", outcome -> Markdown.ms(outcome.millisAt(0.9))),
            Map.entry("p99 ms", outcome -> Markdown.ms(outcome.millisAt(0.99))),
            Map.entry("p99.9 ms", outcome -> Markdown.ms(outcome.millisAt(0.999))),
            Map.entry("failed", outcome -> Markdown.percent(outcome.failed(), 2)),
            Map.entry("good", outcome -> Markdown.percent(outcome.goodput(), 2)),
            Map.entry("hedges per call", outcome -> Markdown.percent(outcome.extraCalls(), 1)),
            Map.entry("replicas busy", outcome -> Markdown.percent(outcome.utilisation(), 0)));

    private OutcomeTable() {}

    static String of(List<Outcome> outcomes) {
        List<ColumnData<Outcome>> columns = new ArrayList<>();
        columns.add(new Column().header("").dataAlign(LEFT).with(Outcome::policy));
        COLUMNS.forEach(column -> columns.add(new Column()
                .header(column.getKey())
                .maxWidth(HEADER_WIDTH)
                .headerAlign(RIGHT)
                .dataAlign(RIGHT)
                .with(column.getValue())));
        return AsciiTable.getTable(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS, outcomes, columns);
    }

    /** What each policy but the first gains over the first, and what it costs, a line each. */
    static String gains(List<Outcome> outcomes) {
        Outcome base = outcomes.get(0);
        return outcomes.stream()
                .skip(1)
                .map(outcome -> String.format(
                        Locale.ROOT,
                        "%s against %s: p99 %s -> %s ms, p99.9 %s -> %s ms, %+.1f %% calls, work of the replicas %+.1f points",
                        outcome.policy(),
                        base.policy(),
                        Markdown.ms(base.millisAt(0.99)),
                        Markdown.ms(outcome.millisAt(0.99)),
                        Markdown.ms(base.millisAt(0.999)),
                        Markdown.ms(outcome.millisAt(0.999)),
                        100 * (outcome.extraCalls() - base.extraCalls()),
                        100 * (outcome.utilisation() - base.utilisation())))
                .collect(joining(System.lineSeparator()));
    }
}
