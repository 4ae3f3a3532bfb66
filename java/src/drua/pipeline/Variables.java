// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The variables of an exported program. */
final class Variables {
    /** The variable of each image name of the macro. */
    private final Map<String, String> images = new HashMap<>();
    /** Words that cannot be variables, and all variables. */
    private final Set<String> used;

    /** @param reserved words that cannot be variables */
    Variables(Collection<String> reserved) {
        used = new HashSet<>(reserved);
    }

    /**
     * The unique variable of an image or of another output. Also accepts image names in quotation marks, which CLIJ's
     * commands use.
     */
    String ofImage(String image) {
        return images.computeIfAbsent(image, word -> {
            String plain = MacroText.read(word) == null ? word : "image_" + word.replaceAll("\\W+", "_"), name = plain;
            for (int n = 2; !used.add(name); n++)
                name = plain + "_" + n;
            return name;
        });
    }

    /** A new variable: the word with a number. */
    String fresh(String word) {
        int number = 1;
        while (!used.add(word + number))
            number++;
        return word + number;
    }
}
