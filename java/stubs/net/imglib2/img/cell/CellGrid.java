// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2.img.cell;

public class CellGrid {
    public CellGrid(long[] size, int[] cell) {
        throw new UnsupportedOperationException();
    }

    public int numDimensions() {
        throw new UnsupportedOperationException();
    }

    public long imgDimension(int d) {
        throw new UnsupportedOperationException();
    }

    public void getCellDimensions(long index, long[] min, int[] size) {
        throw new UnsupportedOperationException();
    }
}
