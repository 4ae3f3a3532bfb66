// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import ij.IJ;
import ij.measure.ResultsTable;
import ij.text.TextPanel;
import java.util.ArrayList;

/** ImageJ's window of results. */
public final class ResultsWindow {
    private ResultsWindow() {}

    /**
     * Shows the table as {@link ResultsTable#show} does. Where the window has its first rows, only those that follow become text; ImageJ does
     * so for one new row alone, so a macro that measures many images would write the whole table for each.
     */
    public static void show(ResultsTable table) {
        TextPanel panel = IJ.getTextPanel();
        int shown = panel == null || table != ResultsTable.getResultsTable() || !panel.getColumnHeadings().equals(table.getColumnHeadings()) ? 0 : panel.getLineCount();
        if (shown == 0 || shown >= table.size()) {
            table.show("Results");
            return;
        }
        ArrayList<String> rows = new ArrayList<>();
        for (int row = shown; row < table.size(); row++)
            rows.add(table.getRowAsString(row));
        panel.append(rows);
    }
}
