// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2;

public interface RandomAccess<T> {
    T get();

    void setPosition(long position, int d);

    void fwd(int d);
}
