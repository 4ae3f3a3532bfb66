// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import ij.gui.Roi;
import ij.gui.ShapeRoi;
import ij.process.ImageProcessor;
import java.awt.geom.Path2D;
import java.util.BitSet;

/** Outlines between the pixels of labels and their surroundings, also between touching labels. */
final class LabelOutlines {
    private LabelOutlines() {}

    /** Outlines of these labels; null if the image contains none of them. */
    static Roi of(ImageProcessor labels, BitSet wanted) {
        int width = labels.getWidth(), height = labels.getHeight();
        Path2D.Float path = new Path2D.Float();
        for (int y = 0; y <= height; y++) {
            for (int x = 0; x < width; x++) {
                int from = x;
                while (
                    x < width && isEdge(wantedLabelAt(labels, wanted, x, y - 1), wantedLabelAt(labels, wanted, x, y)))
                    x++;
                line(path, from, y, x, y);
            }
        }
        for (int x = 0; x <= width; x++) {
            for (int y = 0; y < height; y++) {
                int from = y;
                while (
                    y < height && isEdge(wantedLabelAt(labels, wanted, x - 1, y), wantedLabelAt(labels, wanted, x, y)))
                    y++;
                line(path, x, from, x, y);
            }
        }
        return path.getCurrentPoint() == null ? null : new ShapeRoi(path);
    }

    private static void line(Path2D path, int x, int y, int toX, int toY) {
        if (x == toX && y == toY)
            return;
        path.moveTo(x, y);
        path.lineTo(toX, toY);
    }

    private static boolean isEdge(int one, int other) {
        return one != other;
    }

    /** The label at a pixel if it is wanted, else 0. */
    private static int wantedLabelAt(ImageProcessor labels, BitSet wanted, int x, int y) {
        if (x < 0 || y < 0 || x >= labels.getWidth() || y >= labels.getHeight())
            return 0;
        int label = (int) labels.getf(x, y);
        return label > 0 && wanted.get(label) ? label : 0;
    }
}
