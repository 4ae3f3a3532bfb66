// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2.display;

public class ColorTable8 implements ColorTable {
    public ColorTable8(byte[]... components) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getComponentCount() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getResampled(int component, int bins, int bin) {
        throw new UnsupportedOperationException();
    }
}
