// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.Quote;
import drua.engine.Registry;
import drua.imagej.PointSpread;
import drua.imagej.Series;
import ij.IJ;
import ij.ImagePlus;
import ij.plugin.frame.Recorder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The macro lines that repeat a dialog's action. The lines give windows the titles that the dialog gave them, because
 * later recorded lines use these titles.
 */
final class Recording {
    private static final String START = "run(\"Drua Macro Extensions\", \"cl_device=\");\n";
    private static int variables;

    private final Registry.Operation operation;
    private final Object[] values;
    private final Map<String, String> titles;
    private final StringBuilder before = new StringBuilder(START), after = new StringBuilder(),
                                release = new StringBuilder();
    private final Map<ImagePlus, String> pushed = new LinkedHashMap<>();

    private Recording(Registry.Operation operation, Object[] values, Map<String, String> titles) {
        this.operation = operation;
        this.values = values;
        this.titles = titles;
    }

    /**
     * Writes to the Recorder, if it is open, in place of the run() line.
     *
     * @param values  values of all parameters, with an ImagePlus for each image
     * @param titles  titles of the result windows, by parameter
     * @param channel the only channel to process, or 0 for all
     */
    static void write(
        Registry.Operation operation, Object[] values, Map<String, String> titles, int channel, int frame) {
        write(operation, values, titles, channel, frame, "");
    }

    /** @param more lines for the window that was opened last */
    static void write(Registry.Operation operation, Object[] values, Map<String, String> titles, int channel, int frame,
        String more) {
        if (IJ.recording())
            write(new Recording(operation, values, titles).lines(channel, frame) + more);
    }

    /** Writes the call of a command with these texts as its arguments, after the start command. */
    static void writeCommand(Registry.Command command, String... texts) {
        if (IJ.recording())
            write(START + call(command.name, Arrays.stream(texts).map(Quote::macro).collect(Collectors.toList())));
    }

    /** Discards the run() line because no operation ran. */
    static void writeNothing() {
        if (IJ.recording())
            Recorder.setCommand(null);
    }

    /** In the other languages of the Recorder, a script runs the lines as a macro. */
    private static void write(String lines) {
        Recorder.recordString(Recorder.scriptMode() ? "IJ.runMacro(" + Quote.script(lines) + ");\n" : lines);
        Recorder.setCommand(null);
    }

    private String lines(int channel, int frame) {
        Registry.Command command = Registry.get().command(operation, "Drua");
        /* a measurement command adds rows to Results; these rows do not name their image */
        boolean measures = operation.parameters.stream().anyMatch(p -> p.kind == Registry.Kind.TABLE_OUT)
            && operation.parameters.stream().noneMatch(p -> p.kind == Registry.Kind.IMAGE_OUT);
        if (command == null || measures || !Series.isOneVolume(operation, values))
            return START
                + call("Drua_applyToHyperstack",
                    Arrays.asList(Quote.macro(operation.name), Quote.macro(words()), String.valueOf(channel),
                        String.valueOf(frame)));
        List<String> passed = new ArrayList<>();
        for (Registry.Argument argument : command.arguments)
            passed.add(argument(argument, passed));
        return before + call(command.name, passed) + after + release;
    }

    /** The macro's value for an argument. Also adds the lines that this value needs before and after the call. */
    private String argument(Registry.Argument argument, List<String> passed) {
        int i = operation.parameters.indexOf(operation.parameter(argument.name));
        Object value = i < 0 ? null : values[i];
        String variable = Registry.camelCase(argument.name) + ++variables;
        if (argument.kind == Registry.Kind.IMAGE_OUT) {
            pull(variable, titles.get(argument.name));
            addRelease(variable);
            return variable;
        }
        if (argument.kind.isImage()) {
            String name = push((ImagePlus) value, variable);
            if (argument.kind == Registry.Kind.IMAGE_INOUT)
                pull(name, titles.get(argument.name));
            return i == PointSpread.index(operation) ? resamplePsf((ImagePlus) value, passed.get(0), name) : name;
        }
        if (argument.output)
            return variable;
        if (value instanceof List)
            return array((List<?>) value);
        if (value == null)
            return "0";
        if (value instanceof String)
            return Quote.macro((String) value);
        if (value instanceof Double)
            return Registry.number((Double) value);
        return value.toString();
    }

    private String push(ImagePlus image, String variable) {
        if (!pushed.containsKey(image)) {
            pushed.put(image, variable);
            before.append(variable)
                .append(" = ")
                .append(Quote.macro(image.getTitle()))
                .append(";\n")
                .append(call("Drua_push", Arrays.asList(variable)));
            addRelease(variable);
        }
        return pushed.get(image);
    }

    private void pull(String variable, String title) {
        after.append(call("Drua_pull", Arrays.asList(variable)))
            .append("rename(")
            .append(Quote.macro(title))
            .append(");\n");
    }

    private void addRelease(String variable) {
        release.append(call("Drua_release", Arrays.asList(variable)));
    }

    /** The macro variable of the PSF. Adds a line that resamples the PSF to the image's voxels if necessary. */
    private String resamplePsf(ImagePlus psf, String source, String variable) {
        String fitted = "fitted" + variables,
               line = PointSpread.line((ImagePlus) values[0], psf, source, variable, fitted);
        if (line.isEmpty())
            return variable;
        before.append(line);
        addRelease(fitted);
        return fitted;
    }

    /** All arguments as words, in the format of applyToHyperstack. */
    private String words() {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            Registry.Parameter p = operation.parameters.get(i);
            if (values[i] != null)
                words.add(p.name + "=" + wordFor(values[i]));
            if (titles.containsKey(p.name))
                words.add((p.kind.isOutput() ? p.name : p.name + "_title") + "=" + wordFor(titles.get(p.name)));
        }
        return String.join(" ", words);
    }

    private static String wordFor(Object value) {
        if (value instanceof ImagePlus)
            return Quote.option(((ImagePlus) value).getTitle());
        if (value instanceof Double)
            return Quote.option(Registry.number((Double) value));
        if (!(value instanceof List))
            return Quote.option(value.toString());
        return Quote.option(
            ((List<?>) value).stream().map(n -> Registry.number((Double) n)).collect(Collectors.joining(",")));
    }

    private static String call(String command, List<String> arguments) {
        return "Ext." + command + "(" + String.join(", ", arguments) + ");\n";
    }

    /** newArray(n) with a single number would be n zeros. */
    private static String array(List<?> numbers) {
        String list = numbers.stream().map(n -> Registry.number((Double) n)).collect(Collectors.joining(", "));
        return (numbers.size() == 1 ? "Array.concat(newArray(0), " : "newArray(") + list + ")";
    }
}
