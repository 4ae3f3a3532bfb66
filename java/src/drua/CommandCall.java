// SPDX-License-Identifier: BSD-3-Clause
package drua;

import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.Registry;
import drua.imagej.Invocation;
import drua.macro.Call;
import drua.macro.HostCommands;
import ij.IJ;
import ij.measure.ResultsTable;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;

/** One call of a macro command with Java values. The caller holds the lock of the {@link Drua} that owns the images. */
final class CommandCall {
    private final Drua owner;
    private final long context;
    private final Registry.Command command;
    private final String[] texts;
    private final double[] numbers;
    private final Object[] arrays;

    /** A call of the command's signature that takes `count` arguments. */
    CommandCall(Drua owner, long context, Registry.Command command, int count) {
        this.owner = owner;
        this.context = context;
        this.command = command.taking(count);
        if (this.command == null)
            throw command.wrongCount(count);
        texts = new String[count];
        numbers = new double[count];
        arrays = new Object[count];
    }

    /** Runs the command; see {@link Drua#command}. */
    Object[] run(Object[] values) {
        int count = command.arguments.size();
        for (int i = 0; i < count; i++)
            set(i, values[i]);
        Object[] rows = null;
        if (command.operation.host)
            runInJava(values);
        else
            rows = Invocation.command(context, 0, command, texts, numbers, arrays, IJ::log);
        List<Object> outputs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (command.arguments.get(i).output)
                outputs.add(output(i, values[i]));
        }
        if (rows != null) {
            ResultsTable table = new ResultsTable();
            Invocation.append(table, rows);
            outputs.add(table);
        }
        return outputs.toArray();
    }

    /** Runs a command that the plugin itself carries out. It finds the images by the names that set() gave them. */
    private void runInJava(Object[] values) {
        Call call = new Call(command, context, true, texts, numbers);
        HostCommands.run(call, command.operation);
        if (!call.notes().isEmpty())
            IJ.log(call.notes().trim());
        for (int i = 0; i < texts.length; i++) {
            Registry.Argument argument = command.arguments.get(i);
            Object output = call.output(argument.name);
            texts[i] = output == null ? texts[i] : output.toString();
            if (values[i] instanceof Image && Native.find(context, texts[i]) != ((Image) values[i]).handle(owner))
                throw new EngineException(command.name + ": " + argument.name
                    + " must be null (None) or, like the result, "
                    + new Image(owner, Native.find(context, texts[i]), command.name));
        }
    }

    private void set(int i, Object value) {
        Registry.Argument argument = command.arguments.get(i);
        if (argument.kind == Registry.Kind.ARRAY_IN)
            arrays[i] = numbers(argument, value);
        else if (argument.kind == Registry.Kind.IMAGES)
            arrays[i] = images(argument, value);
        else if (argument.kind.isImage())
            texts[i] = imageName(argument, value);
        else if (value == null && argument.output)
            texts[i] = argument.kind == Registry.Kind.NUMBER_OUT ? null : "";
        else if (argument.kind.isNumber())
            numbers[i] = number(argument, value);
        else if (value instanceof CharSequence)
            texts[i] = value.toString();
        else
            throw wrongArgument(argument, "a string", value);
    }

    /** The name under which the command finds or makes an image. */
    private String imageName(Registry.Argument argument, Object value) {
        if (value == null && argument.output)
            return "";
        Registry.Parameter parameter = command.operation.parameter(argument.name);
        if (parameter != null && parameter.replaces)
            throw wrongArgument(argument, "null (None), because this command always makes a new image", value);
        if (!(value instanceof Image))
            throw wrongArgument(argument, "an image on the device", value);
        long handle = ((Image) value).handle(owner);
        String name = ((Image) value).name();
        Native.bind(context, name, handle);
        return name;
    }

    private double number(Registry.Argument argument, Object value) {
        if (value instanceof Boolean)
            return (Boolean) value ? 1 : 0;
        if (!(value instanceof Number))
            throw wrongArgument(argument, "a number", value);
        return ((Number) value).doubleValue();
    }

    private double[] numbers(Registry.Argument argument, Object value) {
        Object array = value instanceof List ? ((List<?>) value).toArray() : value;
        if (array == null || !array.getClass().isArray())
            throw wrongArgument(argument, "an array of numbers", value);
        double[] result = new double[Array.getLength(array)];
        for (int i = 0; i < result.length; i++)
            result[i] = number(argument, Array.get(array, i));
        return result;
    }

    /** A list that alternates names and images, in the format of {@link Native#command}. */
    private Object[] images(Registry.Argument argument, Object value) {
        if (!(value instanceof Object[]))
            throw wrongArgument(argument, "an array that alternates names and images", value);
        Object[] values = (Object[]) value;
        String[] names = new String[values.length];
        long[] handles = new long[values.length];
        for (int i = 0; i < values.length; i++) {
            if (values[i] instanceof Image)
                handles[i] = ((Image) values[i]).handle(owner);
            else if (values[i] instanceof CharSequence)
                names[i] = values[i].toString();
            else
                throw wrongArgument(argument, "an array that alternates names and images", values[i]);
        }
        return new Object[] {names, handles};
    }

    private Object output(int i, Object value) {
        Registry.Kind kind = command.arguments.get(i).kind;
        if (kind == Registry.Kind.NUMBER_OUT)
            return numbers[i];
        if (!kind.isImage())
            return texts[i];
        long handle = Native.find(context, texts[i]);
        return value instanceof Image && ((Image) value).handle(owner) == handle
            ? value
            : new Image(owner, handle, command.name);
    }

    private EngineException wrongArgument(Registry.Argument argument, String expected, Object value) {
        String got = value == null ? "nothing" : value.getClass().getSimpleName() + " " + value;
        return new EngineException(command.name + ": " + argument.name + " must be " + expected + ", got " + got);
    }
}
