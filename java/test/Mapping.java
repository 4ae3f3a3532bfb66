// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A committed table that maps each name of a case to its target here. Each line holds name, target, arguments and note,
 * separated by tabs.
 */
final class Mapping {
    static final class Line {
        final String target, arguments, note;

        Line(String[] columns) {
            target = columns[1];
            arguments = columns.length > 2 ? columns[2] : "";
            note = columns.length > 3 ? columns[3] : "";
        }

        /** The case does not apply; the note gives the reason. */
        boolean isSkip() {
            return target.equals("-");
        }

        /** The case is skipped until the target exists. */
        boolean mayBeMissing() {
            return note.equals("Drua has no such command");
        }
    }

    private final Map<String, List<Line>> lines = new HashMap<>();

    Mapping(File file) throws IOException {
        int number = 0;
        for (String text : Files.readAllLines(file.toPath(), StandardCharsets.UTF_8)) {
            number++;
            if (text.isEmpty() || text.startsWith("#"))
                continue;
            String[] columns = text.split("\t", -1);
            if (columns.length < 2 || columns.length > 4)
                throw new IOException(file + ":" + number + ": 2 to 4 columns are due, got " + columns.length);
            Line line = new Line(columns);
            if (line.isSkip() && line.note.isEmpty())
                throw new IOException(file + ":" + number + ": a line that skips needs a reason");
            lines.computeIfAbsent(columns[0], name -> new ArrayList<>()).add(line);
        }
    }

    /** The lines of a name, in order; empty without lines. */
    List<Line> get(String name) {
        return lines.getOrDefault(name, Collections.emptyList());
    }
}
