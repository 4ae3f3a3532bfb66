// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import java.awt.Color;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.event.MouseEvent;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/** A histogram of a column, in which the selected rows are marked. */
final class Histogram extends Plot {
    private static final long serialVersionUID = 1;
    private static final int LIMIT = 64, FINE = 200;

    private int column = -1, undrawn;
    private transient Axis values = new Axis(0, 1), heights = new Axis(0, 1);
    /** Number of rows in each bin; bins divide the axis evenly. */
    private int[] counts = new int[1];

    Histogram(Consumer<BitSet> receiver) {
        super("histogram", receiver);
    }

    void column(int index) {
        column = index;
        arrange();
        repaint();
    }

    @Override
    void arrange() {
        double[] numbers = Arrays.stream(measured.column(column)).filter(Axis::isFinite).toArray();
        undrawn = measured.column(column).length - numbers.length;
        Axis range = Axis.of(numbers);
        int bins = (int) Math.max(1, Math.min(LIMIT, Math.ceil(Math.sqrt(numbers.length))));
        double span = range.high - range.low + 1;
        boolean isWhole =
            numbers.length > 0 && span < Integer.MAX_VALUE && Arrays.stream(numbers).allMatch(v -> v == Math.rint(v));
        if (isWhole) { /* all bins hold the same number of whole numbers, which avoids false gaps */
            double low = Arrays.stream(numbers).min().getAsDouble(), high = Arrays.stream(numbers).max().getAsDouble();
            double width = high - low + 1 <= LIMIT ? 1 : Math.ceil((high - low + 1) / bins);
            bins = (int) Math.ceil((high - low + 1) / width);
            range = new Axis(low - 0.5, low - 0.5 + bins * width);
        }
        values = range;
        counts = new int[bins];
        for (double number : numbers)
            counts[bin(number)]++;
        heights = new Axis(0, Math.max(1, Arrays.stream(counts).max().orElse(1)));
    }

    private int bin(double number) {
        return Math.max(0, Math.min(counts.length - 1, (int) (values.part(number) * counts.length)));
    }

    @Override
    Axis horizontal() {
        return values;
    }

    @Override
    Axis vertical() {
        return heights;
    }

    @Override
    int undrawnRows() {
        return undrawn;
    }

    @Override
    void drawData(Drawing drawing) {
        double[] numbers = measured.column(column);
        int[] marked = new int[counts.length];
        for (int row = chosen.nextSetBit(0); row >= 0 && row < numbers.length; row = chosen.nextSetBit(row + 1))
            marked[bin(numbers[row])] += Axis.isFinite(numbers[row]) ? 1 : 0;
        for (int i = 0; i < counts.length; i++) {
            fill(drawing, bar(i, counts[i]), PLAIN);
            fill(drawing, bar(i, marked[i]), CHOSEN);
        }
    }

    private static void fill(Drawing drawing, Rectangle bar, Color color) {
        drawing.fill(bar.x, bar.y, bar.width, bar.height, color);
    }

    @Override
    String acrossName() {
        return measured.name(column);
    }

    @Override
    String upwardsName() {
        return "rows";
    }

    @Override
    int[] columns() {
        return new int[] {column};
    }

    private Rectangle bar(int bin, int count) {
        int from = (int) Math.round(x(values.value((double) bin / counts.length))),
            to = (int) Math.round(x(values.value((bin + 1.0) / counts.length)));
        int top = (int) Math.round(y(count)), bottom = area().y + area().height;
        return new Rectangle(from, top, Math.max(1, to - from - 1), bottom - top);
    }

    @Override
    BitSet inside(Rectangle box, List<Point> mouse) {
        return rowsBetween(valueAt(box.x), valueAt(box.x + box.width));
    }

    private BitSet rowsBetween(double low, double high) {
        double[] numbers = measured.column(column);
        BitSet rows = new BitSet();
        for (int row = 0; row < numbers.length; row++)
            rows.set(row, Axis.isFinite(numbers[row]) && numbers[row] >= low && numbers[row] <= high);
        return rows;
    }

    @Override
    BitSet at(Point mouse) {
        double[] numbers = measured.column(column);
        BitSet rows = new BitSet();
        for (int row = 0; row < numbers.length && area().contains(mouse); row++)
            rows.set(row, Axis.isFinite(numbers[row]) && bin(numbers[row]) == bin(valueAt(mouse.x)));
        return rows;
    }

    @Override
    public String getToolTipText(MouseEvent event) {
        if (!area().contains(event.getPoint()))
            return getToolTipText();
        int bin = bin(valueAt(event.getX()));
        return counts[bin] + " rows from " + values.text(values.value((double) bin / counts.length), FINE) + " to "
            + values.text(values.value((bin + 1.0) / counts.length), FINE);
    }
}
