// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.EngineException;
import drua.engine.Quote;
import drua.engine.Registry;
import drua.imagej.Series;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The arguments of an operation in the format of ImageJ's run(): "source=image sigma_x=2 destination=[my result]".
 * Inside brackets, a backslash escapes a bracket or a backslash.
 */
final class Words {
    private final Call call;
    private final Registry.Operation operation;
    private final Map<String, String> words = new HashMap<>();
    private final Object[] values;

    /** Fails if a word is not a parameter of the operation, or if an input is missing or invalid. */
    Words(Call call, Registry.Operation operation) {
        this.call = call;
        this.operation = operation;
        read(call.text("arguments"));
        values = operation.parameters.stream().map(this::value).toArray();
    }

    /** Argument values in the format of {@link Series}. */
    Object[] values() {
        return values;
    }

    /** Titles of the result windows, by parameter. */
    Map<String, String> titles() {
        Map<String, String> titles = Series.titles(operation, values);
        titles.replaceAll(
            (parameter, title)
                -> words.getOrDefault(
                    operation.parameter(parameter).kind.isOutput() ? parameter : parameter + "_title", title));
        return titles;
    }

    /** If a name is repeated, the first value counts. */
    private void read(String text) {
        for (int at = space(text, 0); at < text.length(); at = space(text, at)) {
            int end = at;
            while (end < text.length() && !Character.isWhitespace(text.charAt(end)) && text.charAt(end) != '=')
                end++;
            String name = text.substring(at, end);
            if (operation.parameter(name.replaceFirst("_title$", "")) == null || end == text.length()
                || text.charAt(end) != '=')
                throw call.error("arguments",
                    "'" + name + "' is not a setting name=value of " + operation.name + ", which has "
                        + operation.parameters.stream().map(p -> p.name).collect(Collectors.joining(", ")));
            StringBuilder value = new StringBuilder();
            at = readValue(name, text, end + 1, value);
            words.putIfAbsent(name, value.toString());
        }
    }

    private static int space(String text, int from) {
        int at = from;
        while (at < text.length() && Character.isWhitespace(text.charAt(at)))
            at++;
        return at;
    }

    /**
     * Reads a plain value, a value in '...', or a value in [...] as written by {@link Quote#option}. Returns the
     * position after it.
     */
    private int readValue(String name, String text, int from, StringBuilder value) {
        char first = from < text.length() ? text.charAt(from) : ' ';
        boolean isMarked = first == '[' || first == '\'';
        int at = isMarked ? from + 1 : from, depth = first == '[' ? 1 : 0;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (first == '[' && c == '\\' && at + 1 < text.length() && "[]\\".indexOf(text.charAt(at + 1)) >= 0)
                c = text.charAt(++at);
            else if (first == '[')
                depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (isMarked ? first == '[' ? depth == 0 : c == '\'' : Character.isWhitespace(c))
                return isMarked ? at + 1 : at;
            value.append(c);
        }
        if (isMarked)
            throw call.error("arguments",
                name + "=" + first + " has no " + (first == '[' ? "]" : "'") + " at its end"
                    + "; add it");
        return at;
    }

    private Object value(Registry.Parameter p) {
        String word = words.get(p.name);
        if (p.kind.isOutput())
            return null;
        if (word == null && (p.kind.isImage() || p.defaultValue == null && p.kind != Registry.Kind.OPTIONS))
            throw call.error("arguments", p.name + "= is missing; " + operation.name + " needs it");
        if (p.kind.isImage())
            return Windows.titled(call, "arguments: " + p.name, word);
        if (word == null)
            return p.defaultValue;
        if (p.kind == Registry.Kind.BOOLEAN)
            return word.equals("true") || word.equals("1");
        return p.kind.isNumber()               ? number(p, word)
            : p.kind == Registry.Kind.ARRAY_IN ? numbers(p, word)
                                               : (Object) word;
    }

    private List<Double> numbers(Registry.Parameter p, String word) {
        return Arrays.stream(word.split(",")).map(number -> number(p, number.trim())).collect(Collectors.toList());
    }

    private Double number(Registry.Parameter p, String word) {
        try {
            return Double.valueOf(word);
        } catch (NumberFormatException e) {
            throw new EngineException(operation.camelCase() + ": " + p.name + " must be a number, got '" + word + "'");
        }
    }
}
