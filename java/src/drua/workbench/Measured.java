// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.engine.Quote;
import drua.engine.Registry;
import ij.measure.ResultsTable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Locale;
import java.util.stream.Collectors;

/** Measurements of a step: columns of numbers, and the label of each row. Immutable. */
final class Measured {
    private static final String LABEL = "IDENTIFIER";
    /** Words of column names, and the shorter words of readable headings. */
    private static final String[][] SHORT = {{"identifier", "label"}, {"bounding box", "box"},
        {"pixel count", "pixels"}, {"minimum", "min"}, {"maximum", "max"}, {"standard deviation", "SD"},
        {"distance to", "to"}};

    /** Column headings, in order. */
    final String[] headings;
    final int rows;
    private final double[][] columns;
    private final double[] labels;

    /** @param table null for no rows */
    Measured(ResultsTable table) {
        headings = table == null ? new String[0] : table.getHeadings();
        rows = table == null ? 0 : table.size();
        columns = new double[headings.length][];
        for (int i = 0; i < headings.length; i++)
            columns[i] = Arrays.copyOf(table.getColumn(headings[i]), rows);
        int at = index(LABEL);
        labels = at < 0 ? null : columns[at];
    }

    /** A short heading in lower case for the name of a column: BOUNDING_BOX_X becomes box x. */
    static String readable(String heading) {
        String words = heading.matches("[A-Z0-9_]+") ? heading.toLowerCase(Locale.ROOT).replace('_', ' ') : heading;
        for (String[] pair : SHORT)
            words = words.replace(pair[0], pair[1]);
        return words;
    }

    /** The readable heading of a column; "" if there is no such column. */
    String name(int index) {
        return index < 0 || index >= columns.length ? "" : readable(headings[index]);
    }

    /** Rows as CSV with a line of headings. Numbers have all digits. */
    String csv(int[] wanted, BitSet of) {
        StringBuilder text = new StringBuilder(
            Arrays.stream(wanted).mapToObj(i -> Quote.csv(headings[i])).collect(Collectors.joining(",")));
        for (int row = of.nextSetBit(0); row >= 0 && row < rows; row = of.nextSetBit(row + 1)) {
            int at = row;
            text.append('\n').append(
                Arrays.stream(wanted).mapToObj(i -> Registry.number(columns[i][at])).collect(Collectors.joining(",")));
        }
        return text.append('\n').toString();
    }

    /** The index of a column, or -1. */
    int index(String heading) {
        return Arrays.asList(headings).indexOf(heading);
    }

    /** The numbers of a column, which the caller must not change; empty if there is no such column. */
    double[] column(int index) {
        return index < 0 || index >= columns.length ? new double[0] : columns[index];
    }

    /** The label of a row; 0 for none. Without a label column, rows are numbered from 1. */
    int label(int row) {
        return labels == null ? row + 1 : labels[row] >= 1 ? (int) labels[row] : 0;
    }

    /** Converts rows to labels. */
    BitSet labels(BitSet of) {
        BitSet found = new BitSet();
        for (int row = of.nextSetBit(0); row >= 0 && row < rows; row = of.nextSetBit(row + 1))
            found.set(label(row));
        found.clear(0);
        return found;
    }

    /** Converts labels to rows. */
    BitSet rows(BitSet of) {
        BitSet found = new BitSet();
        for (int row = 0; row < rows; row++)
            found.set(row, label(row) > 0 && of.get(label(row)));
        return found;
    }
}
