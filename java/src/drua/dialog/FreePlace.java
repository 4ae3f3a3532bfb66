// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import java.awt.Dimension;
import java.awt.GraphicsConfiguration;
import java.awt.Insets;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.Toolkit;
import java.awt.Window;

/** Finds places for windows: inside the screen, and where they cover the smallest area of other windows. */
public final class FreePlace {
    private FreePlace() {}

    /** The part of a window's screen that windows may use: without the bars of the desktop. */
    public static Rectangle screen(Window of) {
        GraphicsConfiguration configuration = of.getGraphicsConfiguration();
        Rectangle screen = configuration.getBounds();
        Insets bars = Toolkit.getDefaultToolkit().getScreenInsets(configuration);
        return new Rectangle(screen.x + bars.left, screen.y + bars.top, screen.width - bars.left - bars.right,
            screen.height - bars.top - bars.bottom);
    }

    /** The place nearest to the wanted one at which the whole window is on the screen. */
    public static Point inside(Rectangle screen, Dimension size, Point wanted) {
        return new Point(Math.max(screen.x, Math.min(wanted.x, screen.x + screen.width - size.width)),
            Math.max(screen.y, Math.min(wanted.y, screen.y + screen.height - size.height)));
    }

    /**
     * A place for a window of this size: right of `window`, left of it, below it, above it, or in a corner of the
     * screen. The chosen place covers the smallest area of other windows; covered area of `window` counts half.
     *
     * @param apart  distance in pixels from the window
     * @param others other windows not to cover; any of them may be null or not visible
     */
    public static Point beside(Window window, Dimension size, int apart, Window... others) {
        Rectangle screen = screen(window), at = window.getBounds();
        Point[] wanted = {new Point(at.x + at.width + apart, at.y), new Point(at.x - size.width - apart, at.y),
            new Point(at.x, at.y + at.height + apart), new Point(at.x, at.y - size.height - apart),
            new Point(screen.x, screen.y + screen.height), new Point(screen.x + screen.width, screen.y + screen.height),
            screen.getLocation(), new Point(screen.x + screen.width, screen.y)};
        Point best = null;
        double min = Double.MAX_VALUE;
        for (Point place : wanted) {
            Point inside = inside(screen, size, place);
            double area = coveredArea(new Rectangle(inside, size), window) / 2;
            for (Window other : others)
                area += other == window ? 0 : coveredArea(new Rectangle(inside, size), other);
            if (area < min) {
                min = area;
                best = inside;
            }
        }
        return best;
    }

    private static double coveredArea(Rectangle of, Window window) {
        if (window == null || !window.isShowing())
            return 0;
        Rectangle hidden = of.intersection(window.getBounds());
        return hidden.isEmpty() ? 0 : (double) hidden.width * hidden.height;
    }
}
