// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;

/** Draws on a component or a picture. */
final class ScreenDrawing implements Drawing {
    static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 10);

    private final Graphics2D graphics;

    ScreenDrawing(Graphics2D graphics) {
        this.graphics = graphics;
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_NORMALIZE);
        graphics.setFont(FONT);
        graphics.setStroke(new BasicStroke(1));
    }

    @Override
    public void line(double x1, double y1, double x2, double y2, Color color) {
        graphics.setColor(color);
        graphics.draw(new Line2D.Double(x1, y1, x2, y2));
    }

    @Override
    public void fill(double x, double y, double width, double height, Color color) {
        graphics.setColor(color);
        graphics.fill(new Rectangle2D.Double(x, y, width, height));
    }

    @Override
    public void outline(double[][] points, Color line, Color inside) {
        Path2D path = new Path2D.Double();
        for (double[] point : points) {
            if (path.getCurrentPoint() == null)
                path.moveTo(point[0], point[1]);
            else
                path.lineTo(point[0], point[1]);
        }
        path.closePath();
        graphics.setColor(inside);
        graphics.fill(path);
        graphics.setColor(line);
        graphics.draw(path);
    }

    @Override
    public void text(String text, double x, double y, Color color) {
        graphics.setColor(color);
        graphics.drawString(text, (float) x, (float) y);
    }

    @Override
    public int textWidth(String text) {
        return graphics.getFontMetrics().stringWidth(text);
    }

    @Override
    public int textAscent() {
        return graphics.getFontMetrics().getAscent();
    }

    @Override
    public void clip(Rectangle inside) {
        graphics.clip(inside);
    }
}
