// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import ij.ImagePlus;
import ij.gui.ImageCanvas;
import java.awt.Component;
import java.awt.Cursor;
import java.awt.Graphics;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.event.KeyEvent;
import java.awt.event.MouseEvent;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import javax.swing.SwingUtilities;

/**
 * The canvas of a view. It can have a divider that the user drags, and can be linked to another canvas that shows the
 * same place at the same zoom.
 */
final class ViewCanvas extends ImageCanvas {
    /** Receives mouse presses outside the divider. */
    interface Pressed {
        /** @param more true with shift */
        void at(int x, int y, boolean more);
    }

    private static final long serialVersionUID = 1;
    private static final int NEAR = 6, NONE = -1, DIVIDER_STEPS = 50;
    /** The key that shows the source image while the user holds it. */
    static final int BEFORE = KeyEvent.VK_B;

    private final transient Pressed pressed;
    private final transient IntConsumer moved;
    private transient BiConsumer<Component, Point> menu;
    private transient Consumer<Boolean> held;
    private transient Consumer<Point> probe;
    private int divider = NONE;
    private boolean isDragged;
    private ViewCanvas other;
    private Rectangle seen = new Rectangle();
    private double zoom;

    /** @param moved gets the pixel column to which the divider is dragged */
    ViewCanvas(ImagePlus image, Pressed pressed, IntConsumer moved) {
        super(image);
        this.pressed = pressed;
        this.moved = moved;
    }

    /**
     * @param opener opens a menu in place of ImageJ's; gets null if the menu was asked for by keys, which this canvas
     *     of AWT cannot pass to a menu of Swing
     * @param holder gets true while the user holds the key {@link #BEFORE}, then false
     * @param prober gets the pixel under the mouse, or null if the mouse leaves
     */
    void extend(BiConsumer<Component, Point> opener, Consumer<Boolean> holder, Consumer<Point> prober) {
        menu = opener;
        held = holder;
        probe = prober;
    }

    @Override
    protected void handlePopupMenu(MouseEvent event) {
        menu.accept(this, event.getPoint());
    }

    /** Keeps some keys from ImageJ, which would run commands. */
    @Override
    protected void processKeyEvent(KeyEvent event) {
        int code = event.getKeyCode(), modifiers = event.getModifiersEx();
        boolean isPressed = event.getID() == KeyEvent.KEY_PRESSED,
                isMenu = code == KeyEvent.VK_CONTEXT_MENU
            || code == KeyEvent.VK_F10 && modifiers == KeyEvent.SHIFT_DOWN_MASK;
        boolean isDivider = divider >= 0 && (code == KeyEvent.VK_LEFT || code == KeyEvent.VK_RIGHT);
        if (code == BEFORE && modifiers == 0)
            held.accept(event.getID() != KeyEvent.KEY_RELEASED);
        else if (isMenu && isPressed)
            menu.accept(null, null);
        else if (isDivider && isPressed)
            moved.accept(Math.max(0,
                Math.min(imp.getWidth(),
                    divider + (code == KeyEvent.VK_LEFT ? -1 : 1) * Math.max(1, imp.getWidth() / DIVIDER_STEPS))));
        else if (!isMenu && !isDivider)
            super.processKeyEvent(event);
        if (code == BEFORE && modifiers == 0 || isMenu || isDivider)
            event.consume();
    }

    /** Puts the divider before a pixel column; negative removes it. */
    void divide(int column) {
        divider = column;
    }

    /** From now on, keeps both canvases at the same place and zoom; null ends the link. */
    void link(ViewCanvas another) {
        if (other == another)
            return;
        other = another;
        if (other != null)
            other.follow(this);
    }

    private void follow(ViewCanvas leader) {
        double across = (double) imp.getWidth() / leader.imp.getWidth(),
               down = (double) imp.getHeight() / leader.imp.getHeight();
        Rectangle of = leader.getSrcRect();
        setSize(leader.getWidth(), leader.getHeight());
        setSourceRect(new Rectangle((int) Math.round(of.x * across), (int) Math.round(of.y * down),
            Math.max(1, (int) Math.round(of.width * across)), Math.max(1, (int) Math.round(of.height * down))));
        remember();
        if (imp.getWindow() != null) {
            imp.getWindow().pack();
            imp.getWindow().repaint();
        }
        repaint();
    }

    private void remember() {
        seen = new Rectangle(getSrcRect());
        zoom = getMagnification();
    }

    @Override
    public void paint(Graphics graphics) {
        super.paint(graphics);
        if (seen.equals(getSrcRect()) && zoom == getMagnification())
            return;
        remember();
        if (other != null)
            other.follow(this);
    }

    private boolean isNear(MouseEvent event) {
        return divider >= 0 && Math.abs(event.getX() - screenX(divider)) <= NEAR;
    }

    @Override
    public void mousePressed(MouseEvent event) {
        isDragged = isNear(event);
        if (isDragged)
            return;
        super.mousePressed(event);
        if (!SwingUtilities.isRightMouseButton(event))
            pressed.at(offScreenX(event.getX()), offScreenY(event.getY()), event.isShiftDown());
    }

    @Override
    public void mouseDragged(MouseEvent event) {
        if (isDragged)
            moved.accept(Math.max(0, Math.min(imp.getWidth(), (int) Math.round(offScreenXD(event.getX())))));
        else
            super.mouseDragged(event);
    }

    @Override
    public void mouseReleased(MouseEvent event) {
        if (!isDragged)
            super.mouseReleased(event);
        isDragged = false;
    }

    @Override
    public void mouseExited(MouseEvent event) {
        super.mouseExited(event);
        probe.accept(null);
    }

    @Override
    public void mouseMoved(MouseEvent event) {
        super.mouseMoved(event);
        probe.accept(new Point(offScreenX(event.getX()), offScreenY(event.getY())));
        if (isNear(event))
            setCursor(Cursor.getPredefinedCursor(Cursor.W_RESIZE_CURSOR));
    }
}
