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
import java.util.TreeMap;

/** Finds operations by words that the user types, in titles, commands with any prefix, categories and summaries. */
public final class Search {
    /* How well a word fits, best first. */
    private static final int TITLE_BEGINS = 0, WORD_BEGINS = 1, COMMAND = 2, CATEGORY = 3, SUMMARY = 4, NOWHERE = 100;

    private final Map<Registry.Operation, String> commands = new HashMap<>();
    private final Registry registry;

    public Search(Registry registry) {
        this.registry = registry;
        for (Registry.Command command : registry.commands.values())
            commands.merge(command.operation, lower(command.name), (a, b) -> a + " " + b);
    }

    /**
     * The operations that contain every word, by category. The best category comes first, and the best operation of
     * each category.
     */
    public Map<String, List<Registry.Operation>> find(String text) {
        String[] words = lower(text).trim().split("\\s+");
        Map<Registry.Operation, Integer> ranks = new LinkedHashMap<>();
        for (Registry.Operation operation : registry.operations.values()) {
            int rank = 0;
            for (String word : words)
                rank += word.isEmpty() ? 0 : rank(operation, word);
            if (rank < NOWHERE)
                ranks.put(operation, rank);
        }
        Map<String, List<Registry.Operation>> found = new TreeMap<>();
        for (Registry.Operation operation : ranks.keySet())
            found.computeIfAbsent(operation.category, name -> new ArrayList<>()).add(operation);
        Comparator<Registry.Operation> order = Comparator.comparingInt((Registry.Operation o) -> ranks.get(o))
                                                   .thenComparing(o -> lower(text).trim().isEmpty() || o.menu ? 0 : 1)
                                                   .thenComparing(Registry.Operation::title);
        found.values().forEach(list -> list.sort(order));
        List<Map.Entry<String, List<Registry.Operation>>> categories = new ArrayList<>(found.entrySet());
        categories.sort(Comparator.comparingInt(entry -> ranks.get(entry.getValue().get(0))));
        Map<String, List<Registry.Operation>> sorted = new LinkedHashMap<>();
        categories.forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
        return sorted;
    }

    private int rank(Registry.Operation operation, String word) {
        String title = lower(operation.title()), summary = lower(operation.summary);
        boolean isCommand = (commands.getOrDefault(operation, "") + " ").contains("_" + word + " ");
        if (isCommand || title.startsWith(word))
            return TITLE_BEGINS;
        if ((" " + title.replace('-', ' ')).contains(" " + word))
            return WORD_BEGINS;
        if (commands.getOrDefault(operation, "").contains(word) || operation.name.contains(word))
            return COMMAND;
        if (operation.category.startsWith(word))
            return CATEGORY;
        if (summary.contains(word))
            return SUMMARY;
        return NOWHERE;
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
