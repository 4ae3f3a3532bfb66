// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import java.awt.Color;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.event.MouseEvent;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/** Draws a point for each row at the values of two columns. */
final class Scatter extends Plot {
    private static final long serialVersionUID = 1;
    private static final int NEAR = 6, SIZE = 5, SMALL = 3, MANY = 2000, FINE = 200;

    private static final Color GATE = new Color(0xa05000);

    private int across = -1, upwards = -1, undrawn;
    private transient Axis horizontal = new Axis(0, 1), vertical = new Axis(0, 1);
    private final transient BitSet drawn = new BitSet();
    private boolean isFreehand;
    private transient Outline gate;

    Scatter(Consumer<BitSet> receiver) {
        super("scatter", receiver);
    }

    void columns(int x, int y) {
        if (x != across || y != upwards)
            gate = null;
        across = x;
        upwards = y;
        arrange();
        repaint();
    }

    @Override
    void arrange() {
        double[] xs = measured.column(across), ys = measured.column(upwards);
        drawn.clear();
        for (int row = 0; row < Math.min(xs.length, ys.length); row++)
            drawn.set(row, Axis.isFinite(xs[row]) && Axis.isFinite(ys[row]));
        undrawn = Math.min(xs.length, ys.length) - drawn.cardinality();
        horizontal = Axis.of(drawn.stream().mapToDouble(row -> xs[row]).toArray());
        vertical = Axis.of(drawn.stream().mapToDouble(row -> ys[row]).toArray());
    }

    @Override
    Axis horizontal() {
        return horizontal;
    }

    @Override
    Axis vertical() {
        return vertical;
    }

    @Override
    int undrawnRows() {
        return undrawn;
    }

    @Override
    void drawData(Drawing drawing) {
        BitSet marked = (BitSet) drawn.clone(), plain = (BitSet) drawn.clone();
        marked.and(chosen);
        plain.andNot(chosen);
        int size = drawn.cardinality() > MANY ? SMALL : SIZE;
        if (gate != null)
            drawing.outline(gate.onScreen(this), GATE, BOX);
        points(drawing, plain, size, PLAIN);
        points(drawing, marked, size, CHOSEN);
    }

    private void points(Drawing drawing, BitSet rows, int size, Color color) {
        double[] xs = measured.column(across), ys = measured.column(upwards);
        Rectangle area = area();
        for (int row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
            int x = (int) (area.x + horizontal.part(xs[row]) * area.width),
                y = (int) (area.y + (1 - vertical.part(ys[row])) * area.height);
            drawing.fill(x - size / 2, y - size / 2, size, size, color);
        }
    }

    @Override
    void drawDragged(Drawing drawing, Rectangle box, List<Point> mouse) {
        /* the gate is already drawn */
    }

    @Override
    BitSet inside(Rectangle box, List<Point> mouse) {
        gate = Outline.of(isFreehand ? Outline.simplified(mouse) : Outline.corners(box), this);
        return isFreehand ? rowsIn(gate) : rowsIn(box);
    }

    private BitSet rowsIn(Rectangle box) {
        BitSet rows = new BitSet();
        for (int row = drawn.nextSetBit(0); row >= 0; row = drawn.nextSetBit(row + 1)) {
            double x = x(measured.column(across)[row]), y = y(measured.column(upwards)[row]);
            rows.set(row, x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height);
        }
        return rows;
    }

    private BitSet rowsIn(Outline outline) {
        double[] xs = measured.column(across), ys = measured.column(upwards);
        BitSet rows = new BitSet();
        for (int row = drawn.nextSetBit(0); row >= 0; row = drawn.nextSetBit(row + 1))
            rows.set(row, outline.contains(xs[row], ys[row]));
        return rows;
    }

    /** True if the user draws an outline by dragging, false for a box. */
    void freehand(boolean outline) {
        isFreehand = outline;
    }

    boolean isFreehand() {
        return isFreehand;
    }

    /** The corners of the gate in the units of the columns; null without a gate. */
    List<double[]> gate() {
        return gate == null ? null : gate.corners();
    }

    /** Marks rows as selected. Another selection removes the gate. */
    @Override
    void choose(BitSet rows) {
        if (gate != null && !rows.equals(rowsIn(gate)))
            gate = null;
        super.choose(rows);
    }

    @Override
    String acrossName() {
        return measured.name(across);
    }

    @Override
    String upwardsName() {
        return measured.name(upwards);
    }

    @Override
    int[] columns() {
        return new int[] {across, upwards};
    }

    private int nearestRow(Point mouse) {
        int nearest = -1;
        double min = NEAR;
        for (int row = drawn.nextSetBit(0); row >= 0; row = drawn.nextSetBit(row + 1)) {
            double distance = mouse.distance(x(measured.column(across)[row]), y(measured.column(upwards)[row]));
            nearest = distance <= min ? row : nearest;
            min = Math.min(min, distance);
        }
        return nearest;
    }

    @Override
    BitSet at(Point mouse) {
        gate = null;
        BitSet rows = new BitSet();
        int row = nearestRow(mouse);
        if (row >= 0)
            rows.set(row);
        return rows;
    }

    @Override
    public String getToolTipText(MouseEvent event) {
        int row = nearestRow(event.getPoint());
        return row < 0 ? getToolTipText()
                       : "label " + measured.label(row) + ": " + horizontal.text(measured.column(across)[row], FINE)
                + ", " + vertical.text(measured.column(upwards)[row], FINE);
    }
}
