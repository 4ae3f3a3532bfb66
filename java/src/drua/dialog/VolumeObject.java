// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.EngineException;
import drua.imagej.LabelColors;
import ij.ImagePlus;
import ij.process.LUT;
import java.util.function.IntUnaryOperator;

/** The stack that a 3-D view shows, and the colours of its labels. Immutable. */
public final class VolumeObject {
    private static final int COLOURS = 255;

    final ImagePlus image;
    /** The RGB colour of a label. */
    final IntUnaryOperator colours;

    /** Shows labels in their usual colours; fails unless the image has several slices of grey values or labels. */
    public VolumeObject(ImagePlus image) {
        this(image, labelColors());
    }

    public VolumeObject(ImagePlus image, IntUnaryOperator colours) {
        if (image.getNSlices() == 1)
            throw new EngineException("3-D View needs a stack with several slices, but '" + image.getTitle()
                + "' has one. If ImageJ takes the slices for channels or frames, change this with "
                + "Image>Hyperstacks>Re-order Hyperstack");
        if (image.getType() == ImagePlus.COLOR_RGB)
            throw new EngineException("3-D View needs grey values or labels, but '" + image.getTitle()
                + "' is RGB; use Image>Color>Split Channels first");
        this.image = image;
        this.colours = colours;
    }

    private static IntUnaryOperator labelColors() {
        LUT lut = LabelColors.lut();
        return label -> lut.getRGB(1 + (label - 1) % COLOURS);
    }
}
