// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

/**
 * Where the pixels of an image come from. Planes are asked for in order, so that a virtual stack is never in memory as
 * a whole.
 */
public interface Planes {
    /**
     * The pixels of plane z, counted from 0: a byte[], short[], int[] or float[] that fits the image's type, x fastest.
     * The array is only read.
     */
    Object plane(int z);
}
