// SPDX-License-Identifier: BSD-3-Clause
package net.imagej;

import net.imagej.axis.AxisType;
import net.imglib2.display.ColorTable;
import net.imglib2.img.Img;

public class ImgPlus<T> {
    public ImgPlus(Img<T> pixels, String name, AxisType[] axes, double[] scale, String[] units) {
        throw new UnsupportedOperationException();
    }

    public void initializeColorTables(int count) {
        throw new UnsupportedOperationException();
    }

    public void setColorTable(ColorTable table, int plane) {
        throw new UnsupportedOperationException();
    }
}
