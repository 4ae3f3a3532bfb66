// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.JsonValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The operations of the engine and their macro commands. Immutable; safe for any thread. */
public final class Registry {
    private static final String LINE_BEGIN = "\n{\"name\":\"", COMMANDS_BEGIN = "\n\"commands\":[",
                                ABSENT_BEGIN = "\n\"absent\":[";

    /** The type of a parameter. The names in lower case are those of the engine's description. */
    public enum Kind {
        IMAGE_IN,
        IMAGE_OUT,
        IMAGE_INOUT,
        NUMBER,
        INTEGER,
        BOOLEAN,
        CHOICE,
        TEXT,
        OPTIONS,
        ARRAY_IN,
        IMAGES,
        NUMBER_OUT,
        TEXT_OUT,
        TABLE_OUT,
        PATH;

        public boolean isImage() {
            return this == IMAGE_IN || this == IMAGE_OUT || this == IMAGE_INOUT;
        }

        public boolean isNumber() {
            return this == NUMBER || this == INTEGER || this == BOOLEAN || this == NUMBER_OUT;
        }

        public boolean isArray() {
            return this == ARRAY_IN || this == IMAGES;
        }

        public boolean isOutput() {
            return this == IMAGE_OUT || this == NUMBER_OUT || this == TEXT_OUT || this == TABLE_OUT;
        }
    }

    /**
     * A parameter of an operation. min, max, defaultValue and example are null where the operation defines none;
     * defaultValue and example are a Double or a String.
     */
    public static final class Parameter {
        public final String name, doc, unit;
        public final Kind kind;
        public final Double min, max;
        public final Object defaultValue, example;
        /**
         * written: for a path, the file is written, not read. replaces: for an output, an existing image of that name
         * is replaced.
         */
        public final boolean written, replaces;
        /** For an output: it is a label map. */
        public final boolean labels;
        /**
         * For a setting: the heading above it and the following settings ("" for none), and the condition under which
         * the setting applies ("" for always), as defined in the engine's op.h.
         */
        public final String group, enabledIf;
        /** Element type of an output: "source", a name such as "float32", or "rule" if it depends on arguments. */
        public final String type;
        public final List<String> choices;
        /** For an options text: the settings that it may contain. */
        public final List<Parameter> settings;

        Parameter(JsonObject json) {
            name = text(json, "name");
            doc = text(json, "doc");
            unit = text(json, "unit");
            kind = kind(json);
            min = number(json, "min");
            max = number(json, "max");
            defaultValue = numberOrText(json, "default");
            example = numberOrText(json, "example");
            type = text(json, "type");
            written = flag(json, "written");
            replaces = flag(json, "replaces");
            labels = flag(json, "labels");
            group = text(json, "group");
            enabledIf = text(json, "enabled_if");
            choices = list(json, "choices", JsonValue::asString);
            settings = list(json, "settings", setting -> new Parameter(setting.asObject()));
        }
    }

    /**
     * An operation with its parameters in order. host: only ImageJ can run it. estimate: name of the operation that
     * predicts time and memory, or "". hasLines: it may leave notes for the Log, because it reads files or uses several
     * devices.
     */
    public static final class Operation {
        public final String name, category, summary, source, expression, estimate, beforeExample, numeric, mechanism;
        public final boolean host, menu, hasLines;
        public final List<Parameter> parameters;

        Operation(JsonObject json) {
            name = text(json, "name");
            category = text(json, "category");
            summary = text(json, "summary");
            source = text(json, "source");
            expression = text(json, "expression");
            estimate = text(json, "estimate");
            beforeExample = text(json, "before_example");
            numeric = text(json, "numeric");
            mechanism = text(json, "mechanism");
            host = flag(json, "host");
            menu = flag(json, "menu");
            parameters = list(json, "parameters", parameter -> new Parameter(parameter.asObject()));
            hasLines = parameters.stream().anyMatch(parameter
                -> parameter.kind == Kind.PATH && !parameter.written
                    || parameter.settings.stream().anyMatch(setting -> setting.name.equals("devices")));
        }

        /** The name as shown to users: gaussian_blur becomes Gaussian Blur. */
        public String title() {
            return Titles.of(name);
        }

        /** The parameter with that name, or null. */
        public Parameter parameter(String wanted) {
            return parameters.stream().filter(p -> p.name.equals(wanted)).findFirst().orElse(null);
        }

        /** The name in Java and in macro commands: gaussian_blur becomes gaussianBlur. */
        public String camelCase() {
            return Registry.camelCase(name);
        }
    }

    /**
     * An argument of a macro command. output: passed by reference. typed: the command gives a new output a different
     * type than the operation does.
     */
    public static final class Argument {
        public final String name;
        public final Kind kind;
        public final boolean output, typed;

        Argument(JsonObject json) {
            name = text(json, "name");
            kind = kind(json);
            output = flag(json, "output");
            typed = flag(json, "typed");
        }
    }

    /** A macro command such as CLIJ2_gaussianBlur3D. */
    public static final class Command {
        public final String name;
        public final Operation operation;
        public final List<Argument> arguments;
        /** Further signatures of the command, which the engine chooses by the number of arguments. */
        public final List<Command> others;
        /** Parameters that the command sets itself, by name: a Double or a String. */
        public final Map<String, Object> fixed;
        /** True if the engine adapts arguments as CLIJ2 does and leaves a note when it changed one. */
        public final boolean fitsArguments;

        Command(JsonObject json, Map<String, Operation> operations) {
            name = text(json, "name");
            operation = operations.get(text(json, "operation"));
            if (operation == null)
                throw new IllegalArgumentException("command " + name + " belongs to no operation");
            arguments = list(json, "arguments", argument -> new Argument(argument.asObject()));
            Map<String, Object> values = new LinkedHashMap<>();
            requireMember(json, "fixed")
                .asArray()
                .forEach(entry -> values.put(text(entry.asObject(), "name"), numberOrText(entry.asObject(), "value")));
            fixed = Collections.unmodifiableMap(values);
            others = json.get("others") == null
                ? Collections.emptyList()
                : list(json, "others", other -> new Command(other.asObject(), operations));
            fitsArguments = name.startsWith("CLIJ")
                && arguments.stream().anyMatch(argument
                    -> argument.kind == Kind.INTEGER || argument.kind == Kind.BOOLEAN || argument.kind == Kind.CHOICE);
        }

        /**
         * True for commands of the plugin that find images by name or in ImageJ's windows. Only macros can call them.
         */
        public boolean needsMacro() {
            return operation.host && arguments.stream().noneMatch(argument -> argument.kind.isImage());
        }

        /** All signatures of the command. They differ in the number of arguments. */
        public List<Command> signatures() {
            List<Command> signatures = new ArrayList<>(others);
            signatures.add(0, this);
            return signatures;
        }

        /** The signature that takes this number of arguments, or null. */
        public Command taking(int count) {
            return signatures().stream().filter(command -> command.arguments.size() == count).findFirst().orElse(null);
        }

        /** The error of a call with a number of arguments that no signature takes. */
        public EngineException wrongCount(int count) {
            List<Command> all = signatures();
            return new EngineException(name + ": takes "
                + all.stream().map(c -> String.valueOf(c.arguments.size())).collect(Collectors.joining(" or "))
                + " arguments, got " + count + "; see "
                + all.stream().map(Command::signature).collect(Collectors.joining(" and ")));
        }

        /** The call as users write it: Ext.CLIJ2_copy(source, destination); */
        public String signature() {
            StringBuilder text = new StringBuilder("Ext.").append(name).append('(');
            for (int i = 0; i < arguments.size(); i++)
                text.append(i > 0 ? ", " : "").append(arguments.get(i).name);
            return text.append(");").toString();
        }
    }

    /** By name, in the engine's order. */
    public final Map<String, Operation> operations;

    /** By name, in the engine's order. */
    public final Map<String, Command> commands;

    /** Advice for commands that need other plugins or devices, by the beginning of the name after its prefix. */
    private final Map<String, String> absent;

    private Registry(Map<String, Operation> operations, Map<String, Command> commands, Map<String, String> absent) {
        this.operations = Collections.unmodifiableMap(operations);
        this.commands = Collections.unmodifiableMap(commands);
        this.absent = absent;
    }

    /** The signature of a command that takes this number of arguments; null for an unknown name or number. */
    public Command command(String name, int count) {
        Command command = commands.get(name);
        return command == null ? null : command.taking(count);
    }

    /** Advice for a command that Drua cannot offer; null for other commands. */
    public String advice(String command) {
        String name = command.substring(command.indexOf('_') + 1);
        return absent.keySet().stream().filter(name::startsWith).findFirst().map(absent::get).orElse(null);
    }

    /**
     * The command that takes the most parameters of an operation, preferably with the given prefix; null if the
     * operation has no command.
     */
    public Command command(Operation operation, String prefix) {
        Command best = null;
        for (Command command : commands.values()) {
            if (command.operation == operation
                && (best == null || rankCommand(command, prefix) > rankCommand(best, prefix)))
                best = command;
        }
        return best;
    }

    private static int rankCommand(Command command, String prefix) {
        long passed = command.arguments.stream().filter(a -> command.operation.parameter(a.name) != null).count();
        return 2 * (int) passed + (command.name.startsWith(prefix + "_") ? 1 : 0);
    }

    private static final class Loaded { static final Registry REGISTRY = ofLines(Native.describe()); }

    /** The registry of the loaded engine. Call {@link NativeLibrary#load()} first. */
    public static Registry get() {
        return Loaded.REGISTRY;
    }

    /** Parses the engine's description. Throws a RuntimeException if this class cannot interpret it. */
    public static Registry of(String json) {
        JsonObject all = Json.parse(json).asObject();
        Map<String, Operation> operations = new LinkedHashMap<>();
        for (Operation operation : list(all, "operations", object -> new Operation(object.asObject())))
            operations.put(operation.name, operation);
        Map<String, Command> commands = new LinkedHashMap<>();
        for (Command command : list(all, "commands", object -> new Command(object.asObject(), operations)))
            commands.put(command.name, command);
        return new Registry(operations, commands, readAbsentCommands(all));
    }

    private static Map<String, String> readAbsentCommands(JsonObject all) {
        Map<String, String> absent = new LinkedHashMap<>();
        requireMember(all, "absent")
            .asArray()
            .forEach(entry -> absent.put(text(entry.asObject(), "begins"), text(entry.asObject(), "advice")));
        return absent;
    }

    /**
     * Like {@link #of}, for a description as the engine writes it: one line for each operation and each command, which
     * begins with the name. A line is parsed when its name is looked up, because a macro needs a hundredth of the
     * lines. Its errors therefore appear at that moment.
     */
    public static Registry ofLines(String json) {
        LazyMap<Operation> operations = new LazyMap<>(line -> new Operation(Json.parse(line).asObject()));
        LazyMap<Command> commands = new LazyMap<>(line -> new Command(Json.parse(line).asObject(), operations));
        int commandsFrom = json.indexOf(COMMANDS_BEGIN), absentFrom = json.indexOf(ABSENT_BEGIN);
        if (commandsFrom < 0 || absentFrom < commandsFrom)
            throw new IllegalArgumentException("the engine's description lacks commands");
        addLines(operations, json, 0, commandsFrom);
        addLines(commands, json, commandsFrom, absentFrom);
        return new Registry(
            operations, commands, readAbsentCommands(Json.parse("{" + json.substring(absentFrom + 1)).asObject()));
    }

    private static void addLines(LazyMap<?> map, String json, int from, int end) {
        for (int at = json.indexOf(LINE_BEGIN, from); at >= 0 && at < end; at = json.indexOf(LINE_BEGIN, at + 1)) {
            int name = at + LINE_BEGIN.length(), next = json.indexOf('\n', name);
            map.add(json.substring(name, json.indexOf('"', name)), json.substring(at, json.lastIndexOf('}', next) + 1));
        }
    }

    /** The macro calls of an operation: one line for each name and argument list, with the first of its prefixes. */
    public List<String> calls(Operation operation) {
        Map<String, String> calls = new LinkedHashMap<>();
        for (Command command : commands.values()) {
            if (command.operation == operation)
                calls.putIfAbsent(
                    command.signature().replaceFirst("^Ext\\.(Drua|CLIJ2|CLIJx|CLIJ)_", ""), command.signature());
        }
        return new ArrayList<>(calls.values());
    }

    public static String camelCase(String name) {
        StringBuilder result = new StringBuilder();
        for (String word : name.split("_"))
            result.append(result.length() == 0 || word.isEmpty()
                    ? word
                    : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        return result.toString();
    }

    /**
     * Formats a number for users: with an exponent only if it is very large or small, without a fraction if it is
     * whole.
     */
    public static String number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15)
            return String.valueOf((long) value);
        boolean plain = Math.abs(value) >= 1e-9 && Math.abs(value) < 1e15;
        return plain ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString() : String.valueOf(value);
    }

    private static Kind kind(JsonObject json) {
        return Kind.valueOf(text(json, "kind").toUpperCase(Locale.ROOT));
    }

    private static String text(JsonObject json, String key) {
        return requireMember(json, key).asString();
    }

    private static boolean flag(JsonObject json, String key) {
        return requireMember(json, key).asBoolean();
    }

    /** A number, or null for JSON's null. Fails if the key is missing. */
    private static Double number(JsonObject json, String key) {
        JsonValue value = requireMember(json, key);
        return value.isNull() ? null : Double.valueOf(value.asDouble());
    }

    /** A number or a text, or null for JSON's null. Fails if the key is missing. */
    private static Object numberOrText(JsonObject json, String key) {
        return requireMember(json, key).isString() ? text(json, key) : (Object) number(json, key);
    }

    /** Converts each element of an array, in order. */
    private static <T> List<T> list(JsonObject json, String key, Function<JsonValue, T> maker) {
        List<T> made = new ArrayList<>();
        requireMember(json, key).asArray().forEach(element -> made.add(maker.apply(element)));
        return Collections.unmodifiableList(made);
    }

    private static JsonValue requireMember(JsonObject json, String key) {
        JsonValue value = json.get(key);
        if (value == null)
            throw new IllegalArgumentException("the engine's description lacks \"" + key + "\" in " + json);
        return value;
    }
}
