// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.measure.ResultsTable;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/**
 * Writes a table as ImageJ does, but quotes cells as RFC 4180 says. ImageJ writes quotes and line ends as they are, and
 * changes commas in labels to semicolons.
 */
final class CsvFile {
    private CsvFile() {}

    /** Writes the table in UTF-8, with row numbers if the table shows them. */
    static void write(ResultsTable table, File file) throws IOException {
        String[] headings = table.getHeadings();
        try (BufferedWriter buffer = Files.newBufferedWriter(file.toPath(), StandardCharsets.UTF_8);
             PrintWriter out = new PrintWriter(buffer)) {
            out.println(line(table.showRowNumbers() ? " " : null, headings));
            for (int row = 0; row < table.size(); row++)
                out.println(line(table.showRowNumbers() ? String.valueOf(row + 1) : null, cells(table, headings, row)));
            if (out.checkError())
                throw new IOException("the disk may be full");
        }
    }

    private static String[] cells(ResultsTable table, String[] headings, int row) {
        String[] cells = new String[headings.length];
        for (int i = 0; i < cells.length; i++) {
            boolean isLabel = headings[i].equals("Label") && !table.columnExists("Label");
            cells[i] = isLabel ? table.getLabel(row) : table.getStringValue(headings[i], row);
        }
        return cells;
    }

    /** @param first null: no such cell */
    private static String line(String first, String[] cells) {
        StringBuilder line = new StringBuilder(first == null ? "" : first);
        for (int i = 0; i < cells.length; i++)
            line.append(i > 0 || first != null ? "," : "").append(quote(cells[i] == null ? "" : cells[i]));
        return line.toString();
    }

    private static String quote(String cell) {
        boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }
}
