// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** File names that are made from image titles and names. native/base/file_name.c has the same rule. */
public final class FileName {
    /** In bytes. File systems allow 255, and suffixes such as ".zarr.writing" need some of them. */
    private static final int LIMIT = 200;
    /** Device names of Windows, with any extension. */
    private static final Pattern DEVICE =
        Pattern.compile("(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\\$|conout\\$) *(\\..*)?");

    private FileName() {}

    /**
     * Fails unless `name` is valid as the name of one file on every system.
     *
     * @param what first word of the error message, such as "result"
     */
    public static void check(String what, String name) {
        String fault = fault(name);
        if (fault != null)
            throw new EngineException(
                what + " " + Quote.macro(name) + " is used as a file name, but " + fault + "; choose another name");
    }

    private static String fault(String name) {
        if (name.isEmpty())
            return "it is empty";
        if (Quote.utf8(name).length > LIMIT)
            return "it has more than " + LIMIT + " bytes";
        if (name.chars().anyMatch(c -> c < ' ' || c == 127))
            return "it has a line end or another control character";
        if (name.matches(".*[/\\\\:*?\"<>|].*"))
            return "it has one of the characters / \\ : * ? \" < > |";
        if (name.matches("[. ].*|.*[. ]"))
            return "it begins or ends with a dot or a space";
        return DEVICE.matcher(name).matches() ? "Windows keeps this name for a device" : null;
    }

    /**
     * Adds `name` to `used`; fails if it is already there. Names that differ only in case are equal, as on some file
     * systems.
     */
    public static void take(String name, Set<String> used) {
        if (!used.add(name.toLowerCase(Locale.ROOT)))
            throw new EngineException(
                "two results would be saved in the same file '" + name + "'; give them different names");
    }

    /**
     * Converts any title to a name of letters, digits, "_", "." and "-" that {@link #check} accepts.
     *
     * @param used names in lower case that are taken; the new name is added, so two titles never share a name
     */
    public static String of(String title, Set<String> used) {
        String plain =
            title.replaceAll("(?i)\\.(tiff?|csv)$", "").replaceAll("[^\\w.-]+", "_").replaceAll("^\\.|\\.$", "_");
        plain = plain.substring(0, Math.min(plain.length(), LIMIT - 20)).replaceAll("\\.$", "_");
        if (plain.isEmpty() || DEVICE.matcher(plain).matches())
            plain = "_" + plain;
        String name = plain;
        for (int n = 2; !used.add(name.toLowerCase(Locale.ROOT)); n++)
            name = plain + "-" + n;
        return name;
    }
}
