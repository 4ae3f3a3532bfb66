// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.engine.EngineException;
import drua.imagej.LabelColors;
import drua.imagej.Selections;
import ij.ImagePlus;
import ij.ImageStack;
import ij.gui.Roi;
import ij.plugin.LutLoader;
import ij.plugin.frame.RoiManager;
import ij.process.FloatProcessor;
import ij.process.ImageProcessor;
import ij.process.LUT;
import java.awt.Rectangle;
import java.awt.image.IndexColorModel;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** Shows measurements on the label map from which they come. */
final class LabelTools {
    private static final double DARK = 0.15;
    private static final int LAST = 255, GREY = 0x808080, GREY_STEP = 0x10101;

    private LabelTools() {}

    /**
     * Paints each label with its number in a column; background and labels without a row are NaN, which ImageJ shows
     * black.
     *
     * @param labels the label map
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
            stack.addSlice(
                labels.getStack().getSliceLabel(i), new FloatProcessor(from.getWidth(), from.getHeight(), pixels));
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

    /** The RGB colour of each label by its number in a column; labels without a number are grey. */
    static IntUnaryOperator colours(Measured measured, int column) {
        double[] values = measured.column(column);
        IndexColorModel fire = LutLoader.getLut("fire");
        Map<Integer, Double> numbers = new HashMap<>();
        double min = Double.POSITIVE_INFINITY, max = Double.NEGATIVE_INFINITY;
        for (int row = 0; row < measured.rows; row++) {
            if (measured.label(row) <= 0 || Double.isNaN(values[row]) || Double.isInfinite(values[row]))
                continue;
            numbers.put(measured.label(row), values[row]);
            min = Math.min(min, values[row]);
            max = Math.max(max, values[row]);
        }
        double low = min - DARK * (max - min), range = max - low;
        return label -> {
            Double number = numbers.get(label);
            int index = number == null || !(range > 0) ? LAST / 2 : (int) Math.round((number - low) / range * LAST);
            return number == null ? GREY : fire == null ? index * GREY_STEP : fire.getRGB(index);
        };
    }

    /** Some labels of an image alone, cropped to their extent and a border of one pixel. */
    static ImagePlus only(ImagePlus labels, BitSet wanted) {
        Rectangle extent = null;
        int first = 0, last = 0, depth = labels.getStackSize();
        for (int i = 1; i <= depth; i++) {
            Rectangle here = extent(labels.getStack().getProcessor(i), wanted);
            if (here == null)
                continue;
            first = extent == null ? i : first;
            last = i;
            extent = extent == null ? here : extent.union(here);
        }
        if (extent == null)
            throw new EngineException("3-D View: the label map has none of the selected labels; wait until it is "
                + "computed, and select rows again");
        extent.grow(1, 1);
        extent = extent.intersection(new Rectangle(labels.getWidth(), labels.getHeight()));
        ImageStack stack = new ImageStack(extent.width, extent.height);
        for (int i = Math.max(1, Math.min(first - 1, depth - 1)); i <= Math.min(depth, Math.max(last + 1, 2)); i++) {
            ImageProcessor slice = labels.getStack().getProcessor(i);
            slice.setRoi(extent);
            ImageProcessor part = slice.crop();
            for (int k = 0; k < part.getPixelCount(); k++) {
                if (!isWanted(part.getf(k), wanted))
                    part.setf(k, 0);
            }
            stack.addSlice(part);
        }
        int count = wanted.cardinality();
        ImagePlus alone = new ImagePlus(count == 1 ? "label " + wanted.nextSetBit(0) : count + " labels", stack);
        alone.setCalibration(labels.getCalibration().copy());
        alone.setLut(LabelColors.lut());
        return alone;
    }

    private static boolean isWanted(float value, BitSet wanted) {
        return value >= 1 && wanted.get((int) value);
    }

    private static Rectangle extent(ImageProcessor slice, BitSet wanted) {
        Rectangle extent = null;
        for (int y = 0; y < slice.getHeight(); y++) {
            for (int x = 0; x < slice.getWidth(); x++) {
                if (!isWanted(slice.getf(x, y), wanted))
                    continue;
                extent = extent == null ? new Rectangle(x, y, 1, 1) : extent;
                extent.add(new Rectangle(x, y, 1, 1));
            }
        }
        return extent;
    }

    /** Adds a selection for each wanted label in each slice to the ROI Manager. */
    static void addToManager(ImagePlus labels, BitSet wanted) {
        RoiManager manager = RoiManager.getRoiManager();
        for (int i = 1; i <= labels.getStackSize(); i++) {
            float[] pixels = (float[]) labels.getStack().getProcessor(i).convertToFloatProcessor().getPixelsCopy();
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
