package io.github.hedge4j.examples.simulation;

import java.util.List;
import java.util.Locale;

/** A page in the making. */
final class Markdown {

    private final StringBuilder text = new StringBuilder();

    Markdown line(String line) {
        text.append(line).append("\n\n");
        return this;
    }

    /** The first column is to the left, the others to the right. */
    Markdown table(List<String> header, List<List<String>> rows) {
        row(header);
        text.append("|---").append("|---:".repeat(header.size() - 1)).append("|\n");
        rows.forEach(this::row);
        text.append('\n');
        return this;
    }

    private void row(List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }

    static String ms(double millis) {
        if (millis == Double.POSITIVE_INFINITY) {
            return "failed";
        }
        return String.format(Locale.ROOT, millis < 100 ? "%.1f" : "%,.0f", millis);
    }

    static String decimal(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    static String percent(double share, int digits) {
        return decimal(100 * share, digits) + "%";
    }

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
