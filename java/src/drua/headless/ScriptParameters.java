// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import drua.engine.Quote;
import drua.engine.Spelling;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Script parameters of a macro, such as {@code #@ Integer (label="sigma", value=2) sigma}. Fiji asks the user for their
 * values; here arguments of the command line give them, else the attribute {@code value}.
 */
final class ScriptParameters {
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/");
    private static final Pattern LINE = Pattern.compile(
        "#@\\s*(?:((?i:input|output|both))\\s+)?([\\w.\\[\\]]+)\\s*(?:\\((.*)\\))?\\s*(?<![\\w.])(\\w+)\\s*;?\\s*");
    private static final Pattern ATTRIBUTE =
        Pattern.compile("\\s*(\\w+)\\s*=\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*'|\\{[^}]*\\}|[^,]*?)\\s*(?:,|$)");

    private final Map<String, String> given = new LinkedHashMap<>();
    private final List<String> known = new ArrayList<>();
    private final StringBuilder printed = new StringBuilder();

    private ScriptParameters(List<String> arguments) {
        for (String argument : arguments) {
            int equal = argument.indexOf('=');
            if (equal < 1)
                throw new IllegalArgumentException("This macro has script parameters (#@): give name=value instead of "
                    + argument);
            given.put(argument.substring(0, equal).trim(), argument.substring(equal + 1));
        }
    }

    /** True if a line of the macro, outside comments, is a script parameter. */
    static boolean isIn(String macro) {
        return Arrays.stream(linesOfCode(macro)).anyMatch(line -> line.startsWith("#@"));
    }

    /**
     * The macro with a value for each script parameter, in the same line. Values of outputs are printed at the end.
     * Throws IllegalArgumentException with a sentence if a value is missing, unknown or wrong.
     */
    static String fill(String macro, List<String> arguments) {
        ScriptParameters parameters = new ScriptParameters(arguments);
        String[] code = linesOfCode(macro), lines = macro.split("\\R", -1);
        for (int i = 0; i < lines.length; i++) {
            if (code[i].startsWith("#@"))
                lines[i] = parameters.assignment(lines[i], i + 1);
        }
        for (String name : parameters.given.keySet()) {
            if (!parameters.known.contains(name)) {
                String hint = Spelling.hint(name, parameters.known);
                throw new IllegalArgumentException("The macro has no script parameter '" + name + "'"
                    + (hint.isEmpty() ? "; it has " + String.join(", ", parameters.known) : hint));
            }
        }
        return String.join("\n", lines) + parameters.printed;
    }

    /** The lines without the text of comments. */
    private static String[] linesOfCode(String macro) {
        Matcher comments = COMMENT.matcher(macro);
        StringBuffer code = new StringBuffer();
        while (comments.find())
            comments.appendReplacement(code, comments.group().replaceAll("\\V", ""));
        return comments.appendTail(code).toString().split("\\R", -1);
    }

    private String assignment(String line, int number) {
        if (line.matches("(?i)#@\\s*script\\b.*"))
            return "";
        Matcher found = LINE.matcher(line);
        if (!found.matches())
            throw new IllegalArgumentException(
                "Line " + number + " must be a script parameter of the form #@ Type (attributes) name, got: " + line);
        String name = found.group(4), type = found.group(2);
        Map<String, String> attributes = attributes(found.group(3));
        String way = found.group(1) == null ? attributes.getOrDefault("type", "input") : found.group(1);
        if (!way.equalsIgnoreCase("input") && !kind(type).isEmpty())
            printed.append("\nprint(\"").append(name).append(" = \" + ").append(name).append(");");
        if (way.equalsIgnoreCase("output"))
            return "";
        known.add(name);
        String value = given.containsKey(name) ? given.get(name) : attributes.get("value");
        if (value == null && "false".equals(attributes.get("required")))
            return "";
        String what = "The script parameter " + name + " in line " + number;
        if (value == null)
            throw new IllegalArgumentException(what + " has no value; pass " + name + "=VALUE after the macro's file");
        checkChoice(what, value, attributes);
        String literal = literal(what, type, value);
        if (kind(type).endsWith("number"))
            checkLimits(what, literal, attributes);
        return name + " = " + literal + ";";
    }

    private static Map<String, String> attributes(String text) {
        Map<String, String> attributes = new HashMap<>();
        Matcher found = ATTRIBUTE.matcher(text == null ? "" : text);
        while (found.lookingAt() && !found.group().isEmpty()) {
            attributes.put(found.group(1).toLowerCase(Locale.ROOT), unquoted(found.group(2)));
            found.region(found.end(), text.length());
        }
        return attributes;
    }

    private static String unquoted(String word) {
        boolean isQuoted = word.length() > 1 && (word.startsWith("\"") || word.startsWith("'"));
        return isQuoted ? word.substring(1, word.length() - 1).replaceAll("\\\\(.)", "$1") : word;
    }

    private static void checkLimits(String what, String number, Map<String, String> attributes) {
        String least = attributes.getOrDefault("min", ""), most = attributes.getOrDefault("max", "");
        if (!least.isEmpty() && Double.parseDouble(number) < limit(what, least))
            throw new IllegalArgumentException(what + " must be at least " + least + ", got " + number);
        if (!most.isEmpty() && Double.parseDouble(number) > limit(what, most))
            throw new IllegalArgumentException(what + " must be at most " + most + ", got " + number);
    }

    private static double limit(String what, String number) {
        try {
            return Double.parseDouble(number);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(what + " has a limit that is not a number, " + number
                    + "; correct it in the macro", e);
        }
    }

    private static void checkChoice(String what, String value, Map<String, String> attributes) {
        String choices = attributes.get("choices");
        if (choices == null)
            return;
        List<String> all = new ArrayList<>();
        for (Matcher word = Pattern.compile("\"[^\"]*\"|[^{},\\s][^{},]*").matcher(choices); word.find();)
            all.add(unquoted(word.group().trim()));
        if (!all.contains(value))
            throw new IllegalArgumentException(what + " must be one of " + String.join(", ", all) + ", got " + value);
    }

    /** Classes of values that a macro can have; "" for types of which it can have none. */
    private static String kind(String type) {
        switch (type.substring(type.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT)) {
        case "byte":
        case "short":
        case "int":
        case "integer":
        case "long":
        case "biginteger":
            return "whole number";
        case "float":
        case "double":
        case "number":
        case "bigdecimal":
            return "number";
        case "boolean":
            return "truth";
        case "file":
        case "path":
            return "file";
        case "string":
        case "char":
        case "character":
            return "text";
        default:
            return "";
        }
    }

    private static String literal(String what, String type, String value) {
        String trimmed = value.trim();
        switch (kind(type)) {
        case "whole number":
            if (trimmed.matches("[+-]?\\d+"))
                return trimmed.startsWith("+") ? trimmed.substring(1) : trimmed;
            throw new IllegalArgumentException(what + " must be a whole number, got " + value);
        case "number":
            if (trimmed.matches("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?"))
                return Double.toString(Double.parseDouble(trimmed));
            throw new IllegalArgumentException(what + " must be a number, got " + value);
        case "truth":
            if (trimmed.matches("(?i)true|false"))
                return trimmed.toLowerCase(Locale.ROOT);
            throw new IllegalArgumentException(what + " must be true or false, got " + value);
        case "file":
            return Quote.macro(value.isEmpty() ? "" : new File(value).getAbsolutePath());
        case "text":
            return Quote.macro(value);
        default:
            throw new IllegalArgumentException(what + " has the type " + type
                + ", which needs Fiji; types that a command line can give are numbers, Boolean, String and File");
        }
    }
}
