// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.engine.Quote;
import java.awt.Canvas;
import java.awt.Color;
import java.awt.FontMetrics;
import java.awt.Rectangle;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes a drawing as SVG 1.1. */
final class SvgDrawing implements Drawing {
    private static final FontMetrics METRICS = new Canvas().getFontMetrics(ScreenDrawing.FONT);

    private final StringBuilder shapes = new StringBuilder();
    private final int width, height;
    private int clips;

    SvgDrawing(int width, int height) {
        this.width = width;
        this.height = height;
    }

    /** The whole file. */
    String file() {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width
            + "\" height=\"" + height + "\" font-family=\"sans-serif\" font-size=\"" + ScreenDrawing.FONT.getSize()
            + "\">\n" + shapes + String.join("", java.util.Collections.nCopies(clips, "</g>\n")) + "</svg>\n";
    }

    @Override
    public void line(double x1, double y1, double x2, double y2, Color color) {
        add("line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" stroke=\"%s\"/", x1, y1, x2, y2, hex(color));
    }

    @Override
    public void fill(double x, double y, double wide, double high, Color color) {
        add("rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\"/", x, y, wide, high, hex(color));
    }

    @Override
    public void outline(double[][] points, Color line, Color inside) {
        String list =
            Arrays.stream(points).map(p -> number(p[0]) + "," + number(p[1])).collect(Collectors.joining(" "));
        add("polygon points=\"%s\" stroke=\"%s\" fill=\"%s\" fill-opacity=\"%s\"/", list, hex(line), hex(inside),
            inside.getAlpha() / 255.0);
    }

    @Override
    public void text(String text, double x, double y, Color color) {
        add("text x=\"%s\" y=\"%s\" fill=\"%s\">" + Quote.xml(text).replace("%", "%%") + "</text", x, y, hex(color));
    }

    @Override
    public int textWidth(String text) {
        return METRICS.stringWidth(text);
    }

    @Override
    public int textAscent() {
        return METRICS.getAscent();
    }

    @Override
    public void clip(Rectangle inside) {
        clips++;
        add("clipPath id=\"clip%s\"><rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/></clipPath", clips, inside.x,
            inside.y, inside.width, inside.height);
        add("g clip-path=\"url(#clip%s)\"", clips);
    }

    private void add(String element, Object... values) {
        Object[] words =
            Arrays.stream(values).map(v -> v instanceof Double ? number((Double) v) : String.valueOf(v)).toArray();
        shapes.append('<').append(String.format(Locale.ROOT, element, words)).append(">\n");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value).replaceFirst("\\.?0+$", "");
    }

    private static String hex(Color color) {
        return String.format("#%06x", color.getRGB() & 0xffffff);
    }
}
