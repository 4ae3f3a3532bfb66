// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import drua.engine.Quote;
import drua.engine.Registry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes a SciJava command for each operation, and FOLDER/files with the names of the written files for javac:
 * GenerateCommands REGISTRY.json FOLDER.
 */
final class GenerateCommands {
    private static final String PACKAGE = "drua.scijava.operations";

    private final Registry.Operation operation;
    private final StringBuilder out = new StringBuilder();

    private GenerateCommands(Registry.Operation operation) {
        this.operation = operation;
    }

    public static void main(String[] args) throws IOException {
        Registry registry = Registry.of(new String(Files.readAllBytes(Paths.get(args[0])), StandardCharsets.UTF_8));
        Path folder = Paths.get(args[1], PACKAGE.split("\\."));
        Files.createDirectories(folder);
        List<String> files = new ArrayList<>();
        for (Registry.Operation operation : registry.operations.values()) {
            if (operation.host)
                continue;
            GenerateCommands command = new GenerateCommands(operation);
            command.appendClass();
            Path file = folder.resolve(command.className() + ".java");
            Files.write(file, command.out.toString().getBytes(StandardCharsets.UTF_8));
            files.add('"' + file.toString().replace("\\", "\\\\") + '"');
        }
        Files.write(Paths.get(args[1], "files"), files, StandardCharsets.UTF_8);
    }

    private String className() {
        String name = operation.camelCase();
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    private void appendClass() {
        appendLine("// SPDX-License-Identifier: BSD-3-Clause");
        appendLine("package " + PACKAGE + ";");
        appendLine("");
        appendLine("import drua.scijava.OperationCommand;");
        appendLine("import org.scijava.ItemIO;");
        appendLine("import org.scijava.command.Command;");
        appendLine("import org.scijava.plugin.Parameter;");
        appendLine("import org.scijava.plugin.Plugin;");
        appendLine("");
        appendLine("/** " + GenerateFacade.html(operation.summary) + " Generated from the engine's description. */");
        appendLine("@Plugin(type = Command.class, label = " + Quote.java("Drua: " + title())
            + ", description = " + Quote.java(operation.summary) + ")");
        appendLine("public final class " + className() + " extends OperationCommand {");
        Registry.Parameter first = firstImage();
        for (Registry.Parameter p : operation.parameters) {
            appendField(p, p == first);
            if (p == first)
                appendFileField(p);
        }
        appendLine("    @Override");
        appendLine("    public void run() {");
        appendRunBody(first);
        appendLine("    }");
        appendLine("}");
    }

    private String title() {
        String words = operation.name.replace('_', ' ');
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    private Registry.Parameter firstImage() {
        return operation.parameters.stream().filter(p -> p.kind == Registry.Kind.IMAGE_IN).findFirst().orElse(null);
    }

    private void appendField(Registry.Parameter p, boolean hasFile) {
        List<String> attributes = new ArrayList<>();
        attributes.add("label = " + Quote.java(p.name.replace('_', ' ')));
        attributes.add("description = " + Quote.java(p.doc + (p.unit.isEmpty() ? "" : ", in " + p.unit)));
        if (p.kind.isOutput())
            attributes.add("type = ItemIO.OUTPUT");
        else if (p.kind == Registry.Kind.IMAGE_INOUT)
            attributes.add("type = ItemIO.BOTH");
        else
            attributes.add("persist = false");
        if (hasFile || p.kind == Registry.Kind.OPTIONS || p.kind == Registry.Kind.TEXT && p.defaultValue != null)
            attributes.add("required = false");
        if (p.min != null && !p.kind.isOutput())
            attributes.add(
                "min = \"" + GenerateFacade.number(p.min) + "\", max = \"" + GenerateFacade.number(p.max) + "\"");
        if (!p.choices.isEmpty())
            attributes.add("choices = {" + p.choices.stream().map(Quote::java).collect(Collectors.joining(", ")) + "}");
        if (p.written)
            attributes.add("style = \"save\"");
        appendLine("    @Parameter(" + String.join(", ", attributes) + ")");
        appendLine("    private " + javaType(p.kind) + " " + GenerateFacade.word(p.name) + initializer(p) + ";");
        appendLine("");
    }

    /** SciJava's batch processor only sets parameters of type File, so the first image also has one. */
    private void appendFileField(Registry.Parameter p) {
        appendLine("    @Parameter(label = " + Quote.java("or file of " + p.name.replace('_', ' '))
            + ", description = \"an image file to read instead\", persist = false, required = false)");
        appendLine("    private java.io.File " + p.name + "_file;");
        appendLine("");
    }

    private void appendRunBody(Registry.Parameter first) {
        if (first != null)
            appendLine("        " + GenerateFacade.word(first.name) + " = image(" + Quote.java(operation.camelCase())
                + ", " + Quote.java(first.name) + ", " + GenerateFacade.word(first.name) + ", " + first.name
                + "_file);");
        List<String> passed = new ArrayList<>();
        for (Registry.Parameter p : operation.parameters) {
            if (!p.kind.isOutput())
                passed.add("\n            " + Quote.java(p.name) + ", " + GenerateFacade.word(p.name));
        }
        appendLine("        Results results = call(" + Quote.java(operation.name) + (passed.isEmpty() ? "" : ",")
            + String.join(",", passed) + ");");
        for (Registry.Parameter p : operation.parameters) {
            if (p.kind.isOutput() || p.kind == Registry.Kind.IMAGE_INOUT)
                appendLine("        " + GenerateFacade.word(p.name) + " = (" + javaType(p.kind) + ") results.get("
                    + Quote.java(p.name) + ");");
        }
    }

    private static String javaType(Registry.Kind kind) {
        switch (kind) {
        case NUMBER:
            return "double";
        case INTEGER:
            return "long";
        case NUMBER_OUT:
            return "Double";
        case BOOLEAN:
            return "boolean";
        case ARRAY_IN:
            return "double[]";
        case IMAGES:
            return "Object";
        case TABLE_OUT:
            return "ij.measure.ResultsTable";
        case PATH:
            return "java.io.File";
        default:
            return kind.isImage() ? "ij.ImagePlus" : "String";
        }
    }

    private static String initializer(Registry.Parameter p) {
        if (p.defaultValue == null || p.kind.isOutput() || p.kind == Registry.Kind.PATH)
            return "";
        if (p.kind == Registry.Kind.BOOLEAN)
            return " = " + ((Double) p.defaultValue != 0);
        if (p.kind == Registry.Kind.INTEGER)
            return " = " + ((Double) p.defaultValue).longValue() + "L";
        return " = "
            + (p.defaultValue instanceof Double ? p.defaultValue.toString() : Quote.java((String) p.defaultValue));
    }

    private void appendLine(String text) {
        out.append(text).append('\n');
    }
}
