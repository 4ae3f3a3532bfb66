// SPDX-License-Identifier: BSD-3-Clause
package drua;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

/** Copies between ImgLib2 and a device. Only this class needs ImgLib2 to run; programs without it do not load it. */
final class ImgLib2 {
    /* The longest array of Java. */
    private static final int MAX_PIXELS = Integer.MAX_VALUE - 8;

    /* ImgLib2's pixel types, by the name of their class, and the device's. Other types are pushed as float32. */
    private static final Map<String, String> TYPES = new HashMap<>();

    static {
        String[] pairs = {"UnsignedByteType", "uint8", "ByteType",        "int8",   "UnsignedShortType", "uint16",
                          "ShortType",        "int16", "UnsignedIntType", "uint32", "IntType",           "int32",
                          "BitType",          "uint8"};
        for (int i = 0; i < pairs.length; i += 2)
            TYPES.put(pairs[i], pairs[i + 1]);
    }

    private ImgLib2() {}

    static boolean isInterval(Object image) {
        return image instanceof RandomAccessibleInterval;
    }

    /** The image must be an interval. */
    static Image push(Drua drua, Object image) {
        RandomAccessibleInterval<?> interval = (RandomAccessibleInterval<?>) image;
        int dimensions = interval.numDimensions();
        if (dimensions != 2 && dimensions != 3)
            throw new DruaException("push: an ImgLib2 image must have 2 or 3 dimensions, got " + dimensions
                + "; push a view of fewer dimensions");
        long[] size = new long[dimensions];
        for (int d = 0; d < dimensions; d++)
            size[d] = interval.dimension(d);
        if (Arrays.stream(size).min().getAsLong() < 1)
            throw new DruaException("push: an ImgLib2 image must have pixels, got the size " + Arrays.toString(size));
        if (size[0] > MAX_PIXELS / size[1])
            throw new DruaException("push: an image may have at most " + MAX_PIXELS + " pixels in a slice, got "
                + size[0] + " x " + size[1]);
        Cursor<?> cursor = Views.flatIterable(interval).cursor();
        Object[] slices = new Object[dimensions == 2 ? 1 : (int) size[2]];
        String type = null;
        for (int z = 0; z < slices.length; z++) {
            for (int i = 0; i < size[0] * size[1]; i++) {
                Object pixel = cursor.next();
                if (type == null)
                    type = typeOf(pixel);
                if (i == 0)
                    slices[z] = newSlice(type, (int) (size[0] * size[1]));
                set(slices[z], i, ((RealType<?>) pixel).getRealDouble());
            }
        }
        return drua.pushArrays(type, slices, size);
    }

    private static String typeOf(Object pixel) {
        if (!(pixel instanceof RealType))
            throw new DruaException("push: the pixels of an ImgLib2 image must be numbers, got "
                + pixel.getClass().getSimpleName());
        return TYPES.getOrDefault(pixel.getClass().getSimpleName(), "float32");
    }

    private static Object newSlice(String type, int pixels) {
        if (type.equals("float32"))
            return new float[pixels];
        return type.endsWith("int8") ? new byte[pixels] : type.endsWith("int16") ? new short[pixels] : new int[pixels];
    }

    private static void set(Object slice, int i, double value) {
        if (slice instanceof float[])
            ((float[]) slice)[i] = (float) value;
        else if (slice instanceof byte[])
            ((byte[]) slice)[i] = (byte) (int) value;
        else if (slice instanceof short[])
            ((short[]) slice)[i] = (short) (int) value;
        else
            ((int[]) slice)[i] = (int) (long) value;
    }

    static Object pull(Drua drua, Image image) {
        String type = image.getType();
        long[] size = size(image);
        Object pixels = joined(drua.pullArrays(image));
        switch (type) {
        case "uint8": return ArrayImgs.unsignedBytes((byte[]) pixels, size);
        case "int8": return ArrayImgs.bytes((byte[]) pixels, size);
        case "uint16": return ArrayImgs.unsignedShorts((short[]) pixels, size);
        case "int16": return ArrayImgs.shorts((short[]) pixels, size);
        case "uint32": return ArrayImgs.unsignedInts((int[]) pixels, size);
        case "int32": return ArrayImgs.ints((int[]) pixels, size);
        default: return ArrayImgs.floats((float[]) pixels, size);
        }
    }

    private static long[] size(Image image) {
        return image.getDimension() == 2 ? new long[] {image.getWidth(), image.getHeight()}
                                         : new long[] {image.getWidth(), image.getHeight(), image.getDepth()};
    }

    private static Object joined(Object[] slices) {
        int pixels = Array.getLength(slices[0]);
        if ((long) pixels * slices.length > MAX_PIXELS)
            throw new DruaException("pullImg: an image may have at most " + MAX_PIXELS + " pixels, got "
                + (long) pixels * slices.length + "; pull parts of it, for example by crop");
        Object all = Array.newInstance(slices[0].getClass().getComponentType(), pixels * slices.length);
        for (int z = 0; z < slices.length; z++)
            System.arraycopy(slices[z], 0, all, z * pixels, pixels);
        return all;
    }
}
