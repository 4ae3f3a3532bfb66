// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Evaluates constant text expressions of ImageJ's macro language, as written by {@link drua.engine.Quote#macro}. */
final class MacroText {
    private static final Pattern CODES = Pattern.compile("fromCharCode\\s*\\(([\\d\\s,]*)\\)");

    private final String code;
    private final StringBuilder text = new StringBuilder();
    private int at;

    private MacroText(String code) {
        this.code = code;
    }

    /** The value of an expression of literals and fromCharCode(numbers); null for any other expression. */
    static String read(String expression) {
        MacroText reader = new MacroText(expression.trim());
        while (reader.readPart()) {
            reader.skipSpaces();
            if (reader.at == reader.code.length())
                return reader.text.toString();
            if (reader.code.charAt(reader.at++) != '+')
                return null;
            reader.skipSpaces();
        }
        return null;
    }

    /** The text of an image name in quotation marks; any other name is returned unchanged. */
    static String plain(String name) {
        String text = read(name);
        return text == null ? name : text;
    }

    /** The value of a literal from the text between its quotation marks, with the escapes of Java's StreamTokenizer. */
    static String unescaped(String literal) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < literal.length(); i++) {
            char c = literal.charAt(i);
            if (c != '\\' || i + 1 == literal.length()) {
                plain.append(c);
                continue;
            }
            c = literal.charAt(++i);
            int letter = "abfnrtv".indexOf(c), code = 0;
            if (c < '0' || c > '7') {
                plain.append(letter < 0 ? c : "\u0007\b\f\n\r\t\u000b".charAt(letter));
                continue;
            }
            int end = Math.min(literal.length(), i + (c <= '3' ? 3 : 2));
            while (i < end && literal.charAt(i) >= '0' && literal.charAt(i) <= '7')
                code = 8 * code + literal.charAt(i++) - '0';
            i--;
            plain.append((char) code);
        }
        return plain.toString();
    }

    private void skipSpaces() {
        while (at < code.length() && Character.isWhitespace(code.charAt(at)))
            at++;
    }

    private boolean readPart() {
        if (at == code.length())
            return false;
        char mark = code.charAt(at);
        if (mark != '"' && mark != '\'')
            return codes();
        int end = at + 1;
        while (end < code.length() && code.charAt(end) != mark && code.charAt(end) != '\n')
            end += code.charAt(end) == '\\' ? 2 : 1;
        if (end >= code.length() || code.charAt(end) != mark)
            return false;
        text.append(unescaped(code.substring(at + 1, end)));
        at = end + 1;
        return true;
    }

    private boolean codes() {
        Matcher found = CODES.matcher(code).region(at, code.length());
        if (!found.lookingAt())
            return false;
        for (String number : found.group(1).trim().split("\\s*,\\s*")) {
            if (!number.matches("\\d{1,5}") || Integer.parseInt(number) > Character.MAX_VALUE)
                return false;
            text.append((char) Integer.parseInt(number));
        }
        at = found.end();
        return true;
    }
}
