// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import ij.process.ImageProcessor;
import java.awt.Rectangle;

/** One slice of what a step made. Immutable; views of the same slice of a result have the same pixels. */
public final class View {
    /** How it is to be seen. */
    public enum Look { GREY, MASK, LABELS }

    public final int step;
    /** The slice, in the part alone if there is one; null if the step made no image. */
    public final ImageProcessor pixels;
    public final Look look;
    /** Why there is no image; "" if there is one. */
    public final String failure;
    /** The part of the first source that was computed; null: all. */
    public final Rectangle part;
    /** What was run. */
    public final Pipeline pipeline;
    /** What the slice is of, and which it is. */
    final Result result;
    final int slice;

    View(Pipeline pipeline, int step, Result result, int slice, ImageProcessor pixels, Look look, String failure,
        Rectangle part) {
        this.pipeline = pipeline;
        this.result = result;
        this.slice = slice;
        this.step = step;
        this.pixels = pixels;
        this.look = look;
        this.failure = failure;
        this.part = part;
    }
}
