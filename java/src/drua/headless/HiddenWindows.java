// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.gui.ImageCanvas;
import ij.gui.Overlay;
import ij.macro.Interpreter;
import ij.measure.ResultsTable;
import ij.plugin.filter.Analyzer;
import ij.process.AutoThresholder;
import ij.text.TextWindow;
import java.awt.Frame;
import java.awt.Panel;
import java.awt.Window;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** The methods that {@link ImageJChanges} makes ImageJ call, named like ImageJ's own. */
public final class HiddenWindows {
    static final String RESULTS = "Results";
    private static List<ImagePlus> left = Collections.emptyList();

    private HiddenWindows() {}

    /**
     * Installs the windows. If the version of Java or ImageJ is unknown, windows remain unavailable, as without this
     * class.
     */
    static void install() {
        try {
            HiddenRoiManager.install();
            HiddenLog.install();
            HiddenToolbar.install();
        } catch (ReflectiveOperationException | RuntimeException e) {
            System.err.println(
                "Drua does not support this version of ImageJ without a display: the ROI Manager, the Log and tools "
                + "are missing (" + e + ")");
        }
    }

    static HiddenTextWindow open(String title) {
        return HiddenTextWindow.open(title, HiddenTextPanel.make(HiddenTextPanel.class, title));
    }

    /** Returns false, so that ResultsTable shows its window. */
    public static boolean isHeadless() {
        return false;
    }

    public static void show(Object table, String title) {
        if (title != null && !title.equals(RESULTS) && WindowManager.getFrame(title) == null)
            ((HiddenTextPanel) open(title).getTextPanel()).copyNextTable();
    }

    public static void getTextPanel() {
        if (IJ.isResultsWindow())
            return;
        TextWindow window = open(RESULTS);
        IJ.setTextPanel(window.getTextPanel());
        window.getTextPanel().setResultsTable(Analyzer.getResultsTable());
    }

    public static void write(String line) {
        getTextPanel();
    }

    /**
     * Opens the Results window before its empty table is saved. Without that window, ImageJ writes no file and reports
     * no error.
     */
    public static void save(Object writer, String path) {
        Frame front = WindowManager.getFrontWindow();
        boolean savesFront = front instanceof TextWindow && !HiddenLog.TITLE.equals(front.getTitle());
        if (!savesFront && Analyzer.getResultsTable().size() == 0)
            getTextPanel();
    }

    public static void setColumnHeadings(String headings) {
        getTextPanel();
    }

    /**
     * Refuses a method that ImageJ does not have. ImageJ itself writes a line to the Log, keeps the old threshold and
     * continues.
     */
    public static void setAutoThreshold(ImagePlus image, String options) {
        String method = options == null ? "Default" : options.split(" ", 2)[0];
        List<String> methods = Arrays.asList(AutoThresholder.getMethods());
        if (!methods.contains(method))
            throw new IllegalArgumentException(
                "setAutoThreshold: the method must be one of " + String.join(", ", methods) + "; got '" + method + "'");
    }

    /** Lets another table take over the window named Results. */
    static void forgetResults() {
        IJ.setTextPanel(null);
        Analyzer.setUnsavedMeasurements(false);
        Analyzer.setResultsTable(null);
        Analyzer.resetCounter();
    }

    public static String getLog() {
        Window log = WindowManager.getWindow(HiddenLog.TITLE);
        return log instanceof TextWindow ? ((TextWindow) log).getTextPanel().getText() : null;
    }

    public static void updateWindowMenuItem(ImagePlus image, String before, String after) {}

    public static void roiManager(Object functions) {
        HiddenRoiManager.open();
    }

    /** Handles the ROI Manager's error dialogs. */
    public static boolean error(Object manager, String message) {
        Interpreter interpreter = Interpreter.getInstance();
        if (interpreter == null)
            IJ.error(HiddenRoiManager.TITLE, message);
        else
            interpreter.abort(message);
        return false;
    }

    /** The ROI Manager shows selections on an image's canvas in addition to its overlay. */
    public static void setOverlay(Object manager, ImagePlus image, Overlay shown) {
        giveCanvas(image);
    }

    /** The current image is displayed as a whole, with a magnification of 1. */
    public static void getZoom(Object functions) {
        giveCanvas(WindowManager.getCurrentImage());
    }

    public static void getDisplayedArea(Object functions) {
        giveCanvas(WindowManager.getCurrentImage());
    }

    /** Gives an image a canvas without a window, for which ImageJ has a field. */
    private static void giveCanvas(ImagePlus image) {
        if (image == null || image.getCanvas() != null)
            return;
        try {
            Unmade.set(ImagePlus.class, image, "flatteningCanvas", new ImageCanvas(image));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Without windows, the image that was created or selected last is in front. */
    public static void addBatchModeImage(ImagePlus image) {
        WindowManager.setWindow((Frame) null);
    }

    public static void activateImage(ImagePlus image) {
        WindowManager.setWindow((Frame) null);
    }

    /** After an error ImageJ asks for the macro's variables before it drops the batch-mode images. */
    public static void getVariables(Object interpreter) {
        left = images();
    }

    /** Handles the dialog that ImageJ shows when it ends a macro. */
    public static void showError(Object interpreter, String title, String message, String[] variables) {
        System.err.println(title + ": " + message);
    }

    /** The open images, or those that were open when a macro failed. */
    static List<ImagePlus> imagesOrLeft() {
        List<ImagePlus> open = images();
        return open.isEmpty() ? left : open;
    }

    private static List<ImagePlus> images() {
        int[] ids = WindowManager.getIDList();
        return ids == null ? Collections.emptyList()
                           : Arrays.stream(ids).mapToObj(WindowManager::getImage).collect(Collectors.toList());
    }

    public static String getWindowTitle(Object functions) {
        Window front = WindowManager.getActiveWindow();
        ImagePlus image = front == null ? WindowManager.getCurrentImage() : null;
        return front instanceof Frame ? ((Frame) front).getTitle() : image != null ? image.getTitle() : "";
    }

    public static String getWindowType(Object functions) {
        Window front = WindowManager.getActiveWindow();
        if (front == null)
            return WindowManager.getCurrentImage() == null ? "" : "Image";
        if (!(front instanceof TextWindow))
            return front.getClass().getSimpleName().replace("Hidden", "");
        TextWindow window = (TextWindow) front;
        return window.getResultsTable() != null                   ? "ResultsTable"
            : window.getTextPanel().getColumnHeadings().isEmpty() ? "Text"
                                                                  : "Table";
    }

    /** Buttons of a dialog that is not shown. */
    public static Panel makeButtonPanel(Object command, GenericDialog dialog) {
        return null;
    }

    /** A measurement starts a new table if no window shows the rows of an older one. */
    public static void measure(Object analyzer) {
        try {
            Object table = Unmade.get(Analyzer.class, analyzer, "rt");
            if (!IJ.isResultsWindow() && table == Analyzer.getResultsTable() && ((ResultsTable) table).size() > 0)
                Analyzer.resetCounter();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
