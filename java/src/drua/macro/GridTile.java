// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.imagej.Images;
import ij.ImagePlus;
import ij.process.ImageProcessor;
import java.awt.Rectangle;
import java.util.Arrays;

/**
 * One tile of a grid over an open image. Each tile overlaps the next one by a fraction of its size, and the last tile
 * ends at the border.
 */
final class GridTile {
    final Rectangle part;

    /** Stack indices. */
    final int[] slices;

    /** Reads tile_count_x, tile_x, overlap and the other arguments of a call. */
    GridTile(Call call, ImagePlus image) {
        int[] x = tileRange(call, "x", image.getWidth()), y = tileRange(call, "y", image.getHeight()),
              z = tileRange(call, "z", image.getNSlices());
        part = new Rectangle(x[0], y[0], x[1] - x[0], y[1] - y[0]);
        slices = Arrays.copyOfRange(Images.currentSlices(image), z[0], z[1]);
    }

    /** First pixel and end of the tile along an axis. A single plane has one tile along z, for any tile number. */
    private static int[] tileRange(Call call, String axis, int extent) {
        if (axis.equals("z") && extent == 1)
            return new int[] {0, 1};
        long count = call.integer("tile_count_" + axis), number = call.integer("tile_" + axis);
        if (count > extent || number >= count)
            throw call.error("tile_" + axis,
                "the image '" + call.text("image") + "' has " + extent + " pixels along " + axis + ", so at most "
                    + extent + " tiles; " + count + " tiles are numbered from 0 to " + (count - 1) + ", got " + number);
        float overlap = (float) call.number("overlap") / 100;
        int size = count == 1 ? extent : (int) Math.floor(extent / (1 + (count - 1) * (1 - overlap)));
        int step = size - (int) Math.ceil(size * overlap), first = (int) number * step;
        return new int[] {first, number == count - 1 ? extent : first + size};
    }

    /** Combines the tile's pixels with those of the image, in a mode of ij.process.Blitter. */
    void write(float[][] planes, long[] info, ImagePlus target, int mode) {
        int width = (int) info[0], height = (int) info[1];
        for (int z = 0; z < Math.min(planes.length, slices.length); z++) {
            ImageProcessor to = target.getStack().getProcessor(slices[z]), tile = to.createProcessor(width, height);
            Images.write(planes[z], width, new Rectangle(width, height), tile, 0, 0);
            to.copyBits(tile, part.x, part.y, mode);
        }
    }
}
