// SPDX-License-Identifier: BSD-3-Clause
package drua;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON (RFC 8259): objects become LinkedHashMap, arrays ArrayList, numbers Double. Stateless for callers. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Parses one value. Throws IllegalArgumentException with the position if the text is not JSON. */
    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.space();
        if (json.at < text.length())
            throw json.error("the end");
        return value;
    }

    private Object value() {
        space();
        switch (peek()) {
        case '{':
            return object();
        case '[':
            return array();
        case '"':
            return string();
        case 't':
            return word("true", Boolean.TRUE);
        case 'f':
            return word("false", Boolean.FALSE);
        case 'n':
            return word("null", null);
        default:
            return number();
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> map = new LinkedHashMap<>();
        at++;
        space();
        if (take('}'))
            return map;
        do {
            space();
            String key = string();
            space();
            expect(':');
            map.put(key, value());
            space();
        } while (take(','));
        expect('}');
        return map;
    }

    private List<Object> array() {
        List<Object> list = new ArrayList<>();
        at++;
        space();
        if (take(']'))
            return list;
        do {
            list.add(value());
            space();
        } while (take(','));
        expect(']');
        return list;
    }

    private String string() {
        expect('"');
        StringBuilder result = new StringBuilder();
        while (!take('"')) {
            char c = peek();
            if (c < ' ')
                throw error("a character of a string");
            at++;
            result.append(c == '\\' ? escaped() : c);
        }
        return result.toString();
    }

    private char escaped() {
        char c = peek();
        at++;
        switch (c) {
        case '"':
        case '\\':
        case '/':
            return c;
        case 'b':
            return '\b';
        case 'f':
            return '\f';
        case 'n':
            return '\n';
        case 'r':
            return '\r';
        case 't':
            return '\t';
        case 'u':
            int code = 0;
            for (int i = 0; i < 4; i++) {
                int digit = Character.digit(peek(), 16);
                if (digit < 0)
                    throw error("a hexadecimal digit");
                code = code * 16 + digit;
                at++;
            }
            return (char) code;
        default:
            throw error("an escape sequence");
        }
    }

    private Double number() {
        int start = at;
        take('-');
        if (!take('0'))
            digits();
        if (take('.'))
            digits();
        if (take('e') || take('E')) {
            if (!take('+'))
                take('-');
            digits();
        }
        return Double.valueOf(text.substring(start, at));
    }

    private void digits() {
        int start = at;
        while (peek() >= '0' && peek() <= '9')
            at++;
        if (at == start)
            throw error("a digit");
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at))
            throw error("a value");
        at += word.length();
        return value;
    }

    private void space() {
        while (" \t\r\n".indexOf(peek()) >= 0)
            at++;
    }

    /** The next character, or 0 at the end. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean take(char c) {
        if (peek() != c || at >= text.length())
            return false;
        at++;
        return true;
    }

    private void expect(char c) {
        if (!take(c))
            throw error("'" + c + "'");
    }

    private IllegalArgumentException error(String expected) {
        return new IllegalArgumentException("JSON: expected " + expected + " at character " + at);
    }
}
