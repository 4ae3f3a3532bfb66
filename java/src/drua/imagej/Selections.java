// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import ij.ImagePlus;
import ij.gui.Roi;
import ij.plugin.filter.ThresholdToSelection;
import ij.plugin.frame.RoiManager;
import ij.process.ByteProcessor;
import ij.process.FloatProcessor;
import ij.process.ImageProcessor;
import java.awt.Checkbox;
import java.awt.Component;
import java.awt.Container;
import java.awt.GraphicsEnvironment;
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
        Map<Integer, Rectangle> boxes = boundingBoxes(labels, width);
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

    /** The bounding box of each label, in the order of the labels. */
    private static Map<Integer, Rectangle> boundingBoxes(float[] labels, int width) {
        Map<Integer, int[]> edges = new TreeMap<>(); /* first and last x, first and last y */
        float last = 0;
        int[] edge = null;
        for (int i = 0; i < labels.length; i++) {
            if (labels[i] < 1)
                continue;
            int x = i % width, y = i / width;
            if (labels[i] != last) {
                last = labels[i];
                edge = (int) last == last ? edges.computeIfAbsent((int) last, label -> new int[] {x, x, y, y}) : null;
            }
            if (edge == null)
                continue;
            edge[0] = Math.min(edge[0], x);
            edge[1] = Math.max(edge[1], x);
            edge[3] = y;
        }
        Map<Integer, Rectangle> boxes = new TreeMap<>();
        edges.forEach((label, e) -> boxes.put(label, new Rectangle(e[0], e[2], e[1] - e[0] + 1, e[3] - e[2] + 1)));
        return boxes;
    }

    /**
     * Adds selections to the ROI Manager. While its box Show All is ticked, the manager draws all its selections again
     * after each new one. Therefore this method unticks the box and ticks it again only for the last selection.
     */
    public static void add(RoiManager manager, List<Roi> selections) {
        Checkbox showsAll = GraphicsEnvironment.isHeadless() ? null : showAllBox(manager);
        boolean isTicked = showsAll != null && showsAll.getState();
        for (int i = 0; i < selections.size(); i++) {
            if (isTicked)
                showsAll.setState(i == selections.size() - 1);
            manager.addRoi(selections.get(i));
        }
    }

    private static Checkbox showAllBox(Container in) {
        for (Component part : in.getComponents()) {
            if (part instanceof Checkbox && ((Checkbox) part).getLabel().equals("Show All"))
                return (Checkbox) part;
            Checkbox found = part instanceof Container ? showAllBox((Container) part) : null;
            if (found != null)
                return found;
        }
        return null;
    }

    /** Why a selection cannot be painted into an image of that depth; null if it can. */
    public static String whyNotPaintable(Roi selection, int depth) {
        String name = "the selection '" + selection.getName() + "' ";
        if (!selection.isArea())
            return name + "is " + selection.getTypeAsString() + " and has no area; leave it out";
        return slice(selection) <= depth ? null
                                         : name + "is in slice " + slice(selection) + ", but depth is " + depth
                + "; pass the number of slices of its image";
    }

    /** The slice of a selection, from 1; 0 if it belongs to all slices. */
    public static int slice(Roi selection) {
        return selection.hasHyperStackPosition() ? selection.getZPosition() : selection.getPosition();
    }

    /**
     * Paints the selections of a slice with their numbers from 1, or with their groups. Later selections cover earlier
     * ones. A selection of group 0 has no group and is left out.
     */
    public static float[] toLabels(Roi[] selections, boolean areGroups, int width, int height, int slice) {
        FloatProcessor labels = new FloatProcessor(width, height);
        for (int i = 0; i < selections.length; i++) {
            int label = areGroups ? selections[i].getGroup() : i + 1, in = slice(selections[i]);
            if (label == 0 || in != 0 && in != slice)
                continue;
            labels.setValue(label);
            labels.setRoi(selections[i]);
            labels.fill(labels.getMask());
        }
        return (float[]) labels.getPixels();
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
