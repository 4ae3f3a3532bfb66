// SPDX-License-Identifier: BSD-3-Clause
package net.haesleinhuepf.clij.clearcl.interfaces;

import java.nio.Buffer;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;
import net.haesleinhuepf.clij.clearcl.ClearCLImage;
import net.haesleinhuepf.clij.coremem.enums.NativeTypeEnum;

/** An image on the device. */
public interface ClearCLImageInterface {
    /** Width and height of a plane; width, height and depth of a stack. */
    long[] getDimensions();

    /** 2 for a plane, 3 for a stack. */
    long getDimension();

    long getWidth();

    long getHeight();

    /** Slices; 1 for a plane. */
    long getDepth();

    /** Number of pixels. */
    long getVolume();

    long getPixelSizeInBytes();

    long getSizeInBytes();

    /** Always 1. */
    long getNumberOfChannels();

    NativeTypeEnum getNativeType();

    String getName();

    void setName(String name);

    /**
     * Copies the pixels into an image of the same size. `wait` is ignored, because Drua itself waits when it must.
     */
    void copyTo(ClearCLBuffer destination, boolean wait);

    void copyTo(ClearCLImage destination, boolean wait);

    /** Copies all pixels into a buffer of their type. */
    void writeTo(Buffer buffer, boolean wait);

    /** Replaces all pixels with those of a buffer of their type. */
    void readFrom(Buffer buffer, boolean wait);

    /** Frees the image. Calling it again does nothing. */
    void close();
}
