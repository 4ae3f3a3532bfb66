// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ImageProcessor;
import ij.process.LUT;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Colours for label maps. Label 0 is black. Each further colour is as far as possible in human colour perception from
 * all earlier ones (Glasbey and others 2007), so consecutive labels look different.
 */
public final class LabelColors {
    private static final int STEPS = 9;
    /** Lowest CIELAB lightness that is clearly visible on black. */
    private static final double DARKEST = 40;
    private static final LUT TABLE = makeTable();

    private LabelColors() {}

    /** Returns a new copy of the table that belongs to the caller. */
    public static LUT lut() {
        return (LUT) TABLE.clone();
    }

    /** True if `lut` has these colours, with any display range. */
    static boolean are(LUT lut) {
        return lut != null && Arrays.equals(lut.getBytes(), TABLE.getBytes());
    }

    /** Shows labels in colours, with the range 0 to the largest label of all slices. */
    public static void applyTo(ImagePlus image) {
        image.setLut(lut());
        image.setDisplayRange(0, Math.max(1, largest(image)));
    }

    private static double largest(ImagePlus image) {
        if (image.getStackSize() == 1)
            return largest(image.getProcessor()); /* ImageJ would convert it to a stack, which reads all pixels */
        ImageStack stack = image.getStack();
        double largest = 0;
        for (int i = 1; i <= stack.getSize(); i++)
            largest = Math.max(largest, largest(stack.getProcessor(i)));
        return largest;
    }

    /**
     * The largest label, or 0 without labels. ImageJ's statistics also compute a histogram, which is many times slower.
     */
    public static double largest(ImageProcessor labels) {
        float largest = 0;
        for (int i = 0; i < labels.getPixelCount(); i++) {
            float label = labels.getf(i);
            if (label > largest && label < Float.POSITIVE_INFINITY)
                largest = label;
        }
        return largest;
    }

    private static LUT makeTable() {
        List<int[]> colors = new ArrayList<>();
        for (int i = 0; i < STEPS * STEPS * STEPS; i++)
            colors.add(new int[] {i % STEPS * 255 / (STEPS - 1), i / STEPS % STEPS * 255 / (STEPS - 1),
                i / STEPS / STEPS * 255 / (STEPS - 1)});
        colors.removeIf(color -> toLab(color)[0] < DARKEST);
        double[] nearest = new double[colors.size()];
        Arrays.fill(nearest, Double.MAX_VALUE);
        byte[][] table = new byte[3][256];
        double[] last = toLab(new int[] {255, 255, 255}); /* avoid white, the colour of text and selections */
        for (int label = 1; label < 256; label++) {
            int best = 0;
            for (int i = 0; i < nearest.length; i++) {
                nearest[i] = Math.min(nearest[i], distance(toLab(colors.get(i)), last));
                best = nearest[i] > nearest[best] ? i : best;
            }
            last = toLab(colors.get(best));
            for (int channel = 0; channel < 3; channel++)
                table[channel][label] = (byte) colors.get(best)[channel];
        }
        return new LUT(table[0], table[1], table[2]);
    }

    private static double distance(double[] a, double[] b) {
        return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
    }

    /** Converts sRGB to CIELAB with white point D65. */
    private static double[] toLab(int[] color) {
        double r = linear(color[0]), g = linear(color[1]), b = linear(color[2]);
        double x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505),
               y = root(0.2126 * r + 0.7152 * g + 0.0722 * b), z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
        return new double[] {116 * y - 16, 500 * (x - y), 200 * (y - z)};
    }

    private static double linear(int channel) {
        double c = channel / 255.0;
        return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
    }

    private static double root(double t) {
        return t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16.0 / 116;
    }
}
