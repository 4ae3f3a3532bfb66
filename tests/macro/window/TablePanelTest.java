// SPDX-License-Identifier: BSD-3-Clause
import drua.workbench.Axis;
import drua.workbench.TablePanel;
import ij.measure.ResultsTable;
import java.awt.Component;
import java.awt.Container;
import java.awt.Point;
import java.awt.event.InputEvent;
import java.awt.event.MouseEvent;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import javax.swing.JComboBox;
import javax.swing.JComponent;
import javax.swing.JTable;

/** Checks that the table of measurements and its plots share one selection, whatever the numbers. */
public final class TablePanelTest {
    private static final int ROWS = 40, CHOSEN = 0xffe07b00, LEFT = 46, RIGHT = 12;

    private final List<BitSet> told = new ArrayList<>();
    private final TablePanel panel = new TablePanel(labels -> told.add((BitSet) labels.clone()));

    private TablePanelTest() {}

    public static void main(String[] args) {
        axes(new Random(3));
        new TablePanelTest().links();
        new TablePanelTest().points();
        new TablePanelTest().sorted();
        new TablePanelTest().oddNumbers();
        new TablePanelTest().manyRows();
        Person.leave();
    }

    // ---- help

    /** A table in scattered order: label 101 + i has the number i (0 to 39), its square, and NaN in four rows. */
    private static ResultsTable table() {
        ResultsTable table = new ResultsTable();
        double[] odd = {
            Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -Double.MAX_VALUE, Double.MAX_VALUE};
        for (int row = 0; row < ROWS; row++) {
            int i = row * 17 % ROWS;
            table.incrementCounter();
            table.addValue("IDENTIFIER", 101 + i);
            table.addValue("AREA", i + 0.25);
            table.addValue("MEAN_INTENSITY", i * i);
            table.addValue("ODD", i >= 3 && i < 3 + odd.length ? odd[i - 3] : i);
            table.addValue("SAME", 7);
            table.addValue("NONE", Double.NaN);
        }
        return table;
    }

    private void show(ResultsTable table) {
        panel.setSize(900, 260);
        panel.show(table);
        layout(panel);
        layout(panel);
    }

    private static void layout(Container container) {
        container.doLayout();
        for (Component part : container.getComponents()) {
            if (part instanceof Container)
                layout((Container) part);
        }
    }

    private <T extends Component> T named(Class<T> type, String name) {
        return type.cast(named((Container) panel, name));
    }

    private static Component named(Container container, String name) {
        for (Component part : container.getComponents()) {
            Component found = name.equals(part.getName()) ? part
                : part instanceof Container               ? named((Container) part, name)
                                                          : null;
            if (found != null)
                return found;
        }
        return null;
    }

    /** A point at these fractions of the width and height of a plot's area. */
    private Point at(String plot, double across, double down) {
        Component component = named((Container) panel, plot);
        return new Point((int) Math.round(LEFT + across * (component.getWidth() - LEFT - RIGHT)),
            (int) Math.round(14 + down * (component.getHeight() - 34)));
    }

    private void drag(String plot, Point from, Point to, int keys) {
        Component component = named((Container) panel, plot);
        event(component, MouseEvent.MOUSE_PRESSED, from, keys);
        if (!from.equals(to))
            event(component, MouseEvent.MOUSE_DRAGGED, to, keys);
        event(component, MouseEvent.MOUSE_RELEASED, to, keys);
    }

    private static void event(Component component, int id, Point at, int keys) {
        component.dispatchEvent(new MouseEvent(
            component, id, 0, keys | InputEvent.BUTTON1_DOWN_MASK, at.x, at.y, 1, false, MouseEvent.BUTTON1));
    }

    /** The labels of the selected rows, minus 101. */
    private TreeSet<Integer> chosen() {
        JTable table = named(JTable.class, "measured");
        TreeSet<Integer> labels = new TreeSet<>();
        for (int row : table.getSelectedRows())
            labels.add(((Double) table.getValueAt(row, 0)).intValue() - 101);
        BitSet last = told.isEmpty() ? new BitSet() : told.get(told.size() - 1);
        Person.expect("labels that are told, for " + labels, labels.toString(),
            new TreeSet<>(Arrays.asList(last.stream().mapToObj(l -> l - 101).toArray())).toString());
        return labels;
    }

    private static TreeSet<Integer> numbers(int from, int to) {
        TreeSet<Integer> numbers = new TreeSet<>();
        for (int i = from; i <= to; i++)
            numbers.add(i);
        return numbers;
    }

    private int marked(String plot) {
        JComponent component = (JComponent) named((Container) panel, plot);
        BufferedImage picture =
            new BufferedImage(component.getWidth(), component.getHeight(), BufferedImage.TYPE_INT_RGB);
        component.paint(picture.createGraphics());
        return (int) Arrays
            .stream(picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth()))
            .filter(c -> c == CHOSEN)
            .count();
    }

    // ---- selection

    private void links() {
        show(table());
        Person.expect("the first column", "AREA", named(JComboBox.class, "histogram column").getSelectedItem());
        Person.expect("nothing is marked", "0 0", marked("histogram") + " " + marked("scatter"));
        drag("histogram", at("histogram", 0, 0.5), at("histogram", 0.5, 0.6), 0);
        Person.expect("rows after a drag over the lower half of the histogram", numbers(0, 19), chosen());
        Person.expect(
            "the selected rows are marked in both plots", true, marked("histogram") > 100 && marked("scatter") > 100);
        drag("histogram", at("histogram", 0.9, 0.5), at("histogram", 1.1, 0.5), InputEvent.SHIFT_DOWN_MASK);
        TreeSet<Integer> both = numbers(0, 19);
        both.addAll(numbers(36, 39));
        Person.expect("rows after the last tenth is added", both, chosen());
        drag("scatter", at("scatter", 0.4, 1), at("scatter", 1.1, 0.5), 0);
        Person.expect("rows in a box of the scatter plot", numbers(16, 27), chosen());
        named(JTable.class, "measured").setRowSelectionInterval(0, 0);
        Person.expect("rows after the first row is selected", numbers(0, 0), chosen());
        panel.choose(105, true);
        Person.expect("a clicked label is added", "[0, 4]", chosen());
        panel.choose(101, true);
        Person.expect("another click removes the label", "[4]", chosen());
        panel.choose(0, false);
        Person.expect("rows after all labels are deselected", "[]", chosen());
        Person.expect(
            "marked points after all labels are deselected", "0 0", marked("histogram") + " " + marked("scatter"));
    }

    private void points() {
        show(table());
        double part = 20.0 / 39, high = 400.0 / 1521;
        drag("scatter", at("scatter", part, 1 - high), at("scatter", part, 1 - high), 0);
        Person.expect("rows after a click on a point", "[20]", chosen());
        drag("scatter", at("scatter", 0.1, 0.1), at("scatter", 0.1, 0.1), 0);
        Person.expect("rows after a click beside all points", "[]", chosen());
        named(JComboBox.class, "scatter y").setSelectedItem("SAME");
        drag("scatter", at("scatter", -0.1, 0.4), at("scatter", 0.26, 0.6), 0);
        Person.expect("rows in a box of other columns", numbers(0, 10), chosen());
        panel.show(table());
        Person.expect("the next table keeps selection and columns", numbers(0, 10) + "SAME",
            chosen() + "" + named(JComboBox.class, "scatter y").getSelectedItem());
        panel.show(null);
        Person.expect("rows without a table", 0, named(JTable.class, "measured").getRowCount());
    }

    private void sorted() {
        show(table());
        named(JTable.class, "measured").getRowSorter().toggleSortOrder(2);
        drag("histogram", at("histogram", -0.1, 0.5), at("histogram", 0.25, 0.5), 0);
        Person.expect("rows selected in the histogram of a sorted table", numbers(0, 9), chosen());
        panel.show(table());
        Person.expect("the first label after the sorted table is shown again", 101.0,
            named(JTable.class, "measured").getValueAt(0, 0));
        Person.expect("rows selected after the sorted table is shown again", numbers(0, 9), chosen());
    }

    private void oddNumbers() {
        show(table());
        for (String column : new String[] {"ODD", "SAME", "NONE"}) {
            named(JComboBox.class, "histogram column").setSelectedItem(column);
            named(JComboBox.class, "scatter x").setSelectedItem(column);
            TreeSet<Integer> expected = numbers(0, column.equals("NONE") ? -1 : ROWS - 1);
            if (column.equals("ODD"))
                expected.removeAll(Arrays.asList(3, 4, 5));
            drag("histogram", at("histogram", -0.1, 0.5), at("histogram", 1.1, 0.5), 0);
            Person.expect("rows with a number in " + column, expected, chosen());
            drag("scatter", at("scatter", -0.1, -0.1), at("scatter", 1.1, 1.1), 0);
            Person.expect("points of " + column, expected, chosen());
            Person.expect("drawn", expected.isEmpty(), marked("scatter") == 0);
        }
    }

    private void manyRows() {
        ResultsTable table = new ResultsTable();
        Random random = new Random(5);
        for (int row = 0; row < 50000; row++) {
            table.incrementCounter();
            table.addValue("IDENTIFIER", row + 1);
            table.addValue("X", random.nextGaussian());
            table.addValue("Y", random.nextGaussian());
        }
        show(table);
        drag("scatter", at("scatter", -0.1, -0.1), at("scatter", 1.1, 1.1), 0);
        Person.expect("50,000 rows", 50000, chosen().size());
        Person.expect("drawn", true, marked("histogram") > 100 && marked("scatter") > 100);
    }

    // ---- axes

    private static void axes(Random random) {
        for (int i = 0; i < 3000; i++) {
            double size = Math.pow(10, random.nextInt(600) - 300), low = (random.nextDouble() - 0.5) * size;
            Axis axis = new Axis(low,
                random.nextInt(10) == 0 ? low : low + random.nextDouble() * size * Math.pow(10, -random.nextInt(12)));
            int max = 3 + random.nextInt(8);
            double[] ticks = axis.ticks(max);
            HashSet<String> texts = new HashSet<>();
            boolean isInside = ticks.length >= 1 && ticks.length <= max + 1;
            for (double tick : ticks) {
                double slack = 1e-9 * (axis.high - axis.low);
                isInside &= tick >= axis.low - slack && tick <= axis.high + slack && axis.part(tick) > -1e-6
                    && axis.part(tick) < 1 + 1e-6;
                texts.add(axis.text(tick, max));
                isInside &= Math.abs(axis.part(Double.parseDouble(axis.text(tick, max))) - axis.part(tick)) < 0.01
                    || ticks.length == 2;
            }
            Person.expect("ticks of " + axis.low + " to " + axis.high + ": " + Arrays.toString(ticks) + texts,
                "true " + ticks.length, isInside + " " + texts.size());
        }
        Person.expect(
            "ticks from 0 to 100", "[0.0, 20.0, 40.0, 60.0, 80.0, 100.0]", Arrays.toString(new Axis(0, 100).ticks(5)));
        Person.expect(
            "texts of ticks", "0.25 1.5e7", new Axis(0, 1).text(0.25, 20) + " " + new Axis(0, 2e7).text(1.5e7, 4));
        Person.expect("the middle of the largest range", "0.5", new Axis(-Double.MAX_VALUE, Double.MAX_VALUE).part(0));
        Person.expect("the range without finite numbers", "0.0 1.0",
            Axis.of(new double[] {Double.NaN, Double.POSITIVE_INFINITY}).low + " " + Axis.of(new double[0]).high);
    }
}
