// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.Native;
import drua.engine.Registry;
import drua.imagej.Images;
import drua.imagej.Invocation;
import drua.imagej.ResultsWindow;
import ij.measure.ResultsTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads and writes the Results table; see {@link HostCommands}. */
final class TableCommands {
    private TableCommands() {}

    public static void pushResultsTable(Call call) {
        ResultsTable table = filledTable(call);
        List<String> columns = new ArrayList<>();
        for (String heading : table.getHeadings()) {
            if (table.columnExists(heading))
                columns.add(heading);
        }
        if (columns.isEmpty())
            throw call.error("the Results table has no columns with numbers; measure something first");
        float[] pixels = new float[columns.size() * table.size()];
        for (int x = 0; x < columns.size(); x++) {
            float[] numbers = column(table, columns.get(x));
            for (int y = 0; y < numbers.length; y++)
                pixels[y * columns.size() + x] = numbers[y];
        }
        pushNumbers(call, columns.size(), table.size(), 2, pixels);
    }

    public static void pushResultsTableColumn(Call call) {
        float[] pixels = column(call);
        pushNumbers(call, pixels.length, 1, 3, pixels);
    }

    public static void parametricImageOfResultsTableColumn(Call call) {
        paint(call, call.image("source"), column(call));
    }

    /**
     * Makes the image "destination", in which each label is replaced by its number. The first number is that of the
     * background.
     */
    static void paint(Call call, long labels, float[] numbers) {
        long context = call.context(), values = 0, converted = 0;
        Map<String, Registry.Operation> operations = Registry.get().operations;
        try {
            values = Images.push(context, numbers.length, 1, 1, 3, Images.FLOAT32, z -> numbers, 0);
            converted = (Long) Invocation.run(context, operations.get("convert_float"), new Object[] {labels, null})[0];
            Object[] arguments = {converted, values, null};
            call.put(call.destination("destination"), old -> {
                arguments[2] = old == 0 ? null : (Object) old;
                return (Long) Invocation.run(context, operations.get("replace_intensities"), arguments)[0];
            });
        } finally {
            for (long image : new long[] {values, converted})
                if (image != 0)
                    Native.release(context, image);
        }
    }

    private static float[] column(Call call) {
        ResultsTable table = filledTable(call);
        String column = call.text("column_name");
        checkColumn(call, "column_name", table, column);
        return column(table, column);
    }

    static void checkColumn(Call call, String parameter, ResultsTable table, String column) {
        if (!table.columnExists(column))
            throw call.error(parameter,
                "the Results table has no column '" + column + "'; it has '" + String.join("', '", table.getHeadings())
                    + "'");
    }

    static ResultsTable filledTable(Call call) {
        ResultsTable table = ResultsTable.getResultsTable();
        if (table.size() == 0)
            throw call.error("the Results table is empty; measure something first");
        return table;
    }

    private static void pushNumbers(Call call, int width, int height, int dimension, float[] pixels) {
        call.put(call.destination("destination"),
            old -> Images.push(call.context(), width, height, 1, dimension, Images.FLOAT32, z -> pixels, old));
    }

    public static void pullToResultsTable(Call call) {
        long image = call.plane("source");
        int width = (int) Native.info(call.context(), image)[0];
        float[] pixels = Images.pullNumbers(call.context(), image)[0];
        String[] headings = new String[width];
        for (int x = 0; x < width; x++)
            headings[x] = "X" + x;
        double[] numbers = new double[pixels.length];
        for (int i = 0; i < numbers.length; i++)
            numbers[i] = pixels[i];
        ResultsWindow.append(new Object[] {headings, numbers});
    }

    public static void pullToResultsTableColumn(Call call) {
        float[] pixels = Images.pullNumbers(call.context(), call.plane("source"))[0];
        String column = call.text("column_name");
        ResultsTable table = ResultsTable.getResultsTable();
        int missing = call.flag("append_new_rows") ? pixels.length : Math.max(0, pixels.length - table.size());
        for (int i = 0; i < missing; i++)
            table.incrementCounter();
        setColumn(table, column, table.size() - pixels.length, pixels);
        ResultsWindow.showAnew(table);
    }

    /** Writes the numbers from row `from` on. Looks up the column once. */
    static void setColumn(ResultsTable table, String column, int from, float[] numbers) {
        table.setValue(column, from, numbers[0]);
        int index = table.getColumnIndex(column);
        for (int i = 1; i < numbers.length; i++)
            table.setValue(index, from + i, numbers[i]);
    }

    /** All numbers of an existing column. */
    static float[] column(ResultsTable table, String column) {
        return table.getColumn(table.getColumnIndex(column));
    }
}
