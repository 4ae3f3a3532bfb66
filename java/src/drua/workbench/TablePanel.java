// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import ij.measure.ResultsTable;
import java.awt.BorderLayout;
import java.util.function.IntConsumer;
import javax.swing.JPanel;
import javax.swing.JScrollPane;
import javax.swing.JTable;
import javax.swing.ListSelectionModel;
import javax.swing.table.AbstractTableModel;

/** What a step measured, a row for each label: a chosen row marks its label in the view, and a label that is clicked chooses its row. */
final class TablePanel extends JPanel {
    private static final long serialVersionUID = 1;
    private static final String LABEL = "IDENTIFIER";

    private final JTable table = new JTable();
    private transient ResultsTable rows;
    private boolean isSet;

    /** @param chosen gets the label of the chosen row, 0 if there is none */
    TablePanel(IntConsumer chosen) {
        super(new BorderLayout());
        table.setAutoResizeMode(JTable.AUTO_RESIZE_OFF);
        table.setSelectionMode(ListSelectionModel.SINGLE_SELECTION);
        table.setName("measured");
        table.getSelectionModel().addListSelectionListener(event -> {
            if (!isSet && !event.getValueIsAdjusting())
                chosen.accept(table.getSelectedRow() < 0 ? 0 : label(table.convertRowIndexToModel(table.getSelectedRow())));
        });
        add(new JScrollPane(table));
    }

    /** Shows a table; null: none. */
    void show(ResultsTable measured) {
        if (measured == rows)
            return;
        rows = measured;
        isSet = true;
        table.setModel(new Rows(measured == null ? new ResultsTable() : measured));
        table.setAutoCreateRowSorter(true);
        isSet = false;
    }

    private int label(int row) {
        return rows.columnExists(LABEL) ? (int) rows.getValue(LABEL, row) : row + 1;
    }

    /** Chooses the row of a label. */
    void choose(int label) {
        table.clearSelection();
        for (int row = 0; rows != null && row < rows.size(); row++) {
            if (label(row) != label)
                continue;
            int shown = table.convertRowIndexToView(row);
            table.setRowSelectionInterval(shown, shown);
            table.scrollRectToVisible(table.getCellRect(shown, 0, true));
        }
    }

    /** A table of ImageJ's. */
    private static final class Rows extends AbstractTableModel {
        private static final long serialVersionUID = 1;

        private final transient ResultsTable rows;
        private final String[] headings;

        Rows(ResultsTable rows) {
            this.rows = rows;
            headings = rows.getHeadings();
        }

        @Override
        public int getRowCount() {
            return rows.size();
        }

        @Override
        public int getColumnCount() {
            return headings.length;
        }

        @Override
        public String getColumnName(int column) {
            return headings[column];
        }

        @Override
        public Class<?> getColumnClass(int column) {
            return Double.class;
        }

        @Override
        public Object getValueAt(int row, int column) {
            return rows.getValue(headings[column], row);
        }
    }
}
