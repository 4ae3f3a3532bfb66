// SPDX-License-Identifier: BSD-3-Clause
package drua;

import ij.ImagePlus;
import ij.measure.Calibration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;

/** A point spread function from a window to the device, in the voxels of the image that it goes with. */
final class PointSpread {
    private PointSpread() {}

    /** True for operations that undo the blur of a point spread function. */
    static boolean isUsedBy(Registry.Operation operation) {
        return operation.name.startsWith("deconvolve") && operation.parameter("psf") != null;
    }

    /** Of open images the one that is most likely it: not `image`, and called so. */
    static String title(String[] titles, String image) {
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

    /** The index of the point spread function among the parameters, -1 where there is none. */
    static int index(Registry.Operation operation) {
        return isUsedBy(operation) ? operation.parameters.indexOf(operation.parameter("psf")) : -1;
    }

    /**
     * Sends one to the device.
     *
     * @param source the image's handle
     * @param slices stack indices of the point spread function
     * @param told   gets what is doubtful about it, in sentences
     * @return its handle, which belongs to the caller
     */
    static long push(long context, ImagePlus image, long source, ImagePlus psf, int[] slices, Collection<String> told) {
        check(image);
        check(psf);
        Registry.Operation fit = Registry.get().operations.get("fit_psf");
        Calibration here = image.getCalibration(), there = psf.getCalibration();
        long raw = Images.push(context, psf, slices, null, 0);
        try {
            Object[] arguments = new Object[fit.parameters.size()];
            Object[] given = {source, raw, null, here.pixelWidth, here.pixelDepth, here.getUnit(), there.pixelWidth, there.pixelDepth, there.getUnit()};
            System.arraycopy(given, 0, arguments, 0, given.length);
            Object[] outputs = Invocation.run(context, fit, arguments);
            Arrays.stream(((String) outputs[1]).split("\n")).filter(line -> !line.isEmpty()).forEach(told::add);
            return (Long) outputs[0];
        } finally {
            Native.release(context, raw);
        }
    }

    /** The macro line that does so, where sizes of voxels differ; else none. */
    static String line(ImagePlus image, ImagePlus psf, String source, String raw, String fitted) {
        Calibration here = image.getCalibration(), there = psf.getCalibration();
        boolean equal = here.pixelWidth == there.pixelWidth && here.pixelDepth == there.pixelDepth && here.getUnit().equals(there.getUnit());
        return equal || !here.scaled() || !there.scaled() ? ""
            : "Ext.Drua_fitPsf(" + String.join(", ", source, raw, fitted, sizes(here), sizes(there), "0, 0, 0, advice") + ");\n";
    }

    private static String sizes(Calibration c) {
        return c.pixelWidth + ", " + c.pixelDepth + ", \"" + c.getUnit() + '"';
    }

    static void check(ImagePlus image) {
        if (image.getType() == ImagePlus.COLOR_RGB)
            throw new DruaException("'" + image.getTitle() + "' is RGB, whose colors are no counts of light; split it into channels first");
    }
}
