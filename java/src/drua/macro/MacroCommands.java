// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.Engine;
import drua.engine.EngineException;
import drua.engine.Registry;
import drua.imagej.CallingScript;
import drua.imagej.Invocation;
import drua.imagej.QuietMacro;
import drua.imagej.ResultsWindow;
import drua.imagej.Watch;
import ij.IJ;
import ij.Macro;
import ij.macro.ExtensionDescriptor;
import ij.macro.Functions;
import ij.macro.Interpreter;
import ij.macro.MacroExtension;
import java.awt.HeadlessException;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Offers all commands with all prefixes as Ext functions of the running macro. The engine holds all state, so macros
 * may start Drua repeatedly.
 */
final class MacroCommands implements MacroExtension {
    /** For each macro, the notes that it has received since it started Drua for the first time. */
    private static final Map<Interpreter, LinesOnce> LINES = new WeakHashMap<>();

    private final Interpreter interpreter;
    private final boolean compatible;
    private final LinesOnce lines;

    private MacroCommands(Interpreter interpreter, boolean compatible, LinesOnce lines) {
        this.interpreter = interpreter;
        this.compatible = compatible;
        this.lines = lines;
    }

    /**
     * Registers the commands with the running macro. compatible: windows look as in CLIJ2, without scale and colours.
     */
    static void register(boolean compatible) {
        Interpreter interpreter = Interpreter.getInstance();
        MacroCommands commands = new MacroCommands(
            interpreter, compatible, LINES.computeIfAbsent(interpreter, key -> LinesOnce.begin(Engine.context())));
        if (!KnownCommands.register(interpreter, commands::descriptor))
            Functions.registerExtensions(commands);
    }

    @Override
    public ExtensionDescriptor[] getExtensionFunctions() {
        return Registry.get().commands.keySet().stream().map(this::descriptor).toArray(ExtensionDescriptor[] ::new);
    }

    /** Describes the name and the arguments of a command to ImageJ; null for an unknown name. */
    private ExtensionDescriptor descriptor(String name) {
        Registry.Command command = Registry.get().commands.get(name);
        return command == null ? null : new ExtensionDescriptor(name, types(command), this);
    }

    /** The types for the longest signature of a command. Arguments that a shorter signature lacks are optional. */
    private static int[] types(Registry.Command command) {
        List<Registry.Command> signatures = command.signatures();
        Comparator<Registry.Command> length = Comparator.comparingInt(signature -> signature.arguments.size());
        int min = Collections.min(signatures, length).arguments.size();
        List<Registry.Argument> arguments = Collections.max(signatures, length).arguments;
        int[] types = new int[arguments.size()];
        for (int i = 0; i < types.length; i++) {
            Registry.Argument argument = arguments.get(i);
            int type = argument.kind.isArray() ? ARG_ARRAY : argument.kind.isNumber() ? ARG_NUMBER : ARG_STRING;
            types[i] = type | (argument.output ? ARG_OUTPUT : 0) | (i < min ? 0 : ARG_OPTIONAL);
        }
        return types;
    }

    /** Runs a command on the macro's thread. Returns null, because ImageJ would print a returned text. */
    @Override
    public String handleExtension(String name, Object[] arguments) {
        if (mustStop(Thread.currentThread()))
            stop(name);
        try {
            synchronized (Engine.class) {
                run(signature(name, arguments), arguments);
            }
            if (Registry.get().commands.get(name).operation.host)
                KeptImage.forget(interpreter);
        } catch (EngineException e) {
            if (mustStop(Thread.currentThread()))
                stop(name);
            fail(interpreter, e.getMessage());
        } catch (OutOfMemoryError e) {
            fail(interpreter,
                name + ": " + e.getMessage()
                    + "; close images, or raise ImageJ's memory limit with Edit>Options>Memory & Threads");
        } catch (RuntimeException e) {
            if (Macro.MACRO_CANCELED.equals(e.getMessage()))
                throw e;
            fail(interpreter, name + ": internal error of Drua, please report it: " + e);
        }
        return null;
    }

    /** The signature of a command for these arguments. ImageJ passes null for each optional one that is left out. */
    private static Registry.Command signature(String name, Object[] arguments) {
        int count = arguments == null ? 0 : arguments.length;
        while (count > 0 && arguments[count - 1] == null)
            count--;
        Registry.Command command = Registry.get().commands.get(name);
        if (command.taking(count) == null)
            throw command.wrongCount(count);
        return command.taking(count);
    }

    /** Escape stops the macro that started last; an interrupt stops a script. */
    private boolean mustStop(Thread thread) {
        return interpreter.done() || IJ.escapePressed() || thread.isInterrupted();
    }

    /** Ends the macro on the user's request, which is not an error. Does not return. */
    private void stop(String name) {
        IJ.log((IJ.escapePressed() ? "Escape was pressed" : "Stop was requested") + ": the macro stopped at " + name
            + " in line " + interpreter.getLineNumber() + "; images stay on the device");
        interpreter.abort((String) null); /* without a text ImageJ opens no window */
        throw new RuntimeException(Macro.MACRO_CANCELED);
    }

    @SuppressWarnings("try") /* the watch is used by opening and closing it */
    private void run(Registry.Command command, Object[] arguments) {
        int count = command.arguments.size();
        String[] texts = new String[count];
        double[] numbers = new double[count];
        Object[] arrays = new Object[count];
        for (int i = 0; i < count; i++) {
            Registry.Argument argument = command.arguments.get(i);
            Object value = argument.output ? ((Object[]) arguments[i])[0] : arguments[i];
            if (argument.kind == Registry.Kind.ARRAY_IN)
                arrays[i] = numbers(command, argument, (Object[]) value);
            else if (argument.kind == Registry.Kind.IMAGES)
                arrays[i] = names(command, argument, (Object[]) value);
            else if (value instanceof String)
                texts[i] = (String) value;
            else
                numbers[i] = (Double) value;
        }
        long context = Engine.context();
        Thread thread = Thread.currentThread();
        try (Watch watch = Watch.begin(context, command.name, () -> mustStop(thread))) {
            run(command, context, texts, numbers, arrays);
        }
        for (int i = 0; i < count; i++) {
            if (command.arguments.get(i).output)
                ((Object[]) arguments[i])[0] = texts[i] != null ? texts[i] : (Object) numbers[i];
        }
    }

    private void run(Registry.Command command, long context, String[] texts, double[] numbers, Object[] arrays) {
        if (command.operation.host) {
            Call call = new Call(command, context, compatible, texts, numbers);
            HostCommands.run(call, command.operation);
            lines.tell(call.notes());
            for (int i = 0; i < texts.length; i++) {
                Object output = call.output(command.arguments.get(i).name);
                texts[i] = output == null ? texts[i] : output.toString();
            }
        } else {
            for (int i = 0; i < texts.length; i++) {
                if (command.arguments.get(i).kind == Registry.Kind.PATH && texts[i] != null)
                    texts[i] = new Call(command, context, compatible, texts, numbers)
                                   .file(command.arguments.get(i).name)
                                   .getPath();
            }
            Object[] made =
                Invocation.command(context, interpreter.getLineNumber(), command, texts, numbers, arrays, lines::tell);
            if (made != null)
                ResultsWindow.append(made);
            lines.tellMisfit(context);
        }
    }

    /** An array that alternates names and image names, in the format of the engine. */
    private static Object[] names(Registry.Command command, Registry.Argument argument, Object[] values) {
        String[] names = new String[values.length];
        for (int i = 0; i < values.length; i++) {
            if (!(values[i] instanceof String))
                throw new EngineException(command.name + ": " + argument.name + ": element " + i + " must be "
                    + (i % 2 == 0 ? "a name" : "the name of an image") + ", got "
                    + (values[i] instanceof Double ? "the number " + values[i] : "an array"));
            names[i] = (String) values[i];
        }
        return new Object[] {names, new long[values.length]};
    }

    private static double[] numbers(Registry.Command command, Registry.Argument argument, Object[] values) {
        double[] numbers = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            if (!(values[i] instanceof Double))
                throw new EngineException(command.name + ": " + argument.name + ": element " + i
                    + " must be a number, got "
                    + (values[i] instanceof String ? "the text '" + values[i] + "'" : "an array"));
            numbers[i] = (Double) values[i];
        }
        return numbers;
    }

    /**
     * Stops a macro at its line with an error message: as the result of a {@link QuietMacro}, as an exception if a
     * script of another language runs the macro, on stderr if ImageJ has no window, else in a dialog. Does not return.
     */
    static void fail(Interpreter interpreter, String sentence) {
        String message = sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
        int line = interpreter.getLineNumber();
        boolean isQuiet = QuietMacro.keep(interpreter, message);
        if (!isQuiet && CallingScript.exists()) {
            interpreter.abort((String) null); /* without a text ImageJ opens no window */
            throw CallingScript.failure(message + " in line " + line);
        }
        try {
            interpreter.abort(isQuiet ? null : message);
        } catch (HeadlessException e) {
            System.err.println("Macro Error: " + message + " in line " + line);
        }
        throw new RuntimeException(Macro.MACRO_CANCELED);
    }
}
