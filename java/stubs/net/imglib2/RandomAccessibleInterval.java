// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2;

public interface RandomAccessibleInterval<T> {
    int numDimensions();

    long dimension(int d);

    long min(int d);

    RandomAccess<T> randomAccess();
}
