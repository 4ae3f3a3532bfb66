// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import ij.ImagePlus;
import ij.process.ImageProcessor;

/** Tells label maps from grey images by their colours and pixels. */
public final class LabelImages {
    /** Least share of neighbours that are equal, and largest share of the other neighbours that differ by just 1. */
    private static final double EQUAL = 0.8, GRADIENT = 0.5;

    private LabelImages() {}

    /**
     * True if the displayed slice has label colours, or whole numbers in areas of equal pixels.
     */
    public static boolean isLabelMap(ImagePlus image) {
        ImageProcessor pixels = image.getType() == ImagePlus.COLOR_RGB ? null : image.getProcessor();
        return pixels != null && (LabelColors.are(pixels.getLut()) || hasAreas(pixels));
    }

    private static boolean hasAreas(ImageProcessor pixels) {
        long pairs = 0, equal = 0, steps = 0;
        for (int y = 0; y < pixels.getHeight(); y++) {
            for (int x = 0; x < pixels.getWidth(); x++) {
                float value = pixels.getf(x, y), before = x == 0 ? 0 : pixels.getf(x - 1, y);
                if (!(value >= 0) || value != Math.rint(value))
                    return false;
                if (value == 0 || before == 0)
                    continue;
                pairs++;
                equal += value == before ? 1 : 0;
                steps += Math.abs(value - before) == 1 ? 1 : 0;
            }
        }
        return equal >= EQUAL * pairs && steps <= GRADIENT * (pairs - equal);
    }
}
