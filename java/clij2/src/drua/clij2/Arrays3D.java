// SPDX-License-Identifier: BSD-3-Clause
package drua.clij2;

import drua.Drua;
import drua.DruaException;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;

/** Converts between images and nested arrays of numbers. */
public final class Arrays3D
{
    private Arrays3D()
    {
    }

    /** All numbers of nested arrays in the order in which they are written. */
    static float[] flat(String method, Object array)
    {
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

    private static void collect(String method, Object array, List<float[]> parts)
    {
        if (array == null || !array.getClass().isArray())
            throw new DruaException(method + ": the array must hold numbers, got " +
                                    (array == null ? "nothing" : array.getClass().getSimpleName()));
        int length = Array.getLength(array);
        Class<?> element = array.getClass().getComponentType();
        if (element == char.class || element == boolean.class)
            throw new DruaException(method + ": the array must hold numbers, got " + element);
        if (element.isPrimitive()) {
            float[] numbers = new float[length];
            for (int i = 0; i < length; i++)
                numbers[i] = (float)Array.getDouble(array, i);
            parts.add(numbers);
            return;
        }
        for (int i = 0; i < length; i++)
            collect(method, Array.get(array, i), parts);
    }

    /** @param rows whether the first index counts rows instead of columns */
    public static ClearCLBuffer push(Drua drua, String method, Object array, boolean rows)
    {
        if (array instanceof ClearCLBuffer)
            return (ClearCLBuffer)array;
        int[] extents = extents(method, array);
        float[] numbers = flat(method, array);
        int first = extents[0], second = extents[1], third = extents[2];
        if (numbers.length != (long)first * second * third)
            throw new DruaException(method + ": all rows of the array must have the same length, got " +
                                    numbers.length + " numbers for " + first + " x " + second + " x " + third);
        int width = rows ? second : first;
        float[][] slices = new float[third][first * second];
        for (int a = 0; a < first; a++)
            for (int b = 0; b < second; b++)
                for (int z = 0; z < third; z++)
                    slices[z][rows ? a * width + b : b * width + a] = numbers[(a * second + b) * third + z];
        int height = rows ? first : second;
        return new ClearCLBuffer(drua, depth(array) == 3 ? drua.pushArrays("float32", slices, width, height, third)
                                                         : drua.pushNumbers(slices, width, height));
    }

    private static int depth(Object array)
    {
        String name = array.getClass().getName();
        return name.lastIndexOf('[') + 1;
    }

    private static int[] extents(String method, Object array)
    {
        int[] extents = {1, 1, 1};
        Object part = array;
        int d = 0;
        for (; part != null && part.getClass().isArray() && d < 3; d++) {
            extents[d] = Array.getLength(part);
            part = extents[d] == 0 ? null : Array.get(part, 0);
        }
        if (d == 0 || part == null || part.getClass().isArray())
            throw new DruaException(method +
                                    ": the matrix must be an array of numbers with 1 to 3 indices, none empty");
        return extents;
    }

    /** @param rows whether the first index counts rows instead of columns */
    public static Object pull(Drua drua, ClearCLBuffer image, boolean rows)
    {
        int width = (int)image.getWidth(), height = (int)image.getHeight(), depth = (int)image.getDepth();
        float[][] slices = drua.pullNumbers(image.image());
        int first = rows ? height : width, second = rows ? width : height;
        double[][][] stack = new double[first][second][depth];
        double[][] plane = new double[first][second];
        for (int a = 0; a < first; a++)
            for (int b = 0; b < second; b++)
                for (int z = 0; z < depth; z++) {
                    stack[a][b][z] = slices[z][rows ? a * width + b : b * width + a];
                    plane[a][b] = stack[a][b][0];
                }
        return image.getDimension() == 3 ? stack : plane;
    }
}
