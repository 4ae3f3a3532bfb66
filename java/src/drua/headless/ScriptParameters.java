// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import drua.engine.Quote;
import drua.engine.Spelling;
import java.io.File;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Script parameters of a macro or script, such as {@code #@ Integer (label="sigma", value=2) sigma}. Fiji asks the user
 * for their values; here arguments of the command line give them, else the attribute {@code value}.
 */
final class ScriptParameters {
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/");
    private static final Pattern LINE = Pattern.compile("#@\\s*(?:((?i:input|output|both))\\s+)?([\\w.\\[\\]]+)\\s*"
        + "(?:\\((.*)\\)\\s*(\\w+)|(?<=\\s)(\\w+)\\s*(?:\\((.*)\\))?)\\s*;?\\s*");
    private static final Pattern ATTRIBUTE =
        Pattern.compile("\\s*(\\w+)\\s*=\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*'|\\{[^}]*\\}|[^,]*?)\\s*(?:,|$)");

    /** The basic colours of CSS 2.1. */
    private static final Map<String, String> COLOURS = new HashMap<>();
    static {
        String[] colours = {"maroon", "800000", "red", "ff0000", "orange", "ffa500", "yellow", "ffff00", "olive",
            "808000", "purple", "800080", "fuchsia", "ff00ff", "magenta", "ff00ff", "white", "ffffff", "lime", "00ff00",
            "green", "008000", "navy", "000080", "blue", "0000ff", "aqua", "00ffff", "cyan", "00ffff", "teal", "008080",
            "black", "000000", "silver", "c0c0c0", "gray", "808080"};
        for (int i = 0; i < colours.length; i += 2)
            COLOURS.put(colours[i], colours[i + 1]);
    }

    /** The bits of types of whole numbers; BigInteger has no limit. */
    private static final Map<String, Integer> BITS = new HashMap<>();
    static {
        BITS.put("byte", 8);
        BITS.put("short", 16);
        BITS.put("int", 32);
        BITS.put("integer", 32);
        BITS.put("long", 64);
    }

    private final Map<String, String> given = new LinkedHashMap<>();
    private final List<String> known = new ArrayList<>();
    private final List<String> outputs = new ArrayList<>();
    /* The variables of a macro. */
    private final StringBuilder variables = new StringBuilder();
    /* The script that receives the values; null for a macro. */
    private final Script script;

    private ScriptParameters(List<String> arguments, Script script) {
        this.script = script;
        for (String argument : arguments) {
            int equal = argument.indexOf('=');
            if (equal < 1)
                throw new IllegalArgumentException(
                    "The file has script parameters (#@): pass name=value instead of " + argument);
            given.put(argument.substring(0, equal).trim(), argument.substring(equal + 1));
        }
    }

    /** True if a line of the macro, outside comments, is a script parameter. */
    static boolean isIn(String macro) {
        return Arrays.stream(linesOfCode(macro)).anyMatch(line -> line.startsWith("#@"));
    }

    /**
     * The macro with a global variable for each script parameter, as in Fiji, at the start of its first line. Values of
     * outputs are printed at the end.
     * Throws IllegalArgumentException with a message if a value is missing, unknown or wrong.
     */
    static String fill(String macro, List<String> arguments) {
        ScriptParameters parameters = new ScriptParameters(arguments, null);
        StringBuilder filled = new StringBuilder(parameters.read(macro));
        filled.insert(0, parameters.variables);
        for (String name : parameters.outputs)
            filled.append("\nprint(\"").append(name).append(" = \" + ").append(name).append(");");
        return filled.toString();
    }

    /**
     * The code of a script with an empty line for each script parameter. The script receives the values: Integer, Long,
     * BigInteger, Double, Boolean, String or File. Throws as {@link #fill}.
     */
    static String take(String code, List<String> arguments, Script script) {
        ScriptParameters parameters = new ScriptParameters(arguments, script);
        String plain = parameters.read(code);
        script.outputs.addAll(parameters.outputs);
        return plain;
    }

    private String read(String text) {
        String[] code = linesOfCode(text), lines = text.split("\\R", -1);
        for (int i = 0; i < lines.length; i++) {
            if (code[i].startsWith("#@")) {
                readLine(lines[i], i + 1);
                lines[i] = "";
            }
        }
        for (String name : given.keySet()) {
            if (!known.contains(name)) {
                String hint = Spelling.hint(name, known);
                throw new IllegalArgumentException("There is no script parameter '" + name + "'"
                    + (hint.isEmpty() ? "; the parameters are " + String.join(", ", known) : hint));
            }
        }
        return String.join("\n", lines);
    }

    /** The lines without the text of comments. */
    private static String[] linesOfCode(String macro) {
        Matcher comments = COMMENT.matcher(macro);
        StringBuffer code = new StringBuffer();
        while (comments.find())
            comments.appendReplacement(code, comments.group().replaceAll("\\V", ""));
        return comments.appendTail(code).toString().split("\\R", -1);
    }

    private void readLine(String line, int number) {
        if (line.matches("(?i)#@\\s*script\\b.*"))
            return;
        Matcher found = LINE.matcher(line);
        if (!found.matches())
            throw new IllegalArgumentException(
                "Line " + number + " must be a script parameter of the form #@ Type (attributes) name, got: " + line);
        boolean isLast = found.group(4) != null; /* the attributes may also follow the name */
        String name = found.group(isLast ? 4 : 5), type = found.group(2);
        Map<String, String> attributes = attributes(found.group(isLast ? 3 : 6));
        String way = found.group(1) == null ? attributes.getOrDefault("type", "input") : found.group(1);
        if (!way.equalsIgnoreCase("input") && (script != null || !kind(type).isEmpty()))
            outputs.add(name);
        if (way.equalsIgnoreCase("output"))
            return;
        known.add(name);
        String value = given.containsKey(name) ? given.get(name) : attributes.get("value");
        if (value == null && "false".equals(attributes.get("required"))) {
            if (script == null)
                variables.append("var ").append(name).append("; ");
            return;
        }
        String what = "The script parameter " + name + " in line " + number;
        if (value == null)
            throw new IllegalArgumentException(what + " has no value; pass " + name + "=VALUE after the macro's file");
        checkChoice(what, value, attributes);
        boolean isImage = script != null && type.matches("(ij\\.)?ImagePlus");
        String literal = isImage ? value : literalOf(what, type, value);
        if (kind(type).endsWith("number"))
            checkLimits(what, literal, attributes);
        if (script == null) {
            variables.append("var ").append(name).append(" = ").append(literal).append("; ");
            return;
        }
        script.values.put(name, value(type, literal, value));
        if (isImage)
            script.images.add(name);
    }

    private static Object value(String type, String literal, String text) {
        switch (kind(type)) {
        case "whole number":
            BigInteger whole = new BigInteger(literal);
            if (type.matches("(?i).*biginteger"))
                return whole;
            return type.matches("(?i).*long") ? (Object) whole.longValue() : (Object) whole.intValue();
        case "number":
            return Double.valueOf(literal);
        case "truth":
            return Boolean.valueOf(literal);
        case "text":
            return text;
        case "files":
            return files(text).map(File::getAbsoluteFile).toArray(File[] ::new);
        default:
            return new File(text).getAbsoluteFile();
        }
    }

    /** The files of a list with commas between the names. A file whose own name has a comma is one file. */
    private static Stream<File> files(String list) {
        Stream<String> names = new File(list).exists() ? Stream.of(list) : Arrays.stream(list.split(","));
        return names.map(String::trim).filter(name -> !name.isEmpty()).map(File::new);
    }

    private static Map<String, String> attributes(String text) {
        Map<String, String> attributes = new HashMap<>();
        Matcher found = ATTRIBUTE.matcher(text == null ? "" : text);
        while (found.lookingAt() && !found.group().isEmpty()) {
            attributes.put(found.group(1).toLowerCase(Locale.ROOT), unquote(found.group(2)));
            found.region(found.end(), text.length());
        }
        return attributes;
    }

    private static String unquote(String word) {
        boolean isQuoted = word.length() > 1 && (word.startsWith("\"") || word.startsWith("'"));
        return isQuoted ? word.substring(1, word.length() - 1).replaceAll("\\\\(.)", "$1") : word;
    }

    private static void checkLimits(String what, String number, Map<String, String> attributes) {
        String min = attributes.getOrDefault("min", ""), max = attributes.getOrDefault("max", "");
        if (!min.isEmpty() && Double.parseDouble(number) < limit(what, min))
            throw new IllegalArgumentException(what + " must be at least " + min + ", got " + number);
        if (!max.isEmpty() && Double.parseDouble(number) > limit(what, max))
            throw new IllegalArgumentException(what + " must be at most " + max + ", got " + number);
    }

    private static double limit(String what, String number) {
        try {
            return Double.parseDouble(number);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                what + " has a limit that is not a number, " + number + "; correct it in the macro", e);
        }
    }

    private static void checkChoice(String what, String value, Map<String, String> attributes) {
        String choices = attributes.get("choices");
        if (choices == null)
            return;
        List<String> all = new ArrayList<>();
        for (Matcher word = Pattern.compile("\"[^\"]*\"|[^{},\\s][^{},]*").matcher(choices); word.find();)
            all.add(unquote(word.group().trim()));
        if (!all.contains(value))
            throw new IllegalArgumentException(what + " must be one of " + String.join(", ", all) + ", got " + value);
    }

    /** A colour as Fiji gives it to a macro: red, green and blue from 0 to 255, with commas between them. */
    private static String colour(String what, String value) {
        String hex = COLOURS.getOrDefault(value.toLowerCase(Locale.ROOT), value.replaceFirst("^#", ""));
        if (hex.matches("(?i)[0-9a-f]{6}")) {
            int rgb = Integer.parseInt(hex, 16);
            return (rgb >> 16) + "," + (rgb >> 8 & 255) + "," + (rgb & 255);
        }
        String parts = value.replaceAll("\\s", "");
        String byteValue = "(25[0-5]|2[0-4]\\d|1?\\d?\\d)";
        if (parts.matches(byteValue + "," + byteValue + "," + byteValue))
            return parts;
        throw new IllegalArgumentException(what + " must be a colour such as red, #ff8000 or 255,128,0, got " + value);
    }

    /** The class of the values of a type; "" if a macro cannot have such values. */
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
        case "file[]":
        case "path[]":
            return "files";
        case "colorrgb":
            return "colour";
        case "string":
        case "char":
        case "character":
            return "text";
        default:
            return "";
        }
    }

    private static String wholeNumber(String what, String type, BigInteger number) {
        Integer bits = BITS.get(type.substring(type.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
        if (bits == null || number.bitLength() < bits)
            return number.toString();
        BigInteger end = BigInteger.ONE.shiftLeft(bits - 1);
        throw new IllegalArgumentException(what + " must be a whole number from " + end.negate() + " to "
            + end.subtract(BigInteger.ONE) + ", got " + number);
    }

    private String literalOf(String what, String type, String value) {
        String trimmed = value.trim();
        switch (kind(type)) {
        case "whole number":
            if (trimmed.matches("[+-]?\\d+"))
                return wholeNumber(what, type, new BigInteger(trimmed));
            throw new IllegalArgumentException(what + " must be a whole number, got " + value);
        case "number":
            if (trimmed.matches("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?")
                && !Double.isInfinite(Double.parseDouble(trimmed)))
                return Double.toString(Double.parseDouble(trimmed));
            throw new IllegalArgumentException(what + " must be a number, got " + value);
        case "truth":
            if (trimmed.matches("(?i)true|false"))
                return trimmed.toLowerCase(Locale.ROOT);
            throw new IllegalArgumentException(what + " must be true or false, got " + value);
        case "file":
            return Quote.macro(value.isEmpty() ? "" : new File(value).getAbsolutePath());
        case "files":
            return files(value)
                .map(file -> Quote.macro(file.getAbsolutePath()))
                .collect(Collectors.joining(", ", "newArray(", ")"));
        case "text":
            return Quote.macro(value);
        case "colour":
            if (script == null)
                return Quote.macro(colour(what, trimmed));
            throw needsFiji(what, type);
        default:
            throw needsFiji(what, type);
        }
    }

    private static IllegalArgumentException needsFiji(String what, String type) {
        return new IllegalArgumentException(what + " has the type " + type + ", which needs Fiji; types that a command "
            + "line can give are numbers, Boolean, String, File and File[], in macros also ColorRGB, and in scripts "
            + "ImagePlus");
    }
}
