// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.NativeLibrary;
import drua.engine.Registry;
import drua.generate.GenerateReference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes the reference, which runs the example of every operation, and checks that each page is complete: Examples
 * PICTURE FOLDER. With DRUA_SAMPLE=n it runs every n-th example, starting at one that depends on DRUA_SEED.
 */
public final class Examples {
    private static final String[] SECTIONS = {
        "Commands", "Parameters", "Reads and writes", "Example", "Method", "Speed", "In CLIJ2", "Next", "Related"};
    private static final Set<String> RUN = new HashSet<>();
    private static int failed;

    private Examples() {}

    public static void main(String[] args) throws IOException {
        Path folder = Paths.get(args[1]);
        NativeLibrary.load();
        choose(Long.parseLong(System.getenv().getOrDefault("DRUA_SEED", "0")),
            Integer.parseInt(System.getenv().getOrDefault("DRUA_SAMPLE", "1")));
        GenerateReference made = GenerateReference.write(args[0], folder, RUN::contains);
        made.failures.forEach((operation, reason) -> System.out.println("FAIL " + operation + ": " + reason));
        int pages = 0;
        for (Registry.Operation operation : Registry.get().operations.values()) {
            pages++;
            int before = failed;
            check(operation, folder, made.skipped);
            if (failed == before && made.failures.containsKey(operation.name))
                failed++;
            else if (failed > before)
                failed = before + 1;
        }
        System.out.println(pages - failed - made.skipped.size() + " passed, " + failed + " failed, "
            + made.skipped.size() + " skipped");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void choose(long seed, int every) {
        long at = seed;
        for (Registry.Operation operation : Registry.get().operations.values()) {
            if (at++ % every == 0)
                RUN.add(operation.name);
        }
    }

    private static void check(Registry.Operation operation, Path folder, List<String> skipped) throws IOException {
        String page = new String(Files.readAllBytes(folder.resolve(operation.name + ".md")), StandardCharsets.UTF_8);
        String index = new String(Files.readAllBytes(folder.resolve("README.md")), StandardCharsets.UTF_8);
        require(index.contains("](" + operation.name + ".md)"), operation, "it is not in the index");
        require(page.contains(operation.summary), operation, "the summary is missing");
        for (String section : SECTIONS) {
            int start = page.indexOf("\n## " + section + "\n"), end = page.indexOf("\n## ", start + 1);
            require(start >= 0
                    && !page.substring(start + section.length() + 4, end < 0 ? page.length() : end).trim().isEmpty(),
                operation, "nothing under " + section);
        }
        for (Registry.Parameter parameter : operation.parameters)
            require(page.contains("\n| " + parameter.name + " | " + parameter.doc.replace("|", "\\|") + " | "),
                operation, parameter.name + " is not explained");
        require(page.contains("Ext.Drua_" + operation.camelCase() + "("), operation, "the example lacks the command");
        require(operation.host || !operation.source.isEmpty() || !operation.expression.isEmpty()
                || operation.mechanism.equals("view"),
            operation, "the source of the method is missing; fill in .source");
        boolean image = RUN.contains(operation.name) && !skipped.contains(operation.name)
            && operation.parameters.stream().anyMatch(p -> p.kind.isImage());
        Path picture = folder.resolve("pictures/" + operation.name + ".png");
        require(!image || Files.exists(picture) && Files.size(picture) > 100, operation, "no picture");
    }

    private static void require(boolean condition, Registry.Operation operation, String what) {
        if (!condition) {
            System.out.println("FAIL " + operation.name + ": " + what);
            failed++;
        }
    }
}
