// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.imagej.Images;
import drua.imagej.Selections;
import ij.ImagePlus;
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

    /** Pushes the slices that CLIJ2 pushes, and says so if these are channels. */
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
