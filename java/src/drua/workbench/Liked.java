// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.engine.Registry;
import ij.Prefs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The operations that the user has marked as favourites or added last. ImageJ keeps both between sessions. */
final class Liked {
    private static final String FAVOURITES = "drua.favourites", RECENT = "drua.recent";
    /** At most SHOWN recent operations come before the suggestions, because the list may show only four rows. */
    private static final int KEPT = 12, SHOWN = 2;

    boolean isFavourite(Registry.Operation operation) {
        return names(FAVOURITES).contains(operation.name);
    }

    boolean isRecent(Registry.Operation operation) {
        return names(RECENT).contains(operation.name);
    }

    /** Marks an operation as a favourite, or removes the mark. */
    void mark(Registry.Operation operation, boolean favourite) {
        List<String> names = names(FAVOURITES);
        names.remove(operation.name);
        if (favourite)
            names.add(operation.name);
        Prefs.set(FAVOURITES, String.join(",", names));
    }

    /** Notes that the user has added an operation. */
    void used(Registry.Operation operation) {
        List<String> names = names(RECENT);
        names.remove(operation.name);
        names.add(0, operation.name);
        Prefs.set(RECENT, String.join(",", names.subList(0, Math.min(KEPT, names.size()))));
    }

    private static List<String> names(String key) {
        return new ArrayList<>(Arrays.asList(Prefs.get(key, "").split(",")));
    }

    /**
     * The suggested operations with favourites first, then those that were added last.
     *
     * @param present the operations of the pipeline, which are not repeated as recent
     */
    List<Registry.Operation> first(List<Registry.Operation> suggested, Set<Registry.Operation> present) {
        Set<Registry.Operation> all = new LinkedHashSet<>(operationsNamed(FAVOURITES, suggested));
        operationsNamed(RECENT, suggested).stream().filter(o -> !present.contains(o)).limit(SHOWN).forEach(all::add);
        all.addAll(suggested);
        return new ArrayList<>(all);
    }

    private static List<Registry.Operation> operationsNamed(String key, List<Registry.Operation> among) {
        return names(key)
            .stream()
            .map(name -> Registry.get().operations.get(name))
            .filter(among::contains)
            .collect(Collectors.toList());
    }
}
