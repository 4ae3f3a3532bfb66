// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.Registry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What people read of a parameter, and how what they enter becomes the text of options. */
public final class ParameterWords {
    private ParameterWords() {}

    /** With unit and range. */
    public static String sentence(Registry.Parameter p) {
        String range =
            p.min == null || p.max >= 1e6 ? "" : ", " + Registry.number(p.min) + " to " + Registry.number(p.max);
        String unit = p.unit.isEmpty() ? "" : p.unit.equals("pixel") ? ", in pixels" : ", in " + p.unit;
        return Character.toUpperCase(p.doc.charAt(0)) + p.doc.substring(1) + unit + range;
    }

    /** Unit and range, where that says something. */
    public static String hint(Registry.Parameter p) {
        boolean narrow = p.min != null && p.max < 1e6;
        return narrow ? p.unit + " (" + Registry.number(p.min) + " to " + Registry.number(p.max) + ")" : p.unit;
    }

    /** Whether the conditions of {@code when} hold. values: by parameter's name, null where it is not known. */
    public static boolean hasMeaning(Registry.Parameter p, Function<String, Object> values) {
        return Arrays.stream(p.when.split(" ")).allMatch(condition -> {
            int equals = condition.indexOf('=');
            Object value = values.apply(equals < 0 ? condition : condition.substring(0, equals));
            return value == null
                || (value instanceof String
                        ? Arrays.asList(condition.substring(equals + 1).split("\\|")).contains(value)
                        : value instanceof Boolean ? (Boolean) value
                                                   : (Double) value != 0);
        });
    }

    /** What there is to choose from: also where a text may be anything, but its description is a list of words. */
    public static List<String> choices(Registry.Parameter p) {
        boolean isList = p.kind == Registry.Kind.TEXT && p.choices.isEmpty() && p.doc.matches("\\w+(, \\w+)* or \\w+");
        return isList ? Arrays.asList(p.doc.split(", | or ")) : p.choices;
    }

    /** The text of options: the settings that have a meaning and are not as they are preset. */
    public static String options(Map<Registry.Parameter, Object> values, Function<String, Object> entered) {
        List<String> words = new ArrayList<>();
        values.forEach((p, value) -> {
            if (!value.equals(preset(p)) && hasMeaning(p, entered))
                words.add(p.name + "=" + (value instanceof Double ? Registry.number((Double) value) : value));
        });
        return String.join(" ", words);
    }

    /** What a setting is when nothing is said: a Double, a Boolean or a text. */
    public static Object preset(Registry.Parameter p) {
        return p.kind == Registry.Kind.CHOICE && p.preset == null ? p.choices.get(0)
            : p.kind == Registry.Kind.BOOLEAN                     ? (Object) ((Double) p.preset != 0)
                                                                  : p.preset;
    }
}
