// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2.img.array;

import net.imglib2.RandomAccessibleInterval;

public abstract class ArrayImg<T, A> implements RandomAccessibleInterval<T>
{
}
