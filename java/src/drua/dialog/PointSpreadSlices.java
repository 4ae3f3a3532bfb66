// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import ij.measure.Calibration;
import java.awt.image.BufferedImage;
import java.util.Locale;

/** Two slices through the brightest voxel of a point spread function, and its widths. */
final class PointSpreadSlices {
    /** Gamma of the picture, which makes dim rings visible. */
    private static final double GAMMA = 0.4;

    private final float[][] planes;
    private final int width, height;
    private final Calibration scale;
    private final int[] top = new int[3];

    /** @param scale null if unknown */
    PointSpreadSlices(float[][] planes, int width, Calibration scale) {
        this.planes = planes;
        this.width = width;
        this.scale = scale;
        height = planes[0].length / width;
        for (int z = 0; z < planes.length; z++) {
            for (int i = 0; i < planes[z].length; i++) {
                if (planes[z][i] > valueAt(top[0], top[1], top[2])) {
                    top[0] = i % width;
                    top[1] = i / width;
                    top[2] = z;
                }
            }
        }
    }

    private float valueAt(int x, int y, int z) {
        return planes[z][y * width + x];
    }

    /** The height of a voxel divided by its width, for the side view. */
    double aspect() {
        return scale == null ? 1 : scale.pixelDepth / scale.pixelWidth;
    }

    BufferedImage fromAbove() {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++)
                image.setRGB(x, y, greyColor(valueAt(x, y, top[2])));
        }
        return image;
    }

    BufferedImage fromTheSide() {
        BufferedImage image = new BufferedImage(width, planes.length, BufferedImage.TYPE_INT_RGB);
        for (int z = 0; z < planes.length; z++) {
            for (int x = 0; x < width; x++)
                image.setRGB(x, z, greyColor(valueAt(x, top[1], z)));
        }
        return image;
    }

    private int greyColor(float value) {
        float max = valueAt(top[0], top[1], top[2]);
        int grey = max > 0 ? (int) Math.round(255 * Math.pow(Math.max(0, value) / max, GAMMA)) : 0;
        return grey << 16 | grey << 8 | grey;
    }

    /** Extents and full widths at half maximum as a text. */
    String widths() {
        double[] sizes = scale == null ? new double[] {1, 1, 1}
                                       : new double[] {scale.pixelWidth, scale.pixelHeight, scale.pixelDepth};
        String unit = scale == null ? "pixels" : scale.getUnit(), text = "";
        for (int axis = 0; axis < (planes.length > 1 ? 3 : 2); axis++) {
            double wide = width(axis);
            text +=
                (axis == 0 ? "" : " x ") + (wide < 0 ? "?" : String.format(Locale.ROOT, "%.3g", wide * sizes[axis]));
        }
        return width + " x " + height + " x " + planes.length + " voxels, " + text + " " + unit
            + " wide at half maximum";
    }

    /** Full width at half maximum in voxels, with linear interpolation; -1 if it extends beyond the image. */
    double width(int axis) {
        double below = halfMaximumDistance(axis, -1), above = halfMaximumDistance(axis, 1);
        return below < 0 || above < 0 ? -1 : below + above;
    }

    private double halfMaximumDistance(int axis, int step) {
        int[] at = top.clone(), extents = {width, height, planes.length};
        float half = valueAt(top[0], top[1], top[2]) / 2, last = 2 * half;
        for (at[axis] += step; at[axis] >= 0 && at[axis] < extents[axis]; at[axis] += step) {
            float value = valueAt(at[0], at[1], at[2]);
            if (value < half)
                return Math.abs(at[axis] - top[axis]) - 1 + (last - half) / (double) (last - value);
            last = value;
        }
        return -1;
    }
}
