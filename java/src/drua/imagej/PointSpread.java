// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.Quote;
import drua.engine.Registry;
import ij.ImagePlus;
import ij.measure.Calibration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.IntStream;

/** Sends a point spread function from a window to the device, resampled to the voxels of the image to deconvolve. */
public final class PointSpread {
    private PointSpread() {}

    /** True for operations that deconvolve with a point spread function. */
    public static boolean isUsedBy(Registry.Operation operation) {
        return operation.name.startsWith("deconvolve") && operation.parameter("psf") != null;
    }

    /** The title of the open image that is most likely the point spread function, judged by its name; never `image`. */
    public static String title(String[] titles, String image) {
        String likely = image;
        for (String title : titles) {
            if (title.equals(image))
                continue;
            if (title.toLowerCase(Locale.ROOT).contains("psf"))
                return title;
            likely = likely.equals(image) ? title : likely;
        }
        return likely;
    }

    /** The index of the parameter for the point spread function, or -1. */
    public static int index(Registry.Operation operation) {
        return isUsedBy(operation) ? operation.parameters.indexOf(operation.parameter("psf")) : -1;
    }

    /**
     * Sends a point spread function to the device.
     *
     * @param source   the handle of the image to deconvolve
     * @param slices   stack indices of the point spread function
     * @param warnings receives warnings about the point spread function
     * @return the handle of the point spread function, which belongs to the caller
     */
    public static long push(
        long context, ImagePlus image, long source, ImagePlus psf, int[] slices, Collection<String> warnings) {
        check(image);
        check(psf);
        Registry.Operation fit = Registry.get().operations.get("fit_psf");
        Calibration imageScale = image.getCalibration(), psfScale = psf.getCalibration();
        long raw = Images.push(context, psf, slices, null, 0);
        try {
            Object[] arguments = new Object[fit.parameters.size()];
            Object[] given = {source, raw, null, imageScale.pixelWidth, imageScale.pixelDepth, imageScale.getUnit(),
                psfScale.pixelWidth, psfScale.pixelDepth, psfScale.getUnit()};
            System.arraycopy(given, 0, arguments, 0, given.length);
            Object[] outputs = Invocation.run(context, fit, arguments);
            Arrays.stream(((String) outputs[1]).split("\n")).filter(line -> !line.isEmpty()).forEach(warnings::add);
            return (Long) outputs[0];
        } finally {
            Native.release(context, raw);
        }
    }

    /**
     * The stack indices of a channel's slices. An image without slices uses its frames as slices, because a point
     * spread function has no time axis.
     */
    public static int[] slices(ImagePlus psf, int channel) {
        if (psf.getNSlices() > 1)
            return Images.slices(psf, channel, psf.getFrame());
        return IntStream.rangeClosed(1, psf.getNFrames()).map(frame -> psf.getStackIndex(channel, 1, frame)).toArray();
    }

    /** The macro line that resamples the point spread function if voxel sizes differ; else an empty text. */
    public static String line(ImagePlus image, ImagePlus psf, String source, String raw, String fitted) {
        Calibration imageScale = image.getCalibration(), psfScale = psf.getCalibration();
        boolean equal = imageScale.pixelWidth == psfScale.pixelWidth && imageScale.pixelDepth == psfScale.pixelDepth
            && imageScale.getUnit().equals(psfScale.getUnit());
        if (equal || !imageScale.scaled() || !psfScale.scaled())
            return "";
        return "Ext.Drua_fitPsf("
            + String.join(", ", source, raw, fitted, sizes(imageScale), sizes(psfScale), "0, 0, 0, advice") + ");\n";
    }

    private static String sizes(Calibration c) {
        return c.pixelWidth + ", " + c.pixelDepth + ", " + Quote.macro(c.getUnit());
    }

    public static void check(ImagePlus image) {
        check("'" + image.getTitle() + "'", image.getType() == ImagePlus.COLOR_RGB,
            image.getCalibration().isSigned16Bit());
    }

    /**
     * Fails for an image on the device whose pixels are not light intensities, if the operation needs photon counts.
     */
    public static void check(long context, Registry.Operation operation, String parameter, long image) {
        if (!isUsedBy(operation) || image == 0 || parameter.equals("mask"))
            return;
        long[] info = Native.info(context, image);
        Metadata known = Metadata.parse(Native.metadata(context, image));
        check(operation.camelCase() + ": " + parameter,
            info[4] == Images.UINT8 && known.isRgb((int) info[0], (int) info[1], (int) info[2]),
            info[4] == Images.UINT16 && known.isSigned16Bit());
    }

    private static void check(String what, boolean rgb, boolean signed) {
        if (rgb)
            throw new EngineException(
                what + " is an RGB image, whose colours are not light intensities; split it into channels first");
        if (signed)
            throw new EngineException(
                what + " is signed 16-bit, which ImageJ stores with 32768 added; convert it to 32-bit first");
    }
}
