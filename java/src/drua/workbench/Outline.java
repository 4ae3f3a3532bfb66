// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import java.awt.Point;
import java.awt.Rectangle;
import java.awt.geom.Line2D;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A polygon in a plot, in the units of its columns. Immutable. */
final class Outline {
    /** Corners at most this many pixels from the line between other corners are left out. */
    private static final double NEAR = 1.5;
    /** Corners are rounded to this part of an axis, so that macros have short numbers. */
    private static final double FINE = 1e-4;

    private final List<double[]> corners = new ArrayList<>();

    private Outline() {}

    /** The outline through places on the screen. */
    static Outline of(List<Point> places, Plot plot) {
        Outline made = new Outline();
        for (Point place : places) {
            Axis x = plot.horizontal(), y = plot.vertical();
            double fromTop = (double) (place.y - plot.area().y) / plot.area().height;
            made.corners.add(
                new double[] {roundToAxis(plot.valueAt(place.x), x), roundToAxis(y.value(1 - fromTop), y)});
        }
        return made;
    }

    static List<Point> corners(Rectangle box) {
        int right = box.x + box.width, bottom = box.y + box.height;
        return Arrays.asList(
            box.getLocation(), new Point(right, box.y), new Point(right, bottom), new Point(box.x, bottom));
    }

    /** Leaves out places that hardly change a line (Douglas and Peucker 1973). */
    static List<Point> simplified(List<Point> line) {
        int farthest = -1;
        double max = NEAR;
        Point first = line.get(0), last = line.get(line.size() - 1);
        for (int i = 1; i < line.size() - 1; i++) {
            double distance = Line2D.ptSegDist(first.x, first.y, last.x, last.y, line.get(i).x, line.get(i).y);
            farthest = distance > max ? i : farthest;
            max = Math.max(max, distance);
        }
        if (farthest < 0)
            return Arrays.asList(first, last);
        List<Point> kept = new ArrayList<>(simplified(line.subList(0, farthest + 1)));
        kept.remove(kept.size() - 1);
        kept.addAll(simplified(line.subList(farthest, line.size())));
        return kept;
    }

    private static double roundToAxis(double value, Axis axis) {
        double step = Math.max(Double.MIN_NORMAL, (axis.high / 2 - axis.low / 2) * FINE * 2);
        int digits = (int) Math.ceil(-Math.log10(step));
        return finite(new BigDecimal(finite(value)).setScale(digits, RoundingMode.HALF_EVEN).doubleValue());
    }

    private static double finite(double value) {
        return Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, value));
    }

    List<double[]> corners() {
        return new ArrayList<>(corners);
    }

    /**
     * The rule of keep_labels_in_gate: a line to the right crosses an odd number of sides. Computed from halves,
     * because differences may overflow.
     */
    boolean contains(double x, double y) {
        boolean inside = false;
        for (int i = 0, before = corners.size() - 1; i < corners.size(); before = i++) {
            double[] a = corners.get(i), b = corners.get(before);
            if (a[1] > y != b[1] > y
                && x / 2 < a[0] / 2 + (b[0] / 2 - a[0] / 2) * ((y / 2 - a[1] / 2) / (b[1] / 2 - a[1] / 2)))
                inside = !inside;
        }
        return inside;
    }

    double[][] onScreen(Plot plot) {
        return corners.stream().map(c -> new double[] {plot.x(c[0]), plot.y(c[1])}).toArray(double[][] ::new);
    }
}
