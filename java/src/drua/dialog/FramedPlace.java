// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import java.awt.Insets;
import java.awt.Rectangle;
import java.awt.Window;
import java.awt.event.ComponentAdapter;
import java.awt.event.ComponentEvent;
import javax.swing.Timer;

/**
 * Puts a window in its place, again and again until the window manager has framed it. Before that, Java guesses the
 * frame and later corrects the window's size and position, so that places computed from its size are wrong. Used by the
 * event thread.
 */
public final class FramedPlace {
    private static final int QUIET_MS = 200, FRAMED_MS = 10000;

    private final Window window;
    private final Runnable place, moved;
    private final Timer quiet = new Timer(QUIET_MS, event -> onQuiet());
    private final long end = System.currentTimeMillis() + FRAMED_MS;
    private Insets frame;
    private boolean isSettled;

    /**
     * @param place sets the position or the bounds of the window; runs at once
     * @param moved called a moment after the user has moved or resized the window
     */
    public FramedPlace(Window window, Runnable place, Runnable moved) {
        this.window = window;
        this.place = place;
        this.moved = moved;
        quiet.setRepeats(false);
        window.addComponentListener(new ComponentAdapter() {
            @Override
            public void componentMoved(ComponentEvent event) {
                quiet.restart();
            }

            @Override
            public void componentResized(ComponentEvent event) {
                quiet.restart();
            }
        });
        place();
    }

    /** @see #FramedPlace(Window, Runnable, Runnable) */
    public FramedPlace(Window window, Runnable place) {
        this(window, place, () -> {});
    }

    /** False while the window manager may still change the place of the new window. A closed window has no frame. */
    public boolean isSettled() {
        return isSettled && (!window.isDisplayable() || window.getInsets().equals(frame));
    }

    private void place() {
        Rectangle before = window.getBounds();
        frame = window.getInsets();
        place.run();
        isSettled = window.getBounds().equals(before) && window.getInsets().equals(frame);
        if (!isSettled)
            quiet.restart();
    }

    /** Frames that change later, for example when the user maximizes the window, move nothing. */
    private void onQuiet() {
        if (!window.isDisplayable())
            return;
        boolean isLate = System.currentTimeMillis() > end;
        if (!isLate && (!isSettled || !window.getInsets().equals(frame))) {
            place();
            return;
        }
        isSettled = true;
        frame = window.getInsets();
        moved.run();
    }
}
