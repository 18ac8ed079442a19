package io.seqsvr.cli;

import java.util.List;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/** Lines of cells, each column as wide as its widest cell. */
final class Columns {
    private Columns() {}

    /**
     * Lines out of rows of equally many cells.
     *
     * @param firstNumber cells stand to the left, those from this column on to the right
     */
    static List<String> lines(List<List<String>> rows, int firstNumber) {
        var widths = IntStream.range(0, rows.get(0).size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream().map(row -> line(row, widths, firstNumber)).toList();
    }

    private static String line(List<String> row, int[] widths, int firstNumber) {
        var cells = new StringJoiner("  ");
        for (int column = 0; column < widths.length; column++) {
            var padding = " ".repeat(widths[column] - row.get(column).length());
            cells.add(column < firstNumber ? row.get(column) + padding : padding + row.get(column));
        }
        return cells.toString();
    }
}
