// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

/** The last text that a macro or ImageJ printed. When a macro ends with an error, this is the reason. */
public final class LastPrinted {
    private static String last = "";

    private LastPrinted() {}

    static synchronized void remember(String text) {
        if (text != null && !text.trim().isEmpty())
            last = text.trim();
    }

    /**
     * Returns the text as one line, and forgets it. Macros use this with call(). A macro error is returned without the
     * code that ImageJ prints after its sentence.
     */
    public static synchronized String take() {
        String taken = last.startsWith("Macro Error: ")
            ? last.split("\n")[0].replaceFirst("^Macro Error: ", "").replaceFirst(" in line \\d+$", "")
            : last.replaceAll("\\s*\n\\s*", " ");
        last = "";
        return taken;
    }
}
