// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import java.awt.Color;
import java.awt.Dimension;
import java.awt.Graphics;
import java.awt.Image;
import java.awt.Point;
import java.awt.event.ActionEvent;
import java.awt.event.ComponentAdapter;
import java.awt.event.ComponentEvent;
import java.awt.event.MouseAdapter;
import java.awt.event.MouseEvent;
import java.awt.event.MouseWheelEvent;
import java.util.function.UnaryOperator;
import javax.swing.AbstractAction;
import javax.swing.JComponent;
import javax.swing.KeyStroke;

/** The picture of a 3-D view. Dragging, the wheel, and the keys of arrows, plus and minus change the scene. */
final class VolumePicture extends JComponent {
    /** Receives what the user does. */
    interface Listener {
        void change(UnaryOperator<VolumeScene> change);

        /** The size of the picture has changed. */
        void resized();
    }

    private static final long serialVersionUID = 1;
    private static final int SIDE = 512;
    private static final double DEGREES_PER_PIXEL = 0.5, DEGREES_PER_KEY = 5, FACTOR = 1.15;

    private final transient Listener listener;
    private transient Image picture;
    private transient Point last;

    VolumePicture(Listener listener) {
        this.listener = listener;
        setFocusable(true);
        setOpaque(true);
        setPreferredSize(new Dimension(SIDE, SIDE));
        setToolTipText("Drag or press the arrow keys to rotate; use the wheel, + or - to zoom");
        MouseAdapter mouse = new MouseAdapter() {
            @Override
            public void mousePressed(MouseEvent event) {
                requestFocusInWindow();
                last = event.getPoint();
            }

            @Override
            public void mouseDragged(MouseEvent event) {
                Point from = last == null ? event.getPoint() : last;
                last = event.getPoint();
                double right = (last.x - from.x) * DEGREES_PER_PIXEL, down = (last.y - from.y) * DEGREES_PER_PIXEL;
                listener.change(scene -> scene.turned(right, down));
            }

            @Override
            public void mouseWheelMoved(MouseWheelEvent event) {
                double factor = Math.pow(FACTOR, -event.getPreciseWheelRotation());
                listener.change(scene -> scene.zoomed(factor));
            }
        };
        addMouseListener(mouse);
        addMouseMotionListener(mouse);
        addMouseWheelListener(mouse);
        addComponentListener(new ComponentAdapter() {
            @Override
            public void componentResized(ComponentEvent event) {
                listener.resized();
            }
        });
        key("LEFT", scene -> scene.turned(-DEGREES_PER_KEY, 0));
        key("RIGHT", scene -> scene.turned(DEGREES_PER_KEY, 0));
        key("UP", scene -> scene.turned(0, -DEGREES_PER_KEY));
        key("DOWN", scene -> scene.turned(0, DEGREES_PER_KEY));
        for (String plus : new String[] {"typed +", "ADD"})
            key(plus, scene -> scene.zoomed(FACTOR));
        for (String minus : new String[] {"typed -", "SUBTRACT"})
            key(minus, scene -> scene.zoomed(1 / FACTOR));
    }

    private void key(String name, UnaryOperator<VolumeScene> change) {
        getInputMap().put(KeyStroke.getKeyStroke(name), name);
        getActionMap().put(name, new AbstractAction() {
            private static final long serialVersionUID = 1;

            @Override
            public void actionPerformed(ActionEvent event) {
                listener.change(change);
            }
        });
    }

    /** Used by the event thread. */
    void show(Image next) {
        picture = next;
        repaint();
    }

    @Override
    protected void paintComponent(Graphics g) {
        g.setColor(Color.BLACK);
        g.fillRect(0, 0, getWidth(), getHeight());
        if (picture != null)
            g.drawImage(picture, 0, 0, getWidth(), getHeight(), null);
    }
}
