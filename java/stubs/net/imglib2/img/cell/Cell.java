// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2.img.cell;

public class Cell<A> {
    public Cell(int[] size, long[] min, A pixels) {
        throw new UnsupportedOperationException();
    }
}
