// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import drua.engine.Quote;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Exports a pipeline as a plugin of ImageJ in Java. */
public final class JavaProgram extends ImageJScript {
    private static final String IMPORTS = "import drua.Drua;\nimport drua.Image;\nimport ij.IJ;\nimport ij.ImagePlus;\n"
        + "import ij.WindowManager;\nimport ij.gui.Roi;\nimport ij.measure.ResultsTable;\n"
        + "import ij.plugin.Duplicator;\nimport ij.plugin.PlugIn;\n\n";
    private static final String ABOUT = "/** In ImageJ, Plugins>Compile and Run... runs this plugin. */\n";
    private static final String BEGIN = " implements PlugIn {\n    @Override\n    public void run(String options) {\n"
        + "        try (Drua drua = Drua.open(\"\")) {\n";
    /** Copies all pixels of the displayed channel and frame. The user's selection would crop the copy. */
    private static final String SHOWN = "\n    private static ImagePlus shown(ImagePlus image) {\n"
        + "        Roi selection = image.getRoi();\n        image.deleteRoi();\n"
        + "        ImagePlus copy = new Duplicator().run(image, image.getC(), image.getC(), 1, image.getNSlices(),\n"
        + "            image.getT(), image.getT());\n        image.setRoi(selection, true);\n        return copy;\n"
        + "    }\n";

    /** Keywords of Java and names that the program itself uses. */
    private static final List<String> WORDS = Arrays.asList(
        ("abstract assert boolean break byte case catch char class const continue default do double else enum extends "
            + "false final finally float for goto if implements import instanceof int interface long native new null "
            + "package private protected public return short static strictfp super switch synchronized this throw "
            + "throws transient true try var void volatile while yield _ drua "
            + "options Drua Duplicator IJ Image ImagePlus Object Override PlugIn ResultsTable Roi String WindowManager")
            .split(" "));

    private JavaProgram(String name) {
        super("Java", Stream.concat(WORDS.stream(), Stream.of(name)).collect(Collectors.toList()));
    }

    /**
     * Returns the source of the plugin. Fails if the pipeline has parts that are not steps, or if the name cannot be
     * the name of its class.
     *
     * @param name the class, which is the name of the file without .java
     */
    public static String of(Pipeline pipeline, String name) {
        if (WORDS.contains(name))
            throw new EngineException("'" + name + ".java' cannot be used, because Java or the program itself uses the "
                + "name " + name + "; choose another name");
        if (!name.matches("[A-Za-z]\\w*"))
            throw new EngineException("'" + name + ".java' cannot be the name of a Java file; use letters, digits and "
                + "underscores, and begin with a letter");
        JavaProgram made = new JavaProgram(name);
        made.addAll(pipeline);
        boolean takesShown = takesShown(pipeline);
        return (takesShown ? IMPORTS : IMPORTS.replaceAll("import ij.(ImagePlus|gui.Roi|plugin.Duplicator);\n", ""))
            + ABOUT + "public class " + name + BEGIN + made.lines + "        }\n    }\n" + (takesShown ? SHOWN : "")
            + "}\n";
    }

    @Override
    String quoted(String text) {
        return Quote.java(text);
    }

    @Override
    String assigned(String type, String variable, String value) {
        return type + " " + variable + " = " + value;
    }

    @Override
    String cast(String type, String value) {
        return "(" + type + ") " + value;
    }

    @Override
    void add(String code) {
        lines.append("            ").append(code).append(";\n");
    }

    @Override
    void addComment(String comment) {
        lines.append("            // ").append(comment).append('\n');
    }
}
