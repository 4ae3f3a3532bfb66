// SPDX-License-Identifier: BSD-3-Clause
package drua;

import ij.gui.Roi;
import ij.plugin.filter.ThresholdToSelection;
import ij.plugin.frame.RoiManager;
import ij.process.ByteProcessor;
import ij.process.ImageProcessor;
import java.awt.HeadlessException;
import java.awt.Rectangle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Selections of masks and label maps. */
final class Selections {
    private Selections() {}

    /** The nonzero pixels of an 8-bit mask of 0 and 255; null if there are none. */
    static Roi ofMask(ImageProcessor mask) {
        mask.setThreshold(255, 255, ImageProcessor.NO_LUT_UPDATE);
        return new ThresholdToSelection().convert(mask);
    }

    /** One selection for each label from 1 on, in their order, named Label_1, Label_2...; numbers that are not whole are no labels. */
    static List<Roi> ofLabels(float[] labels, int width) {
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
                mask[i] = (byte) (labels[(box.y + i / box.width) * width + box.x + i % box.width] == entry.getKey() ? 255 : 0);
            Roi selection = ofMask(new ByteProcessor(box.width, box.height, mask));
            Rectangle at = selection.getBounds();
            selection.setLocation(box.x + at.x, box.y + at.y);
            selection.setName("Label_" + entry.getKey());
            selections.add(selection);
        }
        return selections;
    }

    /** The ROI Manager, hidden in batch mode; it is opened if it is not there. */
    static RoiManager manager(Call call) {
        try {
            RoiManager open = RoiManager.getInstance();
            return open != null ? open : new RoiManager();
        } catch (HeadlessException e) {
            throw call.error("ImageJ's ROI Manager needs a display; run the macro with one, such as xvfb-run gives");
        }
    }
}
