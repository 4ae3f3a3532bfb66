// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.Registry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Exports a pipeline as a program that runs in ImageJ and calls {@link drua.Drua}. A subclass gives the syntax of its
 * language.
 */
abstract class ImageJScript extends Exporter {
    final StringBuilder lines = new StringBuilder();
    private final String language;
    private final Variables variables;

    /** @param reserved words that cannot be variables */
    ImageJScript(String language, Collection<String> reserved) {
        this.language = language;
        variables = new Variables(reserved);
    }

    // ---- syntax

    abstract String quoted(String text);

    /** A line that makes a variable of a type of Java. */
    abstract String assigned(String type, String variable, String value);

    /** The value with a type of Java, which `value` has at run time. */
    String cast(String type, String value) {
        return value;
    }

    String truth(boolean value) {
        return String.valueOf(value);
    }

    /** A line of code, with its indentation and its end. */
    abstract void add(String code);

    abstract void addComment(String comment);

    // ---- steps

    /** True if the program needs the function shown(), which copies the displayed channel and frame. */
    static boolean takesShown(Pipeline pipeline) {
        return pipeline.steps(Step.Role.SOURCE).stream().anyMatch(Step::takesShown);
    }

    @Override
    final void addSource(Step step) {
        String image = step.title == null ? "IJ.getImage()" : "WindowManager.getImage(" + quoted(step.title) + ")";
        add(assigned("Image", variables.ofImage(step.images().get(0)),
            "drua.push(" + (step.takesShown() ? "shown(" + image + ")" : image) + ")"));
    }

    @Override
    final void addResult(String image) {
        add("drua.pull(" + variables.ofImage(image) + ", " + quoted(MacroText.plain(image)) + ").show()");
    }

    @Override
    final void addNote(String note) {
        lines.append('\n');
        addComment(note);
    }

    @Override
    final void addPassed(String image, String from) {
        add(assigned("Image", variables.ofImage(image), variables.ofImage(from)));
    }

    @Override
    final void addCall(Step step) {
        OperationCall call = new OperationCall(step, language);
        List<String> arguments = new ArrayList<>();
        arguments.add("\"" + step.command.operation.name + "\"");
        for (OperationCall.Part input : call.inputs)
            arguments.add(input.isImage() ? variables.ofImage((String) input.value) : writeVariable(input));
        String made = "drua.op(" + String.join(", ", arguments) + ")";
        if (call.outputs.size() == 1) {
            addOutput(step, call.outputs.get(0), made);
            return;
        }
        boolean areNumbers = call.outputs.stream().allMatch(o -> o.parameter.kind == Registry.Kind.NUMBER_OUT);
        String type = areNumbers ? "double[]" : "Object[]", results = variables.fresh("results");
        add(assigned(type, results, cast(type, made)));
        for (int i = 0; i < call.outputs.size(); i++)
            addOutput(step, call.outputs.get(i), results + "[" + i + "]");
    }

    /** Writes a number or text to a variable with the name of its parameter; returns the variable. */
    private String writeVariable(OperationCall.Part input) {
        boolean isTruth = input.parameter.kind == Registry.Kind.BOOLEAN, isNumber = input.value instanceof Double;
        String variable = variables.fresh(input.parameter.name);
        add(assigned(isTruth ? "boolean"
                : isNumber   ? "double"
                             : "String",
            variable,
            isTruth && isNumber ? truth((Double) input.value != 0)
                : isNumber      ? number((Double) input.value)
                                : quoted((String) input.value)));
        return variable;
    }

    private void addOutput(Step step, OperationCall.Part output, String value) {
        if (output.isTable()) {
            String table = variables.fresh("table");
            add(assigned("ResultsTable", table, cast("ResultsTable", value)));
            add(table + ".show(" + quoted(step.command.operation.title()) + ")");
        } else if (output.value != null) {
            String type = output.isImage()                          ? "Image"
                : output.parameter.kind == Registry.Kind.NUMBER_OUT ? "double"
                                                                    : "String";
            add(assigned(type, variables.ofImage((String) output.value), cast(type, value)));
        }
    }
}
