// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.Quote;
import drua.engine.Registry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Exports a pipeline as a Jupyter notebook for the Python package drua: a cell for each step, with its summary above.
 * It reads a TIFF file for each source, and shows images and tables. The same steps as a script write the images as
 * TIFF files and print the tables.
 */
public final class Notebook extends Exporter {
    private static final List<String> KEYWORDS =
        Arrays.asList(("and as assert async await break class continue def del elif else except finally for from "
            + "global if import in is lambda nonlocal not or pass raise return try while with yield None True False")
                          .split(" "));
    /** Names that the notebook itself uses. */
    private static final List<String> OWN = Arrays.asList("drua device print tifffile pyplot table show _".split(" "));
    private static final String DEVICE = "device = drua.Device()\n", BEGIN = "import drua\nimport tifffile\n";
    private static final String SHOW = "from matplotlib import pyplot\n\n" + DEVICE
        + "\n\ndef show(image):\n    pixels = image.numpy()\n"
        + "    pyplot.imshow(pixels if pixels.ndim == 2 else pixels.max(axis=0),\n"
        + "                  cmap=\"nipy_spectral\" if image.labels else \"gray\")\n    pyplot.show()\n";

    private static final String NOTE = "markdown", CODE = "code";

    /** Each cell's type and text. */
    private final List<String[]> cells = new ArrayList<>();
    private final boolean isScript;
    private final Variables variables =
        new Variables(Stream.concat(KEYWORDS.stream(), OWN.stream()).collect(Collectors.toList()));

    private Notebook(boolean isScript) {
        this.isScript = isScript;
    }

    /** Fails if the macro has parts that are not steps, or takes the displayed channel of an image. */
    public static String of(Pipeline pipeline) {
        Notebook made = new Notebook(false);
        made.addCell(NOTE,
            "# " + ExportNotes.header() + "\n\nThis notebook needs the packages `drua`, `tifffile` and `matplotlib`.");
        made.addCell(CODE, BEGIN + SHOW);
        made.addAll(pipeline);
        made.addCell(CODE, "device.close()");
        String cells = made.cells.stream().map(Notebook::json).collect(Collectors.joining(",\n"));
        return "{\n \"cells\": [\n" + cells + "\n ],\n \"metadata\": {\"kernelspec\": "
            + "{\"display_name\": \"Python 3\", \"language\": \"python\", \"name\": \"python3\"}},\n"
            + " \"nbformat\": 4,\n \"nbformat_minor\": 4\n}\n";
    }

    /** The same as a script; fails as {@link #of}. */
    static String script(Pipeline pipeline) {
        Notebook made = new Notebook(true);
        made.addCell(NOTE, "This script needs the packages drua and tifffile.");
        made.addCell(CODE, BEGIN + "\n" + DEVICE);
        made.addAll(pipeline);
        made.addCell(CODE, "device.close()");
        return made.cells.stream()
            .map(cell -> cell[0].equals(CODE) ? cell[1] + "\n" : "\n# " + cell[1].replace("\n", "\n# ") + "\n")
            .collect(Collectors.joining());
    }

    private void addCell(String type, String text) {
        cells.add(new String[] {type, text.trim()});
    }

    private static String json(String[] cell) {
        String[] lines = cell[1].split("(?<=\n)");
        return "  {\"cell_type\": \"" + cell[0] + "\", \"metadata\": {}, "
            + (cell[0].equals(CODE) ? "\"execution_count\": null, \"outputs\": [], " : "") + "\"source\": ["
            + Arrays.stream(lines).map(Quote::json).collect(Collectors.joining(", ")) + "]}";
    }

    @Override
    void addSource(Step step) {
        refuseShown(step, isScript ? "a Python script" : "a notebook");
        String title = step.title == null ? "image.tif" : step.title;
        addCell(CODE,
            name(step.images().get(0)) + " = device.push(tifffile.imread(" + Quote.python(title)
                + "))  # the path of your image");
    }

    @Override
    void addResult(String image) {
        addCell(CODE,
            isScript ? "tifffile.imwrite(" + Quote.python(image + ".tif") + ", " + name(image) + ".numpy())"
                     : "show(" + name(image) + ")");
    }

    @Override
    void addNote(String note) {
        addCell(NOTE, note);
    }

    @Override
    void addPassed(String image, String from) {
        addCell(CODE, name(image) + " = " + name(from));
    }

    private String name(String image) {
        return variables.ofImage(image);
    }

    @Override
    void addCall(Step step) {
        OperationCall call = new OperationCall(step, "Python");
        List<String> outputs = new ArrayList<>(), inputs = new ArrayList<>();
        for (OperationCall.Part output : call.outputs)
            outputs.add(output.isTable() ? "table" : output.value == null ? "_" : name((String) output.value));
        for (OperationCall.Part input : call.inputs) {
            String word = input.parameter.name + (KEYWORDS.contains(input.parameter.name) ? "_" : "");
            if (input.value != null)
                inputs.add(word + "=" + (input.isImage() ? name((String) input.value) : value(input)));
        }
        addCell(CODE,
            String.join(", ", outputs) + " = device." + step.command.operation.name + "(\n    "
                + String.join(",\n    ", inputs) + ")"
                + (call.outputs.stream().noneMatch(OperationCall.Part::isTable) ? ""
                        : isScript                                              ? "\nprint(table)"
                                                                                : "\ntable"));
    }

    private static String value(OperationCall.Part input) {
        if (!(input.value instanceof Double))
            return Quote.python((String) input.value);
        double number = (Double) input.value;
        return input.parameter.kind != Registry.Kind.BOOLEAN ? number(number) : number == 0 ? "False" : "True";
    }
}
