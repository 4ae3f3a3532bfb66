// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import drua.engine.Registry;
import java.util.function.BiFunction;

/** The languages to which a pipeline can be exported. */
public enum Export {
    MACRO("Commented macro", ".ijm", "// ", true,
        "a macro with a comment for each step and named numbers above each call",
        (pipeline, name) -> NotedMacro.of(pipeline)),
    JYTHON("Jython", ".py", "# ", true, "a Jython script for ImageJ", (pipeline, name) -> JythonScript.of(pipeline)),
    GROOVY(
        "Groovy", ".groovy", "// ", true, "a Groovy script for ImageJ", (pipeline, name) -> GroovyScript.of(pipeline)),
    JAVA("Java", ".java", "// ", true, "a plugin for ImageJ in Java", JavaProgram::of),
    JUPYTER("Jupyter", ".ipynb", "", false, "a notebook for the Python package drua",
        (pipeline, name) -> Notebook.of(pipeline)),
    PYTHON("Python", ".py", "# ", false, "a script for the Python package drua",
        (pipeline, name) -> Notebook.script(pipeline)),
    C("C", ".c", "// ", false, "a C program that reads TIFF files", (pipeline, name) -> CProgram.of(pipeline)),
    SHELL("Shell", ".sh", "#!/bin/sh\n# ", false, "a shell script that runs the macro on image files without a display",
        (pipeline, name) -> ShellScript.of(pipeline)),
    METHODS("Methods", ".txt", "", false, "a text for the methods of a publication",
        (pipeline, name) -> MethodsText.of(pipeline));

    /** The name that users see, and the ending of files. */
    public final String label, ending;
    /** True if Fiji's Script Editor runs the language. */
    public final boolean isForEditor;
    /** The end of a sentence that says what the export is. */
    public final String about;
    /** The text before the line with version and date; "" for a program that contains this line. */
    private final String begin;
    private final BiFunction<Pipeline, String, String> exporter;

    Export(String label, String ending, String begin, boolean isForEditor, String about,
        BiFunction<Pipeline, String, String> exporter) {
        this.label = label;
        this.ending = ending;
        this.begin = begin;
        this.isForEditor = isForEditor;
        this.about = about;
        this.exporter = exporter;
    }

    /**
     * The suggested name of the file, without its ending. ImageJ's menus list only plugins whose name has an
     * underscore.
     */
    public String name(String word) {
        return this == JAVA ? Character.toUpperCase(word.charAt(0)) + word.substring(1) + "_" : word;
    }

    /**
     * The program. If no step is marked as a result, the last step counts as one.
     *
     * @param name the file's name, without its ending
     * @throws EngineException with a message if the language cannot express a step of the pipeline
     */
    public String of(Pipeline pipeline, String name) {
        String program = exporter.apply(Edits.withResult(Registry.get(), pipeline), name);
        return begin.isEmpty() ? program : begin + ExportNotes.header() + "\n" + program;
    }
}
