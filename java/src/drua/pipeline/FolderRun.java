// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import drua.engine.FileName;
import drua.engine.Quote;
import drua.engine.Registry;
import drua.engine.WholeFile;
import drua.imagej.QuietMacro;
import ij.IJ;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs a pipeline on all TIFF images of a folder with the macro batch.ijm. The results folder gets batch.ijm and a
 * macro of the pipeline for a single image. With these, the run can be repeated, also without a display; it then
 * continues where it was stopped. Each image that the pipeline shows is saved as INPUT_IMAGE.tif; if the pipeline
 * loops, channel and frame are between the two names. Measurements are saved as one table for each input image and one
 * for all.
 */
public final class FolderRun {
    private static final String BATCH = "batch.ijm", PIPELINE = "pipeline.ijm";

    private FolderRun() {}

    /**
     * Returns the pipeline as a macro whose argument is "IMAGE,RESULTS". Output files get their final names when they
     * are complete.
     */
    static String macro(Pipeline pipeline) {
        return "given = getArgument();\ncomma = lastIndexOf(given, \",\");\nimage_file = substring(given, 0, comma);\n"
            + "wrong = call(\"drua.imagej.QuietMacro.open\", image_file);\n"
            + "if (wrong != \"\") return \"failed: \" + wrong;\n"
            + "saved_as = substring(given, comma + 1) + File.separator + File.getNameWithoutExtension(image_file);\n"
            + savingMacro(pipeline);
    }

    /**
     * The macro of a pipeline, with lines that save its images and its table. The macro's variable saved_as holds the
     * beginning of the paths.
     */
    static String savingMacro(Pipeline pipeline) {
        StringBuilder macro = new StringBuilder("rows_before = nResults;\n");
        Set<String> used = new HashSet<>();
        String suffix = TakenPlanes.loops(pipeline) ? " + \"_c\" + channel + \"_t\" + frame" : "";
        for (Statement statement : pipeline.statements()) {
            boolean shows = statement instanceof Step && ((Step) statement).role() == Step.Role.SHOW;
            if (macro.charAt(macro.length() - 1) != '\n')
                macro.append('\n');
            macro.append(statement.source());
            if (shows) {
                String image = ((Step) statement).inputs().get(0).replaceAll("\\W", ""),
                       name = "saved_as" + suffix + " + \"_" + image;
                FileName.take(image, used);
                macro.append("saveAs(\"Tiff\", ")
                    .append(name)
                    .append(".part.tif\");\nsaved(")
                    .append(name)
                    .append("\", \".tif\");\n");
            }
        }
        return macro.append(macro.charAt(macro.length() - 1) == '\n' ? "" : "\n")
            .append("rows = nResults - rows_before;\nif (rows > 0) {\n"
                + "    Table.save(saved_as + \"_results.part.csv\", \"Results\");\n")
            .append("    saved(saved_as + \"_results\", \".csv\");\n    Table.reset(\"Results\");\n}\n"
                + "return \"\" + rows;\n\n")
            .append("function saved(path, ending) {\n"
                + "    if (File.exists(path + ending)) ok = File.delete(path + ending);\n")
            .append("    ok = File.rename(path + \".part\" + ending, path + ending);\n"
                + "    if (!File.exists(path + ending)) exit(path + ending + \" cannot be written\");\n}\n")
            .toString();
    }

    /**
     * Writes both macros and returns the shell command that runs them. If no step is marked as a result, the last one
     * is.
     */
    public static String prepare(Pipeline pipeline, Path folder, Path results) {
        for (Path path : new Path[] {folder, results}) {
            if (path.toString().matches("(?s).*[,\\r\\n].*"))
                throw new EngineException("the name of the folder '" + path
                    + "' must not contain a comma or a line end; choose another "
                    + "folder");
        }
        try (InputStream batch = FolderRun.class.getResourceAsStream(BATCH)) {
            if (batch == null)
                throw new EngineException("Drua's jar is damaged: " + BATCH + " is missing; install Drua again");
            Files.createDirectories(results);
            Files.copy(batch, results.resolve(BATCH), StandardCopyOption.REPLACE_EXISTING);
            byte[] macro = macro(Edits.withResult(Registry.get(), pipeline)).getBytes(StandardCharsets.UTF_8);
            Path file = results.resolve(PIPELINE);
            if (!Files.exists(file)
                || !Arrays.equals(macro, Files.readAllBytes(file))) /* batch.ijm repeats results older than this file */
                WholeFile.write(file.toFile(), part -> Files.write(part.toPath(), macro));
        } catch (IOException e) {
            throw new EngineException("the folder '" + results + "' cannot be written to (" + e.getMessage()
                + "); choose another folder for the results");
        }
        return javaCommand() + " drua.MacroMain " + Quote.shell(results.resolve(BATCH).toString()) + " "
            + Quote.shell(argument(folder, results));
    }

    /** Returns the beginning of a shell command that runs a class of Drua without a display, with this ImageJ. */
    static String javaCommand() {
        String library = System.getProperty("drua.library");
        File own = new File(jar(FolderRun.class.getResource(BATCH)));
        File[] jars = own.getParentFile() == null ? null : own.getParentFile().listFiles(FolderRun::isOwn);
        List<String> classPath =
            new ArrayList<>(Arrays.asList(jar(IJ.class.getResource("/IJ_Props.txt")), own.getPath()));
        for (File jar : jars == null ? new File[0] : jars) { /* also the jar that handles CLIJ2's start commands */
            if (!classPath.contains(jar.getPath()))
                classPath.add(jar.getPath());
        }
        String path = String.join(File.pathSeparator, classPath);
        return Quote.shell(System.getProperty("java.home") + "/bin/java") + " -Djava.awt.headless=true "
            + (library == null ? "" : Quote.shell("-Ddrua.library=" + library) + " ") + "-cp " + Quote.shell(path);
    }

    private static boolean isOwn(File folder, String name) {
        return name.startsWith("Drua") && name.endsWith(".jar");
    }

    /** The jar that contains a resource; "" if the resource lies in a folder. */
    private static String jar(URL resource) {
        String text = String.valueOf(resource);
        int end = text.indexOf("!/");
        try {
            return text.startsWith("jar:file:") && end > 0
                ? Paths.get(new URI(text.substring("jar:".length(), end))).toString()
                : "";
        } catch (URISyntaxException e) {
            return "";
        }
    }

    private static String argument(Path folder, Path results) {
        return results.resolve(PIPELINE) + "," + folder + "," + results;
    }

    /**
     * Runs the prepared macro on a new thread, then `end` on the same thread. Escape stops the macro. Errors go to the
     * Log.
     */
    public static void run(Path folder, Path results, Runnable end) {
        new Thread(() -> {
            try {
                IJ.resetEscape();
                String result = QuietMacro.run(results.resolve(BATCH).toString(), argument(folder, results));
                if (result.equals(QuietMacro.STOPPED))
                    IJ.log("Escape was pressed: the folder run stopped; the next run continues where it stopped");
                else if (result.startsWith(QuietMacro.FAILED))
                    IJ.log("The folder run " + result);
            } finally {
                end.run();
            }
        }, "Run$_Workbench_Macro$").start();
    }
}
