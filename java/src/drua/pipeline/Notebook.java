// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import drua.engine.Quote;
import drua.engine.Registry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Exports a pipeline as a Jupyter notebook for the Python package drua: a cell for each step, with its summary above.
 * It reads a TIFF file for each source, and shows images and tables.
 */
public final class Notebook {
    private static final List<String> KEYWORDS =
        Arrays.asList(("and as assert async await break class continue def del elif else except finally for from "
            + "global if import in is lambda nonlocal not or pass raise return try while with yield None True False")
                          .split(" "));
    /** Names that the notebook itself uses. */
    private static final List<String> OWN = Arrays.asList("drua device tifffile pyplot table show _".split(" "));
    private static final String BEGIN = "import drua\nimport tifffile\nfrom matplotlib import pyplot\n\n"
        + "device = drua.Device()\n\n\ndef show(image):\n    pixels = image.numpy()\n"
        + "    pyplot.imshow(pixels if pixels.ndim == 2 else pixels.max(axis=0),\n"
        + "                  cmap=\"nipy_spectral\" if image.labels else \"gray\")\n    pyplot.show()\n";

    private final List<String> cells = new ArrayList<>();
    private final PythonVariables variables =
        new PythonVariables(Stream.concat(KEYWORDS.stream(), OWN.stream()).collect(Collectors.toList()));

    private Notebook() {}

    /** Fails if the macro has parts that are not steps, or takes the displayed channel of an image. */
    public static String of(Pipeline pipeline) {
        Notebook made = new Notebook();
        made.cell("markdown",
            "# " + ExportNotes.header()
                + "\n\nThis notebook needs the packages `drua`, `tifffile` and `matplotlib`.");
        made.cell("code", BEGIN);
        for (Statement statement : pipeline.statements()) {
            if (statement instanceof Step)
                made.add((Step) statement);
            else
                Statements.requirePlain(statement.source());
        }
        made.cell("code", "device.close()");
        return "{\n \"cells\": [\n" + String.join(",\n", made.cells) + "\n ],\n \"metadata\": {\"kernelspec\": "
            + "{\"display_name\": \"Python 3\", \"language\": \"python\", \"name\": \"python3\"}},\n"
            + " \"nbformat\": 4,\n \"nbformat_minor\": 4\n}\n";
    }

    private void cell(String type, String text) {
        String[] lines = text.trim().split("(?<=\n)");
        cells.add("  {\"cell_type\": \"" + type + "\", \"metadata\": {}, "
            + (type.equals("code") ? "\"execution_count\": null, \"outputs\": [], " : "") + "\"source\": ["
            + Arrays.stream(lines).map(Quote::json).collect(Collectors.joining(", ")) + "]}");
    }

    private void add(Step step) {
        switch (step.role()) {
        case SOURCE:
            addSource(step);
            break;
        case SHOW:
            Statements.requirePull(step);
            cell("code", "show(" + name(step.inputs().get(0)) + ")");
            break;
        case FREE:
            break;
        default:
            if (!step.on && step.passed() == null)
                return;
            cell("markdown", ExportNotes.of(step));
            cell("code", step.on ? call(step) : name(step.images().get(0)) + " = " + name(step.passed()));
        }
    }

    private void addSource(Step step) {
        if (step.takesShown())
            throw new EngineException("a notebook reads files, in which no channel is displayed; copy one channel "
                + "with Image>Duplicate..., choose the copy as the image, and export again");
        String title = step.title == null ? "image.tif" : step.title;
        cell("code", name(step.images().get(0)) + " = device.push(tifffile.imread(" + Quote.json(title)
                + "))  # the path of your image");
    }

    private String name(String image) {
        return variables.ofImage(image);
    }

    private String call(Step step) {
        ImageJCommand.refuse(step);
        List<String> outputs = new ArrayList<>(), inputs = new ArrayList<>();
        boolean measures = false;
        for (Registry.Parameter p : step.command.operation.parameters) {
            int i = JythonScript.argument(step, p);
            Object value = i < 0 ? step.command.fixed.get(p.name) : step.values.get(i);
            measures |= p.kind == Registry.Kind.TABLE_OUT;
            if (p.kind.isOutput())
                outputs.add(p.kind == Registry.Kind.TABLE_OUT ? "table" : i < 0 ? "_" : name((String) value));
            else if (value != null)
                inputs.add(p.name + (KEYWORDS.contains(p.name) ? "_" : "") + "="
                    + (p.kind == Registry.Kind.IMAGE_IN  ? name((String) value)
                            : value instanceof Double    ? number(p, (Double) value)
                                                         : Quote.json((String) value)));
            if (i >= 0 && step.command.arguments.get(i).typed)
                throw new EngineException(step.command.name
                    + " makes an image of another type than the same operation in Python; replace it with a command "
                    + "of CLIJ2 or Drua");
        }
        return String.join(", ", outputs) + " = device." + step.command.operation.name + "(\n    "
            + String.join(",\n    ", inputs) + ")" + (measures ? "\ntable" : "");
    }

    private static String number(Registry.Parameter p, double value) {
        return p.kind == Registry.Kind.BOOLEAN ? value == 0 ? "False" : "True" : Step.number(value);
    }
}
