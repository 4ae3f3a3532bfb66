// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Texts that describe a parameter to the user, and the conversion of entries to an options text. */
public final class ParameterWords {
    private ParameterWords() {}

    /** The description with unit and range. */
    public static String sentence(Registry.Parameter p) {
        String range =
            p.min == null || p.max >= 1e6 ? "" : ", " + Registry.number(p.min) + " to " + Registry.number(p.max);
        String unit = p.unit.isEmpty() ? "" : p.unit.equals("pixel") ? ", in pixels" : ", in " + p.unit;
        return Character.toUpperCase(p.doc.charAt(0)) + p.doc.substring(1) + unit + range;
    }

    /** True if an input must be a label map. */
    public static boolean wantsLabels(Registry.Parameter p) {
        return p.kind.isImage() && p.doc.matches("(other |upper |lower )?label (map|image)(?! or image| or).*");
    }

    /** Unit and range, where useful. */
    public static String hint(Registry.Parameter p) {
        boolean narrow = p.min != null && p.max < 1e6;
        return narrow ? p.unit + " (" + Registry.number(p.min) + " to " + Registry.number(p.max) + ")" : p.unit;
    }

    /**
     * True if the conditions of enabledIf hold. values: maps a parameter's name to its value, or to null if unknown.
     */
    public static boolean hasMeaning(Registry.Parameter p, Function<String, Object> values) {
        return Arrays.stream(p.enabledIf.split(" ")).allMatch(condition -> {
            int equals = condition.indexOf('=');
            Object value = values.apply(equals < 0 ? condition : condition.substring(0, equals));
            return value == null
                || (value instanceof String
                        ? Arrays.asList(condition.substring(equals + 1).split("\\|")).contains(value)
                        : value instanceof Boolean ? (Boolean) value
                                                   : (Double) value != 0);
        });
    }

    /** The choices of a parameter. A free text has choices if its description is a list of words. */
    public static List<String> choices(Registry.Parameter p) {
        boolean isList = p.kind == Registry.Kind.TEXT && p.choices.isEmpty() && p.doc.matches("\\w+(, \\w+)* or \\w+");
        return isList ? Arrays.asList(p.doc.split(", | or ")) : p.choices;
    }

    /** The options text: the settings that apply and differ from their defaults. */
    public static String options(Map<Registry.Parameter, Object> values, Function<String, Object> entered) {
        List<String> words = new ArrayList<>();
        values.forEach((p, value) -> {
            if (!value.equals(preset(p)) && hasMeaning(p, entered))
                words.add(p.name + "=" + (value instanceof Double ? Registry.number((Double) value) : value));
        });
        return String.join(" ", words);
    }

    /** The value of a setting that is not given: a Double, a Boolean or a text. */
    public static Object preset(Registry.Parameter p) {
        return p.kind == Registry.Kind.CHOICE && p.defaultValue == null ? p.choices.get(0)
            : p.kind == Registry.Kind.BOOLEAN                           ? (Object) ((Double) p.defaultValue != 0)
                                                                        : p.defaultValue;
    }
}
