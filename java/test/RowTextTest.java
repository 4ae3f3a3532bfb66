// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.imagej.Invocation;
import drua.imagej.RowText;
import ij.measure.ResultsTable;
import java.util.Random;

/**
 * Checks that tables from the engine equal tables filled cell by cell, and that their rows as text equal ImageJ's, for
 * any numbers, decimals, labels and texts.
 */
public final class RowTextTest {
    private static final int ROWS = 4000, COLUMNS = 24, KINDS = 11;
    private static final double[] SPECIAL = {0, -0.0, 0.5, 1.5, 2.5, -0.5, 0.0005, 0.0015, 1.0005, 2.4995, 0.001, 0.01,
        0.1, 1e-9, 1e-10, -1e-12, 0.9995, 0.99949999, -0.9996, 9.9999999, 999.9995, 1e9, 1e9 + 0.5, 2147483647,
        2147483648.0, -2147483648.0, 999999999999.0, 999999999999.5, 1e12, 1e13 / 3, 1e300, Float.MAX_VALUE, Double.NaN,
        Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, 4503599627370497.5};

    private static int failed, passed;

    private RowTextTest() {}

    private static void check(boolean right, String what) {
        if (right)
            passed++;
        else if (++failed < 20)
            System.out.println("FAIL " + what);
    }

    /**
     * A number for a kind of column: whole, of a certain magnitude, near the middle between two texts, special, or
     * random bits.
     */
    private static double number(Random random, int column, int row) {
        int whole = random.nextInt(4001) - 2000;
        switch (column % 6) {
        case 0:
            return whole;
        case 1:
            return (float) (whole * random.nextDouble());
        case 2:
            return random.nextGaussian() * Math.pow(10, random.nextInt(20) - 8);
        case 3:
            return (2 * whole + 1) / 2.0 / Math.pow(10, random.nextInt(10))
                + (random.nextInt(3) - 1) * Math.ulp((double) whole);
        case 4:
            return row < 30 ? row : SPECIAL[random.nextInt(SPECIAL.length)];
        default:
            return Double.longBitsToDouble(random.nextLong());
        }
    }

    private static Object[] rows(Random random, int count) {
        String[] headings = new String[COLUMNS];
        for (int x = 0; x < COLUMNS; x++)
            headings[x] = "COLUMN_" + x;
        double[] numbers = new double[count * COLUMNS];
        for (int i = 0; i < numbers.length; i++)
            numbers[i] = number(random, i % COLUMNS, i / COLUMNS + 1);
        return new Object[] {headings, numbers};
    }

    /** Fills the table with ImageJ's slow cell-by-cell method. */
    private static void fill(ResultsTable table, Object[] rows) {
        double[] numbers = (double[]) rows[1];
        for (int i = 0; i < numbers.length; i++) {
            if (i % COLUMNS == 0)
                table.incrementCounter();
            table.addValue(((String[]) rows[0])[i % COLUMNS], numbers[i]);
        }
    }

    private static void compare(ResultsTable table, ResultsTable plain, int first, String what) {
        check(table.getColumnHeadings().equals(plain.getColumnHeadings()) && table.size() == plain.size(),
            "headings and rows, " + what);
        String[] rows = RowText.from(table, first);
        check(rows.length == table.size() - first, "number of rows, " + what);
        for (int row = first; row < table.size(); row++) {
            String expected = plain.getRowAsString(row), found = rows[row - first];
            check(found.equals(expected), what + ", row " + row + "\n  due   " + expected + "\n  found " + found);
        }
    }

    /** Changes that a user may have made to a table before rows are added. */
    private static void prepare(ResultsTable table, int kind) {
        table.showRowNumbers(kind % 2 == 0);
        if (kind == 4)
            table.showRowIndexes(true);
        if (kind == 6)
            table.setNaNEmptyCells(true);
        if (kind == 1 || kind == 2 || kind == 7) {
            table.incrementCounter();
            table.addValue("Before", 1.25);
        }
        if (kind == 2 || kind == 5) {
            table.incrementCounter();
            table.addLabel("first");
            table.addValue("Name", "a text");
        }
        if (kind == 3)
            table.setPrecision(7);
        if (kind == 7)
            table.setPrecision(-4);
        if (kind == 8)
            table.setPrecision(0);
        if (kind == 9) {
            Invocation.append(table, rows(new Random(1), 150));
            table.reset();
        }
        if (kind == 10)
            table.setDefaultHeadings();
    }

    /** Changes that a user may make after rows were added. */
    private static void change(ResultsTable table, int kind) {
        for (int x = 0; kind == 3 && x < COLUMNS; x++)
            table.setDecimalPlaces(table.getColumnIndex("COLUMN_" + x), x % 12 - 1);
        if (kind == 1)
            table.deleteColumn("COLUMN_23");
        if (kind == 6)
            table.deleteColumn("COLUMN_3");
        if (kind == 5)
            table.setValue("COLUMN_7", 9, "two\nlines");
        if (kind == 8)
            table.setValue("Last", 5, "");
    }

    public static void main(String[] args) {
        Random random = new Random(27);
        for (int kind = 0; kind < KINDS; kind++) {
            ResultsTable table = new ResultsTable(), plain = new ResultsTable();
            prepare(table, kind);
            prepare(plain, kind);
            Object[] some = rows(random, ROWS), more = rows(random, 300);
            Invocation.append(table, some);
            fill(plain, some);
            compare(table, plain, 0, "new table " + kind);
            int size = table.size();
            change(table, kind);
            change(plain, kind);
            Invocation.append(table, more);
            fill(plain, more);
            compare(table, plain, size, "appended rows " + kind);
            compare(table, plain, 0, "all rows " + kind);
        }
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 && passed > 0 ? 0 : 1);
    }
}
