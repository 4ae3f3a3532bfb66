// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Texts as literals of the languages that Drua writes. The value of a literal is the text, and no character of the text
 * ends the literal. All literals are ASCII, so the encoding of the file does not matter; none has a line end inside.
 */
public final class Quote {
    /** ImageJ's fromCharCode() takes at most 100 numbers. */
    private static final int CODES = 50;

    private Quote() {}

    /**
     * An expression of ImageJ's macro language, which knows no escape for characters beyond ASCII: "5 " +
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
     * A literal of the languages of ImageJ's recorder (macro, JavaScript, BeanShell, Python, Java).
     *
     * @param ascii a text in ASCII without control characters but ends of lines and tabs
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
     * The value of a word in a text of options, name=[value], as Ext.Drua_applyToHyperstack reads it: a backslash keeps
     * a bracket or a backslash from its meaning.
     */
    public static String option(String value) {
        return value.matches("[\\w.,+-]+") ? value : "[" + value.replaceAll("[\\[\\]\\\\]", "\\\\$0") + "]";
    }

    /** A literal of Jython, with the type unicode. Fails for half a pair of UTF-16, which Jython refuses. */
    public static String jython(String text) {
        StringBuilder quoted = new StringBuilder("u\"");
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)
                throw notHeld(text);
            if (c >= ' ' && c <= '~')
                quoted.append(c == '"' || c == '\\' ? "\\" : "").append((char) c);
            else
                quoted.append(String.format(c < 0x10000 ? "\\u%04x" : "\\U%08x", c));
        }
        return quoted.append('"').toString();
    }

    /** A literal of C in UTF-8. Fails for a text that C cannot hold. */
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

    /** The bytes of a text in UTF-8. Fails for character 0, which ends texts of C, and for half a pair of UTF-16. */
    static byte[] utf8(String text) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            if (text.indexOf(0) < 0)
                return Arrays.copyOf(bytes.array(), bytes.limit());
        } catch (CharacterCodingException e) {
            /* the sentence below says it */
        }
        throw notHeld(text);
    }

    private static EngineException notHeld(String text) {
        return new EngineException("the text " + macro(text)
            + " has a character that cannot be written: 0, or half a surrogate pair; change the text");
    }

    /** A word of a POSIX shell. */
    public static String shell(String text) {
        return text.matches("[\\w./:,+-][\\w./:,=+-]*") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /** The value of a setting, name=value, as drua_process_file reads it; that has no escape for a quotation mark. */
    public static String setting(String value) {
        if (value.matches("[^'\"\\s]+"))
            return value;
        char mark = value.indexOf('\'') < 0 ? '\'' : '"';
        if (value.indexOf(mark) >= 0)
            throw new EngineException("the setting " + value + " has both kinds of quotation marks; leave one out");
        return mark + value + mark;
    }

    /** A string of JSON, which is one of YAML too. */
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

    /** Text of HTML, also between quotation marks. */
    public static String html(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
