// SPDX-License-Identifier: BSD-3-Clause
package drua;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the engine can do: its operations and the macro commands that mean them. Immutable; safe for any thread. */
final class Registry {
    /** What a parameter holds; the names are those of the engine's description in lower case. */
    enum Kind {
        IMAGE_IN, IMAGE_OUT, IMAGE_INOUT, NUMBER, INTEGER, BOOLEAN, CHOICE, TEXT, OPTIONS, ARRAY_IN, IMAGES, NUMBER_OUT, TEXT_OUT,
        TABLE_OUT, ROI_OUT, PATH;

        boolean isImage() {
            return this == IMAGE_IN || this == IMAGE_OUT || this == IMAGE_INOUT;
        }

        boolean isNumber() {
            return this == NUMBER || this == INTEGER || this == BOOLEAN || this == NUMBER_OUT;
        }

        boolean isArray() {
            return this == ARRAY_IN || this == IMAGES;
        }

        boolean isOutput() {
            return this == IMAGE_OUT || this == NUMBER_OUT || this == TEXT_OUT || this == TABLE_OUT || this == ROI_OUT;
        }
    }

    /** A parameter of an operation. min, max, preset and example are null where there is none; preset and example are a Double or a String. */
    static final class Parameter {
        final String name, doc, unit;
        final Kind kind;
        final Double min, max;
        final Object preset, example;
        /** Element type of an output: "source", a name such as "float32", or "rule" where arguments decide. */
        final String type;
        final List<String> choices;
        /** Of options: what their text may set. */
        final List<Parameter> settings;

        Parameter(Map<String, Object> json) {
            name = text(json, "name");
            doc = text(json, "doc");
            unit = text(json, "unit");
            kind = kind(json);
            min = (Double) json.get("min");
            max = (Double) json.get("max");
            preset = json.get("preset");
            example = json.get("example");
            type = text(json, "type");
            List<String> names = new ArrayList<>();
            for (Object choice : list(json, "choices"))
                names.add((String) choice);
            choices = Collections.unmodifiableList(names);
            List<Parameter> parts = new ArrayList<>();
            for (Map<String, Object> setting : objects(json, "settings"))
                parts.add(new Parameter(setting));
            settings = Collections.unmodifiableList(parts);
        }
    }

    /**
     * An operation with its parameters in order. host: only ImageJ can do it, see {@link HostCommands}; estimate: name of the
     * operation that tells time and memory before, or "".
     */
    static final class Operation {
        final String name, category, summary, source, expression, estimate, beforeExample, numeric, mechanism;
        final boolean host, menu;
        final List<Parameter> parameters;

        Operation(Map<String, Object> json) {
            name = text(json, "name");
            category = text(json, "category");
            summary = text(json, "summary");
            source = text(json, "source");
            expression = text(json, "expression");
            estimate = text(json, "estimate");
            beforeExample = text(json, "before_example");
            numeric = text(json, "numeric");
            mechanism = text(json, "mechanism");
            host = (Boolean) json.get("host");
            menu = (Boolean) json.get("menu");
            List<Parameter> all = new ArrayList<>();
            for (Map<String, Object> parameter : objects(json, "parameters"))
                all.add(new Parameter(parameter));
            parameters = Collections.unmodifiableList(all);
        }

        /** The name as people read it: gaussian_blur becomes Gaussian Blur. */
        String title() {
            StringBuilder title = new StringBuilder();
            for (String word : name.split("_"))
                title.append(title.length() > 0 ? " " : "").append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
            return title.toString();
        }

        /** The parameter of that name, or null. */
        Parameter parameter(String wanted) {
            return parameters.stream().filter(p -> p.name.equals(wanted)).findFirst().orElse(null);
        }

        /** The name as Java and macro commands write it: gaussian_blur becomes gaussianBlur. */
        String camelCase() {
            return Registry.camelCase(name);
        }
    }

    /** What a macro passes to a command; output: by reference. */
    static final class Argument {
        final String name;
        final Kind kind;
        final boolean output;

        Argument(Map<String, Object> json) {
            name = text(json, "name");
            kind = kind(json);
            output = (Boolean) json.get("output");
        }
    }

    /** A macro command such as CLIJ2_gaussianBlur3D. */
    static final class Command {
        final String name;
        final Operation operation;
        final List<Argument> arguments;

        Command(Map<String, Object> json, Map<String, Operation> operations) {
            name = text(json, "name");
            operation = operations.get(text(json, "operation"));
            if (operation == null)
                throw new IllegalArgumentException("command " + name + " belongs to no operation");
            List<Argument> all = new ArrayList<>();
            for (Map<String, Object> argument : objects(json, "arguments"))
                all.add(new Argument(argument));
            arguments = Collections.unmodifiableList(all);
        }

        /** The call as a user writes it: Ext.CLIJ2_copy(source, destination); */
        String signature() {
            StringBuilder text = new StringBuilder("Ext.").append(name).append('(');
            for (int i = 0; i < arguments.size(); i++)
                text.append(i > 0 ? ", " : "").append(arguments.get(i).name);
            return text.append(");").toString();
        }
    }

    /** By name, in the engine's order. */
    final Map<String, Operation> operations;

    /** By name, in the engine's order. */
    final Map<String, Command> commands;

    private Registry(Map<String, Operation> operations, Map<String, Command> commands) {
        this.operations = Collections.unmodifiableMap(operations);
        this.commands = Collections.unmodifiableMap(commands);
    }

    private static final class Loaded {
        static final Registry REGISTRY = of(Native.describe());
    }

    /** The registry of the loaded engine; {@link NativeLibrary#load()} comes first. */
    static Registry get() {
        return Loaded.REGISTRY;
    }

    /** Reads the engine's description. Throws IllegalArgumentException if it is not what this class knows. */
    @SuppressWarnings("unchecked")
    static Registry of(String json) {
        Map<String, Object> all = (Map<String, Object>) Json.parse(json);
        Map<String, Operation> operations = new LinkedHashMap<>();
        for (Map<String, Object> object : objects(all, "operations")) {
            Operation operation = new Operation(object);
            operations.put(operation.name, operation);
        }
        Map<String, Command> commands = new LinkedHashMap<>();
        for (Map<String, Object> object : objects(all, "commands")) {
            Command command = new Command(object, operations);
            commands.put(command.name, command);
        }
        return new Registry(operations, commands);
    }

    static String camelCase(String name) {
        StringBuilder result = new StringBuilder();
        for (String word : name.split("_"))
            result.append(result.length() == 0 || word.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        return result.toString();
    }

    private static Kind kind(Map<String, Object> json) {
        return Kind.valueOf(text(json, "kind").toUpperCase(java.util.Locale.ROOT));
    }

    private static String text(Map<String, Object> json, String key) {
        Object value = json.get(key);
        if (!(value instanceof String))
            throw new IllegalArgumentException("the engine's description lacks \"" + key + "\" in " + json);
        return (String) value;
    }

    private static List<?> list(Map<String, Object> json, String key) {
        Object value = json.get(key);
        if (!(value instanceof List))
            throw new IllegalArgumentException("the engine's description lacks \"" + key + "\" in " + json);
        return (List<?>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> objects(Map<String, Object> json, String key) {
        return (List<Map<String, Object>>) list(json, key);
    }
}
