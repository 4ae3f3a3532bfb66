// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.EngineException;
import drua.engine.Registry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The words of words.tsv, with which people search for operations. */
final class Thesaurus {
    private static final String FILE = "words.tsv";

    /** For each operation, its phrases, and its position in the list of operations of each phrase. */
    private final Map<Registry.Operation, Map<String, Integer>> phrases = new HashMap<>();

    Thesaurus(Registry registry) {
        try (InputStream in = Thesaurus.class.getResourceAsStream(FILE)) {
            if (in == null)
                throw new EngineException("Drua's jar is damaged: " + FILE + " is missing; install Drua again");
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.startsWith("#"))
                    add(registry, line.split("\t"));
            }
        } catch (IOException e) {
            throw new EngineException("Drua's jar cannot be read (" + e.getMessage() + "); install Drua again");
        }
    }

    private void add(Registry registry, String[] columns) {
        String[] operations = columns[1].split(" ");
        for (int place = 0; place < operations.length; place++) {
            Registry.Operation operation = registry.operations.get(operations[place]);
            if (operation == null)
                throw new IllegalArgumentException(FILE + " names " + operations[place] + ", which does not exist");
            for (String phrase : columns[0].split("\\|"))
                phrases.computeIfAbsent(operation, key -> new LinkedHashMap<>()).put(phrase, place);
        }
    }

    /** Returns the operation's position among the operations of exactly this phrase, or -1. */
    int place(Registry.Operation operation, String text) {
        return phrasesOf(operation).getOrDefault(text, -1);
    }

    /** Returns the operation's best position among those of phrases that begin with this text, or -1. */
    int placeOfBeginning(Registry.Operation operation, String text) {
        return phrasesOf(operation)
            .entrySet()
            .stream()
            .filter(phrase -> phrase.getKey().startsWith(text))
            .mapToInt(Map.Entry::getValue)
            .min()
            .orElse(-1);
    }

    /** Whether a word of the operation's phrases begins with this text. */
    boolean hasWord(Registry.Operation operation, String text) {
        return phrasesOf(operation).keySet().stream().anyMatch(phrase -> (" " + phrase).contains(" " + text));
    }

    private Map<String, Integer> phrasesOf(Registry.Operation operation) {
        return phrases.getOrDefault(operation, Collections.emptyMap());
    }
}
