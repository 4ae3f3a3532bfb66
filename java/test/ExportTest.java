// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonValue;
import drua.engine.NativeLibrary;
import drua.engine.Quote;
import drua.engine.Registry;
import drua.pipeline.CProgram;
import drua.pipeline.Edits;
import drua.pipeline.Export;
import drua.pipeline.JythonScript;
import drua.pipeline.MacroReader;
import drua.pipeline.NotedMacro;
import drua.pipeline.Notebook;
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
import java.util.ArrayList;
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
        notedMacro();
        notebook();
        methodsText();
        groovyScript();
        javaProgram();
        shellScript();
        namesOfJava();
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
        String expected = LiveRunTest.bits(LiveRunTest.fetch(session, labels));
        String rows = steps.stream()
                          .map(s -> session.live().result(s.id))
                          .filter(r -> r.table != null)
                          .map(r -> numbers(r.table))
                          .collect(Collectors.joining());
        LiveRunTest.end(session);

        File folder = Files.createTempDirectory("program").toFile(), results = new File(folder, "results");
        String program = CProgram.of(pipeline), tiff = new File(folder, "in.tif").getPath();
        expect("compiling the C program gives no warning\n" + program, "|0", compile(folder, program));
        IJ.saveAsTiff(image, tiff);
        results.mkdirs();
        String said = run(folder, "./pipeline", tiff, "results");
        expect("exit status and number: " + said, true, said.matches("maximum\\w*: \\d+\\|0"));
        ImagePlus made = IJ.openImage(new File(results, labels.images().get(0) + ".tif").getPath());
        expect("the C program's result has the workbench's pixels", expected,
            made == null ? "nothing" : LiveRunTest.bits(made));
        List<String> lines = Files.readAllLines(new File(results, "results.csv").toPath());
        expect("the C program's table has the workbench's rows", rows,
            lines.subList(1, lines.size()).stream().map(ExportTest::numbers).collect(Collectors.joining()));
        expect("without its arguments, the C program prints its usage",
            "usage: ./pipeline image1.tif FOLDER_OF_RESULTS|2", run(folder, "./pipeline", tiff));
        said = run(folder, "./pipeline", "nowhere.tif", "results");
        expect("the C program names a missing image: " + said, true,
            said.startsWith("nowhere.tif: ") && said.contains("'nowhere.tif'") && said.endsWith("|1")
                && !said.contains("\n"));
        said = run(folder, "./pipeline", tiff, "nowhere");
        expect("the C program names a missing folder: " + said, true, said.contains("nowhere/") && said.endsWith("|1"));
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

    // ---- macros and notebooks for readers

    private static Session nuclei(ImagePlus image) throws InterruptedException {
        Session session = LiveRunTest.chain(
            image, "gaussian_blur", "gaussian_blur", "automatic_threshold", "connected_components_box");
        session.change(p -> Edits.shown(Registry.get(), p, p.seen().get(4), true));
        session.add(LiveRunTest.operation("statistics_of_labelled_pixels"), false);
        session.change(p -> Edits.value(p, p.seen().get(2), 2, 1.5));
        LiveRunTest.settle(session);
        return session;
    }

    private static void notedMacro() throws Exception {
        ImagePlus image = LiveRunTest.blobs("m", 60, 44, 1, 15);
        Session session = nuclei(image);
        Pipeline pipeline = session.now();
        String expected = LiveRunTest.bits(LiveRunTest.fetch(session, pipeline.seen().get(4)));
        LiveRunTest.end(session);
        String macro = NotedMacro.of(pipeline);
        expect("a comment above the named numbers\n" + macro, true,
            macro.contains("\n// Gaussian Blur: Smooths an image with a Gaussian; the usual first step against noise. "
                + "Sigma 0 leaves an axis alone.\nsigma_x2 = 1.5;\n"));
        expect("the macro frees all images at its end", true, macro.trim().endsWith("Ext.CLIJ2_clear();"));
        expect("the macro with comments is read as the same steps", pipeline.seen(),
            MacroReader.read(Registry.get(), macro).seen());
        List<ImagePlus> shown = LiveRunTest.run(macro, image);
        expect("the macro's result has the workbench's pixels", expected,
            shown.isEmpty() ? "nothing" : LiveRunTest.bits(shown.get(0)));
        shown.forEach(ImagePlus::close);
        Pipeline open = MacroReader.read(
            Registry.get(), "image = getTitle();\nExt.CLIJ2_push(image);\nExt.CLIJ2_invert(image, inverse);\n");
        expect("a macro that frees no image gets a line that does", true,
            NotedMacro.of(open).endsWith("\nExt.CLIJ2_invert(image, inverse);\nExt.CLIJ2_clear();\n"));
    }

    /** Runs the script in the folder of the notebook. A module of the test replaces tifffile. */
    private static void pythonScript(File folder, Pipeline pipeline, String expected) throws Exception {
        write(folder, "tifffile.py",
            "import numpy\ndef imread(path): return numpy.fromfile('pixels', 'uint8').reshape(44, 60)\n"
                + "def imwrite(path, pixels):\n    sum = 0\n    for label in pixels.ravel():\n"
                + "        sum = (sum * 31 + int(label)) % 1000003\n    print('written', sum)\n");
        String script = Export.PYTHON.of(pipeline, "pipeline");
        expect("the Python script has a comment above each of five steps", 2 + 5,
            Arrays.stream(script.split("\n")).filter(line -> line.startsWith("# ")).count());
        write(folder, "script.py", script.replace("print(table)", "print(len(table['IDENTIFIER']), 'rows')"));
        expect("the Python script gives the workbench's labels and rows\n" + script, expected,
            run(folder, "python3", "-W", "error", "script.py"));
    }

    private static void methodsText() throws Exception {
        Session session = nuclei(LiveRunTest.blobs("p", 60, 44, 1, 16));
        session.change(p -> Edits.switched(p, p.seen().get(1), false));
        String text = Export.METHODS.of(session.now(), "methods");
        LiveRunTest.end(session);
        for (String line : new String[] {"\n1. The image was the input.\n",
                 "\n2. Gaussian Blur of image 1 with sigma x 1.5 pixel, sigma y 1 pixel",
                 "\n3. Automatic Threshold of image 2 with method Otsu.\n",
                 "\n4. Connected Components Box of image 3. This image is a result.\n",
                 "\n5. Statistics of Labelled Pixels of image 1 and image 4.\n", "\nGaussian Blur: "})
            expect("'" + line + "' in " + text, true, text.contains(line));
    }

    private static void notebook() throws Exception {
        ImagePlus image = LiveRunTest.blobs("p", 60, 44, 1, 16);
        Session session = nuclei(image);
        Pipeline pipeline = session.now();
        ImagePlus labels = LiveRunTest.fetch(session, pipeline.seen().get(4));
        long expected = 0;
        for (int i = 0; i < labels.getProcessor().getPixelCount(); i++)
            expected = (expected * 31 + (long) labels.getProcessor().getf(i)) % 1000003;
        int rows = session.live().result(pipeline.seen().get(5).id).table.size();
        LiveRunTest.end(session);
        String notebook = Notebook.of(pipeline);
        List<JsonValue> cells = Json.parse(notebook).asObject().get("cells").asArray().values();
        expect("the notebook has a text above each of five steps", 5 + 1,
            cells.stream().filter(c -> c.asObject().getString("cell_type", "").equals("markdown")).count());
        File folder = Files.createTempDirectory("notebook").toFile(),
             library = new File(System.getProperty("drua.library")).getAbsoluteFile();
        File drua = new File(folder, "drua");
        drua.mkdirs();
        for (String module : new String[] {"__init__.py", "_library.py", "_device.py"})
            Files.copy(new File("packaging/python/drua/" + module).toPath(), new File(drua, module).toPath());
        Files.copy(library.toPath(), new File(drua, "libdrua.so").toPath());
        String built = library.getParentFile().getParent();
        if (!run(folder, "python3", "-c", "import numpy").equals("|0")) {
            System.out.println("SKIP the notebook: it needs python3 with numpy");
            return;
        }
        expect("the Python methods are generated", "|0",
            run(new File("."), "python3", "packaging/python/make_operations.py", built + "/java/made/registry.json",
                drua.getPath() + "/_operations.py"));
        Files.write(new File(folder, "pixels").toPath(), (byte[]) image.getProcessor().getPixels());
        write(folder, "tifffile.py",
            "import numpy\ndef imread(path): return numpy.fromfile('pixels', 'uint8').reshape(44, 60)\n");
        new File(folder, "matplotlib").mkdirs();
        write(folder, "matplotlib/__init__.py", "");
        write(folder, "matplotlib/pyplot.py",
            "def imshow(pixels, cmap):\n    sum = 0\n    for label in pixels.ravel():\n"
                + "        sum = (sum * 31 + int(label)) % 1000003\n    print('shown', sum)\ndef show(): pass\n");
        String code = cells.stream()
                          .map(JsonValue::asObject)
                          .filter(c -> c.getString("cell_type", "").equals("code"))
                          .map(c
                              -> c.get("source")
                                     .asArray()
                                     .values()
                                     .stream()
                                     .map(JsonValue::asString)
                                     .collect(Collectors.joining()))
                          .collect(Collectors.joining("\n"));
        write(folder, "cells.py", code.replaceAll("(?m)^table$", "print(len(table['IDENTIFIER']), 'rows')"));
        expect("the notebook gives the workbench's labels and rows\n" + code,
            "shown " + expected + "\n" + rows + " rows|0", run(folder, "python3", "-W", "error", "cells.py"));
        pythonScript(folder, pipeline, "written " + expected + "\n" + rows + " rows|0");
    }

    // ---- programs for ImageJ and for a shell

    /** A pipeline with a step that is off, a boolean, and an operation that makes an image and a table. */
    private static Session tracks(ImagePlus image) throws InterruptedException {
        Session session = LiveRunTest.chain(image, "gaussian_blur", "median_box", "voronoi_otsu_labeling");
        session.change(p -> Edits.switched(p, p.seen().get(2), false));
        session.add(LiveRunTest.operation("dilate_labels"), false);
        session.change(p -> Edits.shown(Registry.get(), p, p.seen().get(4), true));
        session.add(LiveRunTest.operation("statistics_of_labelled_pixels"), false);
        session.change(p -> Edits.value(p, p.seen().get(1), 2, 0.75));
        LiveRunTest.settle(session);
        return session;
    }

    /** The labels and rows that each exported program must give. */
    private static final class Due {
        final File folder;
        final String labels;
        final int rows;
        final Pipeline pipeline;

        Due(String word, long seed) throws Exception {
            ImagePlus image = LiveRunTest.blobs(word, 60, 44, 1, seed);
            Session session = tracks(image);
            pipeline = session.now();
            labels = LiveRunTest.bits(LiveRunTest.fetch(session, pipeline.seen().get(4)));
            rows = session.live().result(pipeline.seen().get(5).id).table.size();
            LiveRunTest.end(session);
            folder = Files.createTempDirectory(word).toFile();
            image.setRoi(4, 5, 21, 13);
            IJ.saveAsTiff(image, new File(folder, "in.tif").getPath());
        }

        /**
         * Lets the program read and write files, because it runs without windows.
         *
         * @param user the variable that receives the image
         */
        String onFiles(String program, String user, String print) {
            return program.replace("IJ.getImage()", "(" + user + " = IJ.openImage(\"" + folder + "/in.tif\"))")
                .replace("drua.pull(", "IJ.saveAsTiff(drua.pull(")
                .replaceAll("\\)\\.show\\(\\)", "), \"" + folder + "/out.tif\")")
                .replaceAll("(table\\d)\\.show\\(.*\\)", print + "($1.size())");
        }

        void expectFile(String what, String file) {
            ImagePlus made = IJ.openImage(new File(folder, file).getPath());
            expect(what, labels, made == null ? "nothing" : LiveRunTest.bits(made));
        }
    }

    private static String[] javaCommand(String... arguments) {
        List<String> command = new ArrayList<>(Arrays.asList(System.getProperty("java.home") + "/bin/java",
            "-Djava.awt.headless=true", "-Ddrua.library=" + System.getProperty("drua.library"), "-cp"));
        command.addAll(Arrays.asList(arguments));
        return command.toArray(new String[0]);
    }

    private static void groovyScript() throws Exception {
        Due expected = new Due("groovy", 17);
        String script = Export.GROOVY.of(expected.pipeline, "pipeline");
        expect("the Groovy script begins with version and date\n" + script, true,
            script.startsWith("// Pipeline from the workbench of Drua " + NativeLibrary.version() + ", 20"));
        expect("the Groovy script names the numbers above each call", true,
            script.contains("    def sigma_x1 = 0.75\n")
                && script.contains("drua.op(\"gaussian_blur\", image1, sigma_x1, sigma_y1, sigma_z1)\n"));
        File groovy = LiveRunTest.jar("groovy-");
        if (groovy == null) {
            System.out.println("SKIP the Groovy script: Groovy's jar is not beside ImageJ's");
            return;
        }
        write(expected.folder, "pipeline.groovy",
            expected.onFiles(script, "user", "println") + "println(user.roi.bounds.width as int)\n");
        expect("the Groovy script runs and keeps the selection", expected.rows + "\n21|0",
            run(expected.folder,
                javaCommand(absolute(groovy + File.pathSeparator + System.getProperty("java.class.path")),
                    "groovy.ui.GroovyMain", "pipeline.groovy")));
        expected.expectFile("the Groovy script gives the workbench's labels", "out.tif");
    }

    private static void javaProgram() throws Exception {
        Due expected = new Due("java", 18);
        String program = Export.JAVA.of(expected.pipeline, "My_Pipeline"), path = System.getProperty("java.class.path");
        write(expected.folder, "My_Pipeline.java", expected.onFiles(program, "Run.user", "System.out.println"));
        write(expected.folder, "Run.java",
            "class Run {\n    static ij.ImagePlus user;\n\n    public static void main(String[] a) {\n"
                + "        new My_Pipeline().run(\"\");\n        System.out.println(user.getRoi().getBounds().width);\n"
                + "    }\n}\n");
        expect("compiling the Java program gives no warning\n" + program, "|0",
            run(expected.folder, System.getProperty("java.home") + "/bin/javac", "-Xlint:all", "-Werror", "-cp",
                absolute(path), "My_Pipeline.java", "Run.java"));
        expect("the Java program runs and keeps the selection", expected.rows + "\n21|0",
            run(expected.folder, javaCommand(absolute(path) + File.pathSeparator + ".", "Run")));
        expected.expectFile("the Java program gives the workbench's labels", "out.tif");
    }

    private static String absolute(String path) {
        return Arrays.stream(path.split(File.pathSeparator))
            .map(part -> new File(part).getAbsolutePath())
            .collect(Collectors.joining(File.pathSeparator));
    }

    private static void shellScript() throws Exception {
        Due expected = new Due("shell", 19);
        write(expected.folder, "pipeline.sh", Export.SHELL.of(expected.pipeline, "pipeline"));
        File results = new File(expected.folder, "the results"), input = new File(expected.folder, "it's $in.tif");
        results.mkdirs();
        Files.move(new File(expected.folder, "in.tif").toPath(), input.toPath());
        String ran = run(expected.folder, "sh", "pipeline.sh", input.getName(), results.getName());
        expect("the shell script runs: " + ran, true, ran.matches("Drua .* on .*\\|0"));
        String start = "the results/it's $in_", name = expected.pipeline.seen().get(4).images().get(0);
        expected.expectFile("the shell script gives the workbench's labels", start + name + ".tif");
        expect("the shell script gives the workbench's rows", expected.rows + 1,
            Files.readAllLines(new File(expected.folder, start + "results.csv").toPath()).size());
        expect("without its arguments, the shell script prints its usage",
            "usage: sh pipeline.sh IMAGE FOLDER_OF_RESULTS|2", run(expected.folder, "sh", "pipeline.sh", "x.tif"));
        String said = run(expected.folder, "sh", "pipeline.sh", "x.tif", "the results");
        expect("the shell script names a missing image: " + said, true,
            said.contains("x.tif' does not exist") && said.endsWith("|1"));
        shellWithTwoImages(expected);
    }

    /** The second image has a hostile title. */
    private static void shellWithTwoImages(Due expected) throws Exception {
        String title = "x'; touch ran; ' $(touch ran) \u00b5";
        Pipeline two = Edits.addSource(Registry.get(),
            MacroReader.read(Registry.get(),
                "run(\"CLIJ2 Macro Extensions\", \"cl_device=\");\nimage1 = getTitle();\nExt.CLIJ2_push(image1);\n"
                    + "Ext.CLIJ2_clear();\n"),
            title);
        Pipeline sum = Edits.add(two, two.steps(Step.Role.SOURCE).get(1),
            Step.of(Registry.get().commands.get("CLIJ2_addImages"), Arrays.asList("image1", "image2", "sum")), false);
        write(expected.folder, "two.sh", Export.SHELL.of(sum, "two"));
        File first = new File(expected.folder, "1.tif"), second = new File(expected.folder, "2.tif");
        IJ.saveAsTiff(new ImagePlus("a", new ij.process.ByteProcessor(2, 1, new byte[] {1, 2})), first.getPath());
        IJ.saveAsTiff(new ImagePlus("b", new ij.process.ByteProcessor(2, 1, new byte[] {10, 30})), second.getPath());
        String ran = run(expected.folder, "sh", "two.sh", "1.tif", "2.tif", ".");
        expect("the shell script runs on two images: " + ran, true, ran.matches("Drua .* on .*\\|0"));
        ImagePlus made = IJ.openImage(new File(expected.folder, "1_sum.tif").getPath());
        expect("the result is the sum of both images", "11.0 32.0",
            made == null ? "nothing" : made.getProcessor().getf(0) + " " + made.getProcessor().getf(1));
        expect("no title has run as code", false, new File(expected.folder, "ran").exists());
    }

    private static void namesOfJava() throws Exception {
        Pipeline pipeline =
            MacroReader.read(Registry.get(), "class = getTitle();\nExt.CLIJ_push(class);\nExt.CLIJ_copy(class, IJ);\n");
        for (String name : new String[] {"my pipeline", "1st", "a-b", ""})
            expect("refused as a class: " + name, true,
                failure(() -> Export.JAVA.of(pipeline, name)).contains("cannot be the name of a Java file"));
        for (String name : new String[] {"class", "IJ"})
            expect("refused as a class: " + name, true,
                failure(() -> Export.JAVA.of(pipeline, name)).contains("uses the name " + name));
        String program = Export.JAVA.of(pipeline, "A");
        expect("images named like Java's words get other names: " + program, true,
            program.contains("Image class_2 = drua.push(IJ.getImage());")
                && program.contains("Image IJ_2 = (Image) drua.op(\"copy\", class_2);"));
    }

    private static void write(File folder, String name, String text) throws IOException {
        Files.write(new File(folder, name).toPath(), text.getBytes(StandardCharsets.UTF_8));
    }

    // ---- ImageJ commands

    /**
     * A session with an ImageJ command as a step. The window test runs such commands, because stock ImageJ has few
     * without a display.
     */
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
        expect("the macro pulls, runs the command and pushes: " + made.macro(), true, made.macro().contains(lines));
        Pipeline read = MacroReader.read(Registry.get(), made.macro());
        expect("the macro with an ImageJ command is read as the same steps", made.seen(), read.seen());
        expect("writing these steps gives the same macro", made.macro(), read.macro());
        Pipeline off = Edits.switched(read, read.seen().get(2), false);
        expect("a step with an ImageJ command that is off: " + off.macro(), true,
            off.macro().contains(
                "Ext.CLIJ2_copy(gaussianBlur1, imageJCommand1); // Ext.CLIJ2_pull(gaussianBlur1); rename("));
        expect("the step that is off is read as off", off.seen(), MacroReader.read(Registry.get(), off.macro()).seen());
        expect("switching the step on again restores the macro", made.macro(),
            Edits.switched(off, off.seen().get(2), true).macro());
        Pipeline other = made.withPrefix(Registry.get(), "Drua");
        expect("the step has the prefix Drua_", true, other.macro().contains("Ext.Drua_push(imageJCommand1);"));
        expect("the macro with the prefix Drua_ is read as the same steps", other.seen(),
            MacroReader.read(Registry.get(), other.macro()).seen());
        Pipeline noted = MacroReader.read(
            Registry.get(), made.macro().replace("run(\"North\"", "print(\"a note\");\nrun(\"North\""));
        expect("with another line between them, the lines of the command stay as text", Step.Role.SOURCE,
            noted.seen().get(2).role());
    }

    private static void commandThatFails() throws Exception {
        Session session = LiveRunTest.chain(LiveRunTest.blobs("f", 30, 20, 1, 12), "gaussian_blur");
        session.addImageJCommand("Find Northeast", "");
        session.add(LiveRunTest.operation("automatic_threshold"), false);
        LiveRunTest.settle(session);
        List<String> failures =
            session.now().seen().stream().map(s -> session.live().result(s.id).failure).collect(Collectors.toList());
        expect("the error message of the step that failed: " + failures, true,
            failures.get(2).startsWith("Find Northeast: ") && failures.get(2).contains("Unrecognized command"));
        expect("the step that reads the result waits", "waiting for imageJCommand1, which failed", failures.get(3));
        expect("the step that failed holds no images", 2, session.live().held());
        LiveRunTest.end(session);
    }

    private static void notExported() throws Exception {
        Session session = edges(LiveRunTest.blobs("n", 30, 20, 1, 13));
        Pipeline edges = session.now();
        LiveRunTest.end(session);
        String expected = "'North' is an ImageJ command and cannot be exported; save the pipeline as a macro instead";
        expect("an ImageJ command is not exported to C", expected, failure(() -> CProgram.of(edges)));
        expect("an ImageJ command is not exported to Jython", expected, failure(() -> JythonScript.of(edges)));
        expect("an ImageJ command is not exported to a notebook", expected, failure(() -> Notebook.of(edges)));
        Pipeline mask = MacroReader.read(
            Registry.get(), "image = getTitle();\nExt.CLIJ2_push(image);\nExt.CLIJ2_pullBinary(image);\n");
        String binary = "CLIJ2_pullBinary opens an ImageJ window and cannot be exported; use pull instead";
        expect("pullBinary is not exported to C", binary, failure(() -> CProgram.of(mask)));
        expect("pullBinary is not exported to Jython", binary, failure(() -> JythonScript.of(mask)));
        Pipeline loop = MacroReader.read(
            Registry.get(), "image = getTitle();\nExt.CLIJ2_push(image);\nfor (i = 0; i < 3; i++) print(i);\n");
        expect("a loop is not exported",
            "this part of the macro is not a step and cannot be exported; save the pipeline as a macro instead: "
                + "for (i = 0; i < 3; i++) print(i);",
            failure(() -> CProgram.of(loop)));
    }

    // ---- image names as file names

    private static Pipeline pipelinePulling(String... names) {
        StringBuilder macro = new StringBuilder("image = getTitle();\nExt.CLIJ_push(image);\n");
        for (String name : names)
            macro.append("Ext.CLIJ_copy(image, ").append(name).append(");\nExt.CLIJ_pull(").append(name).append(");\n");
        Pipeline pipeline = MacroReader.read(Registry.get(), macro.toString());
        expect("number of results in " + macro, names.length, pipeline.steps(Step.Role.SHOW).size());
        return pipeline;
    }

    private static void namesOfResults() throws Exception {
        for (String name : new String[] {"../x", "/x", "a/b", "a\\b", "a\nb", "", ".x", "x.", "CON", "a:b"}) {
            String said = failure(() -> CProgram.of(pipelinePulling(Quote.macro(name))));
            expect("a name that is no file name is refused: " + said, true,
                said.startsWith("the result " + Quote.macro(name) + " is used as a file name, but "));
        }
        expect("two names that are one file on some systems are refused",
            "two results would be saved in the same file 'blur'; give them different names",
            failure(() -> CProgram.of(pipelinePulling("Blur", "blur"))));
        File folder = Files.createTempDirectory("names").toFile();
        String name = "\u00b5 $(touch ran) 'x' %s%n; \ud83d\ude00",
               program = CProgram.of(pipelinePulling(Quote.macro(name)));
        IJ.saveAsTiff(LiveRunTest.blobs("n", 30, 20, 1, 14), new File(folder, "in.tif").getPath());
        expect(
            "compiling the C program with a hostile name gives no warning\n" + program, "|0", compile(folder, program));
        expect("the C program with a hostile name runs", "|0", run(folder, "./pipeline", "in.tif", "."));
        expect("the only new file has the image's name", "in.tif\npipeline\npipeline.c\n" + name + ".tif|0",
            run(folder, "sh", "-c", "LC_ALL=C ls"));
    }
}
