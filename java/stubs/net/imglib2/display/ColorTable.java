// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2.display;

public interface ColorTable {
    int getComponentCount();

    int getResampled(int component, int bins, int bin);
}
