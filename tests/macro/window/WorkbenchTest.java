// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.Overlay;
import ij.process.ImageProcessor;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.swing.JList;
import javax.swing.JSlider;
import javax.swing.JTable;
import javax.swing.JTextField;

/**
 * Segments nuclei in the workbench as a user does, with clicks, typing and sliders. Then saves and reopens the
 * pipeline, and runs it without a display.
 */
public final class WorkbenchTest extends WorkbenchHands {
    private WorkbenchTest() {}

    public static void main(String[] args) throws Exception {
        Person.start(false);
        IJ.runMacro(
            "newImage(\"cells\", \"8-bit black\", 300, 220, 1); for (i = 0; i < 17; i++) { setColor(90 + 9 * i);"
            + " fillOval(12 + 46 * (i % 6) + i % 3 * 5, 15 + 62 * floor(i / 6), 22 + i % 4 * 3, 30);"
            + " } run(\"Gaussian Blur...\", \"sigma=2\");"
            + " for (i = 0; i < 66000; i++) setPixel(i % 300, floor(i / 300), getPixel(i % 300, floor(i / 300)) + (i"
            + " * 7919 % 23)); updateDisplay();");
        String path = new File(System.getProperty("java.io.tmpdir"), "cells.tif").getPath();
        IJ.saveAsTiff(WindowManager.getCurrentImage(), path);
        ImagePlus cells = WindowManager.getCurrentImage();
        cells.getWindow().setLocation(10, 120);
        openWorkbench();
        event(() -> frame().setBounds(645, 10, 630, 660));
        segments(cells);
        turns(cells);
        measures();
        saves(path);
        runsOnAFolder(path);
        imagesAreClosed(cells, path);
        manyMoves("1".equals(System.getenv("DRUA_SAMPLE")) ? 10000 : 500);
        Person.leave();
    }

    // ---- the scene

    private static void segments(ImagePlus cells) {
        type("blur", "Gaussian Blur", "Add");
        type("thresholdTriangle", "Automatic Threshold", "Add");
        press("Undo");
        type("CLIJ2_thresholdOtsu", "Automatic Threshold", "Add");
        Person.expect("a mask is black and white", "0.0 1.0", range(seen("Automatic Threshold")));
        type("connected", "Connected Components Box", "Add");
        ImagePlus labels = seen("Connected Components Box");
        Person.expect("17 nuclei", 17.0, labels.getProcessor().getStats().max);
        Person.expect("labels are coloured", true, labels.getProcessor().isColorLut());
        Overlay outlines = cells.getOverlay();
        Person.expect("overlays with the outlines of labels", 1, outlines == null ? 0 : outlines.size());
        Person.expect("four rows", 4, rows());
        Person.photograph("workbench");
    }

    private static String range(ImagePlus image) {
        return image.getDisplayRangeMin() + " " + image.getDisplayRangeMax();
    }

    private static void turns(ImagePlus cells) {
        event(() -> named(JList.class, "steps").setSelectedIndex(1));
        seen("Gaussian Blur");
        JSlider sigma = named(JSlider.class, "sigma_x slider");
        double before = blur();
        event(() -> sigma.setValue(sigma.getMaximum() / 2));
        ImagePlus blurred = seen("Gaussian Blur");
        Person.expect("the number beside the slider", "5", named(JTextField.class, "sigma_x").getText());
        double after = blur();
        Person.expect("the slider blurs more: " + before + " " + after, after < before);
        Person.expect(
            "the blurred image has a display range", true, blurred.getDisplayRangeMax() > blurred.getDisplayRangeMin());
        Person.photograph("workbench-turned");
        event(() -> named(JTextField.class, "sigma_x").setText("7000"));
        event(() -> named(JTextField.class, "sigma_x").postActionEvent());
        Person.waitFor(() -> status().contains("7000"));
        Person.expect("the error in the status line: " + status(), true,
            status().contains("sigma_x must be 0 to 1000 pixel, got 7000"));
        Person.photograph("workbench-failure");
        press("Undo");
        press("Undo");
        seen("Gaussian Blur");
        Person.expect("standard deviation after Undo", before, blur());
        Person.expect("the field shows the old value", "1", named(JTextField.class, "sigma_x").getText());
        Person.expect("the error is gone", "", status());
    }

    private static double blur() {
        return view().getProcessor().getStats().stdDev;
    }

    private static void measures() {
        event(() -> named(JList.class, "steps").setSelectedIndex(3));
        seen("Connected Components Box");
        type("statisticsOfLabelled", "Statistics of Labelled Pixels", "Add");
        Person.waitFor(() -> named(JTable.class, "measured").getRowCount() == 17);
        JTable table = named(JTable.class, "measured");
        Person.expect("a row for each nucleus", 17, table.getRowCount());
        event(() -> table.setRowSelectionInterval(4, 4));
        Person.expect("the label of a row is marked", 1, view().getOverlay() == null ? 0 : view().getOverlay().size());
        ImageProcessor labels = view().getProcessor();
        int x = view().getOverlay().get(0).getBounds().x + view().getOverlay().get(0).getBounds().width / 2;
        int y = view().getOverlay().get(0).getBounds().y + view().getOverlay().get(0).getBounds().height / 2;
        Person.expect("the marked label is 5", 5.0f, labels.getf(x, y));
        Person.photograph("workbench-table");
    }

    private static void saves(String path) throws Exception {
        event(() -> named(JList.class, "steps").setSelectedIndex(3));
        seen("Connected Components Box");
        press("Result");
        press("Window");
        Person.waitFor(() -> WindowManager.getImage("connectedComponentsBox1") != null);
        String expected = Person.images().get("connectedComponentsBox1");
        Person.expect(
            "the result opens in a window, open are " + Person.images().keySet() + " " + status(), expected != null);
        File file = new File(System.getProperty("java.io.tmpdir"), "saved.ijm");
        ij.io.OpenDialog.setDefaultDirectory(file.getParent() + File.separator);
        event(() -> call("save", file.toPath()));
        String macro = new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
        Map<String, String> shown = Person.replay("open(\"" + path + "\");\n" + macro, false);
        List<String> made = new ArrayList<>(new TreeMap<>(shown).values());
        made.removeIf(image -> !image.startsWith("32-bit"));
        Person.expect("the saved macro gives the same without a display", pixels(expected),
            made.isEmpty() ? shown : pixels(made.get(0)));
        WindowManager.getImage("connectedComponentsBox1").close();
        Person.expect("no star after saving: " + frame().getTitle(), false, frame().getTitle().endsWith("*"));
    }

    /**
     * Processes all images of a folder while other images are open; the saved macros give the same results without a
     * display.
     */
    private static void runsOnAFolder(String path) throws Exception {
        File work = new File(path).getParentFile(), folder = new File(work, "nuclei"),
             results = new File(work, "nuclei-results");
        folder.mkdirs();
        for (String name : new String[] {"a.tif", "b.tif"})
            Files.copy(new File(path).toPath(), new File(folder, name).toPath());
        java.util.Set<String> before = Person.images().keySet();
        event(() -> call("runOnFolder", folder.toPath(), results.toPath()));
        Person.waitFor(()
                           -> new File(results, "b_results.csv").exists() && !Person.isWorking()
                && new File(results, "all_results.csv").exists());
        Person.waitFor(() -> text(new File(results, "summary.csv")).contains("b.tif"));
        Person.eventually("images that were open are still open", before, () -> Person.images().keySet());
        Person.eventually("results",
            "[a_connectedComponentsBox1.tif, a_results.csv, all_results.csv, b_connectedComponentsBox1.tif,"
                + " b_results.csv, batch.ijm, done.txt, pipeline.ijm, summary.csv]",
            () -> Arrays.stream(results.list()).sorted().collect(Collectors.toList()));
        Person.expect("summary", "image,result\na.tif,17\nb.tif,17\n", text(new File(results, "summary.csv")));
        Person.expect(
            "all rows, with the image's name", 35, text(new File(results, "all_results.csv")).split("\n").length);
        Person.expect(
            "the table has rows of b.tif", true, text(new File(results, "all_results.csv")).contains("\nb.tif,"));
        File labels = new File(results, "b_connectedComponentsBox1.tif");
        String expected = saved(labels);
        Files.delete(labels.toPath());
        Person.replay(text(new File(results, "batch.ijm"))
                          .replace("split(getArgument(), \",\")",
                              "newArray(\"" + results + "/pipeline.ijm\", \"" + folder + "\", \"" + results + "\")"),
            false);
        Person.expect(
            "the image that batch.ijm makes without a display", expected, labels.exists() ? saved(labels) : "no image");
    }

    /**
     * Pixels, type, scale and display of a saved image. Its bytes may be in another order without a display, because
     * ImageJ then reads no preferences.
     */
    private static String saved(File file) {
        ImagePlus image = IJ.openImage(file.getPath());
        return Person.told(image) + " " + Person.colors(image);
    }

    private static String text(File file) {
        try {
            return new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
        } catch (java.io.IOException e) {
            return "";
        }
    }

    private static String pixels(String image) {
        return image.replaceAll(".*, ", "");
    }

    private static void imagesAreClosed(ImagePlus cells, String path) {
        cells.changes = false;
        cells.close();
        event(() -> named(JList.class, "steps").setSelectedIndex(0));
        Person.waitFor(() -> status().contains("was closed"));
        Person.expect("a closed image gives an error: " + status(), true, status().contains("'cells.tif' was closed"));
        Person.expect("the pipeline stays", 5, rows());
        IJ.open(path);
        ImagePlus again = WindowManager.getImage("cells.tif");
        again.getWindow().setLocation(10, 120);
        IJ.doCommand("Workbench");
        event(() -> named(JList.class, "steps").setSelectedIndex(3));
        Person.expect("labels of the image that was opened again", 17.0,
            seen("Connected Components Box").getProcessor().getStats().max);
    }

    /** Moves a slider many times: nothing accumulates, and the view shows the last value. */
    private static void manyMoves(int moves) {
        event(() -> named(JList.class, "steps").setSelectedIndex(1));
        seen("Gaussian Blur");
        JSlider sigma = named(JSlider.class, "sigma_x slider");
        Random random = new Random(7);
        long begun = used();
        for (int i = 0; i < moves; i++) {
            event(() -> {
                sigma.setValueIsAdjusting(true);
                sigma.setValue(1 + random.nextInt(sigma.getMaximum()));
            });
            if (i == moves / 5)
                begun = used();
        }
        event(() -> sigma.setValue(60));
        event(() -> sigma.setValueIsAdjusting(false));
        seen("Gaussian Blur");
        Person.expect("memory after " + moves + " moves: " + (used() - begun) / 1000000 + " MB more", true,
            used() - begun < 25000000);
        double last = blur();
        press("Undo");
        seen("Gaussian Blur");
        Person.expect("the number after Undo", "1", named(JTextField.class, "sigma_x").getText());
        Person.expect("the image after Undo is less blurred", true, blur() > last);
        press("Redo");
        seen("Gaussian Blur");
        Person.expect("the number after Redo", "3", named(JTextField.class, "sigma_x").getText());
        Person.expect("standard deviation after Redo", last, blur());
        Person.photograph("workbench-end");
    }

    private static long used() {
        for (int i = 0; i < 3; i++)
            System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
