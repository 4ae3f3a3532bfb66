// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2.img;

import net.imglib2.RandomAccessibleInterval;

public interface Img<T> extends RandomAccessibleInterval<T> {}
