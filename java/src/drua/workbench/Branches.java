// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.pipeline.Pipeline;
import drua.pipeline.Statement;
import drua.pipeline.Step;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.util.ArrayList;
import java.util.List;

/**
 * The lines next to the list of steps, from the step that makes an image to the steps that read it. Each image has its
 * own lane, so lines of different images do not cross.
 */
final class Branches {
    private static final int LANE = 9, DOT = 7;
    private static final Color[] COLOURS = {
        new Color(0x4477aa), new Color(0xee6677), new Color(0x228833), new Color(0xccbb44), new Color(0xaa3377)};

    private static final class Line {
        private final int from, to, lane;

        Line(int from, int to, int lane) {
            this.from = from;
            this.to = to;
            this.lane = lane;
        }
    }

    private final List<Line> lines = new ArrayList<>();
    private int lanes = 1;

    /** @param rows steps and texts in the order of the list */
    Branches(Pipeline pipeline, List<Statement> rows) {
        for (int to = 0; to < rows.size(); to++) {
            if (!(rows.get(to) instanceof Step))
                continue;
            for (String image : ((Step) rows.get(to)).inputs()) {
                int from = rows.indexOf(pipeline.maker(image));
                if (from >= 0)
                    add(from, to);
            }
        }
    }

    private void add(int from, int to) {
        int lane = 0;
        for (boolean isFree = false; !isFree; lane += isFree ? 0 : 1) {
            isFree = true;
            for (Line line : lines)
                isFree &= line.lane != lane || line.to <= from || line.from >= to || line.from == from && line.to == to;
        }
        lines.add(new Line(from, to, lane));
        lanes = Math.max(lanes, lane + 1);
    }

    int width() {
        return lanes * LANE + DOT + 4;
    }

    /**
     * Draws the part of the lines that is next to a row.
     *
     * @param mark colour of the dot of a step; null for a row without a step
     */
    void paint(Graphics2D graphics, int row, int height, Color mark) {
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setStroke(new BasicStroke(1.6f));
        int dot = width() - DOT, middle = height / 2;
        for (Line line : lines) {
            int x = dot - 3 - line.lane * LANE;
            graphics.setColor(COLOURS[line.lane % COLOURS.length]);
            if (line.from < row && row < line.to)
                graphics.drawLine(x, 0, x, height);
            if (line.from == row)
                drawBend(graphics, dot, middle, x, height);
            if (line.to == row)
                drawBend(graphics, dot, middle, x, 0);
        }
        if (mark == null)
            return;
        graphics.setColor(mark);
        graphics.fillOval(dot - DOT / 2, middle - DOT / 2, DOT, DOT);
    }

    private static void drawBend(Graphics2D graphics, int dot, int middle, int x, int end) {
        graphics.drawLine(dot, middle, x, middle + (end - middle) / 3);
        graphics.drawLine(x, middle + (end - middle) / 3, x, end);
    }
}
