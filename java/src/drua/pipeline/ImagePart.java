// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import ij.ImagePlus;

/** A part of a step's result image. */
final class ImagePart {
    final Result of;
    final int step;
    final ImagePlus pixels;

    ImagePart(Result of, int step, ImagePlus pixels) {
        this.of = of;
        this.step = step;
        this.pixels = pixels;
    }
}
