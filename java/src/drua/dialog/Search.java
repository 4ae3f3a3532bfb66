// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.Registry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Finds operations by words that the user types: in titles, commands with any prefix, the thesaurus, categories and
 * summaries.
 */
public final class Search {
    /*
     * Ranks of a match, best first. PHRASE and PHRASE_BEGINS increase by the operation's position among the operations
     * of the phrase.
     */
    private static final int NAME = 0, PHRASE = 10, TITLE_BEGINS = 20, PHRASE_BEGINS = 30, WORD_BEGINS = 40,
                             COMMAND = 50, PHRASE_WORD = 60, CATEGORY = 70, SUMMARY = 80, NOWHERE = 10000;

    private final Map<Registry.Operation, String> commands = new HashMap<>();
    private final Registry registry;
    private final Thesaurus thesaurus;

    public Search(Registry registry) {
        this.registry = registry;
        thesaurus = new Thesaurus(registry);
        for (Registry.Command command : registry.commands.values())
            commands.merge(command.operation, inLowerCase(command.name), (a, b) -> a + " " + b);
    }

    /** The operations that fit the text, the best first; all operations, by category, for an empty text. */
    public List<Registry.Operation> ranked(String typed) {
        String text = inLowerCase(typed).trim().replaceAll("[\\s_]+", " ");
        Map<Registry.Operation, Integer> ranks = new HashMap<>();
        for (Registry.Operation operation : registry.operations.values()) {
            int rank = text.isEmpty() ? NAME : rankOperation(operation, text);
            if (rank < NOWHERE)
                ranks.put(operation, rank);
        }
        List<Registry.Operation> found = new ArrayList<>(ranks.keySet());
        Comparator<Registry.Operation> byTitle = Comparator.comparing(Registry.Operation::title);
        found.sort(text.isEmpty() ? Comparator.comparing((Registry.Operation o) -> o.category).thenComparing(byTitle)
                                  : Comparator.comparing((Registry.Operation o) -> ranks.get(o))
                                        .thenComparing(o -> o.menu ? 0 : 1)
                                        .thenComparing(byTitle));
        return found;
    }

    /** The operations that fit the text, by category. The category of the best operation comes first. */
    public Map<String, List<Registry.Operation>> find(String text) {
        Map<String, List<Registry.Operation>> found = new LinkedHashMap<>();
        for (Registry.Operation operation : ranked(text))
            found.computeIfAbsent(operation.category, name -> new ArrayList<>()).add(operation);
        return found;
    }

    /** How well an operation fits the whole text, or else each of its words. */
    private int rankOperation(Registry.Operation operation, String text) {
        String title = inLowerCase(operation.title());
        int place = thesaurus.place(operation, text), begun = thesaurus.placeOfBeginning(operation, text);
        if (title.equals(text) || commandsEndWith(operation, text.replace(' ', '_')))
            return NAME;
        if (place >= 0)
            return PHRASE + place;
        if (title.startsWith(text))
            return TITLE_BEGINS;
        if (begun >= 0)
            return PHRASE_BEGINS + begun;
        String[] words = text.split(" ");
        int sum = 0;
        for (String word : words)
            sum += rankOfWord(operation, title, word);
        return sum / words.length;
    }

    private boolean commandsEndWith(Registry.Operation operation, String word) {
        String all = " " + commands.getOrDefault(operation, "") + " ";
        return all.contains("_" + word + " ") || all.contains(" " + word + " ");
    }

    private int rankOfWord(Registry.Operation operation, String title, String word) {
        if ((" " + title.replace('-', ' ')).contains(" " + word))
            return WORD_BEGINS;
        if (commands.getOrDefault(operation, "").contains(word) || operation.name.contains(word))
            return COMMAND;
        if (thesaurus.hasWord(operation, word))
            return PHRASE_WORD;
        if (operation.category.startsWith(word))
            return CATEGORY;
        if (inLowerCase(operation.summary).contains(word))
            return SUMMARY;
        return NOWHERE * 100;
    }

    private static String inLowerCase(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
