// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import drua.dialog.Search;
import drua.engine.Quote;
import drua.engine.Registry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The words for the site's search: the plugin's thesaurus, the words of the tasks and guides, and the names of all
 * commands.
 */
final class SearchWords {
    private static final String THESAURUS = "words.tsv";
    private static final Path GUIDES = Paths.get("docs/site/guide_words.tsv");

    private final List<String> phrases = new ArrayList<>();
    private final Map<String, String> names = new TreeMap<>();

    SearchWords(List<Task> tasks) throws IOException {
        for (Task task : tasks)
            add(task.words, Arrays.asList("tasks/" + task.name + ".html"));
        read(Files.newInputStream(GUIDES), guide -> "guides/" + guide + ".html");
        read(Search.class.getResourceAsStream(THESAURUS), SearchWords::page);
        for (Registry.Command command : Registry.get().commands.values())
            names.put(
                command.name.replaceFirst("^[A-Za-z0-9]+_", "").toLowerCase(Locale.ROOT), page(command.operation.name));
        for (Registry.Operation operation : Registry.get().operations.values())
            names.put(operation.name, page(operation.name));
    }

    private void read(InputStream file, UnaryOperator<String> page) throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] columns = line.split("\t");
                if (!line.startsWith("#"))
                    add(Arrays.asList(columns[0].split("\\|")),
                        Arrays.stream(columns[1].split(" ")).map(page).collect(Collectors.toList()));
            }
        }
    }

    private static String page(String operation) {
        return "operations/" + operation + ".html";
    }

    private void add(List<String> words, List<String> pages) {
        phrases.add("[" + list(words) + ", " + list(pages) + "]");
    }

    private static String list(List<String> texts) {
        UnaryOperator<String> quoted = Quote::json;
        return texts.stream().map(quoted).collect(Collectors.joining(", ", "[", "]"));
    }

    /** The search program with these words. */
    String script(Path program) throws IOException {
        String pairs = names.entrySet()
                           .stream()
                           .map(name -> Quote.json(name.getKey()) + ": " + Quote.json(name.getValue()))
                           .collect(Collectors.joining(",\n"));
        return "const WORDS = {phrases: [\n" + String.join(",\n", phrases) + "],\nnames: {\n" + pairs + "}};\n"
            + new String(Files.readAllBytes(program), StandardCharsets.UTF_8);
    }
}
