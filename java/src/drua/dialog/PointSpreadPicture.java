// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import java.awt.Color;
import java.awt.Dimension;
import java.awt.EventQueue;
import java.awt.Graphics;
import java.awt.Graphics2D;
import java.awt.Panel;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;

/** Shows a point spread function from above and from the side, with its dim parts brightened. */
final class PointSpreadPicture extends Panel {
    private static final long serialVersionUID = 1;
    private static final int SIDE = 170, GAP = 8, TEXT = 16;

    private transient PointSpreadSlices slices;

    @Override
    public Dimension getPreferredSize() {
        return new Dimension(2 * SIDE + GAP, SIDE + TEXT);
    }

    /** Callable from any thread; null clears the picture. */
    void show(PointSpreadSlices next) {
        EventQueue.invokeLater(() -> {
            slices = next;
            repaint();
        });
    }

    @Override
    public void update(Graphics g) {
        paint(g); /* paints the whole area, which avoids flicker */
    }

    @Override
    public void paint(Graphics g) {
        BufferedImage all = new BufferedImage(2 * SIDE + GAP, SIDE + TEXT, BufferedImage.TYPE_INT_RGB);
        Graphics2D to = all.createGraphics();
        to.setColor(getBackground());
        to.fillRect(0, 0, all.getWidth(), all.getHeight());
        to.setColor(Color.BLACK);
        to.drawString("from above (xy)", 0, TEXT - 4);
        to.drawString("from the side (xz)", SIDE + GAP, TEXT - 4);
        to.fillRect(0, TEXT, SIDE, SIDE);
        to.fillRect(SIDE + GAP, TEXT, SIDE, SIDE);
        to.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_NEAREST_NEIGHBOR);
        if (slices != null) {
            draw(to, slices.fromAbove(), 0, 1);
            draw(to, slices.fromTheSide(), SIDE + GAP, slices.aspect());
        }
        to.dispose();
        g.drawImage(all, 0, 0, null);
    }

    /** Draws the image centred and as large as possible. */
    private static void draw(Graphics2D to, BufferedImage image, int x, double aspect) {
        double high = image.getHeight() * aspect, zoom = SIDE / Math.max(image.getWidth(), high);
        int w = (int) Math.max(1, Math.round(image.getWidth() * zoom)), h = (int) Math.max(1, Math.round(high * zoom));
        to.drawImage(image, x + (SIDE - w) / 2, TEXT + (SIDE - h) / 2, w, h, null);
    }
}
