// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The variables of an exported Python program. */
final class PythonVariables {
    /** The variable of each image name of the macro. */
    private final Map<String, String> images = new HashMap<>();
    /** reserved: words that cannot be variables. used: these and all variables. */
    private final Set<String> reserved, used;

    PythonVariables(Collection<String> reserved) {
        this.reserved = new HashSet<>(reserved);
        used = new HashSet<>(reserved);
    }

    /**
     * The unique variable of an image. Also accepts image names in quotation marks, which CLIJ's commands use.
     */
    String ofImage(String image) {
        return images.computeIfAbsent(image, word -> {
            String plain = MacroText.read(word) == null ? word : "image_" + word.replaceAll("\\W+", "_"), name = plain;
            for (int n = 2; !used.add(name); n++)
                name = plain + "_" + n;
            return name;
        });
    }

    /** A variable for a number. Several numbers may share it, but images may not. */
    String ofNumber(String parameter) {
        String variable = parameter;
        while (images.containsValue(variable) || reserved.contains(variable))
            variable += "_";
        used.add(variable);
        return variable;
    }
}
