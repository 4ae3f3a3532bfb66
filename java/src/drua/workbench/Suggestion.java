// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import java.awt.image.BufferedImage;

/** What an operation would give. Immutable. */
public final class Suggestion {
    /** Null: there is none. */
    public final BufferedImage picture;
    /** What there is instead of a picture, or why there is nothing; "" if there is a picture. */
    public final String sentence;

    Suggestion(BufferedImage picture, String sentence) {
        this.picture = picture;
        this.sentence = sentence;
    }
}
