// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import drua.engine.Registry;
import java.util.ArrayList;
import java.util.List;

/** A polygon in a scatter plot of two columns, which becomes a step that keeps the labels inside. */
public final class Gate {
    private static final String OPERATION = "keep_labels_in_gate";

    private final String across, upwards, corners;

    /**
     * @param across  the column of the horizontal axis
     * @param corners x and y of each corner in the columns' units, at least 3
     */
    public Gate(String across, String upwards, List<double[]> corners) {
        this.across = across;
        this.upwards = upwards;
        List<String> words = new ArrayList<>();
        for (double[] corner : corners)
            words.add(Step.number(corner[0]) + "," + Step.number(corner[1]));
        this.corners = String.join(" ", words);
    }

    /** A new step after the one that measured the columns. Fails if the operation cannot repeat the measurement. */
    Step after(Pipeline pipeline, Step measuring) {
        Registry.Operation operation = Registry.get().operations.get(OPERATION);
        String table = measuring.command.operation.name;
        if (!operation.parameter("table").choices.contains(table))
            throw new EngineException(
                "a gate needs a table of " + tables(operation) + ", not of " + measuring.command.operation.title());
        Step step = Edits.made(pipeline, measuring, Catalogue.get().command(operation, pipeline.prefix()));
        for (OperationCall.Part part : new OperationCall(measuring, "a gate").inputs) {
            if (part.isImage())
                step = withArgument(step, part.parameter.name.equals("labels") ? "labels" : "source", part.value);
            else
                step = withArgument(step, "options", units((String) part.value));
        }
        step = withArgument(withArgument(step, "table", table), "x_column", across);
        return withArgument(withArgument(step, "y_column", upwards), "gate", corners);
    }

    private static String tables(Registry.Operation operation) {
        List<String> titles = new ArrayList<>();
        for (String name : operation.parameter("table").choices)
            titles.add(Registry.get().operations.get(name).title());
        return String.join(" or ", titles);
    }

    private static Step withArgument(Step step, String argument, Object value) {
        for (int i = 0; i < step.values.size(); i++) {
            if (step.command.arguments.get(i).name.equals(argument))
                return step.with(i, value);
        }
        throw new EngineException(step.command.name + " has no argument " + argument);
    }

    /** The settings of measure_labels that a gate repeats. The names of groups have no effect on a column. */
    private static String units(String options) {
        List<String> kept = new ArrayList<>();
        for (String word : options.trim().split("\\s+")) {
            if (word.startsWith("units=") || word.startsWith("voxel="))
                kept.add(word);
            else if (word.contains("="))
                throw new EngineException("a gate cannot repeat the setting " + word + " of Measure Labels; remove "
                    + "this setting first");
        }
        return String.join(" ", kept);
    }
}
