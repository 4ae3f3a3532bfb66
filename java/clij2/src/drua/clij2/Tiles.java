// SPDX-License-Identifier: BSD-3-Clause
package drua.clij2;

import drua.DruaException;
import drua.imagej.Images;
import ij.ImagePlus;
import ij.ImageStack;
import ij.process.Blitter;
import ij.process.ImageProcessor;
import java.util.Arrays;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;
import net.haesleinhuepf.clij2.CLIJ2Ops;

/**
 * Tiles of images: boxes of width x height x depth pixels, numbered from 0 along each axis. A tile may have a margin,
 * which is cut at the borders of the image.
 */
public final class Tiles {
    /** A tile along one axis: its first pixel and size with the margin, and those without it. */
    private static final class Span {
        final int first, size, coreFirst, coreSize;

        Span(String method, String axis, long extent, double number, double size, double margin) {
            if (number < 0 || size < 1 || margin < 0 || number * size >= extent)
                throw new DruaException(method + ": there is no tile " + (long) number + " of " + (long) size
                    + " pixels along " + axis + " in an image of " + extent + "; tiles are numbered from 0");
            coreFirst = (int) ((long) number * (long) size);
            coreSize = (int) Math.min((long) size, extent - coreFirst);
            first = (int) Math.max(0, coreFirst - (long) margin);
            this.size = (int) Math.min(extent, coreFirst + (long) size + (long) margin) - first;
        }
    }

    private Tiles() {}

    /** A tile along x, y and z, from numbers, sizes and margins in the order of CLIJ2's parameters. */
    private static Span[] spans(String method, long[] extent, double... tile) {
        Span[] spans = new Span[3];
        for (int i = 0; i < 3; i++)
            spans[i] = new Span(method, "xyz".substring(i, i + 1), extent[i], tile[i], tile[3 + i], tile[6 + i]);
        return spans;
    }

    private static long[] extent(ClearCLBuffer image) {
        return new long[] {image.getWidth(), image.getHeight(), image.getDepth()};
    }

    /** The extent of one channel and frame. */
    private static long[] extent(ImagePlus image) {
        return new long[] {image.getWidth(), image.getHeight(), image.getNSlices()};
    }

    /** Copies a tile with its margin to a new image. */
    public static ClearCLBuffer pushTile(CLIJ2Ops ops, ClearCLBuffer image, double tileX, double tileY, double tileZ,
        double width, double height, double depth, double marginWidth, double marginHeight, double marginDepth) {
        Span[] spans = spans("pushTile", extent(image), tileX, tileY, tileZ, width, height, depth, marginWidth,
            marginHeight, marginDepth);
        Span x = spans[0], y = spans[1], z = spans[2];
        long[] size = {x.size, y.size, z.size};
        ClearCLBuffer tile =
            ops.getCLIJ().create(Arrays.copyOf(size, (int) image.getDimension()), image.getNativeType());
        Calls.run(ops, "pushTile", "CLIJ2_crop3D", image, tile, x.first, y.first, z.first, x.size, y.size, z.size);
        return tile;
    }

    /** Copies a tile of the current channel and frame, with its margin, to the device. */
    public static ClearCLBuffer pushTile(CLIJ2Ops ops, ImagePlus image, double tileX, double tileY, double tileZ,
        double width, double height, double depth, double marginWidth, double marginHeight, double marginDepth) {
        Span[] spans = spans("pushTile", extent(image), tileX, tileY, tileZ, width, height, depth, marginWidth,
            marginHeight, marginDepth);
        Span x = spans[0], y = spans[1], z = spans[2];
        int[] slices = Images.currentSlices(image);
        ImageStack stack = new ImageStack(x.size, y.size);
        for (int i = z.first; i < z.first + z.size; i++) {
            ImageProcessor slice = image.getStack().getProcessor(slices[i]);
            slice.setRoi(x.first, y.first, x.size, y.size);
            stack.addSlice(slice.crop());
        }
        return ops.getCLIJ().push(new ImagePlus(image.getTitle(), stack));
    }

    /** Writes a tile, without its margin, into an image of the device. */
    public static void pullTile(CLIJ2Ops ops, ClearCLBuffer tile, ClearCLBuffer image, double tileX, double tileY,
        double tileZ, double width, double height, double depth, double marginWidth, double marginHeight,
        double marginDepth) {
        Span[] spans = spans("pullTile", extent(image), tileX, tileY, tileZ, width, height, depth, marginWidth,
            marginHeight, marginDepth);
        Span x = spans[0], y = spans[1], z = spans[2];
        ClearCLBuffer core =
            ops.getCLIJ().create(new long[] {x.coreSize, y.coreSize, z.coreSize}, image.getNativeType());
        try {
            Calls.run(ops, "pullTile", "CLIJ2_crop3D", tile, core, x.coreFirst - x.first, y.coreFirst - y.first,
                z.coreFirst - z.first, x.coreSize, y.coreSize, z.coreSize);
            Calls.run(ops, "pullTile", "CLIJ2_paste3D", core, image, x.coreFirst, y.coreFirst, z.coreFirst);
        } finally {
            core.close();
        }
    }

    /** Writes a tile, without its margin, into the current channel and frame of an image of ImageJ. */
    public static void pullTile(CLIJ2Ops ops, ImagePlus image, ClearCLBuffer tile, double tileX, double tileY,
        double tileZ, double width, double height, double depth, double marginWidth, double marginHeight,
        double marginDepth) {
        Span[] spans = spans("pullTile", extent(image), tileX, tileY, tileZ, width, height, depth, marginWidth,
            marginHeight, marginDepth);
        Span x = spans[0], y = spans[1], z = spans[2];
        int[] slices = Images.currentSlices(image);
        ImageStack pulled = ops.getCLIJ().pull(tile).getStack();
        for (int i = 0; i < z.coreSize; i++) {
            ImageProcessor slice = pulled.getProcessor(z.coreFirst - z.first + i + 1);
            slice.setRoi(x.coreFirst - x.first, y.coreFirst - y.first, x.coreSize, y.coreSize);
            image.getStack()
                .getProcessor(slices[z.coreFirst + i])
                .copyBits(slice.crop(), x.coreFirst, y.coreFirst, Blitter.COPY);
        }
        image.updateAndDraw();
    }
}
