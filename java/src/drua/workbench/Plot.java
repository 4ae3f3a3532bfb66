// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.dialog.Keys;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Graphics;
import java.awt.Graphics2D;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.event.FocusAdapter;
import java.awt.event.FocusEvent;
import java.awt.event.MouseAdapter;
import java.awt.event.MouseEvent;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import javax.swing.JComponent;
import javax.swing.SwingUtilities;
import javax.swing.ToolTipManager;

/**
 * Draws measurements between two axes. Dragging selects rows; with Shift it adds them to the selection. On the
 * keyboard, the arrows move a cursor, Space selects at the cursor, and Shift with the arrows drags.
 */
abstract class Plot extends JComponent {
    static final Color PLAIN = new Color(0x7a8ba3), CHOSEN = new Color(0xe07b00), BOX = new Color(0, 0, 0, 24);
    private static final Color LINES = new Color(0x606060);
    private static final long serialVersionUID = 1;
    private static final int LEFT = 46, BOTTOM = 20, TOP = 14, RIGHT = 12, APART_X = 46, APART_Y = 22, WIDTH = 190,
                             HEIGHT = 130, NAMES = 16, KEY_STEP = 6, CROSS = 6, EDGE = 4;

    transient Measured measured = new Measured(null);
    transient BitSet chosen = new BitSet();
    private final transient Consumer<BitSet> receiver;
    private transient Point pressed, dragged;
    /**
     * Place of the keyboard's cursor, null before the first key; and the corner where a drag with Shift began, or null.
     */
    private transient Point cursor, anchor;
    /** All places of the mouse since it was pressed. */
    private final transient List<Point> trail = new ArrayList<>();
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
                requestFocusInWindow();
                if (!SwingUtilities.isLeftMouseButton(event))
                    return;
                pressed = dragged = event.getPoint();
                trail.clear();
                trail.add(pressed);
                before = event.isShiftDown() ? (BitSet) chosen.clone() : new BitSet();
            }

            @Override
            public void mouseDragged(MouseEvent event) {
                if (pressed == null)
                    return;
                dragged = event.getPoint();
                trail.add(dragged);
                selectRows(inside(box(), trail));
            }

            @Override
            public void mouseReleased(MouseEvent event) {
                if (pressed != null && pressed.equals(event.getPoint()))
                    selectRows(at(pressed));
                pressed = null;
                repaint();
            }
        };
        addMouseListener(mouse);
        addMouseMotionListener(mouse);
        setFocusable(true);
        addFocusListener(new FocusAdapter() {
            @Override
            public void focusGained(FocusEvent event) {
                repaint();
            }

            @Override
            public void focusLost(FocusEvent event) {
                repaint();
            }
        });
        String[] names = {"LEFT", "RIGHT", "UP", "DOWN"};
        int[] across = {-1, 1, 0, 0}, down = {0, 0, -1, 1};
        for (int i = 0; i < names.length; i++) {
            int x = across[i], y = down[i];
            Keys.bind(this, false, names[i], () -> moveCursor(x, y));
            Keys.bind(this, false, "shift " + names[i], () -> drag(x, y));
        }
        Keys.bind(this, false, "SPACE", () -> point(false));
        Keys.bind(this, false, "shift SPACE", () -> point(true));
    }

    // ---- the keyboard

    /** The place that the arrow keys move: the middle at first. */
    final Point cursor() {
        Rectangle area = area();
        Point at = cursor == null ? new Point(area.x + area.width / 2, area.y + area.height / 2) : cursor;
        return clampTo(area, at);
    }

    private static Point clampTo(Rectangle area, Point at) {
        return new Point(Math.max(area.x, Math.min(area.x + area.width - 1, at.x)),
            Math.max(area.y, Math.min(area.y + area.height - 1, at.y)));
    }

    /** Moves the cursor, also to the points on the edges of the plot. */
    private void step(int right, int down) {
        Rectangle area = area();
        area.grow(EDGE, EDGE);
        Point from = cursor == null ? cursor() : cursor;
        cursor = clampTo(area, new Point(from.x + right * KEY_STEP, from.y + down * KEY_STEP));
        repaint();
    }

    private void moveCursor(int right, int down) {
        step(right, down);
        anchor = null;
    }

    /** Does the same as dragging the mouse from the place where the user began to hold Shift. */
    private void drag(int right, int down) {
        anchor = anchor != null ? anchor : cursor == null ? cursor() : cursor;
        step(right, down);
        Rectangle box = new Rectangle(anchor);
        box.add(cursor);
        before = new BitSet();
        selectRows(inside(box, Outline.corners(box)));
    }

    /** Does the same as a click at the cursor. */
    private void point(boolean isMore) {
        anchor = null;
        before = isMore ? (BitSet) chosen.clone() : new BitSet();
        selectRows(at(cursor()));
    }

    private void drawCursor(Graphics graphics) {
        Point at = cursor == null ? cursor() : cursor;
        graphics.setColor(CHOSEN);
        graphics.drawLine(at.x - CROSS, at.y, at.x + CROSS, at.y);
        graphics.drawLine(at.x, at.y - CROSS, at.x, at.y + CROSS);
        graphics.drawRect(0, 0, getWidth() - 1, getHeight() - 1);
    }

    // ---- rows

    private void selectRows(BitSet rows) {
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
    abstract int undrawnRows();

    abstract void drawData(Drawing drawing);

    /** The names of the axes, and the columns whose numbers are drawn. */
    abstract String acrossName();

    abstract String upwardsName();

    abstract int[] columns();

    /**
     * The rows that the user selects by dragging, including the item under the mouse.
     *
     * @param box   on the screen
     * @param mouse all places of the mouse
     */
    abstract BitSet inside(Rectangle box, List<Point> mouse);

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
        ScreenDrawing drawing = new ScreenDrawing(graphics);
        drawing.fill(0, 0, getWidth(), getHeight(), Color.WHITE);
        draw(drawing);
        if (pressed != null && !pressed.equals(dragged))
            drawDragged(drawing, box(), trail);
        graphics.dispose();
        if (isFocusOwner())
            drawCursor(plain);
    }

    /** Draws what the user drags. */
    void drawDragged(Drawing drawing, Rectangle box, List<Point> mouse) {
        drawing.outline(new double[][] {{box.x, box.y}, {box.getMaxX(), box.y}, {box.getMaxX(), box.getMaxY()},
                            {box.x, box.getMaxY()}},
            CHOSEN, BOX);
    }

    /** Height of a saved plot, which also has the names of its axes. */
    final int savedHeight() {
        return getHeight() + NAMES;
    }

    /** Draws the plot with the names of its axes, for a file. */
    final void drawForFile(Drawing drawing) {
        Rectangle area = area();
        drawing.fill(0, 0, getWidth(), savedHeight(), Color.WHITE);
        drawing.text(upwardsName(), 2, drawing.textAscent(), LINES);
        drawing.text(
            acrossName(), area.x + (area.width - drawing.textWidth(acrossName())) / 2.0, savedHeight() - 4, LINES);
        draw(drawing);
    }

    private void draw(Drawing drawing) {
        axes(drawing);
        Rectangle area = area();
        drawing.clip(new Rectangle(area.x - 3, area.y - 3, area.width + 6, area.height + 6));
        drawData(drawing);
    }

    private void axes(Drawing drawing) {
        Rectangle area = area();
        int bottom = area.y + area.height, ascent = drawing.textAscent();
        drawing.line(area.x, area.y, area.x, bottom, LINES);
        drawing.line(area.x, bottom, area.x + area.width, bottom, LINES);
        int max = Math.max(3, area.width / APART_X), edge = 0;
        for (double tick : horizontal().ticks(max)) {
            String text = horizontal().text(tick, max);
            int x = (int) Math.round(x(tick)), half = drawing.textWidth(text) / 2;
            drawing.line(x, bottom, x, bottom + 3, LINES);
            int from = Math.min(x - half, getWidth() - 2 * half);
            if (from > edge)
                drawing.text(text, from, bottom + 4 + ascent, LINES);
            edge = from > edge ? from + 2 * half + 4 : edge;
        }
        max = Math.max(3, area.height / APART_Y);
        for (double tick : vertical().ticks(max)) {
            int y = (int) Math.round(y(tick));
            String text = vertical().text(tick, max);
            drawing.line(area.x - 3, y, area.x, y, LINES);
            drawing.text(text, Math.max(0, area.x - 5 - drawing.textWidth(text)), y + ascent / 2 - 1, LINES);
        }
        if (undrawnRows() > 0) {
            String text = undrawnRows() + (undrawnRows() == 1 ? " row without a number" : " rows without a number");
            drawing.text(text, getWidth() - RIGHT - drawing.textWidth(text), ascent, LINES);
        }
    }
}
