// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import ij.measure.ResultsTable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Rows of a table as text, with the characters of {@link ResultsTable#getRowAsString}. That one asks Java's DecimalFormat for each number, which
 * takes nearly all the time of a table in its window. Here a column's decimals are learnt from ImageJ's text of its first numbers, and ImageJ is
 * asked again for numbers that it writes in another way or that seem to lie halfway between two texts.
 */
public final class RowText {
    private static final double[] POWERS = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    /** From there on ImageJ may write an exponent. A product below is on the side of a half where the number is, or is that half. */
    private static final double LARGEST = 1e12;

    private final ResultsTable table;
    private final int[] columns;
    /** Decimals of a column's whole numbers, which may have fewer, and of its others; -1: not known. */
    private final int[] ofWhole, ofOthers;
    private final StringBuilder text = new StringBuilder();
    private final char[] digits = new char[16];
    private final boolean hasLabels, isKnown;
    private final int base;

    /** @param first a row; the table stays as it is while its rows are asked for */
    public RowText(ResultsTable table, int first) {
        this.table = table;
        columns = IntStream.rangeClosed(0, table.getLastColumn()).filter(table::columnExists).toArray();
        ofWhole = new int[columns.length];
        ofOthers = new int[columns.length];
        Arrays.fill(ofWhole, -1);
        Arrays.fill(ofOthers, -1);
        String row = table.getRowAsString(first);
        base = table.showRowNumbers() ? Integer.parseInt(row.substring(0, row.indexOf('\t'))) - first : 0;
        long tabs = row.chars().filter(c -> c == '\t').count() - (table.showRowNumbers() ? 1 : 0);
        hasLabels = tabs > Arrays.stream(columns).filter(column -> column != table.getLastColumn()).count();
        isKnown = write(first).equals(row);
    }

    public String get(int row) {
        return isKnown ? write(row) : table.getRowAsString(row);
    }

    private String write(int row) {
        text.setLength(0);
        if (table.showRowNumbers())
            text.append(base + row).append('\t');
        if (hasLabels) {
            String label = table.getLabel(row);
            text.append(label == null ? "" : label).append('\t');
        }
        for (int i = 0; i < columns.length; i++) {
            write(i, row);
            if (columns[i] != table.getLastColumn())
                text.append('\t');
        }
        return text.toString();
    }

    private void write(int i, int row) {
        double value = table.getValueAsDouble(columns[i], row);
        int[] decimals = (int) value == value ? ofWhole : ofOthers;
        if (decimals[i] >= 0 && write(value, decimals[i]))
            return;
        String cell = table.getStringValue(columns[i], row);
        text.append(cell);
        int learnt = cell.indexOf('.') < 0 ? 0 : cell.length() - 1 - cell.indexOf('.');
        if (decimals[i] < 0 && learnt < POWERS.length && Math.abs(value) < POWERS[9] && cell.indexOf('E') < 0)
            decimals[i] = learnt;
    }

    /** Writes nothing and returns false where ImageJ writes an exponent or -0, and for a half, which may be a product that was rounded. */
    private boolean write(double value, int decimals) {
        double size = Math.abs(value), scaled = size * POWERS[decimals], below = Math.floor(scaled), rest = scaled - below;
        boolean small = value == 0 ? 1 / value < 0 : scaled < 1.001 && size < 1 / POWERS[decimals];
        if (small || !(scaled < LARGEST) || rest == 0.5)
            return false;
        long left = (long) below + (rest > 0.5 ? 1 : 0);
        int at = digits.length;
        for (int place = 0; place <= decimals || left > 0; place++, left /= 10) {
            if (place == decimals && decimals > 0)
                digits[--at] = '.';
            digits[--at] = (char) ('0' + left % 10);
        }
        if (value < 0)
            digits[--at] = '-';
        text.append(digits, at, digits.length - at);
        return true;
    }
}
