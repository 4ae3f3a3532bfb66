// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

/**
 * Source of the pixels of an image. Planes are requested in order, so a virtual stack is never in memory as a whole.
 */
public interface Planes {
    /**
     * The pixels of plane z, counted from 0: a byte[], short[], int[] or float[] that fits the image's type, x fastest.
     * The engine does not change the array.
     */
    Object plane(int z);
}
