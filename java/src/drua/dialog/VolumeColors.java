// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import ij.ImagePlus;
import ij.process.LUT;
import java.util.function.IntUnaryOperator;

/** The colours in which a 3-D view shows an object: grey values as in the window of its image. */
final class VolumeColors {
    private static final int LAST = 255;

    private final LUT grey;
    private final IntUnaryOperator labels;
    private final double low, high;

    VolumeColors(VolumeObject object) {
        ImagePlus image = object.image;
        labels = object.colours;
        LUT[] channels = image.getLuts();
        LUT own = channels.length >= image.getChannel() ? channels[image.getChannel() - 1] : null;
        grey = own != null ? own : image.getProcessor().getLut();
        low = image.getDisplayRangeMin();
        high = image.getDisplayRangeMax();
    }

    /** Colours of the brightest pixels; where rays meet nothing, the picture is black. */
    int[] ofMaxima(float[] values) {
        double scale = high > low ? LAST / (high - low) : 0;
        int[] colours = new int[values.length];
        for (int i = 0; i < values.length; i++)
            colours[i] = values[i] == 0 ? 0 : grey.getRGB((int) Math.max(0, Math.min(LAST, (values[i] - low) * scale)));
        return colours;
    }

    /** Greys of a surface of this brightness, from 0 to 255. */
    static int[] ofSurface(float[] brightness) {
        int[] colours = new int[brightness.length];
        for (int i = 0; i < colours.length; i++)
            colours[i] = (int) brightness[i] * 0x10101;
        return colours;
    }

    /** Colours of labels, each darkened by the brightness of its surface. */
    int[] ofLabels(float[] numbers, float[] brightness) {
        int[] colours = new int[numbers.length];
        for (int i = 0; i < colours.length; i++) {
            int colour = numbers[i] == 0 ? 0 : labels.applyAsInt((int) numbers[i]);
            for (int shift = 0; shift <= 16; shift += 8)
                colours[i] |= (int) ((colour >> shift & LAST) * brightness[i] / LAST) << shift;
        }
        return colours;
    }
}
