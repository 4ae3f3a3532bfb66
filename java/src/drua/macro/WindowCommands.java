// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import ij.IJ;
import ij.ImagePlus;
import ij.Undo;
import ij.WindowManager;
import ij.gui.ImageWindow;
import ij.measure.Calibration;
import java.awt.GraphicsEnvironment;
import java.util.ArrayDeque;
import java.util.Deque;

/** Position and scale of windows; see {@link HostCommands}. */
final class WindowCommands {
    /** Scales saved by pushMetaData; guarded by the engine's lock. */
    private static final Deque<Calibration> SCALES = new ArrayDeque<>();

    private WindowCommands() {}

    public static void organiseWindows(Call call) {
        int[] ids = WindowManager.getIDList();
        long rows = call.integer("tiles_y"), columns = call.integer("tiles_x");
        int width = (int) call.integer("tile_width"), height = (int) call.integer("tile_height");
        int x = (int) call.integer("start_x"), y = (int) call.integer("start_y");
        for (int i = 0; ids != null && i < Math.min(ids.length, rows * columns); i++) {
            ImageWindow window = WindowManager.getImage(ids[i]).getWindow();
            if (window != null)
                window.setLocationAndSize(x + (int) (i / rows) * width, y + (int) (i % rows) * height, width, height);
        }
    }

    public static void pushMetaData(Call call) {
        SCALES.push(Windows.current(call).getCalibration().copy());
    }

    public static void popMetaData(Call call) {
        ImagePlus target = Windows.current(call);
        if (SCALES.isEmpty())
            throw call.error("no scale was saved; call pushMetaData first");
        Undo.setup(Undo.MACRO, target);
        target.setCalibration(SCALES.pop());
    }

    public static void resetMetaData(Call call) {
        SCALES.clear();
    }

    public static void workbench(Call call) {
        if (GraphicsEnvironment.isHeadless())
            throw call.error("the workbench needs a display; run a saved macro instead, which needs none");
        IJ.runPlugIn("drua.workbench.Workbench", "");
    }
}
