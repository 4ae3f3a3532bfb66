// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import java.awt.image.BufferedImage;

/** A preview of an operation's result. Immutable. */
public final class Suggestion {
    /** Null without a picture. */
    public final BufferedImage picture;
    /** A text in place of the picture: other results, or why there is none; "" with a picture. */
    public final String sentence;

    Suggestion(BufferedImage picture, String sentence) {
        this.picture = picture;
        this.sentence = sentence;
    }
}
