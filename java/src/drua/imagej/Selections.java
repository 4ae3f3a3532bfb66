// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import ij.ImagePlus;
import ij.gui.Roi;
import ij.plugin.filter.ThresholdToSelection;
import ij.process.ByteProcessor;
import ij.process.ImageProcessor;
import java.awt.Rectangle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Converts masks and label maps to selections. */
public final class Selections {
    private Selections() {}

    /** The nonzero pixels of an 8-bit mask of 0 and 255; null for an empty mask. */
    public static Roi ofMask(ImageProcessor mask) {
        mask.setThreshold(255, 255, ImageProcessor.NO_LUT_UPDATE);
        return new ThresholdToSelection().convert(mask);
    }

    /**
     * One selection for each label from 1 on, in order, named Label_1, Label_2...; fractional values are not labels.
     */
    public static List<Roi> ofLabels(float[] labels, int width) {
        Map<Integer, Rectangle> boxes = new TreeMap<>();
        for (int i = 0; i < labels.length; i++) {
            int label = (int) labels[i];
            if (label < 1 || label != labels[i])
                continue;
            Rectangle pixel = new Rectangle(i % width, i / width, 1, 1), box = boxes.get(label);
            if (box == null)
                boxes.put(label, pixel);
            else
                box.add(pixel);
        }
        List<Roi> selections = new ArrayList<>();
        for (Map.Entry<Integer, Rectangle> entry : boxes.entrySet()) {
            Rectangle box = entry.getValue();
            byte[] mask = new byte[box.width * box.height];
            for (int i = 0; i < mask.length; i++)
                mask[i] =
                    (byte) (labels[(box.y + i / box.width) * width + box.x + i % box.width] == entry.getKey() ? 255
                                                                                                              : 0);
            Roi selection = ofMask(new ByteProcessor(box.width, box.height, mask));
            Rectangle at = selection.getBounds();
            selection.setLocation(box.x + at.x, box.y + at.y);
            selection.setName("Label_" + entry.getKey());
            selections.add(selection);
        }
        return selections;
    }

    /** The bounding box of an area selection, clipped to the image; null without an area selection. */
    public static Rectangle bounds(ImagePlus image) {
        Roi roi = image.getRoi();
        if (roi == null || !roi.isArea())
            return null;
        Rectangle inside = roi.getBounds().intersection(new Rectangle(image.getWidth(), image.getHeight()));
        return inside.isEmpty() ? null : inside;
    }
}
