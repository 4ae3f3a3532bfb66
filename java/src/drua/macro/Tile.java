// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.imagej.Images;
import ij.ImagePlus;
import java.awt.Rectangle;
import java.util.Arrays;

/** One of the boxes that divide an open image, with a margin around it. */
final class Tile {
    /** part: the tile with its margin, clipped to the image. core: the tile without margin. */
    final Rectangle part, core;

    /** Stack indices of all slices that are read. The tile without margin has `count` of them, starting at `skip`. */
    final int[] slices;
    final int skip, count;

    /** Reads tile_x, width, margin_width and the other arguments of a call. */
    Tile(Call call, ImagePlus image) {
        int[] x = tileRange(call, "x", "width", image.getWidth()),
              y = tileRange(call, "y", "height", image.getHeight());
        int[] z = tileRange(call, "z", "depth", image.getNSlices());
        part = new Rectangle(x[0], y[0], x[1] - x[0], y[1] - y[0]);
        core = new Rectangle(x[2], y[2], x[3] - x[2], y[3] - y[2]);
        slices = Arrays.copyOfRange(Images.currentSlices(image), z[0], z[1]);
        skip = z[2] - z[0];
        count = z[3] - z[2];
    }

    /** First pixel and end with margin, first pixel and end without margin. */
    private static int[] tileRange(Call call, String axis, String size, int extent) {
        long length = call.integer(size), margin = call.integer("margin_" + size),
             number = call.integer("tile_" + axis);
        long first = number * length;
        if (first >= extent)
            throw call.error("tile_" + axis,
                "the image '" + call.text("image") + "' has " + extent + " pixels along " + axis + ", so tiles of "
                    + length + " are numbered from 0 to " + (extent - 1) / length + ", got " + number);
        long end = Math.min(extent, first + length);
        return new int[] {
            (int) Math.max(0, first - margin), (int) Math.min(extent, first + length + margin), (int) first, (int) end};
    }
}
