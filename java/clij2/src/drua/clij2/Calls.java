// SPDX-License-Identifier: BSD-3-Clause
package drua.clij2;

import drua.Drua;
import drua.DruaException;
import drua.Image;
import ij.measure.ResultsTable;
import java.util.Arrays;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;
import net.haesleinhuepf.clij2.CLIJ2Ops;

/** Runs macro commands for the generated methods of CLIJ2Ops and CLIJxOps, and converts their results. */
public final class Calls {
    private Calls() {}

    /**
     * Runs a macro command.
     *
     * @param method    the method that the program called
     * @param arguments one for each argument of the command: an image of CLIJ2, a number, text or array; null for an
     *     output
     * @return the outputs, then the table, as {@link Drua#command} returns them
     */
    public static Object[] run(CLIJ2Ops ops, String method, String command, Object... arguments) {
        Object[] values = new Object[arguments.length];
        for (int i = 0; i < values.length; i++)
            values[i] = value(arguments[i]);
        Drua drua = ops.getCLIJ().getDrua();
        if (!ops.doTimeTracing())
            return drua.command(command, values);
        ops.recordMethodStart(method);
        try {
            Object[] results = drua.command(command, values);
            drua.sync();
            return results;
        } finally {
            ops.recordMethodEnd(method);
        }
    }

    private static Object value(Object argument) {
        return argument instanceof DeviceImage ? ((DeviceImage) argument).image() : argument;
    }

    /** The first number among the outputs, else that of the table's first row. */
    public static double number(String method, Object[] results) {
        double[] numbers = numbers(results);
        if (numbers.length == 0)
            throw new DruaException(method + ": the command returned no number");
        return numbers[0];
    }

    /** The numbers among the outputs, else those of the table's first row. */
    public static double[] numbers(Object[] results) {
        double[] outputs =
            Arrays.stream(results).filter(Double.class ::isInstance).mapToDouble(n -> (Double) n).toArray();
        double[][] rows = outputs.length > 0 ? new double[0][] : rows(results);
        return rows.length > 0 ? rows[0] : outputs;
    }

    /** The rows of the table; no rows without a table. */
    public static double[][] rows(Object[] results) {
        ResultsTable table = table(results);
        if (table == null)
            return new double[0][];
        double[][] rows = new double[table.size()][table.getLastColumn() + 1];
        for (int y = 0; y < rows.length; y++)
            for (int x = 0; x < rows[y].length; x++)
                rows[y][x] = table.getValueAsDouble(x, y);
        return rows;
    }

    private static ResultsTable table(Object[] results) {
        Object last = results.length == 0 ? null : results[results.length - 1];
        return last instanceof ResultsTable ? (ResultsTable) last : null;
    }

    /** Appends the rows of the table to another table and returns that. */
    public static ResultsTable append(Object[] results, ResultsTable table) {
        ResultsTable made = table(results);
        for (int y = 0; made != null && y < made.size(); y++) {
            table.incrementCounter();
            for (int x = 0; x <= made.getLastColumn(); x++)
                table.addValue(made.getColumnHeading(x), made.getValueAsDouble(x, y));
        }
        return table;
    }

    /** The first image among the outputs. */
    public static ClearCLBuffer image(CLIJ2Ops ops, Object[] results) {
        Image image = (Image) Arrays.stream(results).filter(Image.class ::isInstance).findFirst().get();
        return new ClearCLBuffer(ops.getCLIJ().getDrua(), image);
    }

    /** The first text among the outputs. */
    public static String text(Object[] results) {
        return (String) Arrays.stream(results).filter(String.class ::isInstance).findFirst().get();
    }

    /** The failure of a method that Drua does not offer. */
    public static DruaException absent(String method, String reason) {
        return new DruaException(method + ": " + reason);
    }
}
