// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import drua.engine.Registry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes drua/Operations.java with a method for each operation: GenerateFacade REGISTRY.json FOLDER. */
final class GenerateFacade {
    /** Reserved words of Java or Python. */
    private static final Set<String> RESERVED = new HashSet<>(Arrays.asList("abstract", "and", "as", "assert",
        "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue", "def", "default", "del",
        "do", "double", "elif", "else", "enum", "except", "exec", "extends", "final", "finally", "float", "for", "from",
        "global", "goto", "if", "implements", "import", "in", "instanceof", "int", "interface", "is", "lambda", "long",
        "native", "new", "not", "or", "package", "pass", "print", "private", "protected", "public", "raise", "return",
        "short", "static", "super", "switch", "synchronized", "this", "throw", "throws", "transient", "try", "void",
        "volatile", "while", "with", "yield"));

    private final StringBuilder out = new StringBuilder();

    private GenerateFacade() {}

    public static void main(String[] args) throws IOException {
        Registry registry = Registry.of(new String(Files.readAllBytes(Paths.get(args[0])), StandardCharsets.UTF_8));
        GenerateFacade generator = new GenerateFacade();
        generator.writeClass(registry);
        Path folder = Paths.get(args[1], "drua");
        Files.createDirectories(folder);
        Files.write(folder.resolve("Operations.java"), generator.out.toString().getBytes(StandardCharsets.UTF_8));
    }

    private void writeClass(Registry registry) {
        line("// SPDX-License-Identifier: BSD-3-Clause");
        line("package drua;");
        line("");
        line("import ij.measure.ResultsTable;");
        line("import java.util.Map;");
        line("");
        line("/** The operations as methods; generated from the engine's description. */");
        line("public abstract class Operations {");
        line("    Operations() {}");
        line("");
        line("    /** Runs an operation with one argument for each parameter (null: made, or default); returns its "
            + "outputs in order. */");
        line("    abstract Object[] call(String operation, Object... arguments);");
        line("");
        line("    /** Runs an operation with arguments by name and by position; left-out ones take their defaults. */");
        line("    abstract Object op(String operation, Map<?, ?> named, Object... inputs);");
        for (Registry.Operation operation : registry.operations.values()) {
            if (operation.host)
                continue;
            method(operation, false);
            if (outputs(operation).equals(Arrays.asList(Registry.Kind.IMAGE_OUT)) && hasSource(operation))
                method(operation, true);
            namedMethod(operation);
        }
        line("}");
    }

    private static boolean hasSource(Registry.Operation operation) {
        return operation.parameters.stream().anyMatch(p -> p.kind == Registry.Kind.IMAGE_IN);
    }

    private static List<Registry.Kind> outputs(Registry.Operation operation) {
        List<Registry.Kind> kinds = new ArrayList<>();
        for (Registry.Parameter p : operation.parameters) {
            if (p.kind.isOutput())
                kinds.add(p.kind);
        }
        return kinds;
    }

    /** Writes a method that returns a new result, or one that writes into an image of the caller. */
    private void method(Registry.Operation operation, boolean intoDestination) {
        List<String> declared = new ArrayList<>(), passed = new ArrayList<>();
        line("");
        line("    /**");
        line("     * " + html(operation.summary)
            + (intoDestination ? " The destination keeps its size and type; it is returned." : ""));
        line("     *");
        StringBuilder returned = new StringBuilder();
        for (Registry.Parameter p : operation.parameters) {
            String name = word(Registry.camelCase(p.name));
            boolean made = p.kind.isOutput() && !intoDestination;
            if (made) {
                returned.append(returned.length() > 0 ? "; " : "").append(p.doc);
                passed.add("null");
                continue;
            }
            line("     * @param " + name + " " + html(p.doc) + limits(p));
            declared.add(javaType(p.kind) + " " + name);
            passed.add(name);
        }
        String result = intoDestination ? "Image" : result(operation);
        if (!result.equals("void"))
            line("     * @return " + html(intoDestination ? "the destination" : returned.toString()));
        line("     */");
        line("    public " + result + " " + word(operation.camelCase()) + "(" + String.join(", ", declared) + ") {");
        line("        " + methodBody(result, "call(" + String.join(", ", callArguments(operation.name, passed)) + ")"));
        line("    }");
    }

    /** Writes a method that takes parameters by name. */
    private void namedMethod(Registry.Operation operation) {
        String result = result(operation), name = word(operation.camelCase());
        String call = "op(\"" + operation.name + "\", named, inputs)";
        line("");
        line("    /**");
        line("     * " + html(operation.summary) + " Arguments that are left out take their defaults.");
        line("     *");
        line("     * @param named values by name: "
            + html(operation.parameters.stream().map(p -> p.name).collect(Collectors.joining(", "))));
        line("     * @param inputs the other parameters, in order");
        line("     */");
        line("    public " + result + " " + name + "(Map<?, ?> named, Object... inputs) {");
        line("        " + (result.equals("void") ? "" : "return (" + boxedType(result) + ") ") + call + ";");
        line("    }");
    }

    private static String boxedType(String result) {
        return result.equals("double") ? "Double" : result;
    }

    private static List<String> callArguments(String operation, List<String> passed) {
        List<String> all = new ArrayList<>();
        all.add("\"" + operation + "\"");
        for (String argument : passed)
            all.add(passed.size() == 1 && argument.equals("null") ? "(Object) null" : argument);
        return all;
    }

    private static String methodBody(String result, String call) {
        switch (result) {
        case "void":
            return call + ";";
        case "Object[]":
            return "return " + call + ";";
        case "double[]":
            return "return java.util.Arrays.stream(" + call + ").mapToDouble(number -> (Double) number).toArray();";
        case "double":
            return "return (Double) " + call + "[0];";
        default:
            return "return (" + result + ") " + call + "[0];";
        }
    }

    private static String result(Registry.Operation operation) {
        List<Registry.Kind> outputs = outputs(operation);
        if (outputs.isEmpty())
            return "void";
        if (outputs.size() == 1)
            return javaType(outputs.get(0));
        return outputs.stream().allMatch(kind -> kind == Registry.Kind.NUMBER_OUT) ? "double[]" : "Object[]";
    }

    private static String javaType(Registry.Kind kind) {
        switch (kind) {
        case IMAGE_IN:
        case IMAGE_OUT:
        case IMAGE_INOUT:
            return "Image";
        case NUMBER:
        case INTEGER:
        case NUMBER_OUT:
            return "double";
        case BOOLEAN:
            return "boolean";
        case ARRAY_IN:
            return "double[]";
        case IMAGES:
            return "Object";
        case TABLE_OUT:
            return "ResultsTable";
        default:
            return "String";
        }
    }

    private static String limits(Registry.Parameter p) {
        List<String> notes = new ArrayList<>();
        if (p.kind == Registry.Kind.INTEGER)
            notes.add("a whole number");
        if (p.min != null)
            notes.add(number(p.min) + " to " + number(p.max) + (p.unit.isEmpty() ? "" : " " + p.unit));
        else if (!p.unit.isEmpty())
            notes.add("in " + p.unit);
        if (!p.choices.isEmpty())
            notes.add("one of " + String.join(", ", p.choices));
        return notes.isEmpty() ? "" : html(" (" + String.join(", ", notes) + ")");
    }

    static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value)
                                                                   : Double.toString(value);
    }

    static String word(String name) {
        return RESERVED.contains(name) ? name + "_" : name;
    }

    static String html(String text) {
        return text.replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace(">", "&gt;")
            .replace("*/", "*&#47;")
            .replace("@", "&#64;");
    }

    private void line(String text) {
        out.append(text).append('\n');
    }
}
