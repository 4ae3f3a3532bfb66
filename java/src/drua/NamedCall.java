// SPDX-License-Identifier: BSD-3-Clause
package drua;

import drua.engine.Registry;
import drua.engine.Spelling;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A call of an operation or of a macro command by name, with arguments by position and by name. Arguments that a script
 * leaves out take their defaults; outputs that it leaves out are made.
 */
final class NamedCall {
    private final String typedName;
    private final Registry.Operation operation;
    private final Registry.Command command; /* null: the operation itself */
    private final List<String> names = new ArrayList<>();
    private final List<Registry.Kind> kinds = new ArrayList<>();
    private final Object[] values;
    private final boolean[] isSet;
    private final Map<String, List<String>> settings = new LinkedHashMap<>();

    private NamedCall(String typedName, Registry.Operation operation, Registry.Command command) {
        this.typedName = typedName;
        this.operation = operation;
        this.command = command;
        if (command == null)
            operation.parameters.forEach(parameter -> add(parameter.name, parameter.kind));
        else
            command.arguments.forEach(argument -> add(argument.name, argument.kind));
        values = new Object[names.size()];
        isSet = new boolean[names.size()];
    }

    private void add(String name, Registry.Kind kind) {
        names.add(name);
        kinds.add(kind);
    }

    /** Operations and commands by each name that a script may use. */
    private static final class Known {
        static final Map<String, NamedCall> CALLS = new HashMap<>();

        static {
            for (Registry.Command command : Registry.get().commands.values()) {
                if (!command.operation.host)
                    CALLS.put(command.name, new NamedCall(command.name, command.operation, command));
                if (!command.operation.host && command.name.startsWith("Drua_"))
                    CALLS.put(command.name.substring(5),
                        new NamedCall(command.name.substring(5), command.operation, command));
            }
            for (Registry.Operation operation : Registry.get().operations.values()) {
                if (operation.host)
                    continue;
                CALLS.put(operation.name, new NamedCall(operation.camelCase(), operation, null));
                CALLS.put(operation.camelCase(), new NamedCall(operation.camelCase(), operation, null));
            }
        }
    }

    /** True for the name of an operation (gaussian_blur, gaussianBlur) or of a macro command (gaussianBlur3D). */
    static boolean isKnown(String name) {
        return Known.CALLS.containsKey(name);
    }

    /** The summary of an operation or command and its parameters, one per line; for an unknown name its error. */
    static String help(String name) {
        NamedCall call = Known.CALLS.get(name);
        if (call == null)
            return unknown(name);
        StringBuilder text = new StringBuilder(call.typedName);
        text.append('(').append(String.join(", ", call.names)).append(")\n");
        text.append(call.operation.summary).append('\n');
        for (String parameter : call.names) {
            Registry.Parameter p = call.operation.parameter(parameter);
            if (p == null)
                continue;
            text.append("  ").append(p.name).append(": ").append(p.doc);
            if (p.min != null)
                text.append("; ").append(Registry.number(p.min)).append(" to ").append(Registry.number(p.max));
            if (!p.choices.isEmpty())
                text.append("; one of ").append(String.join(", ", p.choices));
            if (p.defaultValue != null && !"".equals(p.defaultValue))
                text.append("; default ")
                    .append(
                        p.defaultValue instanceof Double ? Registry.number((Double) p.defaultValue) : p.defaultValue);
            text.append('\n');
        }
        return text.toString();
    }

    /** The error for an unknown name, with the most similar one. */
    static String unknown(String name) {
        Registry.Command command = Registry.get().commands.get("Drua_" + name);
        if (command != null)
            return name + ": only a macro can run this command; call it as Ext.Drua_" + name;
        String hint = Spelling.hint(name, Known.CALLS.keySet());
        return "Drua has no operation '" + name + "'"
            + (hint.isEmpty() ? "; see Plugins>Drua>Drua Help for all operations" : hint);
    }

    /** Runs a call; see {@link Drua#op(String, Map, Object...)}. */
    static Object run(Drua drua, String name, Map<?, ?> named, Object[] inputs) {
        NamedCall known = Known.CALLS.get(name);
        if (known == null)
            throw new DruaException(unknown(name));
        NamedCall call = new NamedCall(known.typedName, known.operation, known.command);
        named.forEach((key, value) -> call.setNamed(String.valueOf(key), value));
        call.setPlaced(inputs);
        call.writeSettings();
        if (call.command != null)
            return result(drua.command(call.command.name, call.withPresets()));
        return result(drua.call(call.operation.name, call.values));
    }

    /** One output as it is; several as double[] if all are numbers, else as Object[]; null without outputs. */
    private static Object result(Object[] outputs) {
        if (outputs.length < 2)
            return outputs.length == 0 ? null : outputs[0];
        return Arrays.stream(outputs).allMatch(output -> output instanceof Double)
            ? Arrays.stream(outputs).mapToDouble(output -> (Double) output).toArray()
            : (Object) outputs;
    }

    // ---- arguments by name

    private void setNamed(String key, Object value) {
        int at = indexOf(key);
        if (at < 0 && !addSetting(key, value))
            throw new DruaException(typedName + ": there is no parameter '" + key + "'" + hint(key)
                + " The parameters are " + String.join(", ", names));
        if (at >= 0)
            set(at, value);
    }

    private String hint(String key) {
        TreeSet<String> all = new TreeSet<>(names);
        operation.parameters.forEach(parameter -> parameter.settings.forEach(setting -> all.add(setting.name)));
        String hint = Spelling.hint(key, all);
        return hint.isEmpty() ? "." : hint;
    }

    /**
     * The index of a parameter, or -1. A script may write sigmaX for sigma_x, and appends _ to a word that its language
     * reserves.
     */
    private int indexOf(String key) {
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            if (key.equals(name) || key.equals(Registry.camelCase(name)) || key.equals(name + "_"))
                return i;
        }
        return -1;
    }

    private void set(int at, Object value) {
        if (isSet[at])
            throw new DruaException(typedName + ": " + names.get(at) + " is passed twice; pass it once");
        isSet[at] = true;
        values[at] = value;
    }

    /** Notes a setting of an options text, such as iterations of deconvolve. */
    private boolean addSetting(String key, Object value) {
        for (Registry.Parameter parameter : operation.parameters) {
            for (Registry.Parameter setting : parameter.settings) {
                if (!setting.name.equals(key) || !names.contains(parameter.name))
                    continue;
                settings.computeIfAbsent(parameter.name, name -> new ArrayList<>())
                    .add(Boolean.TRUE.equals(value) ? key : key + "=" + wordFor(value));
                return true;
            }
        }
        return false;
    }

    private static String wordFor(Object value) {
        if (value instanceof List)
            return ((List<?>) value).stream().map(NamedCall::wordFor).collect(Collectors.joining(","));
        if (value != null && value.getClass().isArray()) {
            List<Object> elements = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++)
                elements.add(Array.get(value, i));
            return wordFor(elements);
        }
        return value instanceof Number ? Registry.number(((Number) value).doubleValue()) : String.valueOf(value);
    }

    private void writeSettings() {
        settings.forEach((parameter, words) -> {
            int at = names.indexOf(parameter);
            String text = values[at] == null ? "" : values[at] + " ";
            values[at] = text + String.join(" ", words);
        });
    }

    // ---- arguments by position

    private void setPlaced(Object[] inputs) {
        boolean all = passesDestinations(inputs);
        int next = 0;
        for (int i = 0; i < names.size() && next < inputs.length; i++) {
            boolean isDestination = kinds.get(i) == Registry.Kind.IMAGE_OUT && all;
            if (!isSet[i] && (!kinds.get(i).isOutput() || isDestination))
                set(i, inputs[next++]);
        }
        if (next < inputs.length)
            throw new DruaException(typedName + ": takes " + next + (next == 1 ? " argument" : " arguments") + ", got "
                + inputs.length + "; the parameters are " + String.join(", ", names));
    }

    /**
     * Whether the script passes destinations: there are more images than sources, or null in the place of a
     * destination.
     */
    private boolean passesDestinations(Object[] inputs) {
        long images = Arrays.stream(inputs).filter(input -> input instanceof Image).count();
        int sources = 0, place = 0;
        boolean isNull = false;
        for (int i = 0; i < names.size(); i++) {
            if (isSet[i] || kinds.get(i).isOutput() && kinds.get(i) != Registry.Kind.IMAGE_OUT)
                continue;
            if (kinds.get(i).isImage() && kinds.get(i) != Registry.Kind.IMAGE_OUT)
                sources++;
            isNull |= kinds.get(i) == Registry.Kind.IMAGE_OUT && place < inputs.length && inputs[place] == null;
            place++;
        }
        return images > sources || isNull;
    }

    /** The arguments with their defaults filled in, because a command itself has no defaults. */
    private Object[] withPresets() {
        for (int i = 0; i < values.length; i++) {
            Registry.Parameter parameter = operation.parameter(names.get(i));
            if (values[i] == null && !kinds.get(i).isOutput())
                values[i] = parameter == null ? Double.valueOf(0) : parameter.defaultValue;
        }
        return values;
    }
}
