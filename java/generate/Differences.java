// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import drua.engine.Registry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sections of docs/differences.md, by the operations whose commands are named in brackets in the headings. */
public final class Differences {
    private static final Pattern HEADING = Pattern.compile("^## ((.*) \\((.*)\\))$", Pattern.MULTILINE);
    private static final String[] PREFIXES = {"CLIJ2_", "CLIJx_", "CLIJ_"};

    private final Map<Registry.Operation, List<String>> links = new LinkedHashMap<>();

    Differences(Path file, Registry registry) throws IOException {
        Matcher heading = HEADING.matcher(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        while (heading.find()) {
            String link = "[" + heading.group(2) + "](../" + file.getFileName() + "#" + anchor(heading.group(1)) + ")";
            for (String word : heading.group(3).split("[ ,]+")) {
                for (String prefix : PREFIXES) {
                    Registry.Command command = registry.commands.get(prefix + word);
                    List<String> own = command == null
                        ? null
                        : links.computeIfAbsent(command.operation, operation -> new ArrayList<>());
                    if (own != null && !own.contains(link))
                        own.add(link);
                }
            }
        }
    }

    /** Links to the sections about an operation, for a page in a folder next to the file. */
    List<String> of(Registry.Operation operation) {
        return links.getOrDefault(operation, Collections.emptyList());
    }

    /** The anchor of a heading. */
    public static String anchor(String heading) {
        return heading.trim().toLowerCase(Locale.ROOT).replaceAll("(?U)[^\\w\\- ]", "").replace(' ', '-');
    }
}
