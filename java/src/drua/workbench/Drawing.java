// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import java.awt.Color;
import java.awt.Rectangle;

/** A surface on which plots are drawn: the screen, or a file. Lengths are in pixels, y points down. */
interface Drawing {
    void line(double x1, double y1, double x2, double y2, Color color);

    void fill(double x, double y, double width, double height, Color color);

    /** A closed outline through the points {x, y}, with its inside. */
    void outline(double[][] points, Color line, Color inside);

    /** A text whose baseline begins at x, y. */
    void text(String text, double x, double y, Color color);

    int textWidth(String text);

    int textAscent();

    /** Draws only inside the rectangle from now on. */
    void clip(Rectangle inside);
}
