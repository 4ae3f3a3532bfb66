// SPDX-License-Identifier: BSD-3-Clause
package drua;

import drua.imagej.Selections;
import ij.gui.Overlay;
import ij.gui.Roi;
import ij.plugin.frame.RoiManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Label maps from selections of ImageJ, such as those of StarDist, Cellpose or an overlay, and back. */
public final class Rois {
    private Rois() {}

    /**
     * Paints selections into a float32 label map. Later selections cover earlier ones. A selection without a slice is
     * painted in all slices.
     *
     * @param selections a RoiManager, an Overlay, or an array or list of Roi; each selection must be an area
     * @param depth the number of slices; 1 makes a plane
     * @param areGroups true: labels are the groups of the selections, and selections without a group are left out;
     *     false: labels are the places of the selections, from 1 on
     */
    public static Image push(Drua drua, Object selections, int width, int height, int depth, boolean areGroups) {
        if (width < 1 || height < 1 || depth < 1 || width > Integer.MAX_VALUE / height)
            throw new DruaException("Rois.push: width, height and depth must be at least 1, and a slice may have at "
                + "most " + Integer.MAX_VALUE + " pixels, got " + width + " x " + height + " x " + depth);
        Roi[] rois = rois(selections);
        for (Roi roi : rois) {
            String fault = Selections.whyNotPaintable(roi, depth);
            if (fault != null)
                throw new DruaException("Rois.push: " + fault);
        }
        long[] size = depth == 1 ? new long[] {width, height} : new long[] {width, height, depth};
        return drua.pushPlanes(
            "float32", z -> Selections.toLabels(rois, areGroups, width, height, z + 1), null, "selections", size);
    }

    private static Roi[] rois(Object selections) {
        if (selections instanceof RoiManager)
            return ((RoiManager) selections).getRoisAsArray();
        if (selections instanceof Overlay)
            return ((Overlay) selections).toArray();
        Object[] all = selections instanceof Collection ? ((Collection<?>) selections).toArray()
            : selections instanceof Object[]            ? (Object[]) selections
                                                        : new Object[] {selections};
        for (Object one : all)
            if (!(one instanceof Roi))
                throw new DruaException("Rois.push: selections must be a RoiManager, an Overlay, or an array or list "
                    + "of Roi, got " + (one == null ? "nothing" : one.getClass().getSimpleName()));
        return Arrays.copyOf(all, all.length, Roi[].class);
    }

    /**
     * The selections of a label map, one for each label and slice, named Label_1, Label_2 and so on. In a stack, each
     * selection has the position of its slice. Fractional values are not labels.
     */
    public static Roi[] pull(Image labels) {
        float[][] slices = labels.getDrua().pullNumbers(labels);
        List<Roi> selections = new ArrayList<>();
        for (int z = 0; z < slices.length; z++) {
            for (Roi roi : Selections.ofLabels(slices[z], labels.getWidth())) {
                if (slices.length > 1)
                    roi.setPosition(z + 1);
                selections.add(roi);
            }
        }
        return selections.toArray(new Roi[0]);
    }

    /** Adds the selections of a label map to a ROI Manager. */
    public static void pull(Image labels, RoiManager manager) {
        Selections.add(manager, Arrays.asList(pull(labels)));
    }
}
