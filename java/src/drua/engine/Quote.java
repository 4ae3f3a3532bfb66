// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Converts texts to literals of the languages that Drua writes. The value of a literal equals the text, and no
 * character of the text can end the literal. Literals of programming languages and of JSON are ASCII, so they do not
 * depend on the file's encoding, and contain no line end. The literals of {@link #shell}, {@link #option}, {@link
 * #setting}, {@link #csv}, {@link #xml} and {@link #html} keep line ends and characters beyond ASCII.
 */
public final class Quote {
    /** Largest number of arguments of one fromCharCode(); ImageJ accepts at most 100. */
    private static final int CODES = 50;

    private Quote() {}

    /**
     * An expression in ImageJ's macro language, which has no escape for characters beyond ASCII: "5 " +
     * fromCharCode(181) + "m".
     */
    public static String macro(String text) {
        StringBuilder made = new StringBuilder();
        int at = 0;
        do {
            boolean plain = at == text.length() || isPlain(text.charAt(at));
            int end = at;
            while (end < text.length() && isPlain(text.charAt(end)) == plain && (plain || end < at + CODES))
                end++;
            String part = text.substring(at, end);
            made.append(at == 0 ? "" : " + ").append(plain ? script(part) : codes(part));
            at = end;
        } while (at < text.length());
        return made.toString();
    }

    private static String codes(String text) {
        return text.chars().mapToObj(String::valueOf).collect(Collectors.joining(", ", "fromCharCode(", ")"));
    }

    private static boolean isPlain(char c) {
        return c >= ' ' && c <= '~' || c == '\n' || c == '\t';
    }

    /**
     * A literal for all languages of ImageJ's recorder (macro, JavaScript, BeanShell, Python, Java).
     *
     * @param ascii a text in ASCII whose only control characters are \n and \t
     */
    public static String script(String ascii) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : ascii.toCharArray()) {
            if (!isPlain(c))
                throw new IllegalArgumentException("character " + (int) c + " has no escape that all languages share");
            if (c == '\n' || c == '\t')
                quoted.append(c == '\n' ? "\\n" : "\\t");
            else
                quoted.append(c == '"' || c == '\\' ? "\\" : "").append(c);
        }
        return quoted.append('"').toString();
    }

    /**
     * The value in an options text, name=[value], as Ext.Drua_applyToHyperstack reads it. A backslash escapes a bracket
     * or a backslash.
     */
    public static String option(String value) {
        return value.matches("[\\w.,+-]+") ? value : "[" + value.replaceAll("[\\[\\]\\\\]", "\\\\$0") + "]";
    }

    /** A Jython literal of type unicode. Fails for an unpaired surrogate, which Jython rejects. */
    public static String jython(String text) {
        StringBuilder quoted = new StringBuilder("u\"");
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)
                throw cannotWrite(text);
            if (c >= ' ' && c <= '~')
                quoted.append(c == '"' || c == '\\' ? "\\" : "").append((char) c);
            else
                quoted.append(String.format(c < 0x10000 ? "\\u%04x" : "\\U%08x", c));
        }
        return quoted.append('"').toString();
    }

    /**
     * A Java literal. Control characters have octal escapes, because javac would turn the Unicode escape of a line end
     * into a line end before it reads the literal.
     */
    public static String java(String text) {
        return quoteWith(text, '"');
    }

    /** A Groovy literal in single quotation marks, in which a dollar sign has no meaning. */
    public static String groovy(String text) {
        return quoteWith(text, '\'');
    }

    private static String quoteWith(String text, char mark) {
        StringBuilder quoted = new StringBuilder().append(mark);
        for (char c : text.toCharArray()) {
            if (c >= ' ' && c <= '~')
                quoted.append(c == mark || c == '\\' ? "\\" : "").append(c);
            else
                quoted.append(String.format(c < ' ' ? "\\%03o" : "\\u%04x", (int) c));
        }
        return quoted.append(mark).toString();
    }

    /** A C literal in UTF-8. Fails for a text that a C string cannot hold. */
    public static String c(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (byte b : utf8(text)) {
            if (b == '"' || b == '\\' || b == '?') /* two question marks begin a trigraph */
                quoted.append('\\').append((char) b);
            else if (b >= ' ' && b <= '~')
                quoted.append((char) b);
            else
                quoted.append(String.format("\\%03o", b & 0xff));
        }
        return quoted.append('"').toString();
    }

    /** The text in UTF-8. Fails for the NUL character, which ends C strings, and for an unpaired surrogate. */
    static byte[] utf8(String text) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            if (text.indexOf(0) < 0)
                return Arrays.copyOf(bytes.array(), bytes.limit());
        } catch (CharacterCodingException e) {
            /* the error message below reports it */
        }
        throw cannotWrite(text);
    }

    private static EngineException cannotWrite(String text) {
        return new EngineException("the text " + macro(text)
            + " contains a character that cannot be written (a NUL character or an unpaired surrogate); change the "
            + "text");
    }

    /** A word of a POSIX shell. */
    public static String shell(String text) {
        return text.matches("[\\w./:,+-][\\w./:,=+-]*") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /**
     * The value of a setting, name=value, as drua_process_file reads it. The format has no escape for a quotation mark.
     */
    public static String setting(String value) {
        if (value.matches("[^'\"\\s]+"))
            return value;
        char mark = value.indexOf('\'') < 0 ? '\'' : '"';
        if (value.indexOf(mark) >= 0)
            throw new EngineException(
                "the setting " + value + " contains both kinds of quotation marks; use only one kind");
        return mark + value + mark;
    }

    /** A cell of a CSV file. */
    public static String csv(String text) {
        return text.matches("[^,\"\r\n]*") ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }

    /** A Python 3 string. Unlike JSON, Python does not join the escapes of two surrogates to one character. */
    public static String python(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(code
            -> quoted.append(code >= ' ' && code <= '~' ? (code == '"' || code == '\\' ? "\\" : "") + (char) code
                                                        : String.format(code > 0xffff ? "\\U%08x" : "\\u%04x", code)));
        return quoted.append('"').toString();
    }

    /** A JSON string, which is also a YAML string if it has no character beyond U+FFFF. */
    public static String json(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c >= ' ' && c <= '~')
                quoted.append(c == '"' || c == '\\' ? "\\" : "").append(c);
            else
                quoted.append(String.format("\\u%04x", (int) c));
        }
        return quoted.append('"').toString();
    }

    /** As {@link #html}, for XML, such as SVG: characters that XML does not allow become U+FFFD. */
    public static String xml(String text) {
        return html(text).replaceAll("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\x{10000}-\\x{10ffff}]", "\ufffd");
    }

    /** Escaped HTML text, also valid inside an attribute in double quotation marks. */
    public static String html(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
