// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.measure.ResultsTable;
import ij.text.TextPanel;
import ij.text.TextWindow;
import java.awt.Container;
import java.awt.Font;

/** The content of an ImageJ text window, without its display. */
class HiddenTextPanel extends TextPanel {
    private static final long serialVersionUID = 1;

    private transient TextWindow window;
    private boolean copies;

    static <T extends HiddenTextPanel> T make(Class<T> type, String title) {
        try {
            T panel = Unmade.make(type);
            Unmade.set(TextPanel.class, panel, "tc", Unmade.make(Class.forName("ij.text.TextCanvas")));
            Unmade.set(TextPanel.class, panel, "menusExtended", true);
            Unmade.set(TextPanel.class, panel, "headings", true);
            panel.setTitle(title);
            panel.setColumnHeadings("");
            return panel;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Copies the next table that the panel gets, as ImageJ does for a new window. */
    void copyNextTable() {
        copies = true;
    }

    void setWindow(TextWindow window) {
        this.window = window;
    }

    @Override
    public Container getParent() {
        return window;
    }

    @Override
    public void setResultsTable(ResultsTable table) {
        super.setResultsTable(copies && table != null ? (ResultsTable) table.clone() : table);
        copies = false;
    }

    @Override
    public void setSelection(int first, int last) {
        int lines = getLineCount();
        int from = Math.max(0, Math.min(first, lines - 1)), to = Math.max(from, Math.min(last, lines - 1));
        try {
            Unmade.set(TextPanel.class, this, "selOrigin", from);
            Unmade.set(TextPanel.class, this, "selStart", from);
            Unmade.set(TextPanel.class, this, "selEnd", to);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void showRow(int row) {}

    @Override
    public void showCell(int row, String column) {}

    @Override
    public void scrollToTop() {}

    @Override
    public void setFont(Font font, boolean antialiased) {}
}
