// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import drua.engine.Registry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Adds a plugins.config entry for each operation that has a menu entry in the registry: GenerateMenus REGISTRY.json
 * CONFIG OUTPUT.
 */
final class GenerateMenus {
    private GenerateMenus() {}

    public static void main(String[] args) throws IOException {
        Registry registry = Registry.of(new String(Files.readAllBytes(Paths.get(args[0])), StandardCharsets.UTF_8));
        List<String> entries = new ArrayList<>();
        for (Registry.Operation operation : registry.operations.values()) {
            if (operation.menu)
                entries.add("Plugins>Drua>" + capitalize(operation.category) + ", \"" + operation.title()
                    + " (Drua)...\", drua.dialog.OperationDialog(\"" + operation.name + "\")");
        }
        Collections.sort(entries);
        List<String> lines = new ArrayList<>(Files.readAllLines(Paths.get(args[1]), StandardCharsets.UTF_8));
        lines.addAll(entries);
        Path output = Paths.get(args[2]);
        Files.createDirectories(output.getParent());
        Files.write(output, lines, StandardCharsets.UTF_8);
    }

    private static String capitalize(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }
}
