package io.github.hedge4j.examples.support;

import static com.github.freva.asciitable.HorizontalAlign.LEFT;
import static com.github.freva.asciitable.HorizontalAlign.RIGHT;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table of text, filled row by row. */
public final class Grid {

    private static final int HEADER_WIDTH = 14;

    private final String[] headers;
    private final List<List<String>> rows = new ArrayList<>();

    /** An empty table with these columns. */
    public Grid(String... headers) {
        this.headers = headers;
    }

    /** Adds a row, one cell a column; fractions get one decimal. */
    public Grid row(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell instanceof Double number ? String.format(Locale.ROOT, "%.1f", number) : cell.toString());
        }
        rows.add(row);
        return this;
    }

    @Override
    public String toString() {
        List<ColumnData<List<String>>> columns = new ArrayList<>();
        for (int i = 0; i < headers.length; i++) {
            int index = i;
            Column column = new Column().header(headers[i]).headerAlign(i == 0 ? LEFT : RIGHT);
            if (i > 0) {
                column.maxWidth(Math.max(HEADER_WIDTH, longestWord(headers[i])));
            }
            columns.add(column.dataAlign(i == 0 ? LEFT : RIGHT).with(row -> row.get(index)));
        }
        return AsciiTable.getTable(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS, rows, columns);
    }

    private static int longestWord(String header) {
        int longest = 0;
        for (String word : header.split(" ", -1)) {
            longest = Math.max(longest, word.length());
        }
        return longest;
    }
}
