// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.dialog.Keys;
import drua.pipeline.Gate;
import java.awt.BorderLayout;
import java.awt.Component;
import java.awt.GridLayout;
import java.awt.Point;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Locale;
import java.util.function.Consumer;
import javax.swing.DefaultComboBoxModel;
import javax.swing.DefaultListCellRenderer;
import javax.swing.JCheckBoxMenuItem;
import javax.swing.JComboBox;
import javax.swing.JList;
import javax.swing.JMenuItem;
import javax.swing.JPanel;
import javax.swing.JPopupMenu;

/** A histogram of one column and a scatter plot of two, with lists to choose the columns. */
final class PlotsPanel extends JPanel {
    private static final long serialVersionUID = 1;
    /** The columns that are chosen first if the table has them. */
    private static final String[] SIZES = {"PIXEL_COUNT", "AREA", "VOLUME"},
                                  GREYS = {"MEAN_INTENSITY", "MEAN", "SUM_INTENSITY"};

    private final Histogram histogram;
    private final Scatter scatter;
    private final JComboBox<String> of = list("histogram column"), across = list("scatter x"),
                                    upwards = list("scatter y");
    private String[] headings = {};
    private boolean isSet;

    /** @param chosen gets the rows that the user selects in a plot */
    PlotsPanel(Consumer<BitSet> chosen) {
        super(new GridLayout(1, 2, 4, 0));
        histogram = new Histogram(chosen);
        scatter = new Scatter(chosen);
        add(plot(histogram, "Drag over a range to select its rows and labels; hold Shift to add to the selection", of));
        add(plot(scatter,
            "Drag a box around points to select their rows and labels; hold Shift to add to the selection. "
                + "Right-click to draw outlines by hand or to keep the labels inside. "
                + "Keys: arrows, Space, and arrows with Shift",
            across, upwards));
    }

    @SafeVarargs
    private static JPanel plot(Plot plot, String tip, JComboBox<String>... above) {
        JPanel panel = new JPanel(new BorderLayout(0, 2)), lists = new JPanel(new GridLayout(1, 0, 4, 0));
        for (JComboBox<String> list : above)
            lists.add(list);
        panel.add(lists, BorderLayout.NORTH);
        panel.add(plot);
        plot.setToolTipText(tip);
        return panel;
    }

    private JComboBox<String> list(String name) {
        JComboBox<String> list = new JComboBox<>();
        list.setName(name);
        list.setPrototypeDisplayValue("MEAN");
        list.setRenderer(new Heading());
        list.addActionListener(event -> columns());
        return list;
    }

    /** A short heading, whose tool tip is the column's full name. */
    private static final class Heading extends DefaultListCellRenderer {
        private static final long serialVersionUID = 1;

        @Override
        public Component getListCellRendererComponent(
            JList<?> of, Object value, int index, boolean isSelected, boolean hasFocus) {
            String name = value == null ? "" : (String) value;
            super.getListCellRendererComponent(of, Measured.readable(name), index, isSelected, hasFocus);
            setToolTipText(name);
            return this;
        }
    }

    Plot[] all() {
        return new Plot[] {histogram, scatter};
    }

    /** Offers actions in the menus of both plots. */
    void offer(TablePanel.LabelActions actions, Consumer<Runnable> guard) {
        for (Plot plot : all())
            new PopUp((on, at) -> popUp(plot, at, actions, guard)).on(plot, plot::cursor);
    }

    private void popUp(Plot plot, Point at, TablePanel.LabelActions actions, Consumer<Runnable> guard) {
        JPopupMenu popup = new JPopupMenu();
        popup.setName("plot menu");
        if (plot == scatter && actions.areLabels()) {
            JCheckBoxMenuItem freehand = new JCheckBoxMenuItem("Draw outlines by hand", scatter.isFreehand());
            freehand.addActionListener(event -> scatter.freehand(freehand.isSelected()));
            popup.add(freehand);
            JMenuItem keep = popup.add("Keep labels inside as a step");
            keep.setEnabled(scatter.gate() != null);
            keep.addActionListener(event -> guard.accept(() -> actions.keep(gate())));
            popup.addSeparator();
        }
        for (String ending : new String[] {".png", ".svg"})
            popup.add("Save plot as " + ending.substring(1).toUpperCase(Locale.ROOT) + "...")
                .addActionListener(event -> guard.accept(() -> PlotFile.ask(plot, ending)));
        popup.add("Save numbers as CSV...").addActionListener(event -> guard.accept(() -> PlotFile.ask(plot, ".csv")));
        Keys.mnemonics(popup);
        popup.show(plot, at.x, at.y);
    }

    private Gate gate() {
        return new Gate((String) across.getSelectedItem(), (String) upwards.getSelectedItem(), scatter.gate());
    }

    private void columns() {
        if (isSet)
            return;
        histogram.column(of.getSelectedIndex());
        scatter.columns(across.getSelectedIndex(), upwards.getSelectedIndex());
    }

    /** Shows other rows; chosen columns stay if the new table has them. */
    void show(Measured measured) {
        if (!Arrays.equals(headings, measured.headings)) {
            headings = measured.headings;
            isSet = true;
            fill(of, SIZES, 1);
            fill(across, SIZES, 1);
            fill(upwards, GREYS, 2);
            isSet = false;
        }
        histogram.show(measured);
        scatter.show(measured);
        columns();
    }

    private void fill(JComboBox<String> list, String[] liked, int other) {
        Object before = list.getSelectedItem();
        list.setModel(new DefaultComboBoxModel<>(headings));
        int wanted = Arrays.asList(headings).indexOf(before);
        for (int i = 0; i < liked.length && wanted < 0; i++)
            wanted = Arrays.asList(headings).indexOf(liked[i]);
        list.setSelectedIndex(wanted >= 0 ? wanted : Math.min(other, headings.length - 1));
    }

    /** Marks rows as selected. */
    void choose(BitSet rows) {
        histogram.choose(rows);
        scatter.choose(rows);
    }
}
