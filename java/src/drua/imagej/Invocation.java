// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.Registry;
import ij.IJ;
import ij.measure.ResultsTable;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Calls operations with Java values. */
public final class Invocation {
    /* drua_argument_kind */
    private static final int NONE = 0, NUMBER = 1, TEXT = 2, IMAGE = 3, ARRAY = 4, LIST = 5;

    private Invocation() {}

    /**
     * Runs an operation.
     *
     * @param arguments one for each parameter, in order: Long for an image's handle, Number, Boolean, String, an array
     *     or List of numbers, or a list that alternates names and images; null for a new output or for the default
     * @return the outputs in order: Long, Double, String or ResultsTable
     */
    public static Object[] run(long context, Registry.Operation operation, Object[] arguments) {
        return run(context, operation, arguments, null);
    }

    /** Calls the operation for a part of the first output image; part: as in {@link Native#invoke}. */
    public static Object[] run(long context, Registry.Operation operation, Object[] arguments, long[] part) {
        /* the engine returns a table separately, not as an argument */
        int[] passed = IntStream.range(0, operation.parameters.size())
                           .filter(i -> operation.parameters.get(i).kind != Registry.Kind.TABLE_OUT)
                           .toArray();
        int count = passed.length;
        int[] kinds = new int[count];
        long[] images = new long[count];
        double[] numbers = new double[count];
        String[] texts = new String[count];
        Object[] arrays = new Object[count];
        for (int i = 0; i < count; i++) {
            Registry.Parameter parameter = operation.parameters.get(passed[i]);
            Object value = arguments[passed[i]];
            if (value == null) {
                kinds[i] = NONE;
            } else if (parameter.kind.isImage() && value instanceof Long) {
                kinds[i] = IMAGE;
                images[i] = (Long) value;
                PointSpread.check(context, operation, parameter.name, images[i]);
            } else if (parameter.kind.isNumber() && (value instanceof Number || value instanceof Boolean)) {
                kinds[i] = NUMBER;
                numbers[i] = value instanceof Boolean ? ((Boolean) value ? 1 : 0) : ((Number) value).doubleValue();
            } else if (parameter.kind == Registry.Kind.ARRAY_IN
                && (value instanceof List || value.getClass().isArray())) {
                kinds[i] = ARRAY;
                arrays[i] = numbers(operation, parameter, value);
            } else if (parameter.kind == Registry.Kind.IMAGES && (value instanceof List || value instanceof Object[])) {
                kinds[i] = LIST;
                arrays[i] = nameImages(
                    operation, parameter, value instanceof List ? ((List<?>) value).toArray() : (Object[]) value);
            } else if (value instanceof CharSequence && !parameter.kind.isImage() && !parameter.kind.isNumber()) {
                kinds[i] = TEXT;
                texts[i] = value.toString();
            } else {
                throw wrongArgument(operation, parameter, value);
            }
        }
        Object[] table = Native.invoke(context, operation.name, kinds, images, numbers, texts, arrays, part);
        passOnNotes(context, operation.hasLines, IJ::log);
        List<Object> outputs = new ArrayList<>();
        int next = 0;
        for (Registry.Parameter parameter : operation.parameters) {
            int i = parameter.kind == Registry.Kind.TABLE_OUT ? -1 : next++;
            switch (parameter.kind) {
            case IMAGE_OUT:
                outputs.add(images[i]);
                break;
            case NUMBER_OUT:
                outputs.add(numbers[i]);
                break;
            case TEXT_OUT:
                outputs.add(texts[i]);
                break;
            case TABLE_OUT:
                outputs.add(table(table));
                break;
            default:
            }
        }
        return outputs.toArray();
    }

    /**
     * Runs a macro command on named images, like {@link Native#command}.
     *
     * @param tell receives notes of the call for the user, one per line
     * @return the command's table, or null
     */
    public static Object[] command(long context, int line, Registry.Command command, String[] texts, double[] numbers,
        Object[] arrays, Consumer<String> tell) {
        for (int i = 0; i < texts.length; i++) {
            if (PointSpread.isUsedBy(command.operation) && command.arguments.get(i).kind == Registry.Kind.IMAGE_IN
                && Native.exists(context, texts[i]))
                PointSpread.check(
                    context, command.operation, command.arguments.get(i).name, Native.find(context, texts[i]));
        }
        Object[] table = Native.command(context, line, command.name, texts, numbers, arrays);
        passOnNotes(context, command.operation.hasLines || command.fitsArguments, tell);
        return table;
    }

    /** Passes on the notes that the last call left for the user. Calls of most operations leave none. */
    private static void passOnNotes(long context, boolean mayLeaveNotes, Consumer<String> tell) {
        String lines = mayLeaveNotes ? Native.takeLines(context) : "";
        if (!lines.isEmpty())
            tell.accept(lines.trim());
    }

    private static double[] numbers(Registry.Operation operation, Registry.Parameter parameter, Object value) {
        Object array = value instanceof List ? ((List<?>) value).toArray() : value;
        double[] numbers = new double[Array.getLength(array)];
        for (int i = 0; i < numbers.length; i++) {
            Object element = Array.get(array, i);
            if (!(element instanceof Number))
                throw wrongArgument(operation, parameter, element);
            numbers[i] = ((Number) element).doubleValue();
        }
        return numbers;
    }

    private static Object[] nameImages(Registry.Operation operation, Registry.Parameter parameter, Object[] values) {
        String[] texts = new String[values.length];
        long[] images = new long[values.length];
        for (int i = 0; i < values.length; i++) {
            if (values[i] instanceof Long)
                images[i] = (Long) values[i];
            else if (values[i] instanceof CharSequence)
                texts[i] = values[i].toString();
            else
                throw wrongArgument(operation, parameter, values[i]);
        }
        return new Object[] {texts, images};
    }

    private static EngineException wrongArgument(
        Registry.Operation operation, Registry.Parameter parameter, Object value) {
        String got = value == null ? "nothing" : value.getClass().getSimpleName() + " " + value;
        return new EngineException(
            operation.camelCase() + ": " + parameter.name + " must be " + expectedKind(parameter) + ", got " + got);
    }

    private static String expectedKind(Registry.Parameter parameter) {
        if (parameter.kind.isImage())
            return "an image of this Drua object (push an ImagePlus first)";
        if (parameter.kind.isNumber())
            return "a number";
        if (parameter.kind == Registry.Kind.ARRAY_IN)
            return "an array of numbers";
        if (parameter.kind == Registry.Kind.IMAGES)
            return "an array that alternates names and images";
        return "a string";
    }

    private static ResultsTable table(Object[] made) {
        ResultsTable table = new ResultsTable();
        if (made != null)
            append(table, made);
        return table;
    }

    /** Appends a table from {@link Native#command} to an ImageJ table. */
    public static void append(ResultsTable table, Object[] made) {
        String[] headings = (String[]) made[0];
        double[] numbers = (double[]) made[1];
        int[] columns = new int[headings.length];
        makeRoom(table, numbers.length / Math.max(1, columns.length));
        for (int next = 0; next < numbers.length;) {
            table.incrementCounter();
            boolean first = next == 0;
            for (int x = 0; x < columns.length; x++, next++) {
                if (first) { /* by name: slow, the time grows with the number of columns */
                    table.addValue(headings[x], numbers[next]);
                    columns[x] = table.getColumnIndex(headings[x]);
                } else {
                    table.addValue(columns[x], numbers[next]);
                }
            }
        }
    }

    /**
     * Reserves memory for all rows, because a growing table copies its columns again and again. New columns get the
     * capacity of the table, which rows enlarge even if they are deleted again.
     */
    private static void makeRoom(ResultsTable table, int rows) {
        if (table.size() > 0 || table.getLastColumn() >= 0)
            return;
        for (int i = 0; i < rows; i++)
            table.incrementCounter();
        while (table.size() > 0)
            table.deleteRow(table.size() - 1);
    }
}
