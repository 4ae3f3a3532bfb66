// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.WindowManager;
import ij.gui.Overlay;
import ij.gui.Roi;
import ij.measure.ResultsTable;
import ij.plugin.frame.RoiManager;
import ij.process.ImageProcessor;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs an example without a display and holds its output or its error. */
final class ExampleRun {
    private static final int WIDTH = 128, DEPTH = 16, MAX_INPUTS = 2;

    /** Input images before the command, followed by the windows that it opened or changed. Overlays are selections. */
    final List<ImagePlus> images = new ArrayList<>();
    /** Number of input images. */
    int inputs;
    /** The Results table, or null if it has no rows. */
    ResultsTable table;
    /** By name: the text of each file that the macro wrote; "" for files and folders that are not text. */
    final Map<String, String> written = new TreeMap<>();
    /** printed: the Log. error: the message that ended the macro; "" if it ended normally. */
    String printed = "", error = "";

    /** @param nuclei the image that examples open */
    static ExampleRun of(Example example, ImagePlus nuclei) throws IOException {
        ExampleRun run = new ExampleRun();
        ImagePlus opened = example.opens.equals("stack") ? stack(nuclei) : nuclei.duplicate();
        opened.setTitle(example.opens);
        int before = checksum(opened);
        MacroOutput output = run.inOwnFolder(run.withInputs(example), opened);
        run.printed = output.printed;
        run.error = output.error;
        run.collect(opened, checksum(opened) == before);
        return run;
    }

    private static int checksum(ImagePlus image) {
        int sum = 0;
        for (int z = 1; z <= image.getStackSize(); z++) {
            ImageProcessor slice = image.getStack().getProcessor(z);
            for (int i = 0; i < slice.getPixelCount(); i++)
                sum = 31 * sum + Float.floatToIntBits(slice.getf(i));
        }
        return sum;
    }

    /** Runs the macro with a new, empty folder for temporary files. */
    private MacroOutput inOwnFolder(String macro, ImagePlus opened) throws IOException {
        String usual = System.getProperty("java.io.tmpdir");
        Path folder = Files.createTempDirectory("drua-example");
        System.setProperty("java.io.tmpdir", folder.toString());
        try {
            MacroOutput output = MacroOutput.of(macro, opened);
            read(folder);
            return output;
        } finally {
            System.setProperty("java.io.tmpdir", usual);
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
    }

    private void read(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.collect(Collectors.toList()))
                written.put(
                    file.getFileName().toString(), Files.isDirectory(file) ? "" : text(Files.readAllBytes(file)));
        }
    }

    /** The bytes as a text, or "" if they are not UTF-8 or contain control characters other than white space. */
    private static String text(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.chars().allMatch(c -> c >= ' ' || Character.isWhitespace(c)) ? text : "";
        } catch (CharacterCodingException e) {
            return "";
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

    private void collect(ImagePlus opened, boolean isUnchanged) {
        int[] ids = WindowManager.getIDList();
        for (int i = 0; ids != null && i < ids.length; i++) {
            ImagePlus image = WindowManager.getImage(ids[i]);
            if (image != opened || !isUnchanged || image.getRoi() != null)
                images.add(duplicateWithOverlay(image));
        }
        RoiManager manager = RoiManager.getRawInstance();
        if (manager != null && manager.getCount() > 0 && !images.isEmpty()) {
            Overlay listed = new Overlay();
            for (Roi selection : manager.getRoisAsArray())
                listed.add(selection);
            images.get(images.size() - 1).setOverlay(listed);
        }
        inputs = Math.min(inputs, images.size());
        ResultsTable results = ResultsTable.getResultsTable();
        table = results.size() == 0 ? null : (ResultsTable) results.clone();
        MacroOutput.forget();
    }

    /** All pixels of an image, and its selection as an overlay. */
    private static ImagePlus duplicateWithOverlay(ImagePlus image) {
        Roi selection = image.getRoi();
        image.deleteRoi();
        ImagePlus copy = image.duplicate();
        if (selection != null)
            copy.setOverlay(new Overlay(selection));
        return copy;
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
