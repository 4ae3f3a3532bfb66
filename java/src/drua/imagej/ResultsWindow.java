// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import ij.IJ;
import ij.measure.ResultsTable;
import ij.plugin.filter.Analyzer;
import ij.text.TextPanel;

/** ImageJ's Results table and its window. */
public final class ResultsWindow {
    private static final String TITLE = "Results";

    private ResultsWindow() {}

    /** Appends a table of the engine like {@link Invocation#append}, and shows the Results window. */
    public static void append(Object[] made) {
        ResultsTable table = ResultsTable.getResultsTable();
        if (table.size() == 0 && !table.isResultsTable)
            table.show(TITLE); /* fast without rows, and registers the table in ImageJ */
        Invocation.append(table, made);
        show(table);
    }

    /**
     * Shows the table like {@link ResultsTable#show}, but converts only the rows that the window does not show yet.
     * ImageJ does this for a single new row only, so a macro that measures many images would rewrite the whole table
     * for each of them.
     */
    public static void show(ResultsTable table) {
        show(table, false);
    }

    /** Same as show(), but rewrites all rows because displayed rows have changed. */
    public static void showAnew(ResultsTable table) {
        show(table, true);
    }

    private static void show(ResultsTable table, boolean anew) {
        TextPanel panel = IJ.getTextPanel();
        if (panel == null || table.size() == 0 || table != ResultsTable.getResultsTable() || !table.isResultsTable
            || !TITLE.equals(table.getTitle())) {
            table.show(TITLE);
            return;
        }
        String headings = table.getColumnHeadings();
        int lines = panel.getLineCount(),
            shown = !anew && lines < table.size() && panel.getColumnHeadings().equals(headings) ? lines : 0;
        if (shown == 0) {
            IJ.setColumnHeadings(headings);
            Analyzer.setUnsavedMeasurements(true);
            panel.setResultsTable(table);
        }
        for (String row : RowText.from(table, shown))
            panel.appendWithoutUpdate(row);
        panel.updateDisplay();
        if (lines == 0)
            panel.scrollToTop();
    }
}
