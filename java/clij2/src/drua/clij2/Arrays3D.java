// SPDX-License-Identifier: BSD-3-Clause
package drua.clij2;

import drua.Drua;
import drua.DruaException;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;

/**
 * Converts between images and nested arrays of numbers. The order of the indices is x, y, z or z, y, x; for planes it
 * is x, y or y, x.
 */
public final class Arrays3D {
    private static final Map<Class<?>, String> TYPES = new HashMap<>();

    static {
        TYPES.put(byte.class, "uint8");
        TYPES.put(short.class, "uint16");
        TYPES.put(char.class, "uint16");
        TYPES.put(int.class, "uint32");
        TYPES.put(float.class, "float32");
        TYPES.put(double.class, "float32");
    }

    private Arrays3D() {}

    /** All numbers of nested arrays in the order in which they are written. */
    static float[] flat(String method, Object array) {
        List<float[]> parts = new ArrayList<>();
        collect(method, array, parts);
        int count = 0, at = 0;
        for (float[] part : parts)
            count = Math.addExact(count, part.length);
        float[] all = new float[count];
        for (float[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    private static void collect(String method, Object array, List<float[]> parts) {
        Class<?> element = array == null ? null : array.getClass().getComponentType();
        if (element == null || element.isPrimitive() && !TYPES.containsKey(element))
            throw new DruaException(method + ": the array must hold numbers, got "
                + (array == null ? "nothing" : array.getClass().getSimpleName()));
        float[] numbers = new float[element.isPrimitive() ? Array.getLength(array) : 0];
        for (int i = 0; i < Array.getLength(array); i++) {
            if (element.isPrimitive())
                numbers[i] = number(array, i);
            else
                collect(method, Array.get(array, i), parts);
        }
        parts.add(numbers);
    }

    /** An element. Elements of byte and short arrays are unsigned, like the pixels of their image types. */
    private static float number(Object array, int i) {
        if (array instanceof byte[])
            return ((byte[]) array)[i] & 0xff;
        if (array instanceof short[])
            return ((short[]) array)[i] & 0xffff;
        return array instanceof char[] ? ((char[]) array)[i] : (float) Array.getDouble(array, i);
    }

    /** Copies an array with one to three indices to the device. */
    public static ClearCLBuffer push(Drua drua, String method, Object array, boolean reversed) {
        if (array instanceof ClearCLBuffer)
            return (ClearCLBuffer) array;
        List<Integer> extents = new ArrayList<>();
        Object part = array;
        for (; part != null && part.getClass().isArray(); part = extents.contains(0) ? null : Array.get(part, 0))
            extents.add(Array.getLength(part));
        if (extents.isEmpty() || extents.size() > 3 || extents.contains(0))
            throw new DruaException(
                method + ": the matrix must be an array of numbers with 1 to 3 indices, and no part may be empty");
        int indices = extents.size();
        long[] size = {1, 1, 1};
        for (int d = 0; d < indices; d++)
            size[d] = extents.get(reversed ? indices - 1 - d : d);
        Object[] slices = slices(method, array, size, indices, reversed);
        String type = TYPES.get(elementType(array.getClass()));
        return new ClearCLBuffer(
            drua, indices == 3 ? drua.pushArrays(type, slices, size) : drua.pushArrays(type, slices, size[0], size[1]));
    }

    private static Object[] slices(String method, Object array, long[] size, int indices, boolean reversed) {
        Class<?> leaf = elementType(array.getClass());
        if (!TYPES.containsKey(leaf))
            throw new DruaException(method + ": the matrix must hold numbers, got " + leaf.getSimpleName());
        Class<?> stored = leaf == double.class ? float.class : leaf == char.class ? short.class : leaf;
        Object[] slices = new Object[(int) size[2]];
        try {
            for (int z = 0; z < slices.length; z++) {
                slices[z] = Array.newInstance(stored, (int) (size[0] * size[1]));
                for (int y = 0; y < size[1]; y++)
                    for (int x = 0; x < size[0]; x++)
                        copy(element(array, indices, reversed, x, y, z), slices[z], y * (int) size[0] + x);
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            throw new DruaException(method + ": all rows of the matrix must have the same length");
        }
        return slices;
    }

    private static Class<?> elementType(Class<?> type) {
        return type.isArray() ? elementType(type.getComponentType()) : type;
    }

    private static Object element(Object array, int indices, boolean reversed, int... position) {
        Object part = array;
        for (int d = 0; d < indices; d++)
            part = Array.get(part, position[reversed ? indices - 1 - d : d]);
        return part;
    }

    private static void copy(Object value, Object slice, int i) {
        if (value instanceof Double)
            ((float[]) slice)[i] = ((Double) value).floatValue();
        else if (value instanceof Character)
            ((short[]) slice)[i] = (short) (char) (Character) value;
        else
            Array.set(slice, i, value);
    }

    /** Copies an image from the device to nested arrays of its type, with as many indices as the image has axes. */
    public static Object pull(DeviceImage image, boolean reversed) {
        Object[] slices = image.slices();
        int indices = (int) image.getDimension(), width = (int) image.getWidth();
        int[] size = {width, (int) image.getHeight(), (int) image.getDepth()}, extents = new int[indices];
        for (int d = 0; d < indices; d++)
            extents[d] = size[reversed ? indices - 1 - d : d];
        Object result = Array.newInstance(slices[0].getClass().getComponentType(), extents);
        for (int z = 0; z < size[2]; z++)
            for (int y = 0; y < size[1]; y++)
                for (int x = 0; x < width; x++) {
                    int[] at = {x, y, z};
                    Object part = result;
                    for (int d = 0; d < indices - 1; d++)
                        part = Array.get(part, at[reversed ? indices - 1 - d : d]);
                    Array.set(part, at[reversed ? 0 : indices - 1], Array.get(slices[z], y * width + x));
                }
        return result;
    }
}
