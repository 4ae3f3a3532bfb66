// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.WindowManager;
import ij.measure.ResultsTable;
import ij.process.ImageProcessor;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Stream;

/** Runs an example without a display and holds its output or its error. */
final class ExampleRun {
    private static final int WIDTH = 128, DEPTH = 16, MAX_INPUTS = 2;

    /** Input images before the command, followed by the results. */
    final List<ImagePlus> images = new ArrayList<>();
    /** Number of input images. */
    int inputs;
    /** The Results table, or null if it has no rows. */
    ResultsTable table;
    /** printed: the Log. error: the message that ended the macro; "" if it ended normally. */
    String printed = "", error = "";

    /** @param nuclei the image that examples open */
    static ExampleRun of(Example example, ImagePlus nuclei) throws IOException {
        ExampleRun run = new ExampleRun();
        ImagePlus opened = example.opens.equals("stack") ? stack(nuclei) : nuclei.duplicate();
        opened.setTitle(example.opens);
        MacroOutput output = inOwnFolder(run.withInputs(example), opened);
        run.printed = output.printed;
        run.error = output.error;
        run.collect(opened);
        return run;
    }

    /** Runs the macro with a new, empty folder for temporary files. */
    private static MacroOutput inOwnFolder(String macro, ImagePlus opened) throws IOException {
        String usual = System.getProperty("java.io.tmpdir");
        Path folder = Files.createTempDirectory("drua-example");
        System.setProperty("java.io.tmpdir", folder.toString());
        try {
            return MacroOutput.of(macro, opened);
        } finally {
            System.setProperty("java.io.tmpdir", usual);
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
    }

    /** The example, extended by lines that copy the input images before the command. */
    private String withInputs(Example example) {
        List<String> lines = new ArrayList<>(example.before);
        Collection<String> shown = new LinkedHashSet<>();
        for (String image : example.images.values()) {
            if (shown.size() < MAX_INPUTS && String.join("\n", example.before).matches("(?s).*\\b" + image + "\\b.*"))
                shown.add(image);
        }
        for (String image : shown)
            lines.add("Ext.Drua_pull(" + image + ");");
        inputs = shown.size();
        lines.addAll(example.call);
        lines.addAll(example.after);
        return String.join("\n", lines) + "\n";
    }

    private void collect(ImagePlus opened) {
        int[] ids = WindowManager.getIDList();
        for (int i = 0; ids != null && i < ids.length; i++) {
            ImagePlus image = WindowManager.getImage(ids[i]);
            if (image != opened)
                images.add(image.duplicate());
        }
        inputs = Math.min(inputs, images.size());
        ResultsTable results = ResultsTable.getResultsTable();
        table = results.size() == 0 ? null : (ResultsTable) results.clone();
        MacroOutput.forget();
    }

    /** Turns the picture into a tilted layer: each column is sharpest in a different slice. */
    private static ImagePlus stack(ImagePlus plane) {
        ImageStack stack = new ImageStack(WIDTH, WIDTH);
        for (int z = 0; z < DEPTH; z++) {
            ImageProcessor slice = plane.getProcessor().duplicate();
            for (int y = 0; y < WIDTH; y++) {
                for (int x = 0; x < WIDTH; x++) {
                    double off = (z - 3 - 9.0 * x / WIDTH) / 3;
                    slice.setf(x, y, (float) Math.rint(slice.getf(x, y) * Math.exp(-off * off)));
                }
            }
            stack.addSlice(slice);
        }
        return new ImagePlus("stack", stack);
    }

    /** The central part of a picture file. */
    static ImagePlus open(String file, int x, int y) {
        ImagePlus all = IJ.openImage(file);
        if (all == null)
            throw new IllegalArgumentException("no picture " + file);
        all.setRoi(x, y, WIDTH, WIDTH);
        return new ImagePlus("nuclei", all.getProcessor().crop());
    }
}
