// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.Native;
import drua.engine.Registry;
import drua.imagej.Images;
import drua.imagej.Invocation;
import drua.imagej.LabelColors;
import ij.ImagePlus;
import ij.process.ColorProcessor;
import ij.process.ImageProcessor;
import ij.process.ShortProcessor;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.awt.Rectangle;

/** Fetches results of steps for display. Used by the context's thread only. */
public final class Pictures {
    /** Longer side of a small picture in pixels. */
    public static final int SMALL = 48;
    /** Small pictures are fetched at twice their displayed size and then interpolated. */
    private static final int FETCHED = 2 * SMALL;
    private static final int COLOURS = 255;
    /** A view may take 1/SHARE of ImageJ's memory, and each of its pixels takes BYTES bytes. */
    private static final int SHARE = 6, BYTES = 5;

    private final long context;

    Pictures(long context) {
        this.context = context;
    }

    private long handle(Result result) {
        return Native.find(context, result.names.values().iterator().next());
    }

    /** The whole image, as a macro's pull shows it. */
    ImagePlus whole(Result result, String title, boolean metadata) {
        return Images.pull(context, handle(result), title, metadata);
    }

    /** A part of the image with that name; null if the image does not contain it. See {@link LiveRun#fetch}. */
    ImagePlus part(String name, long[] box) {
        long handle = Native.find(context, name);
        long[] info = Native.info(context, handle);
        Object[] arguments = new Object[8];
        arguments[0] = handle;
        for (int i = 0; i < 6; i++) {
            if (i < 3 && box[i] + box[3 + i] > info[i])
                return null;
            arguments[2 + i] = (double) box[i];
        }
        long part = call("crop", arguments);
        try {
            return Images.pull(context, part, "", false);
        } finally {
            Native.release(context, part);
        }
    }

    /**
     * A slice, counted from 0; colour images keep their colours.
     *
     * @param scale below 1: fetches only this fraction of the columns and rows
     */
    private ImageProcessor plane(Result result, int slice, double scale) {
        long handle = handle(result), plane = handle, seen = handle;
        ImagePlus colour = result.info[2] == 3 ? Images.pull(context, handle, "", true) : null;
        if (colour != null && colour.getType() == ImagePlus.COLOR_RGB)
            return colour.getProcessor();
        try {
            if (result.info[2] > 1)
                plane = seen = call("copy_slice", handle, null, (double) slice);
            if (scale < 1)
                seen = call("downsample", plane, null, scale, scale, 1.0);
            return Images.pull(context, seen, "", true).getProcessor();
        } finally {
            if (seen != plane)
                Native.release(context, seen);
            if (plane != handle)
                Native.release(context, plane);
        }
    }

    private long call(String operation, Object... arguments) {
        return (Long) Invocation.run(context, Registry.get().operations.get(operation), arguments)[0];
    }

    View view(Pipeline pipeline, int step, Result result, int slice, Rectangle part) {
        int reduced = reduction(result.info[0], result.info[1]);
        ImageProcessor plane = plane(result, slice, 1.0 / reduced);
        View.Look look = lookOf(result, plane);
        ImageProcessor pixels = colourLabels(plane, look);
        return new View(pipeline, step, result, slice, pixels, reduced, look, "", part);
    }

    /** The least reduction at which a view with its picture on the screen fits its share of ImageJ's memory. */
    private static int reduction(long width, long height) {
        double room = Runtime.getRuntime().maxMemory() / (double) SHARE / BYTES;
        return (int) Math.ceil(Math.sqrt(Math.max(1, width * (double) height / room)));
    }

    private static View.Look lookOf(Result result, ImageProcessor pixels) {
        if (result.info[6] == 1)
            return View.Look.LABELS;
        if (pixels instanceof ColorProcessor)
            return View.Look.GREY;
        boolean isMask = pixels.getPixelCount() > 0;
        for (int i = 0; isMask && i < pixels.getPixelCount(); i++)
            isMask = pixels.getf(i) == 0 || pixels.getf(i) == 1;
        return isMask ? View.Look.MASK : View.Look.GREY;
    }

    /** A label has the same colour in all slices unless there are more labels than colours. */
    private static ImageProcessor colourLabels(ImageProcessor plane, View.Look look) {
        boolean isMask = look == View.Look.MASK;
        ImageProcessor pixels = isMask && plane instanceof ShortProcessor
            ? plane.convertToByteProcessor(false)
            : plane; /* ImageJ would show 16-bit pixels of 1 as grey */
        if (look == View.Look.LABELS) {
            double largest = pixels.getMax(); /* the colour table has its own range */
            pixels.setLut(LabelColors.lut());
            pixels.setMinAndMax(0, Math.max(COLOURS, largest));
        } else if (isMask) {
            pixels.setMinAndMax(0, 1);
        }
        return pixels;
    }

    /**
     * A small picture of a slice. Small images of numbers, such as vectors, are drawn as squares. From a large image,
     * only the needed columns and rows are fetched.
     */
    BufferedImage small(Result result, int slice) {
        ImageProcessor plane = plane(result, slice, (double) FETCHED / Math.max(result.info[0], result.info[1]));
        if (result.info[6] == 1)
            plane.setMinAndMax(0, LabelColors.largest(plane));
        ImageProcessor pixels = colourLabels(plane, lookOf(result, plane));
        double scale = (double) SMALL / Math.max(pixels.getWidth(), pixels.getHeight());
        int width = Math.max(1, (int) Math.round(scale * pixels.getWidth())),
            height = Math.max(1, (int) Math.round(scale * pixels.getHeight()));
        BufferedImage small = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = small.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION,
            result.info[6] == 1 || scale > 1 ? RenderingHints.VALUE_INTERPOLATION_NEAREST_NEIGHBOR
                                             : RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(pixels.getBufferedImage(), 0, 0, width, height, null);
        graphics.dispose();
        return small;
    }
}
