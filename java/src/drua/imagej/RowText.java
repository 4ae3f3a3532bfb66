// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import ij.measure.ResultsTable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Rows of a table as text, with exactly the characters of {@link ResultsTable#getRowAsString}. That method calls Java's
 * DecimalFormat for each number, which takes nearly all the time of showing a table. This class learns a column's
 * decimals from ImageJ's text of its first numbers. It asks ImageJ again for numbers in another format and for numbers
 * that may be halfway between two texts. Several threads write long tables. They call ImageJ one at a time; two threads
 * may learn the decimals of the same column, with equal results.
 */
public final class RowText {
    private static final double[] POWERS = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13};
    private static final int MAX_DECIMALS = 9;
    /**
     * From this value on, ImageJ may write an exponent. Below it, a product computed here is on the same side of a half
     * as the exact value, or exactly on the half.
     */
    private static final double LARGEST = 1e12;
    private static final int CELLS_A_STRETCH = 1000, STRETCHES_FOR_THREADS = 5, LONGEST_NUMBER = 24;

    /** Lock for ImageJ's number formatting. All tables share its DecimalFormats, which are not thread-safe. */
    private static final Object IMAGEJ = new Object();

    private final ResultsTable table;
    private final int[] columns;
    /** Decimals of a column's whole numbers, which may be fewer, and of its other numbers; -1 if unknown. */
    private final int[] ofWhole, ofOthers;
    private final boolean hasNumbers, hasLabels;
    private final int base;
    private char[] text = new char[1024];
    private int length;

    private RowText(ResultsTable table, int first, String row) {
        this.table = table;
        int last = table.getLastColumn(), count = 0;
        int[] existing = new int[last + 1];
        for (int column = 0; column <= last; column++) {
            if (table.columnExists(column))
                existing[count++] = column;
        }
        columns = Arrays.copyOf(existing, count);
        ofWhole = new int[count];
        ofOthers = new int[count];
        Arrays.fill(ofWhole, -1);
        Arrays.fill(ofOthers, -1);
        hasNumbers = table.showRowNumbers();
        base = hasNumbers ? Integer.parseInt(row.substring(0, row.indexOf('\t'))) - first : 0;
        int tabs = 0;
        for (int at = row.indexOf('\t'); at >= 0; at = row.indexOf('\t', at + 1))
            tabs++;
        int between = table.columnExists(last) ? count - 1 : count;
        hasLabels = tabs > between + (hasNumbers ? 1 : 0);
    }

    /** Shares the learned decimals with `other`. */
    private RowText(RowText other) {
        table = other.table;
        columns = other.columns;
        ofWhole = other.ofWhole;
        ofOthers = other.ofOthers;
        hasNumbers = other.hasNumbers;
        hasLabels = other.hasLabels;
        base = other.base;
    }

    /** The text of row `first` and of all following rows. The table must not change during the call. */
    public static String[] from(ResultsTable table, int first) {
        int count = table.size() - first;
        String[] rows = new String[count];
        if (count == 0)
            return rows;
        rows[0] = table.getRowAsString(first);
        RowText text = new RowText(table, first, rows[0]);
        if (!text.get(first).equals(rows[0])) {
            Arrays.setAll(rows, i -> table.getRowAsString(first + i));
            return rows;
        }
        int stretch = Math.max(1, CELLS_A_STRETCH / Math.max(1, text.columns.length)),
            stretches = (count + stretch - 1) / stretch;
        if (stretches < STRETCHES_FOR_THREADS)
            text.write(rows, first, 1, count);
        else
            IntStream.range(0, stretches)
                .parallel()
                .forEach(i -> new RowText(text).write(rows, first, i * stretch, Math.min(count, (i + 1) * stretch)));
        return rows;
    }

    private void write(String[] rows, int first, int from, int to) {
        for (int i = from; i < to; i++)
            rows[i] = get(first + i);
    }

    private String get(int row) {
        length = 0;
        if (hasNumbers) {
            number(base + row, 0);
            text[length++] = '\t';
        }
        if (hasLabels) {
            String label = table.getLabel(row);
            append(label == null ? "" : label);
            text[length++] = '\t';
        }
        int last = table.getLastColumn();
        for (int i = 0; i < columns.length; i++) {
            appendCell(i, row);
            if (columns[i] != last)
                text[length++] = '\t';
        }
        return new String(text, 0, length);
    }

    /** Appends a part and reserves space for a number and a tab. */
    private void append(String part) {
        makeRoom(part.length());
        part.getChars(0, part.length(), text, length);
        length += part.length();
    }

    private void makeRoom(int more) {
        if (length + more + LONGEST_NUMBER > text.length)
            text = Arrays.copyOf(text, 2 * (length + more + LONGEST_NUMBER));
    }

    private void appendCell(int i, int row) {
        double value = table.getValueAsDouble(columns[i], row);
        int[] decimals = (int) value == value ? ofWhole : ofOthers;
        int known = decimals[i]; /* read once, because another thread may write it */
        makeRoom(0);
        if (known >= 0 && number(value, known))
            return;
        String cell;
        synchronized (IMAGEJ) {
            cell = String.valueOf(table.getStringValue(columns[i], row));
        }
        append(cell);
        int learnt = cell.indexOf('.') < 0 ? 0 : cell.length() - 1 - cell.indexOf('.');
        if (known < 0 && learnt <= MAX_DECIMALS && Math.abs(value) < POWERS[9] && cell.indexOf('E') < 0)
            decimals[i] = learnt;
    }

    /**
     * Writes a number. Returns false without writing if ImageJ would write an exponent or -0. Also returns false for a
     * half, because rounding of the product may have made it.
     */
    private boolean number(double value, int decimals) {
        double size = Math.abs(value), scaled = size * POWERS[decimals];
        if (!(scaled < LARGEST))
            return false;
        long left = (long) scaled;
        double rest = scaled - left;
        boolean small = value == 0 ? 1 / value < 0 : scaled < 1.001 && size < 1 / POWERS[decimals];
        if (small || rest == 0.5)
            return false;
        if (rest > 0.5)
            left++;
        if (value < 0)
            text[length++] = '-';
        int digits = decimals + 1;
        while (left >= POWERS[digits])
            digits++;
        length += digits + (decimals > 0 ? 1 : 0);
        int at = length;
        for (int place = 0; place < digits; place++, left /= 10) {
            if (place == decimals && decimals > 0)
                text[--at] = '.';
            text[--at] = (char) ('0' + left % 10);
        }
        return true;
    }
}
