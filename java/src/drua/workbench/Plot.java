// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics;
import java.awt.Graphics2D;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.event.MouseAdapter;
import java.awt.event.MouseEvent;
import java.util.BitSet;
import java.util.function.Consumer;
import javax.swing.JComponent;
import javax.swing.ToolTipManager;

/** Draws measurements between two axes. Dragging selects rows; with shift it adds them to the selection. */
abstract class Plot extends JComponent {
    static final Color PLAIN = new Color(0x7a8ba3), CHOSEN = new Color(0xe07b00);
    private static final Color LINES = new Color(0x606060), BOX = new Color(0, 0, 0, 24);
    private static final long serialVersionUID = 1;
    private static final int LEFT = 46, BOTTOM = 20, TOP = 14, RIGHT = 12, APART_X = 46, APART_Y = 22, WIDTH = 190,
                             HEIGHT = 130;

    transient Measured measured = new Measured(null);
    transient BitSet chosen = new BitSet();
    private final transient Consumer<BitSet> receiver;
    private transient Point pressed, dragged;
    private transient BitSet before = new BitSet();

    /** @param receiver gets the rows that the user selects here */
    Plot(String name, Consumer<BitSet> receiver) {
        this.receiver = receiver;
        setName(name);
        setOpaque(true);
        setPreferredSize(new Dimension(WIDTH, HEIGHT));
        ToolTipManager.sharedInstance().registerComponent(this);
        MouseAdapter mouse = new MouseAdapter() {
            @Override
            public void mousePressed(MouseEvent event) {
                pressed = dragged = event.getPoint();
                before = event.isShiftDown() ? (BitSet) chosen.clone() : new BitSet();
            }

            @Override
            public void mouseDragged(MouseEvent event) {
                dragged = event.getPoint();
                take(inside(box()));
            }

            @Override
            public void mouseReleased(MouseEvent event) {
                if (pressed != null && pressed.equals(event.getPoint()))
                    take(at(pressed));
                pressed = null;
                repaint();
            }
        };
        addMouseListener(mouse);
        addMouseMotionListener(mouse);
    }

    private void take(BitSet rows) {
        rows.or(before);
        receiver.accept(rows);
        repaint();
    }

    /** Shows other rows and clears the selection. */
    void show(Measured rows) {
        measured = rows;
        chosen = new BitSet();
        pressed = null;
        arrange();
        repaint();
    }

    /** Marks rows as selected. */
    void choose(BitSet rows) {
        chosen = rows;
        repaint();
    }

    private Rectangle box() {
        Rectangle box = new Rectangle(pressed);
        box.add(dragged);
        return box;
    }

    /** Computes the drawing after rows or columns have changed. */
    abstract void arrange();

    abstract Axis horizontal();

    abstract Axis vertical();

    /** Number of rows that are not drawn because their number is not finite. */
    abstract int left();

    abstract void draw(Graphics2D graphics);

    /** The rows inside a box on the screen, including the item under the mouse. */
    abstract BitSet inside(Rectangle box);

    abstract BitSet at(Point mouse);

    /** The area of the plot in the component. */
    final Rectangle area() {
        return new Rectangle(
            LEFT, TOP, Math.max(1, getWidth() - LEFT - RIGHT), Math.max(1, getHeight() - TOP - BOTTOM));
    }

    final double x(double value) {
        return area().x + horizontal().part(value) * area().width;
    }

    final double y(double value) {
        return area().y + (1 - vertical().part(value)) * area().height;
    }

    /** The number at a horizontal screen position. */
    final double valueAt(double x) {
        return horizontal().value((x - area().x) / area().width);
    }

    @Override
    protected void paintComponent(Graphics plain) {
        Graphics2D graphics = (Graphics2D) plain.create();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, getWidth(), getHeight());
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setFont(
            getFont() == null ? new Font(Font.SANS_SERIF, Font.PLAIN, 10) : getFont().deriveFont(Font.PLAIN, 10f));
        axes(graphics);
        Graphics2D inner = (Graphics2D) graphics.create();
        Rectangle area = area();
        inner.clipRect(area.x - 3, area.y - 3, area.width + 6, area.height + 6);
        draw(inner);
        if (pressed != null && !pressed.equals(dragged))
            drawBox(inner, box());
        inner.dispose();
        graphics.dispose();
    }

    private static void drawBox(Graphics2D graphics, Rectangle box) {
        graphics.setColor(BOX);
        graphics.fill(box);
        graphics.setColor(CHOSEN);
        graphics.draw(box);
    }

    private void axes(Graphics2D graphics) {
        Rectangle area = area();
        FontMetrics font = graphics.getFontMetrics();
        graphics.setColor(LINES);
        graphics.setStroke(new BasicStroke(1));
        graphics.drawLine(area.x, area.y, area.x, area.y + area.height);
        graphics.drawLine(area.x, area.y + area.height, area.x + area.width, area.y + area.height);
        int most = Math.max(3, area.width / APART_X), edge = 0;
        for (double tick : horizontal().ticks(most)) {
            int x = (int) Math.round(x(tick)), half = font.stringWidth(horizontal().text(tick, most)) / 2;
            graphics.drawLine(x, area.y + area.height, x, area.y + area.height + 3);
            int from = Math.min(x - half, getWidth() - 2 * half);
            if (from > edge)
                graphics.drawString(horizontal().text(tick, most), from, area.y + area.height + 4 + font.getAscent());
            edge = from > edge ? from + 2 * half + 4 : edge;
        }
        most = Math.max(3, area.height / APART_Y);
        for (double tick : vertical().ticks(most)) {
            int y = (int) Math.round(y(tick));
            String text = vertical().text(tick, most);
            graphics.drawLine(area.x - 3, y, area.x, y);
            graphics.drawString(text, Math.max(0, area.x - 5 - font.stringWidth(text)), y + font.getAscent() / 2 - 1);
        }
        if (left() > 0) {
            String text = left() + (left() == 1 ? " row without a number" : " rows without a number");
            graphics.drawString(text, getWidth() - RIGHT - font.stringWidth(text), font.getAscent());
        }
    }
}
