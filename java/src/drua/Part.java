// SPDX-License-Identifier: BSD-3-Clause
package drua;

import drua.engine.Planes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;

/** A plane or a stack in an image of ImgLib2 that has any number of dimensions. */
final class Part {
    /** The longest array of Java. */
    static final int MAX_PIXELS = Integer.MAX_VALUE - 8;

    /* The device's type for each pixel type of ImgLib2, by the name of its class. Other types are pushed as float32. */
    private static final Map<String, String> TYPES = new HashMap<>();

    static {
        String[] pairs = {"UnsignedByteType", "uint8", "ByteType", "int8", "UnsignedShortType", "uint16", "ShortType",
            "int16", "UnsignedIntType", "uint32", "IntType", "int32", "BitType", "uint8"};
        for (int i = 0; i < pairs.length; i += 2)
            TYPES.put(pairs[i], pairs[i + 1]);
    }

    /** The extent along x, y and z, in pixels. */
    final long[] size;
    private final RandomAccessibleInterval<?> interval;
    private final long[] from;
    private final int[] axes;

    /**
     * @param from the first pixel of the part, for each dimension of the interval, counted from its first pixel
     * @param axes the dimensions of the interval that become x, y and z; without z the part is a plane
     */
    Part(RandomAccessibleInterval<?> interval, long[] from, int[] axes, long[] size) {
        this.interval = interval;
        this.from = from;
        this.axes = axes;
        this.size = size;
        if (Arrays.stream(size).min().getAsLong() < 1)
            throw new DruaException("push: an ImgLib2 image must have pixels, got the size " + Arrays.toString(size));
        if (size[0] > MAX_PIXELS / size[1])
            throw new DruaException("push: an image may have at most " + MAX_PIXELS + " pixels in a slice, got "
                + size[0] + " x " + size[1]);
    }

    /** The device's type for these pixels. */
    String type() {
        Object pixel = access().get();
        if (!(pixel instanceof RealType))
            throw new DruaException(
                "push: the pixels of an ImgLib2 image must be numbers, got " + pixel.getClass().getSimpleName());
        return TYPES.getOrDefault(pixel.getClass().getSimpleName(), "float32");
    }

    /** The slices, which are read when they are requested. */
    Planes slices(String type, DoubleUnaryOperator change) {
        RandomAccess<?> access = access();
        return z -> {
            if (axes.length > 2)
                move(access, axes[2], z);
            return slice(type, change, access);
        };
    }

    private RandomAccess<?> access() {
        RandomAccess<?> access = interval.randomAccess();
        for (int d = 0; d < from.length; d++)
            move(access, d, 0);
        return access;
    }

    private void move(RandomAccess<?> access, int dimension, long pixel) {
        access.setPosition(interval.min(dimension) + from[dimension] + pixel, dimension);
    }

    private Object slice(String type, DoubleUnaryOperator change, RandomAccess<?> access) {
        int width = (int) size[0], height = (int) size[1];
        Object slice = newSlice(type, width * height);
        for (int y = 0, i = 0; y < height; y++) {
            move(access, axes[1], y);
            move(access, axes[0], 0);
            for (int x = 0; x < width; x++, access.fwd(axes[0]))
                set(slice, i++, change.applyAsDouble(((RealType<?>) access.get()).getRealDouble()));
        }
        return slice;
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
}
