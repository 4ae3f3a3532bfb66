// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2.view;

import net.imglib2.IterableInterval;
import net.imglib2.RandomAccessibleInterval;

public class Views {
    public static <T> IterableInterval<T> flatIterable(RandomAccessibleInterval<T> interval) {
        throw new UnsupportedOperationException();
    }
}
