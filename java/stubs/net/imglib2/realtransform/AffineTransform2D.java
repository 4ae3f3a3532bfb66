// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2.realtransform;

public class AffineTransform2D {
    public double[] getRowPackedCopy() {
        throw new UnsupportedOperationException();
    }
}
