// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.imagej.Images;
import drua.imagej.Selections;
import ij.ImagePlus;
import ij.gui.Roi;
import ij.plugin.frame.RoiManager;
import java.awt.Rectangle;

/** Pushes pixels of open images to the device; see {@link HostCommands}. */
final class PushCommands {
    private PushCommands() {}

    public static void push(Call call) {
        ImagePlus image = Windows.of(call, "image");
        pushAll(call, call.text("image"), image, null);
    }

    public static void pushAs(Call call) {
        ImagePlus image = Windows.of(call, "image");
        pushAll(call, call.text("new_name"), image, null);
    }

    public static void pushTile(Call call) {
        ImagePlus image = Windows.of(call, "image");
        Tile tile = new Tile(call, image);
        push(call, image, tile.slices, tile.part);
    }

    public static void pushGridTile(Call call) {
        ImagePlus image = Windows.of(call, "image");
        GridTile tile = new GridTile(call, image);
        push(call, image, tile.slices, tile.part);
    }

    public static void pushCurrentSlice(Call call) {
        ImagePlus image = Windows.of(call, "image");
        push(call, image, new int[] {image.getCurrentSlice()}, Selections.bounds(image));
    }

    public static void pushCurrentSliceSelection(Call call) {
        pushCurrentSlice(call);
    }

    public static void pushCurrentZStack(Call call) {
        ImagePlus image = Windows.of(call, "image");
        push(call, image, Images.currentSlices(image), Selections.bounds(image));
    }

    public static void pushCurrentSelection(Call call) {
        ImagePlus image = Windows.of(call, "image");
        pushAll(call, call.text("image"), image, Selections.bounds(image));
    }

    public static void pushRoiManager(Call call) {
        RoiManager manager = RoiManager.getInstance();
        if (manager == null || manager.getCount() == 0)
            throw call.error("the ROI Manager has no selections; add some first");
        int width = (int) call.integer("width"), height = (int) call.integer("height"),
            depth = (int) call.integer("depth");
        boolean areGroups = call.flag("groups");
        if (width > Integer.MAX_VALUE / height)
            throw call.error("a slice of " + width + " x " + height + " pixels is too large; choose smaller extents");
        Roi[] selections = manager.getRoisAsArray();
        for (Roi selection : selections) {
            String fault = Selections.whyNotPaintable(selection, depth);
            if (fault != null)
                throw call.error(fault);
        }
        call.put(call.destination("destination"),
            old
            -> Images.push(call.context(), width, height, depth, depth > 1 ? 3 : 2, Images.FLOAT32,
                z -> Selections.toLabels(selections, areGroups, width, height, z + 1), old));
    }

    /** Pushes the slices that CLIJ2 pushes. If these are channels, writes a note for the Log. */
    private static void pushAll(Call call, String name, ImagePlus image, Rectangle part) {
        String notice = Images.notice(image);
        if (!notice.isEmpty())
            call.note(notice);
        push(call, name, image, Images.all(image), part);
    }

    private static void push(Call call, ImagePlus image, int[] slices, Rectangle part) {
        push(call, call.text("image"), image, slices, part);
    }

    private static void push(Call call, String name, ImagePlus image, int[] slices, Rectangle part) {
        call.put(name, old -> Images.push(call.context(), image, slices, part, old));
        image.changes = false;
    }
}
