// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import java.util.regex.Pattern;

/** The line ends of a macro file, which stay as they were when the macro is saved. Inside, lines end with a newline. */
public final class LineEnds {
    private static final Pattern LONE = Pattern.compile("\r(?!\n)"), UNIX = Pattern.compile("(?<!\r)\n");

    private final String end;

    private LineEnds(String end) {
        this.end = end;
    }

    /** The line ends of new macros. */
    public static LineEnds plain() {
        return new LineEnds("\n");
    }

    /**
     * The line ends of a text. If the text has several kinds, a carriage return before a newline stays, and a lone one
     * becomes a newline.
     */
    public static LineEnds of(String text) {
        boolean isUnix = UNIX.matcher(text).find(), isWindows = text.contains("\r\n"),
                isLone = LONE.matcher(text).find();
        if (isWindows && !isUnix && !isLone)
            return new LineEnds("\r\n");
        return new LineEnds(isLone && !isUnix && !isWindows ? "\r" : "\n");
    }

    /** A file's text with newlines. */
    public String read(String text) {
        return end.equals("\n") ? LONE.matcher(text).replaceAll("\n") : text.replace(end, "\n");
    }

    /** A text for the file. */
    public String write(String text) {
        return end.equals("\n") ? text : text.replace("\n", end);
    }
}
