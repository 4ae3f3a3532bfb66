// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.NativeLibrary;
import drua.engine.Registry;
import ij.ImageJ;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Describes a pipeline in words, for the methods of a publication: a numbered sentence for each step with its input
 * images and parameters, then the sources of the algorithms. Steps that are off are left out.
 */
final class MethodsText {
    private final Pipeline pipeline;
    /** The number of the step that made each image. */
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, String> sources = new LinkedHashMap<>();
    private final StringBuilder text = new StringBuilder();
    private int count;

    private MethodsText(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    static String of(Pipeline pipeline) {
        MethodsText made = new MethodsText(pipeline);
        made.text.append(ExportNotes.header())
            .append("\n\nImages were processed with Drua ")
            .append(NativeLibrary.version())
            .append(" in ImageJ ")
            .append(ImageJ.VERSION)
            .append(":\n\n");
        pipeline.seen().forEach(made::add);
        if (!made.sources.isEmpty())
            made.text.append("\nSources of the algorithms:\n\n");
        made.sources.forEach((name, source) -> made.text.append(name).append(": ").append(source).append('\n'));
        return made.text.toString();
    }

    private void add(Step step) {
        if (!step.on) {
            if (step.passed() != null && numbers.containsKey(step.passed()))
                numbers.put(step.images().get(0), numbers.get(step.passed()));
            return;
        }
        count++;
        text.append(count).append(". ");
        if (step.role() == Step.Role.SOURCE)
            text.append(step.title == null ? "The image" : "The image '" + step.title + "'").append(" was the input");
        else
            addWork(step);
        text.append(pipeline.isShown(step) ? ". This image is a result.\n" : ".\n");
        step.images().forEach(image -> numbers.put(image, count));
    }

    private void addWork(Step step) {
        List<String> inputs = new ArrayList<>(), values = new ArrayList<>();
        for (int i = 0; i < step.values.size(); i++) {
            Registry.Parameter p = step.parameter(i);
            Object value = step.values.get(i);
            if (p == null || p.kind.isOutput() || value == null)
                continue;
            if (p.kind.isImage())
                inputs.add("image " + numbers.getOrDefault(value, 0));
            else
                values.add(p.name.replace('_', ' ') + " " + wordFor(p, value) + (p.unit.isEmpty() ? "" : " " + p.unit));
        }
        text.append(step.name())
            .append(inputs.isEmpty() ? "" : " of " + String.join(" and ", inputs))
            .append(values.isEmpty() ? "" : " with " + String.join(", ", values));
        Registry.Operation operation = step.command.operation;
        if (!ImageJCommand.is(step) && !operation.source.isEmpty())
            sources.put(step.name(), operation.source);
    }

    private static String wordFor(Registry.Parameter p, Object value) {
        if (!(value instanceof Double))
            return value.toString();
        double number = (Double) value;
        return p.kind != Registry.Kind.BOOLEAN ? Step.number(number) : number == 0 ? "off" : "on";
    }
}
