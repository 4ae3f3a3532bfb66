// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2.img.array;

import net.imglib2.img.Img;

public abstract class ArrayImg<T, A> implements Img<T> {
    public T firstElement() {
        throw new UnsupportedOperationException();
    }

    public A update(Object place) {
        throw new UnsupportedOperationException();
    }
}
