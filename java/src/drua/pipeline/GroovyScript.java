// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.Quote;
import java.util.Arrays;
import java.util.List;

/** Exports a pipeline as a Groovy script. */
public final class GroovyScript extends ImageJScript {
    private static final String IMPORTS = "import drua.Drua\nimport ij.IJ\nimport ij.WindowManager\n";
    /** Copies all pixels of the displayed channel and frame. The user's selection would crop the copy. */
    private static final String SHOWN = "import ij.plugin.Duplicator\n\ndef shown(image) {\n"
        + "    def selection = image.getRoi()\n    image.deleteRoi()\n"
        + "    def copy = new Duplicator().run(image, image.getC(), image.getC(), 1, image.getNSlices(), image.getT(), "
        + "image.getT())\n    image.setRoi(selection, true)\n    copy\n}\n";
    private static final String BEGIN = "\ndef drua = Drua.open(\"\")\ntry {\n";
    private static final String END = "} finally {\n    drua.close()\n}\n";

    /** Keywords of Groovy and names that the script itself uses. */
    private static final List<String> WORDS = Arrays.asList(
        ("as assert boolean break byte case catch char class const continue def default do double else enum extends "
            + "false final finally float for goto if implements import in instanceof int interface it long native new "
            + "non null package permits private protected public record return sealed short static strictfp super "
            + "switch synchronized this threadsafe throw throws trait transient true try var void volatile while yield "
            + "IJ WindowManager Drua drua shown Duplicator")
            .split(" "));

    private GroovyScript() {
        super("Groovy", WORDS);
    }

    /** Fails if the macro has parts that are not steps. */
    public static String of(Pipeline pipeline) {
        GroovyScript made = new GroovyScript();
        made.addAll(pipeline);
        return IMPORTS + (takesShown(pipeline) ? SHOWN : "") + BEGIN + made.lines + END;
    }

    @Override
    String quoted(String text) {
        return Quote.groovy(text);
    }

    @Override
    String assigned(String type, String variable, String value) {
        return "def " + variable + " = " + value;
    }

    @Override
    void add(String code) {
        lines.append("    ").append(code).append('\n');
    }

    @Override
    void addComment(String comment) {
        add("// " + comment);
    }
}
