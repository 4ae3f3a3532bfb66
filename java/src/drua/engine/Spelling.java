// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Finds names that a user may have meant. */
public final class Spelling {
    private Spelling() {}

    /** Edit distance: the number of letters to add, remove or change. */
    public static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++)
            row[j] = j;
        for (int i = 1; i <= a.length(); i++) {
            int corner = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int changed = corner + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                corner = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }

    /** The end of an error message: "; did you mean NAME?" with the most similar name, or "" if none is similar. */
    public static String hint(String word, Collection<String> names) {
        String plain = word.toLowerCase(Locale.ROOT);
        int max = Math.max(2, word.length() / 3);
        return names.stream()
            .filter(name
                -> name.toLowerCase(Locale.ROOT).startsWith(plain)
                    || distance(plain, name.toLowerCase(Locale.ROOT)) <= max)
            .min(Comparator.comparingInt(name -> distance(plain, name.toLowerCase(Locale.ROOT))))
            .map(name -> "; did you mean " + name + "?")
            .orElse("");
    }
}
