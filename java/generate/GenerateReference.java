// SPDX-License-Identifier: BSD-3-Clause
package drua;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes the reference pages, one a category and an index: GenerateReference REGISTRY.json FOLDER. */
final class GenerateReference {
    private final Map<String, List<Map<String, Object>>> commands = new LinkedHashMap<>();
    private final StringBuilder page = new StringBuilder();

    private GenerateReference() {}

    public static void main(String[] args) throws IOException {
        Object json = Json.parse(new String(Files.readAllBytes(Paths.get(args[0])), StandardCharsets.UTF_8));
        Path folder = Files.createDirectories(Paths.get(args[1]));
        new GenerateReference().write((Map<?, ?>) json, folder);
    }

    private void write(Map<?, ?> json, Path folder) throws IOException {
        Map<String, List<Map<String, Object>>> categories = new TreeMap<>();
        for (Map<String, Object> operation : objects(json, "operations"))
            categories.computeIfAbsent((String) operation.get("category"), name -> new ArrayList<>()).add(operation);
        for (Map<String, Object> command : objects(json, "commands"))
            commands.computeIfAbsent((String) command.get("operation"), name -> new ArrayList<>()).add(command);
        line("# Operations");
        line("");
        line("Of Drua " + json.get("version") + ", by subject. Made by `./dev doc` from the engine's own description.");
        for (Map.Entry<String, List<Map<String, Object>>> category : categories.entrySet()) {
            line("");
            line("## [" + title(category.getKey()) + "](" + category.getKey() + ".md)");
            line("");
            line("| operation | what it does |");
            line("|---|---|");
            for (Map<String, Object> operation : category.getValue())
                line("| [" + camelCase(operation) + "](" + category.getKey() + ".md#" + camelCase(operation).toLowerCase() + ") | "
                    + cell(operation.get("summary")) + " |");
        }
        flush(folder.resolve("README.md"));
        for (Map.Entry<String, List<Map<String, Object>>> category : categories.entrySet()) {
            line("# " + title(category.getKey()));
            for (Map<String, Object> operation : category.getValue())
                describe(operation);
            flush(folder.resolve(category.getKey() + ".md"));
        }
    }

    private void describe(Map<String, Object> operation) {
        line("");
        line("## " + camelCase(operation));
        line("");
        line((String) operation.get("summary"));
        List<Map<String, Object>> own = commands.get(operation.get("name"));
        if (own != null) {
            line("");
            line("```");
            for (Map<String, Object> command : own)
                line(signature(command));
            line("```");
        }
        if (!objects(operation, "parameters").isEmpty()) {
            line("");
            line("| parameter | what it is | values | preset |");
            line("|---|---|---|---|");
            for (Map<String, Object> parameter : objects(operation, "parameters"))
                line("| " + parameter.get("name") + " | " + cell(parameter.get("doc")) + " | " + values(parameter) + " | " + preset(parameter) + " |");
        }
        String source = (String) operation.get("source"), numeric = (String) operation.get("numeric");
        if (Boolean.TRUE.equals(operation.get("host")))
            return;
        line("");
        line((source.isEmpty() ? "" : "Method: " + source + ". ") + (numeric.equals("exact") ? "The same bits on every device."
            : numeric.equals("device") ? "The same bits whenever it runs on one device; devices differ within rounding."
            : "Devices differ within a tolerance."));
    }

    private static String signature(Map<String, Object> command) {
        StringBuilder text = new StringBuilder("Ext.").append(command.get("name")).append('(');
        String comma = "";
        for (Map<String, Object> argument : objects(command, "arguments")) {
            text.append(comma).append(argument.get("name"));
            comma = ", ";
        }
        text.append(");");
        String before = "   // Results: ";
        for (Map<String, Object> result : objects(command, "results")) {
            text.append(before).append(result.get("column"));
            before = ", ";
        }
        return text.toString();
    }

    private static String values(Map<String, Object> parameter) {
        String kind = ((String) parameter.get("kind")).replace('_', ' '), unit = (String) parameter.get("unit");
        List<?> choices = (List<?>) parameter.get("choices");
        if (!choices.isEmpty())
            return choices.toString().replaceAll("[\\[\\]]", "");
        String range = parameter.get("min") == null ? "" : ", " + number(parameter.get("min")) + " to " + number(parameter.get("max"));
        return kind + range + (unit.isEmpty() ? "" : " " + unit);
    }

    private static String preset(Map<String, Object> parameter) {
        Object preset = parameter.get("preset");
        return preset == null ? "" : preset instanceof Double ? number(preset) : cell(preset);
    }

    private static String number(Object value) {
        double number = (Double) value;
        return number == Math.rint(number) && Math.abs(number) < 1e15 ? String.valueOf((long) number) : String.valueOf(number);
    }

    private static String camelCase(Map<String, Object> operation) {
        return Registry.camelCase((String) operation.get("name"));
    }

    private static String title(String category) {
        return Character.toUpperCase(category.charAt(0)) + category.substring(1);
    }

    private static String cell(Object text) {
        return String.valueOf(text).replace("|", "\\|");
    }

    private void line(String text) {
        page.append(text).append('\n');
    }

    private void flush(Path file) throws IOException {
        Files.write(file, page.toString().getBytes(StandardCharsets.UTF_8));
        page.setLength(0);
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> objects(Map<?, ?> json, String key) {
        return (List<Map<String, Object>>) json.get(key);
    }
}
