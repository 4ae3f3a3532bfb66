// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.EngineException;
import drua.engine.ParameterWords;
import drua.engine.Registry;
import java.util.regex.Pattern;

/** Reads the numbers that users type, in dialogs and in the workbench. A comma may be the decimal sign. */
public final class NumberEntry {
    private static final Pattern PLAIN = Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d{1,3})?");
    private static final Pattern COMMA = Pattern.compile("[-+]?\\d*,\\d+([eE][-+]?\\d{1,3})?");
    private static final Pattern THOUSANDS = Pattern.compile("[-+]?[1-9]\\d{0,2}(,\\d{3})+");

    private NumberEntry() {}

    /** The finite number of an entry. Fails for anything else, and for 1,234, which has two meanings. */
    public static double read(Registry.Operation operation, Registry.Parameter p, String entry) {
        String text = entry.trim(), due = "a number" + rangeHint(p);
        if (text.isEmpty())
            throw new EngineException(start(operation, p) + due + ", but the field is empty");
        if (THOUSANDS.matcher(text).matches())
            throw new EngineException(start(operation, p) + due + ", got '" + text + "'; write " + text.replace(",", "")
                + " or " + text.replaceFirst(",", ".").replace(",", ""));
        String plain = COMMA.matcher(text).matches() ? text.replace(',', '.') : text;
        double number = PLAIN.matcher(plain).matches() ? Double.parseDouble(plain) : Double.NaN;
        if (Double.isNaN(number) || Double.isInfinite(number))
            throw new EngineException(start(operation, p) + due + ", got '" + text + "'");
        return number;
    }

    private static String start(Registry.Operation operation, Registry.Parameter p) {
        return operation.camelCase() + ": " + p.name + " must be ";
    }

    private static String rangeHint(Registry.Parameter p) {
        String hint = ParameterWords.hint(p);
        return p.min != null && p.max < 1e6 ? " from " + Registry.number(p.min) + " to " + Registry.number(p.max)
            : hint.isEmpty()                ? ""
                                            : " (" + hint + ")";
    }
}
