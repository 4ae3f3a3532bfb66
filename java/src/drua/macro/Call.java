// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.Registry;
import java.io.File;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * One call of a macro command that ImageJ itself runs; see {@link HostCommands}. Arguments are found by parameter name.
 */
public final class Call {
    private final Registry.Command command;
    private final long context;
    private final boolean compatible;
    private final Map<String, Object> values = new HashMap<>();
    private final StringBuilder notes = new StringBuilder();
    private final Map<String, Object> outputs = new HashMap<>();

    public Call(Registry.Command command, long context, boolean compatible, String[] texts, double[] numbers) {
        this.command = command;
        this.context = context;
        this.compatible = compatible;
        for (Registry.Parameter parameter : command.operation.parameters)
            values.put(parameter.name, parameter.defaultValue);
        List<Registry.Argument> arguments = command.arguments;
        for (int i = 0; i < arguments.size(); i++)
            values.put(arguments.get(i).name, texts[i] != null ? texts[i] : (Object) numbers[i]);
    }

    /** The name of the command. */
    String name() {
        return command.name;
    }

    /** The context. The caller of the command holds the engine's lock. */
    long context() {
        return context;
    }

    /** True if CLIJ2's start command was used: windows look as in CLIJ2. */
    boolean compatible() {
        return compatible;
    }

    /** A text argument; "" if the macro does not pass it. */
    String text(String parameter) {
        Object value = values.get(parameter);
        return value == null ? "" : value.toString();
    }

    /** A switch, 0 or 1. For commands with CLIJ's prefixes any number except 0 is on. */
    boolean flag(String parameter) {
        Object value = values.get(parameter);
        double number = value instanceof Double ? (Double) value : 0;
        if (!isOfClij() && number != 0 && number != 1)
            throw new EngineException(command.name + ": " + parameter + " must be 0 (false) or 1 (true), got " + value);
        return number != 0;
    }

    /** A whole number; commands with CLIJ's prefixes truncate fractions. Fails outside the parameter's range. */
    long integer(String parameter) {
        double number = number(parameter);
        if (!isOfClij() && number != Math.rint(number))
            throw new EngineException(command.name + ": " + parameter + " must be a whole number, got " + number);
        return (long) number;
    }

    private boolean isOfClij() {
        return command.name.startsWith("CLIJ");
    }

    /** A number. Fails outside the parameter's range. */
    double number(String parameter) {
        Object value = values.get(parameter);
        double number = value instanceof Double ? (Double) value : Double.NaN;
        for (Registry.Parameter p : command.operation.parameters) {
            if (p.name.equals(parameter) && !(number >= p.min && number <= p.max))
                throw new EngineException(command.name + ": " + parameter + " must be " + Math.round(p.min) + " to "
                    + Math.round(p.max) + ", got " + (Double.isNaN(number) ? "text or NaN" : value));
        }
        return number;
    }

    /** The image whose name the parameter holds. Fails and lists the nearest names if no image has it. */
    long image(String parameter) {
        try {
            return Native.find(context, text(parameter));
        } catch (EngineException e) {
            /* remove the parameter name of Native.find */
            throw error(parameter, e.getMessage().replaceFirst("^image: ", ""));
        }
    }

    /** Same as image(), but fails unless the image is a single plane. */
    long plane(String parameter) {
        long image = image(parameter), depth = Native.info(context, image)[2];
        if (depth > 1)
            throw error(parameter,
                "'" + text(parameter) + "' has " + depth + " slices, but must have one; select a slice with copySlice");
        return image;
    }

    /** The text of a path parameter. Refuses an empty path, which Java takes for the current folder. */
    String path(String parameter) {
        if (text(parameter).trim().isEmpty())
            throw error(parameter, "the path is empty; give the path of a file or folder");
        return text(parameter);
    }

    /** The file of a path parameter. The folder of an output file is created if it does not exist. */
    File file(String parameter) {
        return command.operation.parameter(parameter).written ? newFile(path(parameter))
                                                              : new File(path(parameter)).getAbsoluteFile();
    }

    /** The file at a path. Its folder is created if it does not exist. */
    File newFile(String path) {
        File file = new File(path).getAbsoluteFile(), folder = file.getParentFile();
        if (!folder.isDirectory() && !folder.mkdirs())
            throw error(
                "path", "the folder " + folder + " cannot be created; choose a path where you have write permission");
        return file;
    }

    /** The text file to write at a path. Refuses the extension of an image. */
    File newTextFile(String parameter) {
        String path = path(parameter);
        try {
            Native.checkTextPath(path);
        } catch (EngineException e) {
            throw error(parameter, e.getMessage());
        }
        return newFile(path);
    }

    /**
     * Binds an image to a name. `maker` receives the current image of that name, or 0, and returns it with new pixels
     * or returns another image.
     */
    void put(String name, LongUnaryOperator maker) {
        long old = Native.exists(context, name) ? Native.find(context, name) : 0, image = maker.applyAsLong(old);
        if (image != old)
            Native.bind(context, name, image);
    }

    /**
     * The name of a result: the value of the macro's variable, or a new name, which is written back to the variable.
     */
    String destination(String parameter) {
        String name = text(parameter);
        if (name.isEmpty())
            name = Native.resultName(command.name);
        set(parameter, name);
        return name;
    }

    /** Writes an output argument. */
    void set(String parameter, String value) {
        outputs.put(parameter, value);
    }

    /** Leaves a note for the user. */
    void note(String sentence) {
        notes.append(command.name).append(": ").append(sentence).append('\n');
    }

    /** The notes of the command, one per line. */
    public String notes() {
        return notes.toString();
    }

    /** The value that the command wrote to a parameter, or null. */
    public Object output(String parameter) {
        return outputs.get(parameter);
    }

    /** An exception with the message "COMMAND: PARAMETER: REASON". */
    EngineException error(String parameter, String reason) {
        return new EngineException(command.name + ": " + parameter + ": " + reason);
    }

    /** An exception with the message "COMMAND: REASON". */
    EngineException error(String reason) {
        return new EngineException(command.name + ": " + reason);
    }
}
