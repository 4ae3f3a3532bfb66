// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The changes of ImageJ's classes. Where ImageJ opens a window or asks for the front window, it calls {@link
 * HiddenWindows}. Where it writes a file, it uses {@link WatchedFile}.
 */
final class ImageJChanges {
    private static final Map<String, ClassChange> CHANGES = new HashMap<>();
    private static final String DIALOG = "drua/headless/HeadlessDialog",
                                PATCHER_DIALOG = "net/imagej/patcher/HeadlessGenericDialog";

    /** Classes that save files, many of which do not notice a full disk. */
    private static final String[] WRITERS = {"ij.io.FileSaver", "ij.macro.Functions", "ij.measure.ResultsTable",
        "ij.plugin.FITS_Writer", "ij.plugin.XYCoordinates", "ij.plugin.filter.Calibrator", "ij.plugin.filter.Convolver",
        "ij.plugin.filter.XYWriter", "ij.text.TextPanel"};

    static {
        changesOf("ij.measure.ResultsTable")
            .ask("java/awt/GraphicsEnvironment")
            .before("show", "(Ljava/lang/String;)V");
        changesOf("ij.IJ")
            .before("getTextPanel", "()Lij/text/TextPanel;")
            .before("write", "(Ljava/lang/String;)V")
            .before("setAutoThreshold", "(Lij/ImagePlus;Ljava/lang/String;)V")
            .before("setColumnHeadings", "(Ljava/lang/String;)V")
            .instead("getLog", "()Ljava/lang/String;");
        changesOf("ij.Menus").instead("updateWindowMenuItem", "(Lij/ImagePlus;Ljava/lang/String;Ljava/lang/String;)V");
        changesOf("ij.macro.Functions")
            .before("roiManager", "()D")
            .before("getZoom", "()D")
            .before("getDisplayedArea", "()V")
            .instead("getWindowTitle", "()Ljava/lang/String;")
            .instead("getWindowType", "()Ljava/lang/String;")
            .rename("ij/gui/NonBlockingGenericDialog", "ij/gui/GenericDialog");
        changesOf("ij.macro.Interpreter")
            .before("addBatchModeImage", "(Lij/ImagePlus;)V")
            .before("activateImage", "(Lij/ImagePlus;)V")
            .before("getVariables", "()[Ljava/lang/String;")
            .instead("showError", "(Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;)V");
        changesOf("ij.plugin.frame.RoiManager")
            .instead("error", "(Ljava/lang/String;)Z")
            .before("setOverlay", "(Lij/ImagePlus;Lij/gui/Overlay;)V");
        changesOf("ij.plugin.MeasurementsWriter").before("save", "(Ljava/lang/String;)Z");
        changesOf("ij.plugin.filter.Analyzer").before("measure", "()V");
        changesOf("ij.plugin.filter.Calibrator").instead("makeButtonPanel", "(Lij/gui/GenericDialog;)Ljava/awt/Panel;");
        for (String name : new String[] {"ij.gui.HistogramPlot", "ij.plugin.Distribution"})
            changesOf(name).rename("ij/gui/HistogramWindow", "drua/headless/HiddenHistogram");
        for (String name : WRITERS)
            changesOf(name).rename("java/io/FileOutputStream", "drua/headless/WatchedFile");
        changesOf(PATCHER_DIALOG.replace('/', '.')).rename(DIALOG, PATCHER_DIALOG);
    }

    private ImageJChanges() {}

    private static ClassChange changesOf(String name) {
        return CHANGES.computeIfAbsent(name, key -> new ClassChange(key.replace('.', '/')));
    }

    static boolean has(String name) {
        return CHANGES.containsKey(name);
    }

    /** The path of the original class file of a changed class. */
    static String source(String path) {
        return path.equals(PATCHER_DIALOG + ".class") ? DIALOG + ".class" : path;
    }

    static byte[] apply(String name, byte[] bytes) throws IOException {
        return CHANGES.get(name).apply(bytes);
    }
}
