// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.Native;
import drua.imagej.Images;
import drua.imagej.Selections;
import ij.IJ;
import ij.ImagePlus;
import ij.gui.Roi;
import ij.plugin.frame.RoiManager;
import ij.process.ImageProcessor;
import java.awt.Dimension;
import java.awt.HeadlessException;
import java.awt.Rectangle;
import java.util.Arrays;
import java.util.List;

/** Pulls images from the device to windows and selections; see {@link HostCommands}. */
final class PullCommands {
    private PullCommands() {}

    public static void pull(Call call) {
        Images.pull(call.context(), call.image("image"), call.text("image"), !call.compatible()).show();
    }

    public static void pullBinary(Call call) {
        Images.pullBinary(call.context(), call.image("image"), call.text("image")).show();
    }

    public static void pullAsRoi(Call call) {
        ImagePlus target = Windows.current(call);
        Roi roi = Selections.ofMask(mask(call));
        if (roi == null)
            target.deleteRoi();
        else
            target.setRoi(roi);
    }

    public static void pullToRoiManager(Call call) {
        Roi roi = Selections.ofMask(mask(call));
        if (roi == null)
            throw call.error("source",
                "all pixels of '" + call.text("source") + "' are zero, so there is nothing to select"
                    + "; check the previous steps");
        manager(call).addRoi(roi);
    }

    public static void pullLabelsToRoiManager(Call call) {
        Selections.add(manager(call), labels(call));
    }

    public static void pullLabelsToRoiList(Call call) {
        for (Roi roi : labels(call))
            IJ.log(roi.getName() + ": " + roi);
    }

    /** The ROI Manager, hidden in batch mode; opens it if necessary. */
    private static RoiManager manager(Call call) {
        try {
            RoiManager open = RoiManager.getInstance();
            return open != null ? open : new RoiManager();
        } catch (HeadlessException e) {
            throw call.error("ImageJ's ROI Manager needs a display; run the macro with a display, for example under "
                + "xvfb-run");
        }
    }

    private static ImageProcessor mask(Call call) {
        return Images.pullBinary(call.context(), call.plane("source"), "").getProcessor();
    }

    private static List<Roi> labels(Call call) {
        long image = call.plane("source");
        return Selections.ofLabels(
            Images.pullNumbers(call.context(), image)[0], (int) Native.info(call.context(), image)[0]);
    }

    public static void pullToCurrentSlice(Call call) {
        write(call, 0, 0, null);
    }

    public static void pullToCurrentSliceSelection(Call call) {
        Rectangle selection = Selections.bounds(Windows.of(call, "target_image_stack"));
        if (selection == null)
            write(call, 0, 0, null);
        else
            write(call, selection.x, selection.y, selection.getSize());
    }

    /** @param max largest extent to write; null for all */
    private static void write(Call call, int x, int y, Dimension max) {
        ImagePlus target = Windows.grey(call, "target_image_stack");
        long image = call.plane("input_slice");
        long[] info = Native.info(call.context(), image);
        Rectangle part = new Rectangle(max != null ? max : new Dimension((int) info[0], (int) info[1]));
        StackUndo.beforeChange(target, target.getCurrentSlice());
        Images.write(Images.pullNumbers(call.context(), image)[0], (int) info[0], part, target.getProcessor(), x, y);
        target.updateAndDraw();
    }

    public static void pullTile(Call call) {
        ImagePlus target = Windows.grey(call, "image");
        Tile tile = new Tile(call, target);
        long image = call.image("image");
        float[][] planes = Images.pullNumbers(call.context(), image);
        Rectangle part = new Rectangle(tile.core);
        part.translate(-tile.part.x, -tile.part.y);
        int end = Math.min(tile.skip + tile.count, planes.length);
        StackUndo.beforeChange(target, Arrays.copyOfRange(tile.slices, tile.skip, Math.max(tile.skip, end)));
        for (int z = tile.skip; z < end; z++)
            Images.write(planes[z], (int) Native.info(call.context(), image)[0], part,
                target.getStack().getProcessor(tile.slices[z]), tile.core.x, tile.core.y);
        target.updateAndDraw();
    }

    public static void pullGridTileToImage(Call call) {
        ImagePlus target = Windows.grey(call, "image");
        GridTile tile = new GridTile(call, target);
        StackUndo.beforeChange(target, tile.slices);
        tile.write(Images.pullNumbers(call.context(), call.image("source")),
            Native.info(call.context(), call.image("source")), target, (int) call.integer("fusion_mode"));
        target.resetDisplayRange();
        target.updateAndDraw();
    }
}
