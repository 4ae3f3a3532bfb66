// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.EngineException;
import drua.engine.Registry;
import drua.imagej.Series;
import ij.Macro;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The arguments of an operation as words, as ImageJ's run() takes them: "source=image sigma_x=2 destination=[my
 * result]".
 */
final class Words {
    private final Call call;
    private final Registry.Operation operation;
    private final String text;
    private final Object[] values;

    /** Fails if a word is no parameter of the operation, or an input is missing or not what it must be. */
    Words(Call call, Registry.Operation operation) {
        this.call = call;
        this.operation = operation;
        text = call.text("arguments").trim() + " ";
        check();
        values = operation.parameters.stream().map(this::value).toArray();
    }

    /** As {@link Series} takes them. */
    Object[] values() {
        return values;
    }

    /** Of the windows of results, by parameter. */
    Map<String, String> titles() {
        Map<String, String> titles = Series.titles(operation, values);
        titles.replaceAll(
            (parameter, title)
                -> word(operation.parameter(parameter).kind.isOutput() ? parameter : parameter + "_title", title));
        return titles;
    }

    private String word(String name, String otherwise) {
        return Macro.getValue(text, name, otherwise);
    }

    private void check() {
        String bare = text.replaceAll("\\[[^\\]]*\\]", "[]");
        for (String word : bare.trim().split("\\s+")) {
            String name = word.replaceFirst("=.*", "").replaceFirst("_title$", "");
            if (!word.isEmpty() && operation.parameter(name) == null)
                throw call.error("arguments", "'" + word + "' is no name=value of " + operation.name + ", which has "
                    + operation.parameters.stream().map(p -> p.name).collect(Collectors.joining(", ")));
        }
    }

    private Object value(Registry.Parameter p) {
        String word = word(p.name, null);
        if (p.kind.isOutput())
            return null;
        if (word == null && (p.kind.isImage() || p.preset == null && p.kind != Registry.Kind.OPTIONS))
            throw call.error("arguments", p.name + "= is missing, which " + operation.name + " needs");
        if (p.kind.isImage())
            return Windows.titled(call, "arguments: " + p.name, word);
        if (word == null)
            return p.preset;
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
