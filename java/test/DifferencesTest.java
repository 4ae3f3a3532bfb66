// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.generate.MacroOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs the macros of docs/differences.md. Each section whose heading names commands has one. Its comments give the
 * lines that Drua prints, after "Drua: "; CLIJ2 prints something else. A macro that must fail says "stops: " and part
 * of the message.
 */
public final class DifferencesTest {
    private static final Pattern SECTION = Pattern.compile("^## (.*)\n(?s:(.*?))(?=^## |\\z)", Pattern.MULTILINE);
    private static final Pattern BLOCK = Pattern.compile("^```ijm\n(?s:(.*?))^```$", Pattern.MULTILINE);
    private static final String STOPS = "stops: ";

    private DifferencesTest() {}

    public static void main(String[] args) throws IOException {
        Path file = Paths.get("docs/differences.md");
        Matcher section = SECTION.matcher(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        int passed = 0, failed = 0;
        while (section.find()) {
            if (!section.group(1).contains("("))
                continue;
            String fault = section.group(1).endsWith(")") ? check(section.group(2)) : "its heading does not end with )";
            if (fault == null) {
                passed++;
            } else {
                failed++;
                System.out.println("FAIL " + section.group(1) + ": " + fault);
            }
            MacroOutput.forget();
        }
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 && passed > 0 ? 0 : 1);
    }

    /** Returns the failure, or null. */
    private static String check(String section) {
        Matcher block = BLOCK.matcher(section);
        if (!block.find())
            return "no macro";
        String macro = block.group(1), expected = linesOf(macro, "Drua"), other = linesOf(macro, "CLIJ2");
        if (expected.isEmpty() || other.isEmpty() || expected.equals(other))
            return "its macro does not give different lines for Drua and CLIJ2";
        MacroOutput output = MacroOutput.of(macro, null);
        int stops = expected.indexOf(STOPS);
        String printed = output.printed.replaceAll("(?m)[ \t]+$", "").replaceAll("\n+", "\n").trim();
        if (!printed.equals(stops < 0 ? expected : expected.substring(0, stops).trim()))
            return "Drua prints\n" + printed + "\ninstead of\n" + expected
                + (output.error.isEmpty() ? "" : "\n" + output.error);
        if (stops < 0 ? !output.error.isEmpty() : !output.error.contains(expected.substring(stops + STOPS.length())))
            return "it ends with '" + output.error + "'";
        return null;
    }

    private static String linesOf(String macro, String whose) {
        Matcher comment = Pattern.compile("^// " + whose + ": *(.*)$", Pattern.MULTILINE).matcher(macro);
        StringBuilder lines = new StringBuilder();
        while (comment.find())
            lines.append(comment.group(1)).append('\n');
        return lines.toString().trim();
    }
}
