// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2;

public interface IterableInterval<T> {
    Cursor<T> cursor();
}
