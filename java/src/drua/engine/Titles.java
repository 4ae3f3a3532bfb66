// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Display names of operations: gaussian_blur becomes Gaussian Blur, esrrf_sweep becomes eSRRF Sweep. */
final class Titles {
    private static final List<String> SMALL =
        Arrays.asList("and", "as", "by", "from", "in", "into", "of", "on", "or", "than", "to", "via", "with");
    private static final String[][] PHRASES = {{"Image J", "ImageJ"}, {"Non Local", "Non-local"},
        {"Richardson Lucy", "Richardson-Lucy"}, {"Sorensen Dice", "Sorensen-Dice"}, {"Voronoi Otsu", "Voronoi-Otsu"}};
    private static final Map<String, String> WORDS = new HashMap<>();
    static {
        for (String word : new String[] {"eSRRF", "FFT", "GPU", "GPUs", "PSF", "RGB", "ROI", "TIF", "VTK", "XOR", "2D",
                 "3D", "X", "Y", "Z", "XY", "XZ", "YZ", "XYZ", "uint8", "uint16"})
            WORDS.put(word.toLowerCase(Locale.ROOT), word);
    }

    private Titles() {}

    static String of(String name) {
        StringBuilder title = new StringBuilder();
        for (String word : name.split("_")) {
            boolean first = title.length() == 0;
            title.append(first ? "" : " ")
                .append(WORDS.containsKey(word)          ? WORDS.get(word)
                        : !first && SMALL.contains(word) ? word
                                                         : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        String text = title.toString();
        for (String[] phrase : PHRASES)
            text = text.replace(phrase[0], phrase[1]);
        return text;
    }
}
