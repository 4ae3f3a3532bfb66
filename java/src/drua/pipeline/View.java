// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import ij.process.ImageProcessor;
import java.awt.Rectangle;

/** One slice of a step's result. Immutable; views of the same slice of a result have the same pixels. */
public final class View {
    /** How to display the slice. */
    public enum Look { GREY, MASK, LABELS }

    public final int step;
    /** The slice, or only its computed part; null if the step made no image. */
    public final ImageProcessor pixels;
    public final Look look;
    /** One pixel stands for this many columns and rows; 1 unless the plane is too large for ImageJ's memory. */
    public final int reduced;
    /** The reason for a missing image; "" if there is one. */
    public final String failure;
    /** The part of the first source that was computed; null for all. */
    public final Rectangle part;
    /** The pipeline that was run. */
    public final Pipeline pipeline;
    /** The result that the slice belongs to, and the slice number. */
    final Result result;
    final int slice;

    View(Pipeline pipeline, int step, Result result, int slice, ImageProcessor pixels, int reduced, Look look,
        String failure, Rectangle part) {
        this.pipeline = pipeline;
        this.result = result;
        this.slice = slice;
        this.step = step;
        this.pixels = pixels;
        this.reduced = reduced;
        this.look = look;
        this.failure = failure;
        this.part = part;
    }
}
