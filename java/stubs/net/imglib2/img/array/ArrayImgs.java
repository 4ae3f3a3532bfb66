// SPDX-License-Identifier: BSD-3-Clause
package net.imglib2.img.array;

import net.imglib2.type.logic.BitType;

public final class ArrayImgs {
    public static ArrayImg<?, ?> unsignedBytes(byte[] pixels, long... size) {
        throw new UnsupportedOperationException();
    }

    public static ArrayImg<?, ?> bytes(byte[] pixels, long... size) {
        throw new UnsupportedOperationException();
    }

    public static ArrayImg<?, ?> unsignedShorts(short[] pixels, long... size) {
        throw new UnsupportedOperationException();
    }

    public static ArrayImg<?, ?> shorts(short[] pixels, long... size) {
        throw new UnsupportedOperationException();
    }

    public static ArrayImg<?, ?> unsignedInts(int[] pixels, long... size) {
        throw new UnsupportedOperationException();
    }

    public static ArrayImg<?, ?> ints(int[] pixels, long... size) {
        throw new UnsupportedOperationException();
    }

    public static ArrayImg<?, ?> floats(float[] pixels, long... size) {
        throw new UnsupportedOperationException();
    }

    public static ArrayImg<BitType, ?> bits(long... size) {
        throw new UnsupportedOperationException();
    }
}
