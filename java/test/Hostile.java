// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** Titles that would run code, or lose characters, if a writer failed to quote them. */
final class Hostile {
    /** A file that is created when a title is executed. */
    final String ran;
    private final String[] pieces;

    Hostile(String ran) {
        this.ran = ran;
        String touch = "touch " + ran;
        pieces = new String[] {"\n;exec('touch', '" + ran + "');//", "\";exec(\"touch\", \"" + ran + "\");//",
            "\\\";exec(\"touch\", \"" + ran + "\");//", "\r\nexec('touch', '" + ran + "');\r\n", "$(" + touch + ")",
            "`" + touch + "`", "; " + touch + " #", "' ; " + touch + " '", "*/", "/*", "//", "%s%n%d", "??/", "\\",
            "\\n", "\\u000a", "\\u00b5", "\u00b5m \u00e4\u00f6\u00fc\u00df", "\ud83d\ude00", "\u65e5\u672c\u8a9e",
            "\u2028", "\u007f\u0080\u00ff", "\t", "\n", "\r", "\r\n", "\f\b\u0001", "\"", "'", "\"\"\"", "'''", "=",
            "sigma_x=9 ", "[", "]", "[a]", "] destination=[b", "&x", "${HOME}", "<b>", "&amp;", "=1+1", "@x", "+",
            "\" + x + \"", "x = 5;", " trailing  ", "../../x", "C:\\x", "0", "a"};
    }

    /**
     * Each piece alone, all pieces combined, the empty text, long titles and random ones. None contains the NUL
     * character.
     */
    List<String> titles(long seed, int count) {
        List<String> titles = new ArrayList<>(Arrays.asList(pieces));
        titles.addAll(Arrays.asList("", String.join("", pieces), repeat("x", 10000), repeat("\"\\\n\u00b5", 2500),
            repeat("\ud83d\ude00", 5000)));
        Random random = new Random(seed);
        for (int i = 0; i < count; i++)
            titles.add(random.ints(1 + random.nextInt(6), 0, pieces.length)
                           .mapToObj(n -> pieces[n])
                           .collect(Collectors.joining()));
        return titles;
    }

    private static String repeat(String text, int count) {
        return String.join("", Collections.nCopies(count, text));
    }
}
