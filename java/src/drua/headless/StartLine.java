// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the line of a macro that starts Drua, such as run("CLIJ2 Macro Extensions", "cl_device=[RTX] memory=2GB"). */
public final class StartLine {
    private static final Pattern START = Pattern.compile(
        "^(?:(?!//).)*?\\brun\\s*\\(\\s*\"(?:Drua|CLIJ2?) Macro Extensions\"\\s*(?:,\\s*\"([^\"\\\\]*)\"\\s*)?\\)",
        Pattern.MULTILINE);
    private static final Pattern DEVICE = Pattern.compile("\\bcl_device=(?:\\[([^\\]]*)\\]|(\\S*))");

    private StartLine() {}

    /**
     * The device that the first such line names; "" if it names none. Null if there is no such line, or if its options
     * are not a plain text.
     */
    public static String device(String macro) {
        Matcher start = START.matcher(macro);
        if (!start.find())
            return null;
        Matcher device = DEVICE.matcher(start.group(1) == null ? "" : start.group(1));
        if (!device.find())
            return "";
        return (device.group(1) == null ? device.group(2) : device.group(1)).trim();
    }
}
