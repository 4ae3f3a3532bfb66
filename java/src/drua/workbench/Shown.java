// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.pipeline.View;
import ij.process.ImageProcessor;
import java.awt.Rectangle;

/**
 * The displayed picture of a step. While only a selection is computed, that part is pasted into the previous picture.
 */
final class Shown {
    private View view;
    private ImageProcessor pixels;

    /** Takes the newest view. Returns false if it shows nothing new. */
    boolean take(View newest) {
        if (newest == null || newest.pixels == null
            || view != null && newest.pixels == view.pixels && newest.step == view.step)
            return false;
        boolean isSame = view != null && view.step == newest.step;
        ImageProcessor joined = newest.part != null && isSame ? pastePart(newest) : newest.pixels;
        if (isSame && newest.look == View.Look.GREY && view.look == View.Look.GREY
            && pixels.getBitDepth() == joined.getBitDepth() && pixels.getBitDepth() != 24)
            joined.setMinAndMax(pixels.getMin(), pixels.getMax());
        view = newest;
        pixels = joined;
        return true;
    }

    /** Pastes the computed part into the previous picture, if there is one. */
    private ImageProcessor pastePart(View newest) {
        Rectangle part = newest.part;
        boolean fits = view.reduced == 1 && newest.reduced == 1 && newest.pixels.getWidth() == part.width
            && newest.pixels.getHeight() == part.height && pixels.getBitDepth() == newest.pixels.getBitDepth()
            && new Rectangle(pixels.getWidth(), pixels.getHeight()).contains(part);
        if (!fits)
            return newest.pixels;
        ImageProcessor joined = pixels.duplicate();
        joined.insert(newest.pixels, part.x, part.y);
        return joined;
    }

    /** Null before the first view. */
    View view() {
        return view;
    }

    /** The pixels with their contrast; null before the first view. */
    ImageProcessor pixels() {
        return pixels;
    }

    boolean isLabels() {
        return view != null && view.look == View.Look.LABELS;
    }
}
