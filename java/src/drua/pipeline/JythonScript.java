// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.Quote;
import java.util.Arrays;
import java.util.List;

/** Exports a pipeline as a Jython script. */
public final class JythonScript extends ImageJScript {
    private static final String IMPORTS = "from ij import IJ, WindowManager\nfrom drua import Drua\n\n";
    /** Copies all pixels of the displayed channel and frame. The user's selection would crop the copy. */
    private static final String SHOWN = "from ij.plugin import Duplicator\n\n\ndef shown(image):\n"
        + "    selection = image.getRoi()\n    image.deleteRoi()\n"
        + "    copy = Duplicator().run(image, image.getC(), image.getC(), 1, image.getNSlices(), image.getT(), "
        + "image.getT())\n    image.setRoi(selection, True)\n    return copy\n\n\n";
    private static final String BEGIN = "drua = Drua.open(\"\")\ntry:\n";
    private static final String END = "finally:\n    drua.close()\n";

    /** Keywords of Python 2.7 and names that the script itself uses. */
    private static final List<String> WORDS = Arrays.asList((
        "and as assert break class continue def del elif else except exec finally for from global if import in is "
        + "lambda not or pass print raise return try while with yield None True False unicode IJ WindowManager Drua "
        + "drua shown Duplicator")
                                                                .split(" "));

    private JythonScript() {
        super("Jython", WORDS);
    }

    /** Fails if the macro has parts that are not steps. */
    public static String of(Pipeline pipeline) {
        JythonScript made = new JythonScript();
        made.addAll(pipeline);
        return IMPORTS + (takesShown(pipeline) ? SHOWN : "") + BEGIN + made.lines + END;
    }

    @Override
    String quoted(String text) {
        return Quote.jython(text);
    }

    @Override
    String assigned(String type, String variable, String value) {
        return variable + " = " + value;
    }

    @Override
    String truth(boolean value) {
        return value ? "True" : "False";
    }

    @Override
    void add(String code) {
        lines.append("    ").append(code).append('\n');
    }

    @Override
    void addComment(String comment) {
        add("# " + comment);
    }
}
