// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.imagej.Selections;
import ij.ImagePlus;
import ij.ImageStack;
import ij.gui.Roi;
import ij.plugin.LutLoader;
import ij.plugin.frame.RoiManager;
import ij.process.FloatProcessor;
import ij.process.ImageProcessor;
import ij.process.LUT;
import java.awt.image.IndexColorModel;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** Shows measurements on the label image from which they come. */
final class LabelTools {
    private static final double DARK = 0.15;

    private LabelTools() {}

    /**
     * Paints each label with its number in a column; background and labels without a row are NaN, which ImageJ shows
     * black.
     *
     * @param labels the label image
     */
    static ImagePlus map(ImagePlus labels, Measured measured, int column) {
        ImageStack stack = new ImageStack(labels.getWidth(), labels.getHeight());
        double[] values = measured.column(column);
        Map<Integer, Float> numbers = new HashMap<>();
        double min = Double.POSITIVE_INFINITY, max = Double.NEGATIVE_INFINITY;
        for (int row = 0; row < measured.rows; row++) {
            numbers.put(measured.label(row), (float) values[row]);
            if (measured.label(row) > 0 && !Double.isNaN(values[row]) && !Double.isInfinite(values[row])) {
                min = Math.min(min, values[row]);
                max = Math.max(max, values[row]);
            }
        }
        numbers.remove(0);
        for (int i = 1; i <= labels.getStackSize(); i++) {
            ImageProcessor from = labels.getStack().getProcessor(i);
            float[] pixels = new float[from.getPixelCount()];
            for (int k = 0; k < pixels.length; k++)
                pixels[k] = numbers.getOrDefault((int) from.getf(k), Float.NaN);
            stack.addSlice(labels.getStack().getSliceLabel(i), new FloatProcessor(
                from.getWidth(), from.getHeight(), pixels));
        }
        ImagePlus map = new ImagePlus(Measured.readable(measured.headings[column]), stack);
        map.setDimensions(labels.getNChannels(), labels.getNSlices(), labels.getNFrames());
        map.setCalibration(labels.getCalibration().copy());
        IndexColorModel fire = LutLoader.getLut("fire");
        if (fire != null)
            map.setLut(new LUT(fire, 0, 1));
        if (min <= max) /* keeps the smallest value distinct from the black background */
            map.setDisplayRange(min - (min < max ? DARK * (max - min) : 1), max);
        return map;
    }

    /** Adds a selection for each wanted label in each slice to the ROI Manager. */
    static void addToManager(ImagePlus labels, BitSet wanted) {
        RoiManager manager = RoiManager.getRoiManager();
        for (int i = 1; i <= labels.getStackSize(); i++) {
            float[] pixels =
                (float[]) labels.getStack().getProcessor(i).convertToFloatProcessor().getPixelsCopy();
            for (int k = 0; k < pixels.length; k++)
                pixels[k] = pixels[k] >= 1 && wanted.get((int) pixels[k]) ? pixels[k] : 0;
            for (Roi roi : Selections.ofLabels(pixels, labels.getWidth())) {
                if (labels.getStackSize() > 1)
                    roi.setPosition(i);
                manager.addRoi(roi);
            }
        }
    }
}
