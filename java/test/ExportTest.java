// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.NativeLibrary;
import drua.engine.Quote;
import drua.engine.Registry;
import drua.pipeline.CProgram;
import drua.pipeline.Edits;
import drua.pipeline.JythonScript;
import drua.pipeline.MacroReader;
import drua.pipeline.Pipeline;
import drua.pipeline.Session;
import drua.pipeline.Step;
import ij.IJ;
import ij.ImagePlus;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Checks that C programs exported from the workbench give the workbench's results, and that ImageJ commands work as
 * steps. Runs in the project's folder.
 */
final class ExportTest extends Expectations {
    private ExportTest() {}

    public static void main(String[] args) throws Exception {
        NativeLibrary.load();
        programInC();
        commandAsText();
        commandThatFails();
        notExported();
        namesOfResults();
        Runtime.getRuntime().halt(sum());
    }

    // ---- C

    /** Returns the program's standard output, error output and exit status. */
    private static String run(File folder, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder).redirectErrorStream(true);
        builder.environment().remove("LD_PRELOAD"); /* set for Java only */
        Process process = builder.start();
        try (BufferedReader lines =
                 new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            return lines.lines().collect(Collectors.joining("\n")) + "|" + process.waitFor();
        }
    }

    private static String compile(File folder, String program) throws IOException, InterruptedException {
        Files.write(new File(folder, "pipeline.c").toPath(), program.getBytes(StandardCharsets.US_ASCII));
        File library = new File(System.getProperty("drua.library")).getAbsoluteFile();
        return run(folder, "cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I",
            new File("native/include").getAbsolutePath(), "-I",
            new File(library.getParentFile().getParentFile(), "native/include").getPath(), "pipeline.c",
            library.getPath(), "-Wl,-rpath," + library.getParent(), "-o", "pipeline");
    }

    private static void programInC() throws Exception {
        ImagePlus image = LiveRunTest.blobs("c", 60, 44, 1, 9);
        Session session = LiveRunTest.chain(image, "gaussian_blur", "automatic_threshold", "connected_components_box");
        session.change(p -> Edits.shown(Registry.get(), p, p.seen().get(3), true));
        session.add(LiveRunTest.operation("maximum_of_all_pixels"), false);
        session.view(session.now().seen().get(3));
        session.add(LiveRunTest.operation("statistics_of_labelled_pixels"), false);
        session.view(session.now().seen().get(1));
        session.add(LiveRunTest.operation("top_hat_box"), true);
        session.change(p -> Edits.switched(p, p.seen().get(2), false));
        LiveRunTest.settle(session);
        Pipeline pipeline = session.now();
        List<Step> steps = pipeline.seen();
        Step labels = steps.get(4);
        String due = LiveRunTest.bits(LiveRunTest.fetch(session, labels));
        String rows = steps.stream()
                          .map(s -> session.live().result(s.id))
                          .filter(r -> r.table != null)
                          .map(r -> numbers(r.table))
                          .collect(Collectors.joining());
        LiveRunTest.end(session);

        File folder = Files.createTempDirectory("program").toFile(), results = new File(folder, "results");
        String program = CProgram.of(pipeline), tiff = new File(folder, "in.tif").getPath();
        expect("no warning\n" + program, "|0", compile(folder, program));
        IJ.saveAsTiff(image, tiff);
        results.mkdirs();
        String said = run(folder, "./pipeline", tiff, "results");
        expect("exit status and number: " + said, true, said.matches("maximum\\w*: \\d+\\|0"));
        ImagePlus made = IJ.openImage(new File(results, labels.images().get(0) + ".tif").getPath());
        expect("the workbench's bits", due, made == null ? "nothing" : LiveRunTest.bits(made));
        List<String> lines = Files.readAllLines(new File(results, "results.csv").toPath());
        expect("and its table", rows,
            lines.subList(1, lines.size()).stream().map(ExportTest::numbers).collect(Collectors.joining()));
        expect("what it needs", "usage: ./pipeline image1.tif FOLDER_OF_RESULTS|2", run(folder, "./pipeline", tiff));
        said = run(folder, "./pipeline", "nowhere.tif", "results");
        expect("a missing file gives a sentence: " + said, true,
            said.startsWith("nowhere.tif: ") && said.contains("'nowhere.tif'") && said.endsWith("|1")
                && !said.contains("\n"));
        said = run(folder, "./pipeline", tiff, "nowhere");
        expect("a missing folder, too: " + said, true, said.contains("nowhere/") && said.endsWith("|1"));
    }

    private static String numbers(ij.measure.ResultsTable table) {
        StringBuilder rows = new StringBuilder();
        for (int y = 0; y < table.size(); y++) {
            for (String heading : table.getHeadings())
                rows.append(table.getValue(heading, y)).append(' ');
            rows.append('\n');
        }
        return rows.toString();
    }

    private static String numbers(String row) {
        return Arrays.stream(row.split(","))
                   .map(cell -> Double.parseDouble(cell.replace("nan", "NaN")) + " ")
                   .collect(Collectors.joining())
            + "\n";
    }

    // ---- ImageJ commands

    /** The window test runs such commands, because stock ImageJ has few without a display. */
    private static Session edges(ImagePlus image) throws InterruptedException {
        Session session = LiveRunTest.chain(image, "gaussian_blur");
        session.addImageJCommand("North", "stack");
        session.add(LiveRunTest.operation("automatic_threshold"), false);
        LiveRunTest.settle(session);
        return session;
    }

    private static void commandAsText() throws Exception {
        Session session = edges(LiveRunTest.blobs("t", 30, 20, 1, 11));
        Pipeline made = session.now();
        LiveRunTest.end(session);
        String lines =
            "Ext.CLIJ2_pull(gaussianBlur1);\nrename(\"before imageJCommand1\");\nrun(\"North\", \"stack\");\n"
            + "imageJCommand1 = getTitle();\n"
            + "Ext.CLIJ2_push(imageJCommand1);\nclose();\nclose(\"before imageJCommand1\");\n";
        expect("pull, run and push in " + made.macro(), true, made.macro().contains(lines));
        Pipeline read = MacroReader.read(Registry.get(), made.macro());
        expect("read as the same steps", made.seen(), read.seen());
        expect("writing them gives the same text", made.macro(), read.macro());
        Pipeline off = Edits.switched(read, read.seen().get(2), false);
        expect("off: " + off.macro(), true,
            off.macro().contains(
                "Ext.CLIJ2_copy(gaussianBlur1, imageJCommand1); // Ext.CLIJ2_pull(gaussianBlur1); rename("));
        expect("read as off", off.seen(), MacroReader.read(Registry.get(), off.macro()).seen());
        expect("on again", made.macro(), Edits.switched(off, off.seen().get(2), true).macro());
        Pipeline other = made.withPrefix(Registry.get(), "Drua");
        expect("another prefix", true, other.macro().contains("Ext.Drua_push(imageJCommand1);"));
        expect("read", other.seen(), MacroReader.read(Registry.get(), other.macro()).seen());
        Pipeline noted = MacroReader.read(
            Registry.get(), made.macro().replace("run(\"North\"", "print(\"a note\");\nrun(\"North\""));
        expect("with another line between them, they stay as text", Step.Role.SOURCE, noted.seen().get(2).role());
    }

    private static void commandThatFails() throws Exception {
        Session session = LiveRunTest.chain(LiveRunTest.blobs("f", 30, 20, 1, 12), "gaussian_blur");
        session.addImageJCommand("Find Northeast", "");
        session.add(LiveRunTest.operation("automatic_threshold"), false);
        LiveRunTest.settle(session);
        List<String> failures =
            session.now().seen().stream().map(s -> session.live().result(s.id).failure).collect(Collectors.toList());
        expect("the sentence at the step: " + failures, true,
            failures.get(2).startsWith("Find Northeast: ") && failures.get(2).contains("Unrecognized command"));
        expect("the step that reads the result waits", "waiting for imageJCommand1, which failed", failures.get(3));
        expect("its images are freed", 2, session.live().held());
        LiveRunTest.end(session);
    }

    private static void notExported() throws Exception {
        Session session = edges(LiveRunTest.blobs("n", 30, 20, 1, 13));
        Pipeline edges = session.now();
        LiveRunTest.end(session);
        String due = "'North' is an ImageJ command and cannot be exported; save the pipeline as a macro instead";
        expect("to C", due, failure(() -> CProgram.of(edges)));
        expect("to Jython", due, failure(() -> JythonScript.of(edges)));
        Pipeline mask = MacroReader.read(
            Registry.get(), "image = getTitle();\nExt.CLIJ2_push(image);\nExt.CLIJ2_pullBinary(image);\n");
        String binary = "CLIJ2_pullBinary opens an ImageJ window and cannot be exported; use pull instead";
        expect("a mask to C", binary, failure(() -> CProgram.of(mask)));
        expect("a mask to Jython", binary, failure(() -> JythonScript.of(mask)));
        Pipeline loop = MacroReader.read(
            Registry.get(), "image = getTitle();\nExt.CLIJ2_push(image);\nfor (i = 0; i < 3; i++) print(i);\n");
        expect("a loop",
            "this part of the macro is not a step and cannot be exported: for (i = 0; i < 3; i++) print(i);",
            failure(() -> CProgram.of(loop)));
    }

    // ---- image names as file names

    private static Pipeline pulling(String... names) {
        StringBuilder macro = new StringBuilder("image = getTitle();\nExt.CLIJ_push(image);\n");
        for (String name : names)
            macro.append("Ext.CLIJ_copy(image, ").append(name).append(");\nExt.CLIJ_pull(").append(name).append(");\n");
        Pipeline pipeline = MacroReader.read(Registry.get(), macro.toString());
        expect("steps of " + macro, names.length, pipeline.steps(Step.Role.SHOW).size());
        return pipeline;
    }

    private static void namesOfResults() throws Exception {
        for (String name : new String[] {"../x", "/x", "a/b", "a\\b", "a\nb", "", ".x", "x.", "CON", "a:b"}) {
            String said = failure(() -> CProgram.of(pulling(Quote.macro(name))));
            expect("refused: " + said, true,
                said.startsWith("the result " + Quote.macro(name) + " is used as a file name, but "));
        }
        expect("one file on some systems",
            "two results would be saved in the same file 'blur'; give them different names",
            failure(() -> CProgram.of(pulling("Blur", "blur"))));
        File folder = Files.createTempDirectory("names").toFile();
        String name = "\u00b5 $(touch ran) 'x' %s%n; \ud83d\ude00", program = CProgram.of(pulling(Quote.macro(name)));
        IJ.saveAsTiff(LiveRunTest.blobs("n", 30, 20, 1, 14), new File(folder, "in.tif").getPath());
        expect("no warning\n" + program, "|0", compile(folder, program));
        expect("it runs", "|0", run(folder, "./pipeline", "in.tif", "."));
        expect("one more file, with that name", "in.tif\npipeline\npipeline.c\n" + name + ".tif|0",
            run(folder, "sh", "-c", "LC_ALL=C ls"));
    }
}
