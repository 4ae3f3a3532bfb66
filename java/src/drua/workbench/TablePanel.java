// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.dialog.Keys;
import drua.pipeline.Gate;
import ij.measure.ResultsTable;
import java.awt.BorderLayout;
import java.awt.Dimension;
import java.awt.KeyboardFocusManager;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.event.MouseEvent;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Consumer;
import javax.swing.JComponent;
import javax.swing.JPanel;
import javax.swing.JPopupMenu;
import javax.swing.JScrollPane;
import javax.swing.JSplitPane;
import javax.swing.JTable;
import javax.swing.ListSelectionModel;
import javax.swing.table.AbstractTableModel;
import javax.swing.table.JTableHeader;
import javax.swing.table.TableColumnModel;

/**
 * The measurements of a step, one row for each label, with plots. Rows that are selected here or in a plot are marked
 * in the table, the plots and the view. Clicking a label selects its row.
 */
public final class TablePanel extends JPanel {
    private static final long serialVersionUID = 1;
    private static final Dimension MINIMUM_SIZE = new Dimension(120, 60);

    /** Shows measurements on the label map. */
    interface LabelActions {
        /** True if the shown rows were measured in a label map. */
        boolean areLabels();

        /** True if these labels form a stack of several slices. */
        boolean areSolid();

        void map(Measured measured, int column);

        /** Opens a 3-D view of the labels in the colours of a column. */
        void solidMap(Measured measured, int column);

        /** Opens a 3-D view of some labels. */
        void solid(BitSet labels);

        void addToManager(BitSet labels);

        /** Adds a step that keeps the labels inside a polygon of a scatter plot. */
        void keep(Gate gate);
    }

    private final transient Consumer<BitSet> receiver;
    private transient LabelActions actions;
    private transient Consumer<Runnable> guarded;
    private final Rows model = new Rows();
    private final JTable table = new JTable(model) {
        private static final long serialVersionUID = 1;

        @Override
        protected JTableHeader createDefaultTableHeader() {
            return new Header(columnModel);
        }
    };
    private final PlotsPanel plots = new PlotsPanel(this::onPlotSelection);
    private transient ResultsTable shown;
    private transient BitSet labels = new BitSet();
    private boolean isSet;

    /** @param receiver gets the labels of the selected rows */
    public TablePanel(Consumer<BitSet> receiver) {
        super(new BorderLayout());
        this.receiver = receiver;
        table.setAutoResizeMode(JTable.AUTO_RESIZE_OFF);
        table.setAutoCreateRowSorter(true);
        table.setSelectionMode(ListSelectionModel.MULTIPLE_INTERVAL_SELECTION);
        table.setName("measured");
        for (int keys :
            new int[] {KeyboardFocusManager.FORWARD_TRAVERSAL_KEYS, KeyboardFocusManager.BACKWARD_TRAVERSAL_KEYS})
            table.setFocusTraversalKeys(keys, null); /* Tab leaves the table */
        table.getSelectionModel().addListSelectionListener(event -> {
            if (!isSet && !event.getValueIsAdjusting())
                notifyPlots(rows());
        });
        JScrollPane scroll = new JScrollPane(table);
        scroll.setMinimumSize(MINIMUM_SIZE);
        plots.setMinimumSize(MINIMUM_SIZE);
        JSplitPane split = new JSplitPane(JSplitPane.HORIZONTAL_SPLIT, scroll, plots);
        split.setResizeWeight(0.4);
        split.setBorder(null);
        add(split);
    }

    /**
     * Offers actions in menus of the table, its headings and the plots.
     *
     * @param guard runs an action and shows its failure
     */
    void offer(LabelActions offered, Consumer<Runnable> guard) {
        actions = offered;
        guarded = guard;
        plots.offer(offered, guard);
        new PopUp((on, at) -> popUp(table, at)).on(table, this::selected);
        table.getTableHeader().addMouseListener(new PopUp((on, at) -> popUp(table.getTableHeader(), at)));
    }

    /** A place in the selected cell, or null. */
    private Point selected() {
        int row = table.getSelectionModel().getLeadSelectionIndex(),
            column = Math.max(0, table.getColumnModel().getSelectionModel().getLeadSelectionIndex());
        if (row < 0 || row >= table.getRowCount())
            return null;
        Rectangle cell = table.getCellRect(row, column, true);
        return new Point(cell.x + cell.width / 2, cell.y + cell.height / 2);
    }

    private void popUp(JComponent on, Point at) {
        int column = table.columnAtPoint(at);
        if (column < 0)
            return;
        int index = table.convertColumnIndexToModel(column), chosen = table.getSelectedRowCount();
        Measured measured = model.measured;
        JPopupMenu popup = new JPopupMenu();
        popup.setName("table menu");
        if (actions.areLabels())
            popup.add("Map of " + Measured.readable(measured.headings[index]))
                .addActionListener(event -> actions.map(measured, index));
        if (actions.areSolid())
            popup.add("3-D map of " + Measured.readable(measured.headings[index]))
                .addActionListener(event -> actions.solidMap(measured, index));
        String labelled = chosen + (chosen == 1 ? " selected label" : " selected labels");
        if (actions.areSolid() && chosen > 0)
            popup.add("3-D view of " + labelled).addActionListener(event -> actions.solid(measured.labels(rows())));
        if (actions.areLabels() && chosen > 0)
            popup.add("Add " + labelled + " to the ROI Manager")
                .addActionListener(event -> actions.addToManager(measured.labels(rows())));
        popup.add("Sort by " + Measured.readable(measured.headings[index]))
            .addActionListener(event -> table.getRowSorter().toggleSortOrder(index));
        popup.add("Save table as CSV...").addActionListener(event -> guarded.accept(() -> PlotFile.ask(measured)));
        Keys.mnemonics(popup);
        popup.show(on, at.x, at.y);
    }

    /** Gives the keyboard focus to the rows, of which the first is selected if none is. */
    void takeFocus() {
        if (table.getSelectedRow() < 0 && table.getRowCount() > 0)
            table.changeSelection(0, 0, false, false);
        table.requestFocusInWindow();
    }

    /** The plots, from left to right. */
    Plot[] plots() {
        return plots.all();
    }

    /** Shows a table, or null for none. Selected labels stay selected if the new table has rows for them. */
    public void show(ResultsTable measured) {
        if (measured == shown)
            return;
        shown = measured;
        isSet = true;
        model.show(new Measured(measured));
        isSet = false;
        plots.show(model.measured);
        select(model.measured.rows(labels));
    }

    /** The labels of the selected rows. */
    BitSet chosen() {
        return (BitSet) labels.clone();
    }

    private BitSet rows() {
        BitSet rows = new BitSet();
        for (int row : table.getSelectedRows())
            rows.set(table.convertRowIndexToModel(row));
        return rows;
    }

    /** Handles a selection in a plot. */
    private void onPlotSelection(BitSet rows) {
        select(rows);
        notifyPlots(rows);
    }

    private void notifyPlots(BitSet rows) {
        labels = model.measured.labels(rows);
        plots.choose(rows);
        receiver.accept(labels);
    }

    /** Selects rows without notifying the receiver. */
    private void select(BitSet rows) {
        isSet = true;
        ListSelectionModel selection = table.getSelectionModel();
        selection.setValueIsAdjusting(true);
        selection.clearSelection();
        rows.stream().map(table::convertRowIndexToView).forEach(row -> selection.addSelectionInterval(row, row));
        selection.setValueIsAdjusting(false);
        isSet = false;
        plots.choose(rows);
        int first = table.getSelectedRow();
        if (first >= 0)
            table.scrollRectToVisible(table.getCellRect(first, 0, true));
    }

    /** Selects the row of a label. more: adds the row to the selection, or removes it if it is selected. */
    public void choose(int label, boolean more) {
        BitSet wanted = more ? (BitSet) labels.clone() : new BitSet();
        if (label > 0)
            wanted.flip(label);
        onPlotSelection(model.measured.rows(wanted));
    }

    /** Readable headings, whose tool tips are the full names of the columns. */
    private final class Header extends JTableHeader {
        private static final long serialVersionUID = 1;

        Header(TableColumnModel columns) {
            super(columns);
        }

        @Override
        public String getToolTipText(MouseEvent event) {
            int column = columnAtPoint(event.getPoint());
            return column < 0 ? null : model.measured.headings[table.convertColumnIndexToModel(column)];
        }
    }

    /** The numbers as a model for Swing's table. */
    private static final class Rows extends AbstractTableModel {
        private static final long serialVersionUID = 1;

        private transient Measured measured = new Measured(null);

        /** Shows other rows. If the columns are the same, their widths and order stay. */
        void show(Measured now) {
            boolean isSame = Arrays.equals(now.headings, measured.headings);
            measured = now;
            if (isSame)
                fireTableDataChanged();
            else
                fireTableStructureChanged();
        }

        @Override
        public int getRowCount() {
            return measured.rows;
        }

        @Override
        public int getColumnCount() {
            return measured.headings.length;
        }

        @Override
        public String getColumnName(int column) {
            return Measured.readable(measured.headings[column]);
        }

        @Override
        public Class<?> getColumnClass(int column) {
            return Double.class;
        }

        @Override
        public Object getValueAt(int row, int column) {
            return measured.column(column)[row];
        }
    }
}
