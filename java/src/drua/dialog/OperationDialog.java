// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.Engine;
import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.NativeLibrary;
import drua.engine.Registry;
import drua.imagej.DeviceWarning;
import drua.imagej.Images;
import drua.imagej.Invocation;
import drua.imagej.PointSpread;
import drua.imagej.Watch;
import drua.macro.Call;
import drua.macro.HostCommands;
import ij.IJ;
import ij.ImagePlus;
import ij.Macro;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.measure.ResultsTable;
import ij.plugin.PlugIn;
import ij.plugin.frame.Recorder;
import java.awt.GraphicsEnvironment;
import java.awt.Label;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Plugins>Drua>Drua Operation...: asks for an operation, then for its parameters, and runs it on open images. Menu entries of
 * single operations come here too, with the operation's name. The recorder gets the macro lines that do the same.
 */
public final class OperationDialog implements PlugIn {
    private static int recorded;

    @Override
    public void run(String arg) {
        DeviceWarning.toLog();
        try {
            NativeLibrary.load();
            Registry.Operation operation = arg.isEmpty() ? choose() : Registry.get().operations.get(arg);
            if (operation != null)
                apply(operation);
        } catch (EngineException e) {
            if (IJ.escapePressed())
                IJ.log(e.getMessage());
            else
                IJ.error("Drua", e.getMessage());
        }
    }

    /** The operation that a macro names; without one the finder opens, and this is null. */
    private static Registry.Operation choose() {
        String options = Macro.getOptions();
        if (!IJ.isMacro() || options == null) {
            Finder.open(null);
            return null;
        }
        String name = Macro.getValue(options, "operation", "");
        Registry.Operation operation = Registry.get().operations.get(name);
        if (operation == null || !hasDialog(operation))
            throw new EngineException("Drua Operation: operation must name one that reads an image, got '" + name + "'; Plugins>Drua>Drua Help finds them");
        return operation;
    }

    /** Operations that read an image or a file can be asked for in a dialog. */
    static boolean hasDialog(Registry.Operation operation) {
        return !operation.host && (count(operation, Registry.Kind.IMAGE_IN) > 0 || count(operation, Registry.Kind.PATH) > 0);
    }

    private static void apply(Registry.Operation operation) {
        String[] titles = WindowManager.getImageTitles();
        ImagePlus current = WindowManager.getCurrentImage();
        if (current == null && (count(operation, Registry.Kind.IMAGE_IN) > 0 || count(operation, Registry.Kind.IMAGE_INOUT) > 0))
            throw new EngineException(operation.camelCase() + ": no image is open; open one first");
        if (titles.length == 0 && current != null)
            titles = new String[] {current.getTitle()};
        GenericDialog dialog = asks() ? new SideDialog(operation, current) : new GenericDialog(operation.title());
        dialog.addMessage(dialog instanceof SideDialog ? StatusLine.wrapped(operation.summary) : operation.summary);
        String first = current == null ? "" : current.getTitle(), psf = PointSpread.title(titles, first);
        for (int i = 0; i < operation.parameters.size(); i++)
            addField(dialog, operation.parameters.get(i), titles, i == PointSpread.index(operation) ? psf : first);
        if (!showDialog(dialog, operation, current))
            return;
        Object[] values = read(dialog, operation);
        if (PointSpread.isSeries(operation, values)) {
            restoreSeries((String) values[0], (String) values[1], values[operation.parameters.indexOf(operation.parameter("options"))]);
            return;
        }
        record(operation, values);
        synchronized (Engine.class) {
            runAndShow(operation, values);
        }
    }

    /** Whether somebody at a display is asked for the values. */
    private static boolean asks() {
        return (!IJ.isMacro() || Macro.getOptions() == null) && !GraphicsEnvironment.isHeadless();
    }

    /** False if the user cancels. Operations of one image that make one have a preview, long ones an estimate of time and memory. */
    private static boolean showDialog(GenericDialog dialog, Registry.Operation operation, ImagePlus current) {
        boolean asks = dialog instanceof SideDialog;
        long images = count(operation, Registry.Kind.IMAGE_IN);
        boolean previews = asks && (images == 1 || images == 2 && operation.parameters.get(1).name.equals("psf"))
            && count(operation, Registry.Kind.IMAGE_OUT) == 1;
        boolean estimates = asks && !operation.estimate.isEmpty();
        if (!previews && !estimates) {
            dialog.showDialog();
            return !dialog.wasCanceled();
        }
        if (previews)
            dialog.addCheckbox("preview", false);
        if (estimates)
            dialog.addCheckbox("estimate", false);
        Label told = estimates ? told(dialog) : new Label();
        try (Preview preview = new Preview(operation, told::setText, ((SideDialog) dialog).status())) {
            dialog.addDialogListener((d, event) -> {
                if (event == null)
                    return true;
                try {
                    Object[] values = read(dialog, operation);
                    boolean wantsPreview = previews && dialog.getNextBoolean(), wantsEstimate = estimates && dialog.getNextBoolean();
                    preview.show(values, wantsPreview, wantsEstimate);
                } catch (EngineException e) {
                    ((SideDialog) d).status().fail(e.getMessage());
                }
                return true;
            });
            dialog.showDialog();
        }
        return !dialog.wasCanceled();
    }

    private static Label told(GenericDialog dialog) {
        dialog.addMessage(Preview.NO_ESTIMATE);
        return (Label) dialog.getMessage();
    }

    private static long count(Registry.Operation operation, Registry.Kind kind) {
        return operation.parameters.stream().filter(p -> p.kind == kind).count();
    }

    private static Object[] read(GenericDialog dialog, Registry.Operation operation) {
        Object[] values = new Object[operation.parameters.size()];
        for (int i = 0; i < values.length; i++)
            values[i] = read(dialog, operation, operation.parameters.get(i));
        return values;
    }

    private static void addField(GenericDialog dialog, Registry.Parameter p, String[] titles, String current) {
        switch (p.kind) {
        case IMAGE_IN:
        case IMAGE_INOUT:
            dialog.addChoice(p.name, titles, current);
            break;
        case NUMBER:
        case INTEGER:
            dialog.addNumericField(p.name, p.preset instanceof Double ? (Double) p.preset : 0, p.kind == Registry.Kind.INTEGER ? 0 : 3, 8, hint(p));
            break;
        case BOOLEAN:
            dialog.addCheckbox(p.name, p.preset instanceof Double && (Double) p.preset != 0);
            break;
        case CHOICE:
            dialog.addChoice(p.name, p.choices.toArray(new String[0]), p.preset instanceof String ? (String) p.preset : p.choices.get(0));
            break;
        case PATH:
            if (GraphicsEnvironment.isHeadless())
                dialog.addStringField(p.name, ""); /* Fiji's dialog without a display knows no field for files */
            else
                dialog.addFileField(p.name, "", 40);
            break;
        case OPTIONS:
            if (!p.settings.isEmpty()) {
                for (Registry.Parameter setting : p.settings)
                    addField(dialog, setting, titles, current);
                break;
            }
            dialog.addStringField(p.name, p.preset instanceof String ? (String) p.preset : "", 20);
            break;
        case TEXT:
        case ARRAY_IN:
            dialog.addStringField(p.name, p.preset instanceof String ? (String) p.preset : "", 20);
            break;
        default:
        }
    }

    /** Unit and range, where that says something. */
    private static String hint(Registry.Parameter p) {
        boolean narrow = p.min != null && p.max < 1e6;
        return narrow ? p.unit + " (" + number(p.min) + " to " + number(p.max) + ")" : p.unit;
    }

    private static Object read(GenericDialog dialog, Registry.Operation operation, Registry.Parameter p) {
        switch (p.kind) {
        case IMAGE_IN:
        case IMAGE_INOUT:
        case CHOICE:
            return dialog.getNextChoice();
        case NUMBER:
        case INTEGER:
            return dialog.getNextNumber();
        case BOOLEAN:
            return dialog.getNextBoolean();
        case OPTIONS:
            return p.settings.isEmpty() ? dialog.getNextString() : settings(dialog, operation, p);
        case TEXT:
        case PATH:
            return dialog.getNextString();
        case ARRAY_IN:
            return numbers(operation, p, dialog.getNextString());
        default:
            return null;
        }
    }

    /** The settings that are not as they are preset, as the text of the options. */
    private static String settings(GenericDialog dialog, Registry.Operation operation, Registry.Parameter options) {
        List<String> words = new ArrayList<>();
        for (Registry.Parameter p : options.settings) {
            Object value = p.kind == Registry.Kind.ARRAY_IN ? dialog.getNextString().replaceAll("\\s", "") : read(dialog, operation, p);
            Object preset = p.kind == Registry.Kind.CHOICE && p.preset == null ? p.choices.get(0)
                : p.kind == Registry.Kind.BOOLEAN ? (Object) ((Double) p.preset != 0) : p.preset;
            if (!value.equals(preset))
                words.add(p.name + "=" + (value instanceof Double ? number((Double) value) : value));
        }
        return String.join(" ", words);
    }

    private static List<Double> numbers(Registry.Operation operation, Registry.Parameter p, String text) {
        List<Double> numbers = new ArrayList<>();
        for (String word : text.trim().split("[,;\\s]+")) {
            try {
                numbers.add(Double.valueOf(word));
            } catch (NumberFormatException e) {
                throw new EngineException(operation.camelCase() + ": " + p.name + " must be numbers with commas between, got '" + text + "'");
            }
        }
        return numbers;
    }

    @SuppressWarnings("try") /* the watch works by being there: it shows progress, and stops at Escape */
    private static void runAndShow(Registry.Operation operation, Object[] values) {
        long context = Engine.context();
        List<Long> mine = new ArrayList<>();
        List<String> told = new ArrayList<>();
        Object[] arguments = values.clone();
        IJ.resetEscape();
        try (Watch watch = Watch.begin(context)) {
            for (int i = 0; i < values.length; i++) {
                if (operation.parameters.get(i).kind.isImage() && values[i] != null) {
                    ImagePlus image = WindowManager.getImage((String) values[i]);
                    long pushed = i != PointSpread.index(operation) ? Images.push(context, image, PointSpread.slicesFor(operation, image), null, 0)
                        : PointSpread.push(context, WindowManager.getImage((String) values[0]), (Long) arguments[0], image,
                            PointSpread.slices(image, image.getChannel()), told);
                    mine.add(pushed);
                    arguments[i] = pushed;
                }
            }
            told.forEach(IJ::log);
            Object[] outputs = Invocation.run(context, operation, arguments);
            Watch.hold(true);
            int next = 0;
            for (int i = 0; i < values.length; i++) {
                Registry.Parameter p = operation.parameters.get(i);
                if (p.kind == Registry.Kind.IMAGE_INOUT)
                    Images.pull(context, (Long) arguments[i], operation.camelCase() + " of " + values[i], true).show();
                if (!p.kind.isOutput())
                    continue;
                Object output = outputs[next++];
                if (output instanceof Long) {
                    mine.add((Long) output);
                    Images.pull(context, (Long) output, freeTitle(operation.camelCase()), true).show();
                } else if (output instanceof ResultsTable) {
                    if (((ResultsTable) output).size() > 0)
                        ((ResultsTable) output).show(operation.camelCase());
                } else {
                    IJ.log(operation.camelCase() + ": " + p.name + " = " + output);
                }
            }
        } finally {
            for (long image : mine)
                Native.release(context, image);
        }
    }

    /** Channels and frames one by one, as the command does it. */
    @SuppressWarnings("try") /* the watch works by being there */
    private static void restoreSeries(String image, String psf, Object options) {
        Registry.Command command = Registry.get().commands.get("Drua_deconvolveHyperstack");
        String[] texts = {image, psf, freeTitle("deconvolve"), (String) options};
        if (IJ.recording()) {
            Recorder.recordString("run(\"Drua Macro Extensions\", \"cl_device=\");\nExt." + command.name + "("
                + Arrays.stream(texts).map(OperationDialog::quoted).collect(Collectors.joining(", ")) + ");\n");
            Recorder.setCommand(null);
        }
        synchronized (Engine.class) {
            long context = Engine.context();
            IJ.resetEscape();
            try (Watch watch = Watch.begin(context)) {
                HostCommands.run(new Call(command, context, false, texts, new double[texts.length]), command.operation);
            }
        }
    }

    private static String freeTitle(String title) {
        return WindowManager.getImage(title) == null ? title : WindowManager.getUniqueName(title);
    }

    /** Writes push, the command and pull to the recorder in place of the run() line. */
    private static void record(Registry.Operation operation, Object[] values) {
        if (!IJ.recording())
            return;
        Registry.Command command = command(operation.name), push = command("push"), pull = command("pull");
        if (command == null || push == null || pull == null)
            return;
        StringBuilder before = new StringBuilder("run(\"Drua Macro Extensions\", \"cl_device=\");\n"), after = new StringBuilder();
        List<String> passed = new ArrayList<>();
        for (Registry.Argument argument : command.arguments) {
            int i = 0;
            while (i < values.length && !operation.parameters.get(i).name.equals(argument.name))
                i++;
            Object value = i < values.length ? values[i] : null;
            String variable = Registry.camelCase(argument.name) + ++recorded;
            if (argument.kind == Registry.Kind.IMAGE_OUT) {
                passed.add(variable);
                after.append("Ext.").append(pull.name).append('(').append(variable).append(");\n");
            } else if (argument.kind.isImage()) {
                before.append(variable).append(" = ").append(quoted(value))
                    .append(";\nExt.").append(push.name).append('(').append(variable).append(");\n");
                String fitted = "fitted" + recorded, line = i != PointSpread.index(operation) ? ""
                    : PointSpread.line(WindowManager.getImage((String) values[0]), WindowManager.getImage((String) value), passed.get(0), variable,
                        fitted);
                before.append(line);
                passed.add(line.isEmpty() ? variable : fitted);
            } else if (argument.output) {
                passed.add(variable);
            } else if (value instanceof List) {
                passed.add(array((List<?>) value));
            } else {
                passed.add(value == null ? "0" : value instanceof String ? quoted(value)
                    : value instanceof Double ? number((Double) value) : value.toString());
            }
        }
        Recorder.recordString(before + "Ext." + command.name + "(" + String.join(", ", passed) + ");\n" + after);
        Recorder.setCommand(null);
    }

    /** newArray(n) with one number would be n zeros. */
    private static String array(List<?> numbers) {
        StringBuilder text = new StringBuilder(numbers.size() == 1 ? "Array.concat(newArray(0), " : "newArray(");
        for (int i = 0; i < numbers.size(); i++)
            text.append(i > 0 ? ", " : "").append(number((Double) numbers.get(i)));
        return text.append(')').toString();
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? String.valueOf((long) value) : String.valueOf(value);
    }

    private static String quoted(Object text) {
        return '"' + String.valueOf(text).replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** The command that passes most of an operation's parameters, Drua's own before others; null if there is none. */
    private static Registry.Command command(String operation) {
        Registry.Command best = null;
        for (Registry.Command command : Registry.get().commands.values()) {
            if (command.operation.name.equals(operation) && (best == null || rank(command) > rank(best)))
                best = command;
        }
        return best;
    }

    private static int rank(Registry.Command command) {
        long passed = command.arguments.stream().filter(a -> command.operation.parameters.stream().anyMatch(p -> p.name.equals(a.name))).count();
        return 2 * (int) passed + (command.name.startsWith("Drua_") ? 1 : 0);
    }
}
