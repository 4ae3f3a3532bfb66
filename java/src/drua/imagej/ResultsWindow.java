// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import ij.IJ;
import ij.measure.ResultsTable;
import ij.plugin.filter.Analyzer;
import ij.text.TextPanel;

/** ImageJ's table of results and its window. */
public final class ResultsWindow {
    private static final String TITLE = "Results";

    private ResultsWindow() {}

    /** Adds a table of the engine's, as {@link Invocation#append} does, and shows it. */
    public static void append(Object[] made) {
        ResultsTable table = ResultsTable.getResultsTable();
        if (table.size() == 0 && !table.isResultsTable)
            table.show(TITLE); /* without rows this takes no time, and ImageJ knows the table */
        Invocation.append(table, made);
        show(table);
    }

    /**
     * Shows the table as {@link ResultsTable#show} does. Where the window has its first rows, only those that follow
     * become text; ImageJ does so for one new row alone, so a macro that measures many images would write the whole
     * table for each.
     */
    public static void show(ResultsTable table) {
        show(table, false);
    }

    /** The same after rows have changed that the window has. */
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
