// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import drua.engine.Quote;
import drua.engine.Registry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Exports a pipeline as a Jython script, which calls the operations of the commands. */
public final class JythonScript {
    private static final String IMPORTS = "from ij import IJ, WindowManager\nfrom drua import Drua\n\n";
    /** Copies the slices of the displayed channel and frame, whatever is selected. */
    private static final String SHOWN = "from ij.plugin import Duplicator\n\n\ndef shown(image):\n"
        + "    image.deleteRoi()\n"
        + "    return Duplicator().run(image, image.getC(), image.getC(), 1, image.getNSlices(), image.getT(), "
        + "image.getT())\n\n\n";
    private static final String BEGIN = "drua = Drua.open(\"\")\ntry:\n";
    private static final String END = "finally:\n    drua.close()\n";

    /** Words that cannot be variables of images: keywords of Python 2.7 and names that the script itself uses. */
    private static final List<String> WORDS = Arrays.asList((
        "and as assert break class continue def del elif else except exec finally for from global if import in is "
        + "lambda not or pass print raise return try while with yield None True False unicode IJ WindowManager Drua "
        + "drua table shown Duplicator _")
                                                                .split(" "));

    private final PythonVariables variables = new PythonVariables(WORDS);

    private JythonScript() {}

    /** Fails if the macro has parts that are not steps. */
    public static String of(Pipeline pipeline) {
        JythonScript made = new JythonScript();
        boolean takesShown = pipeline.steps(Step.Role.SOURCE).stream().anyMatch(Step::takesShown);
        StringBuilder script = new StringBuilder(IMPORTS).append(takesShown ? SHOWN : "").append(BEGIN);
        for (Statement statement : pipeline.statements()) {
            if (statement instanceof Step)
                script.append(made.lines((Step) statement));
            else
                Statements.requirePlain(statement.source());
        }
        return script.append(END).toString();
    }

    private String lines(Step step) {
        String note = step.role() == Step.Role.WORK ? "\n    # " + ExportNotes.of(step) + "\n" : "";
        return note + code(step);
    }

    private String code(Step step) {
        switch (step.role()) {
        case SOURCE:
            String image =
                step.title == null ? "IJ.getImage()" : "WindowManager.getImage(" + Quote.jython(step.title) + ")";
            return "    " + name(step.images().get(0)) + " = drua.push("
                + (step.takesShown() ? "shown(" + image + ")" : image) + ")\n";
        case SHOW:
            Statements.requirePull(step);
            return "    drua.pull(" + name(step.inputs().get(0)) + ", "
                + Quote.jython(MacroText.plain(step.inputs().get(0))) + ").show()\n";
        case FREE:
            return "";
        default:
            return step.on              ? call(step)
                : step.passed() == null ? ""
                                        : "    " + name(step.images().get(0)) + " = " + name(step.passed()) + "\n";
        }
    }

    private String name(String image) {
        return variables.ofImage(image);
    }

    private String call(Step step) {
        ImageJCommand.refuse(step);
        List<String> outputs = new ArrayList<>(), inputs = new ArrayList<>();
        String tables = "";
        StringBuilder named = new StringBuilder();
        for (Registry.Parameter p : step.command.operation.parameters) {
            int i = argument(step, p);
            if (p.kind == Registry.Kind.TABLE_OUT)
                tables = "    table.show(" + Quote.jython(step.command.operation.title()) + ")\n";
            if (p.kind.isOutput())
                outputs.add(p.kind == Registry.Kind.TABLE_OUT ? "table"
                        : i < 0                               ? "_"
                                                              : name((String) step.values.get(i)));
            else
                inputs.add(p.kind == Registry.Kind.IMAGE_IN ? name((String) step.values.get(i))
                        : i < 0                             ? value(step.command.fixed.get(p.name))
                                                            : assigned(p.name, step.values.get(i), named));
            if (i >= 0 && step.command.arguments.get(i).typed)
                throw new EngineException(step.command.name
                    + " makes an image of another type than the same operation in Jython; replace it with a command "
                    + "of CLIJ2 or Drua");
        }
        return named + "    " + String.join(", ", outputs) + " = drua.op(\"" + step.command.operation.name + "\", "
            + String.join(", ", inputs) + ")\n" + tables;
    }

    /** Assigns a value to a variable with the name of its parameter; returns the variable. */
    private String assigned(String parameter, Object value, StringBuilder lines) {
        String variable = variables.ofNumber(parameter);
        lines.append("    ").append(variable).append(" = ").append(value(value)).append('\n');
        return variable;
    }

    static int argument(Step step, Registry.Parameter p) {
        for (int i = 0; i < step.values.size(); i++) {
            if (step.command.arguments.get(i).name.equals(p.name))
                return i;
        }
        return -1;
    }

    /** The Jython word None means the default. */
    private static String value(Object value) {
        return value == null          ? "None"
            : value instanceof Double ? Step.number((Double) value)
                                      : Quote.jython((String) value);
    }
}
