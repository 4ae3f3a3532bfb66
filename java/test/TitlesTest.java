// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.NativeLibrary;
import drua.engine.Quote;
import drua.engine.Registry;
import drua.headless.MacroRun;
import drua.pipeline.CProgram;
import drua.pipeline.Edits;
import drua.pipeline.JythonScript;
import drua.pipeline.MacroReader;
import drua.pipeline.Pipeline;
import drua.pipeline.Step;
import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** Checks that workbench pipelines and macro options can give windows hostile titles and find these windows again. */
final class TitlesTest extends Expectations {
    private static final Registry registry;
    static {
        NativeLibrary.load();
        registry = Registry.get();
    }

    private TitlesTest() {}

    public static void main(String[] args) throws Exception {
        long seed = Long.parseLong(System.getenv().getOrDefault("DRUA_SEED", "1"));
        File folder = Files.createTempDirectory("titles").toFile();
        Hostile hostile = new Hostile(new File(folder, "ran").getPath());
        List<String> titles = hostile.titles(seed, 20);
        titles.add("a\0b");
        StringBuilder macro = new StringBuilder();
        for (int i = 0; i < titles.size(); i++) {
            String title = titles.get(i), other = titles.get((i + 7) % titles.size());
            checkEditing(title, other);
            if (!title.isEmpty())
                macro.append(lines(title, other));
        }
        exported(new ArrayList<>(titles));
        MacroRun run = new MacroRun(macro.toString(), "", null, null, false);
        Thread thread = new Thread(run, "Run$_Macro$");
        thread.start();
        thread.join();
        expect("ImageJ runs the macros of all titles, DRUA_SEED=" + seed, true, run.succeeded());
        expect("no title has run as code", false, new File(hostile.ran).exists());
        Runtime.getRuntime().halt(sum());
    }

    private static Pipeline withSource(String title) {
        return Edits.addSource(registry, Pipeline.start(registry, "CLIJ2"), title);
    }

    private static Step last(Pipeline pipeline) {
        List<Step> sources = pipeline.steps(Step.Role.SOURCE);
        return sources.get(sources.size() - 1);
    }

    /** Writes a title, reads it back and changes it. */
    private static void checkEditing(String title, String other) {
        Pipeline made = withSource(title), read = MacroReader.read(registry, made.macro());
        expect("the title is read from the macro: " + made.macro(), title, last(read).title);
        expect("writing the macro again gives the same text", made.macro(), read.macro());
        Pipeline changed = Edits.title(read, last(read), other);
        expect("changing the title changes the macro", withSource(other).macro(), changed.macro());
        expect(
            "the changed title is read from the macro", other, last(MacroReader.read(registry, changed.macro())).title);
    }

    /** Exports contain the title, quoted for their language; QuoteTest runs these literals. */
    private static void exported(List<String> titles) {
        for (String title : titles) {
            String python = JythonScript.of(withSource(title));
            expect("the Jython script has the title", true,
                python.contains("WindowManager.getImage(" + Quote.jython(title) + ")"));
            expect("the C program is exported for any title", true, !CProgram.of(withSource(title)).isEmpty());
        }
        Pipeline words = MacroReader.read(registry,
            "lambda = getTitle();\nExt.CLIJ_push(lambda);\nExt.CLIJ_copy(lambda, \"a b\");\n"
                + "Ext.CLIJ_copy(\"a b\", \"a_b\");\n"
                + "Ext.CLIJ_copy(\"a_b\", drua);\nExt.CLIJ_pull(drua);\nExt.CLIJ_pull(\"a b\");\n");
        String python = JythonScript.of(words);
        expect("images named like Python's words, or alike, get other names: " + python, true,
            python.contains("lambda_2 = drua.push(IJ.getImage())")
                && python.contains("_a_b_ = drua.op(\"copy\", lambda_2)")
                && python.contains("_a_b__2 = drua.op(\"copy\", image__a_b_)") && python.contains("drua_2 = drua.op(")
                && python.contains("drua.pull(image__a_b_, u\"a b\")"));
    }

    /** Opens a window with that title, which the pipeline's lines and the options text must find. */
    private static String lines(String title, String other) {
        String q = Quote.macro(title), result = other.isEmpty() ? "result" : other;
        return "newImage(\"q\", \"8-bit ramp\", 8, 8, 1);\nrename(" + q + ");\n"
            + withSource(title).macro().replace("Ext.CLIJ2_clear();\n", "")
            + "Ext.CLIJ2_pull(image2);\nif (getTitle() != " + q + ") exit(\"pulled another title\");\nclose();\n"
            + "Ext.CLIJ2_clear();\nrun(\"Drua Macro Extensions\", \"cl_device=\");\n"
            + "Ext.Drua_applyToHyperstack(\"add_image_and_scalar\", "
            + Quote.macro("source=" + Quote.option(title) + " destination=" + Quote.option(result) + " scalar=3")
            + ", 0, 0);\nif (getTitle() != " + Quote.macro(result)
            + ") exit(\"another title of the result\");\nif (getPixel(1, 1) != 35) exit(\"another number\");\n"
            + "close();\nclose();\n";
    }
}
