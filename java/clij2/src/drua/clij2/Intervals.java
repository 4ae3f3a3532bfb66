// SPDX-License-Identifier: BSD-3-Clause
package drua.clij2;

import drua.Drua;
import drua.DruaException;
import drua.Image;
import java.util.Arrays;
import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.logic.BitType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

/** Copies bits and existing images of ImgLib2. Only this class of the jar needs ImgLib2 to run. */
final class Intervals {
    private Intervals() {}

    static boolean isInterval(Object image) {
        return image instanceof RandomAccessibleInterval;
    }

    static RandomAccessibleInterval<?> as(Object image) {
        return (RandomAccessibleInterval<?>) image;
    }

    static RandomAccessibleInterval<BitType> pullBits(Drua drua, Image image) {
        RandomAccessibleInterval<BitType> bits = ArrayImgs.bits(size(image));
        Cursor<BitType> cursor = Views.flatIterable(bits).cursor();
        for (float[] slice : drua.pullNumbers(image))
            for (float value : slice)
                cursor.next().set(value != 0);
        return bits;
    }

    /** Writes the pixels of an image into an ImgLib2 image of the same size. */
    static void write(Drua drua, Image image, RandomAccessibleInterval<?> target) {
        long[] size = size(image), given = new long[target.numDimensions()];
        for (int d = 0; d < given.length; d++)
            given[d] = target.dimension(d);
        if (!Arrays.equals(size, given))
            throw new DruaException("pullToRAI: the ImgLib2 image must have the size of the image on the device, "
                + Arrays.toString(size) + ", got " + Arrays.toString(given));
        Cursor<?> cursor = Views.flatIterable(target).cursor();
        for (float[] slice : drua.pullNumbers(image))
            for (float value : slice)
                ((RealType<?>) cursor.next()).setReal(value);
    }

    private static long[] size(Image image) {
        return image.getDimension() == 2 ? new long[] {image.getWidth(), image.getHeight()}
                                         : new long[] {image.getWidth(), image.getHeight(), image.getDepth()};
    }
}
