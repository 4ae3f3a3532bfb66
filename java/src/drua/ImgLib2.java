// SPDX-License-Identifier: BSD-3-Clause
package drua;

import java.lang.reflect.Array;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;

/** Copies between ImgLib2 and a device. */
final class ImgLib2 {
    private ImgLib2() {}

    static boolean isInterval(Object image) {
        return image instanceof RandomAccessibleInterval;
    }

    /** The image must be an interval. */
    static Image push(Drua drua, Object image) {
        Part part = whole(image);
        String type = part.type();
        return drua.pushPlanes(type, part.slices(type, DoubleUnaryOperator.identity()), null, "ImgLib2", part.size);
    }

    /** All pixels of an image of ImgLib2 with 2 or 3 dimensions. */
    static Part whole(Object image) {
        RandomAccessibleInterval<?> interval = (RandomAccessibleInterval<?>) image;
        int dimensions = interval.numDimensions();
        if (dimensions != 2 && dimensions != 3)
            throw new DruaException("push: an ImgLib2 image must have 2 or 3 dimensions, got " + dimensions
                + "; push a view of fewer dimensions");
        long[] size = IntStream.range(0, dimensions).mapToLong(interval::dimension).toArray();
        return new Part(interval, new long[dimensions], IntStream.range(0, dimensions).toArray(), size);
    }

    static ArrayImg<?, ?> pull(Drua drua, Image image) {
        return wrap(image.getType(), joinSlices(drua.pullArrays(image)), size(image));
    }

    /** An image with these pixels, which are not copied. */
    static ArrayImg<?, ?> wrap(String type, Object pixels, long... size) {
        switch (type) {
        case "uint8":
            return ArrayImgs.unsignedBytes((byte[]) pixels, size);
        case "int8":
            return ArrayImgs.bytes((byte[]) pixels, size);
        case "uint16":
            return ArrayImgs.unsignedShorts((short[]) pixels, size);
        case "int16":
            return ArrayImgs.shorts((short[]) pixels, size);
        case "uint32":
            return ArrayImgs.unsignedInts((int[]) pixels, size);
        case "int32":
            return ArrayImgs.ints((int[]) pixels, size);
        default:
            return ArrayImgs.floats((float[]) pixels, size);
        }
    }

    static long[] size(Image image) {
        return image.getDimension() == 2 ? new long[] {image.getWidth(), image.getHeight()}
                                         : new long[] {image.getWidth(), image.getHeight(), image.getDepth()};
    }

    private static Object joinSlices(Object[] slices) {
        int pixels = Array.getLength(slices[0]);
        if ((long) pixels * slices.length > Part.MAX_PIXELS)
            throw new DruaException("pull: an ImgLib2 image may have at most " + Part.MAX_PIXELS + " pixels, got "
                + (long) pixels * slices.length + "; crop the image and pull each part");
        Object all = Array.newInstance(slices[0].getClass().getComponentType(), pixels * slices.length);
        for (int z = 0; z < slices.length; z++)
            System.arraycopy(slices[z], 0, all, z * pixels, pixels);
        return all;
    }
}
