package io.github.hedge4j.benchmarks.report;

import java.util.Collections;
import java.util.List;

/** Text with tables, line by line. */
final class Markdown {

    private final StringBuilder text = new StringBuilder();

    Markdown heading(int level, String title) {
        return line("#".repeat(level) + " " + title).line("");
    }

    Markdown paragraph(String paragraph) {
        return line(paragraph.strip()).line("");
    }

    /** The first column is text, the others are numbers. */
    Markdown table(List<String> header, List<List<String>> rows) {
        row(header);
        line("|---|" + String.join("", Collections.nCopies(header.size() - 1, "---:|")));
        rows.forEach(this::row);
        return line("");
    }

    private void row(List<String> cells) {
        line("| " + String.join(" | ", cells) + " |");
    }

    private Markdown line(String line) {
        text.append(line).append('\n');
        return this;
    }

    @Override
    public String toString() {
        return text.toString().stripTrailing() + "\n";
    }
}
