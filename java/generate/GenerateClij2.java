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
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes the interfaces with CLIJ2's operations as methods, the classes with the same operations as static methods, and
 * a table of all methods: GenerateClij2 REGISTRY.json SIGNATURES CLASSES FOLDER TABLE.md. Stops if a method does not
 * fit its macro command.
 */
final class GenerateClij2 {
    private static final Pattern CALL = Pattern.compile("(\\w+)\\((.*)\\)");
    private static final List<String> IMAGES = Arrays.asList("ClearCLBuffer", "ClearCLImage", "ClearCLImageInterface");

    /** One row of the signatures. */
    private static final class Method {
        final String owner, name, result, how;
        final String[] types;

        Method(String row) {
            this(row.split("\t", -1), row);
        }

        private Method(String[] cells, String row) {
            if (cells.length != 5)
                throw new IllegalArgumentException("a row of signatures needs 5 columns: " + row);
            owner = cells[0];
            name = cells[1];
            result = cells[2];
            types = cells[3].isEmpty() ? new String[0] : cells[3].split(", ");
            how = cells[4];
        }

        Method withoutFirstType() {
            String rest = String.join(", ", Arrays.copyOfRange(types, 1, types.length));
            return new Method(new String[] {owner, name, result, rest, how}, signature());
        }

        boolean isAbsent() {
            return how.startsWith("no: ");
        }

        String signature() {
            return name + "(" + String.join(", ", types) + ")";
        }
    }

    private final Registry registry;
    private final List<Method> methods = new ArrayList<>();
    private final List<String> files = new ArrayList<>();
    private StringBuilder out = new StringBuilder();

    private GenerateClij2(Registry registry) {
        this.registry = registry;
    }

    public static void main(String[] args) throws IOException {
        GenerateClij2 generator =
            new GenerateClij2(Registry.of(new String(Files.readAllBytes(Paths.get(args[0])), StandardCharsets.UTF_8)));
        generator.methods.addAll(methods(args[1]));
        Path root = Paths.get(args[3]);
        generator.writeInterface(root, "net.haesleinhuepf.clij2", "CLIJ2Ops", "", Arrays.asList("CLIJ2Ops", "CLIJ2"));
        generator.writeInterface(
            root, "net.haesleinhuepf.clijx.utilities", "CLIJxOps", " extends CLIJ2Ops", Arrays.asList("CLIJxOps"));
        generator.writeInterface(
            root, "net.haesleinhuepf.clij.utilities", "CLIJOps", " extends CLIJxOps", Arrays.asList("CLIJOps"));
        Map<String, List<Method>> classes =
            methods(args[2]).stream().collect(Collectors.groupingBy(method -> method.owner));
        for (Map.Entry<String, List<Method>> entry : classes.entrySet()) {
            if (!entry.getValue().get(0).how.equals("class"))
                generator.writeClass(root, entry.getKey(), entry.getValue());
        }
        Files.write(root.resolve("files.txt"), generator.files, StandardCharsets.UTF_8);
        Files.write(Paths.get(args[4]), generator.table().getBytes(StandardCharsets.UTF_8));
    }

    private static List<Method> methods(String file) throws IOException {
        return Files.readAllLines(Paths.get(file), StandardCharsets.UTF_8)
            .stream()
            .filter(row -> !row.startsWith("#"))
            .map(Method::new)
            .collect(Collectors.toList());
    }

    /** Begins a file: its package and all imports that a signature may need. */
    private void beginFile(String inPackage) {
        out = new StringBuilder();
        line("// SPDX-License-Identifier: BSD-3-Clause");
        line("package " + inPackage + ";");
        line("");
        for (String imported :
            Arrays.asList("drua.clij2.*", "ij.*", "ij.gui.*", "ij.measure.*", "ij.plugin.frame.*",
                "java.util.ArrayList", "java.util.HashMap", "java.util.List", "java.util.Map",
                "net.haesleinhuepf.clij.*", "net.haesleinhuepf.clij.clearcl.*",
                "net.haesleinhuepf.clij.clearcl.interfaces.*", "net.haesleinhuepf.clij2.*", "net.haesleinhuepf.clijx.*",
                "net.haesleinhuepf.clijx.utilities.*", "net.haesleinhuepf.clijx.weka.*", "net.imglib2.realtransform.*"))
            line("import " + imported + ";");
        line("");
    }

    private void write(Path root, String inPackage, String type) throws IOException {
        Path folder = root.resolve(inPackage.replace('.', '/'));
        Files.createDirectories(folder);
        Path file = folder.resolve(type + ".java");
        Files.write(file, out.toString().getBytes(StandardCharsets.UTF_8));
        files.add(file.toString());
    }

    private void writeClass(Path root, String owner, List<Method> owned) throws IOException {
        int point = owner.lastIndexOf('.');
        String inPackage = "net.haesleinhuepf." + owner.substring(0, point), type = owner.substring(point + 1);
        beginFile(inPackage);
        line("/** Operations as static methods of CLIJ2's names; generated from signatures. */");
        line("@SuppressWarnings({\"rawtypes\", \"unchecked\"})");
        line("public final class " + type + " {");
        line("    private " + type + "() {");
        line("    }");
        for (Method method : owned) {
            List<String> names = new ArrayList<>(), declared = new ArrayList<>();
            for (int i = 0; i < method.types.length; i++) {
                names.add("argument" + i);
                declared.add(qualifiedName(method.types[i]) + " " + names.get(i));
            }
            line("");
            line("    public static " + method.result + " " + method.name + "(" + String.join(", ", declared) + ") {");
            line("        " + staticBody(method, names));
            line("    }");
        }
        line("}");
        write(root, inPackage, type);
    }

    /** A static method takes the instance first. It calls the instance's method, or runs a command. */
    private String staticBody(Method method, List<String> names) {
        List<String> rest = names.subList(1, names.size());
        String instance = names.get(0);
        if (method.types[0].equals("CLIJ"))
            instance = "new CLIJx(" + instance + ")";
        else if (method.types[0].equals("CLIJ2") && method.how.isEmpty() && isOfClijx(method.name))
            instance = "new CLIJx(" + instance + ".getCLIJ())";
        if (!method.how.isEmpty()) {
            Method own = method.withoutFirstType();
            return methodBody(own, command(own), rest).replace("Calls.run(this, ", "Calls.run(" + instance + ", ");
        }
        return (method.result.equals("void") ? "" : "return ") + instance + "." + method.name + "("
            + String.join(", ", rest) + ");";
    }

    /** The classes of some operations have the names of ImgLib2's transforms. */
    private static String qualifiedName(String type) {
        return type.startsWith("AffineTransform") ? "net.imglib2.realtransform." + type : type;
    }

    /** Only CLIJx has methods of this name. */
    private boolean isOfClijx(String name) {
        return methods.stream().filter(m -> m.name.equals(name)).noneMatch(m -> m.owner.startsWith("CLIJ2"));
    }

    private void writeInterface(Path root, String inPackage, String type, String parent, List<String> owners)
        throws IOException {
        beginFile(inPackage);
        line("/** Operations as methods of CLIJ2's names; generated from signatures and the engine's description. */");
        line("@SuppressWarnings({\"rawtypes\", \"unchecked\"})");
        line("public interface " + type + parent + " {");
        for (Method method : methods) {
            boolean inClass = method.how.equals("class") && !method.owner.equals(type);
            if (owners.contains(method.owner) && !inClass)
                writeMethod(method);
        }
        line("}");
        write(root, inPackage, type);
    }

    private void writeMethod(Method method) {
        Registry.Command command = command(method);
        List<String> names = new ArrayList<>(), declared = new ArrayList<>();
        for (int i = 0; i < method.types.length; i++) {
            names.add(name(method, command, i));
            declared.add(method.types[i] + " " + names.get(i));
        }
        if (command != null) {
            line("    /** " + GenerateFacade.html(command.operation.summary) + " */");
        }
        String head = method.result + " " + method.name + "(" + String.join(", ", declared) + ")";
        if (method.how.equals("class")) {
            line("    " + head + ";");
        } else {
            line("    default " + head + " {");
            line("        " + methodBody(method, command, names));
            line("    }");
        }
        line("");
    }

    /** The macro command that a method runs, or null. */
    private Registry.Command command(Method method) {
        Matcher call = CALL.matcher(method.how);
        if (!method.how.isEmpty() && !call.matches())
            return null;
        String name = method.how.isEmpty() ? prefix(method) + method.name : call.group(1);
        Registry.Command command = registry.commands.get(name);
        if (command == null || command.needsMacro())
            throw new IllegalArgumentException(method.signature() + ": there is no command " + name);
        return command;
    }

    private static String prefix(Method method) {
        return method.owner.equals("CLIJ2") ? "CLIJ2_" : method.owner.replace("Ops", "_");
    }

    private static String name(Method method, Registry.Command command, int i) {
        if (command == null || !method.how.isEmpty() || i >= command.arguments.size())
            return "argument" + (i + 1);
        return GenerateFacade.word(Registry.camelCase(command.arguments.get(i).name));
    }

    private static String methodBody(Method method, Registry.Command command, List<String> names) {
        String quoted = "\"" + method.name + "\"";
        if (method.isAbsent())
            return "throw Calls.absent(" + quoted + ", \"" + method.how.substring("no: ".length()) + "\");";
        if (command == null) {
            boolean serves = method.how.contains(".");
            String called = serves ? method.how + "(this, " + quoted : method.how + "." + method.name + "(this";
            return (method.result.equals("void") ? "" : "return ") + called
                + (names.isEmpty() ? "" : ", " + String.join(", ", names)) + ");";
        }
        String run = "Calls.run(this, " + quoted + ", \"" + command.name + "\""
            + String.join("", passedArguments(method, command, names)) + ")";
        switch (method.result) {
        case "boolean":
            return run + "; return true;";
        case "double":
            return "return Calls.number(" + quoted + ", " + run + ");";
        case "double[]":
            return "return Calls.numbers(" + run + ");";
        case "double[][]":
            return "return Calls.rows(" + run + ");";
        case "ResultsTable":
            return "return Calls.append(" + run + ", " + names.get(names.size() - 1) + ");";
        case "ClearCLBuffer":
            return "return Calls.image(this, " + run + ");";
        case "String":
            return "return Calls.text(" + run + ");";
        default:
            throw new IllegalArgumentException(method.signature() + ": no command gives " + method.result);
        }
    }

    /** The arguments of the command, each after a comma; null for an output that is not an image of the program. */
    private static List<String> passedArguments(Method method, Registry.Command command, List<String> names) {
        List<String> values = new ArrayList<>();
        Matcher call = CALL.matcher(method.how);
        String[] given = call.matches() ? call.group(2).split(", ") : null;
        int next = 0;
        for (Registry.Argument argument : command.arguments) {
            boolean made = argument.kind == Registry.Kind.NUMBER_OUT || argument.kind == Registry.Kind.TEXT_OUT;
            String value = made ? "null" : given == null ? "$" + (next + 1) : given[next];
            next += made ? 0 : 1;
            if (value.startsWith("$")) {
                int index = Integer.parseInt(value.substring(1)) - 1;
                if (index >= method.types.length || !acceptsKind(method.types[index], argument.kind))
                    throw new IllegalArgumentException(method.signature() + " does not fit " + command.signature());
                value = names.get(index);
            }
            values.add(", " + (command.arguments.size() == 1 && value.equals("null") ? "(Object) null" : value));
        }
        int taken = method.result.equals("ResultsTable") ? method.types.length - 1 : method.types.length;
        if (given == null ? next != taken : next != given.length)
            throw new IllegalArgumentException(method.signature() + " does not fit " + command.signature());
        return values;
    }

    private static boolean acceptsKind(String type, Registry.Kind kind) {
        if (IMAGES.contains(type))
            return kind.isImage();
        if (type.endsWith("[]"))
            return kind == Registry.Kind.ARRAY_IN;
        return type.equals("String") ? !kind.isImage() && !kind.isNumber() && !kind.isArray() : kind.isNumber();
    }

    private String table() {
        StringBuilder rows = new StringBuilder("# Methods of CLIJ2 in Java, Jython and Groovy\n\n"
            + "The jar for scripts of CLIJ2 has every method of the classes CLIJ2 and CLIJx. A method whose row begins "
            + "with *no* throws this sentence as a DruaException.\n\n"
            + "| method | returns | what runs |\n|---|---|---|\n");
        for (Method method : methods) {
            rows.append("| `")
                .append(method.signature())
                .append("` | ")
                .append(method.result)
                .append(" | ")
                .append(commandCell(method))
                .append(" |\n");
        }
        return rows.toString();
    }

    /** The table's cell that says which command a method runs. */
    private static String commandCell(Method method) {
        if (method.isAbsent())
            return "*no*: " + method.how.substring("no: ".length());
        if (method.how.isEmpty())
            return "`" + prefix(method) + method.name + "`";
        return CALL.matcher(method.how).matches() ? "`" + method.how + "`" : "served";
    }

    private void line(String text) {
        out.append(text).append('\n');
    }
}
