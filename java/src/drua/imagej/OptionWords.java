// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import drua.engine.Registry;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Parses settings of the form "name=value name=value" by the same rules as the engine (native/call/options.c). */
public final class OptionWords {
    private static final String IN_NUMBERS = "0123456789+-.,";

    private OptionWords() {}

    /**
     * The settings in a text, by name in lower case; "true" for a name without a value. If a name is repeated, the last
     * value counts.
     */
    public static Map<String, String> of(Registry.Parameter options, String text) {
        Map<String, String> values = new HashMap<>();
        for (int at = 0; at < text.length();) {
            if (isGap(text, at) || text.charAt(at) == ',') {
                at++;
                continue;
            }
            int from = at;
            while (at < text.length()
                && (!isGap(text, at) || isInList(text, at) && isText(options, text.substring(from, at))))
                at++;
            String[] word = text.substring(from, at).split("=", 2);
            values.put(word[0].toLowerCase(Locale.ROOT), word.length > 1 ? word[1] : "true");
        }
        return values;
    }

    /** True if a switch is set. */
    public static boolean isOn(Registry.Parameter options, String text, String name) {
        return of(options, text).getOrDefault(name, "").matches("(?i)true|1");
    }

    /** True for a comma that separates settings. A comma before a digit or a sign separates numbers. */
    private static boolean isGap(String text, int at) {
        return isSpace(text.charAt(at))
            || text.charAt(at) == ',' && (at + 1 == text.length() || IN_NUMBERS.indexOf(text.charAt(at + 1)) < 0);
    }

    /**
     * True for a comma before another item of a list, as in "devices=H200,A100". A new setting would have its own "=".
     */
    private static boolean isInList(String text, int at) {
        int next = at + 1;
        if (text.charAt(at) != ',' || next == text.length() || isSpace(text.charAt(next)))
            return false;
        while (next < text.length() && "=, \t\r\n".indexOf(text.charAt(next)) < 0)
            next++;
        return next == text.length() || text.charAt(next) != '=';
    }

    private static boolean isText(Registry.Parameter options, String word) {
        int value = word.indexOf('=');
        return value >= 0
            && options.settings.stream().anyMatch(
                s -> s.kind == Registry.Kind.TEXT && s.name.equalsIgnoreCase(word.substring(0, value)));
    }

    private static boolean isSpace(char c) {
        return " \t\n\u000b\f\r".indexOf(c) >= 0;
    }
}
