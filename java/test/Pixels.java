// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.EngineException;
import drua.engine.Native;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers with a shape as in NumPy: slowest axis first, no axes for a single number. */
final class Pixels {
    private static final List<String> TYPES =
        Arrays.asList("", "uint8", "int8", "uint16", "int16", "uint32", "int32", "float32");

    final int[] shape;
    final double[] data;
    final String type;

    Pixels(int[] shape, double[] data, String type) {
        this.shape = shape;
        this.data = data;
        this.type = type;
    }

    static Pixels number(double value) {
        return new Pixels(new int[0], new double[] {value}, "float64");
    }

    /** Converts nested JSON lists. Null marks a missing value. */
    static Pixels of(Object json, String type) {
        List<Integer> shape = new ArrayList<>();
        for (Object o = json; o instanceof List; o = ((List<?>) o).isEmpty() ? null : ((List<?>) o).get(0))
            shape.add(((List<?>) o).size());
        List<Double> data = new ArrayList<>();
        flatten(json, data);
        return new Pixels(shape.stream().mapToInt(i -> i).toArray(), data.stream().mapToDouble(d -> d).toArray(), type);
    }

    private static void flatten(Object json, List<Double> data) {
        if (json instanceof List) {
            for (Object element : (List<?>) json)
                flatten(element, data);
        } else if (json != null) {
            data.add(toNumber(json));
        }
    }

    /** Converts a number of a case. Cases write NaN and infinity as texts; true is 1. */
    static double toNumber(Object json) {
        if (json instanceof Boolean)
            return (Boolean) json ? 1 : 0;
        if (json instanceof String)
            return textToNumber((String) json);
        return ((Number) json).doubleValue();
    }

    static Pixels zeros(int[] shape, String type) {
        return new Pixels(shape, new double[Arrays.stream(shape).reduce(1, (a, b) -> a * b)], type);
    }

    private static double textToNumber(String text) {
        switch (text) {
        case "np.finfo(np.float32).max":
            return Float.MAX_VALUE;
        case "nan":
            return Double.NaN;
        case "inf":
            return Double.POSITIVE_INFINITY;
        case "-inf":
            return Double.NEGATIVE_INFINITY;
        default:
            return Double.parseDouble(text);
        }
    }

    /** Extent of an axis, counted from the fastest one: 0 is x. */
    int extent(int axis) {
        return axis < shape.length ? shape[shape.length - 1 - axis] : 1;
    }

    /** Copies the numbers to the device. */
    long push(long context) {
        int type = TYPES.indexOf(this.type), size = extent(0) * extent(1);
        if (type < 1)
            throw new EngineException("no image type " + this.type);
        return Native.push(context, 0, extent(0), extent(1), extent(2), shape.length > 2 ? 3 : 2, type, z -> {
            Object plane = array(type, size);
            for (int i = 0; i < size; i++) {
                double value = data[z * size + i];
                if (plane instanceof float[])
                    ((float[]) plane)[i] = (float) value;
                else if (plane instanceof int[])
                    ((int[]) plane)[i] = (int) (long) value;
                else if (plane instanceof short[])
                    ((short[]) plane)[i] = (short) (long) value;
                else
                    ((byte[]) plane)[i] = (byte) (long) value;
            }
            return plane;
        });
    }

    /** Copies an image from the device, always with three axes. */
    static Pixels pull(long context, long image) {
        long[] info = Native.info(context, image);
        int size = (int) (info[0] * info[1]), depth = (int) info[2], type = (int) info[4];
        Object[] planes = new Object[depth];
        for (int z = 0; z < depth; z++)
            planes[z] = array(type, size);
        Native.pull(context, image, planes);
        double[] data = new double[size * depth];
        for (int i = 0; i < data.length; i++)
            data[i] = element(planes[i / size], i % size, TYPES.get(type).startsWith("u"));
        return new Pixels(new int[] {depth, (int) info[1], (int) info[0]}, data, TYPES.get(type));
    }

    private static Object array(int type, int size) {
        if (type == 7)
            return new float[size];
        if (type > 4)
            return (Object) new int[size];
        if (type > 2)
            return new short[size];
        return new byte[size];
    }

    private static double element(Object plane, int i, boolean unsigned) {
        if (plane instanceof float[])
            return ((float[]) plane)[i];
        if (plane instanceof int[])
            return unsigned ? ((int[]) plane)[i] & 0xffffffffL : ((int[]) plane)[i];
        if (plane instanceof short[])
            return unsigned ? ((short[]) plane)[i] & 0xffff : ((short[]) plane)[i];
        return unsigned ? ((byte[]) plane)[i] & 0xff : ((byte[]) plane)[i];
    }

    /** Copies the numbers for a push as another type, as a plane (2) or a stack (3). */
    Pixels as(String other, long dimension) {
        return new Pixels(dimension == 2 ? Arrays.copyOfRange(shape, 1, 3) : shape, data, other);
    }

    /** The values as a result of that type would store them. */
    Pixels rounded(String other) {
        return other.equals("float32") ? new Pixels(shape, Arrays.stream(data).map(d -> (float) d).toArray(), type)
                                       : this;
    }

    /** Removes axes of extent 1, which the two libraries place differently. */
    Pixels squeezed() {
        return new Pixels(Arrays.stream(shape).filter(n -> n != 1).toArray(), data, type);
    }

    /** Renumbers labels in the order of their first pixels. */
    Pixels renumbered() {
        Map<Double, Double> numbers = new HashMap<>();
        numbers.put(0.0, 0.0);
        double[] all = new double[data.length];
        for (int i = 0; i < all.length; i++) {
            numbers.putIfAbsent(data[i], (double) numbers.size());
            all[i] = numbers.get(data[i]);
        }
        return new Pixels(shape, all, type);
    }

    interface Near {
        boolean test(double expected, double got);
    }

    /** The first difference from the expected values, or null. */
    String differs(Pixels expected, Near near) {
        if (!Arrays.equals(shape, expected.shape))
            return "shape: expected " + Arrays.toString(expected.shape) + ", got " + Arrays.toString(shape);
        int first = -1, count = 0;
        for (int i = 0; i < data.length; i++) {
            boolean same = data[i] == expected.data[i] || Double.isNaN(data[i]) && Double.isNaN(expected.data[i]);
            if (!same && !near.test(expected.data[i], data[i])) {
                first = first < 0 ? i : first;
                count++;
            }
        }
        return first < 0 ? null
                         : "at " + position(first) + ": expected " + expected.data[first] + ", got " + data[first]
                + " (" + count + " of " + data.length + " differ)";
    }

    private String position(int index) {
        int[] position = new int[shape.length];
        for (int axis = shape.length - 1; axis >= 0; index /= shape[axis--])
            position[axis] = index % shape[axis];
        return Arrays.toString(position);
    }

    static Near within(double rtol, double atol) {
        return (expected, got) -> Math.abs(expected - got) <= atol + rtol * Math.abs(expected);
    }
}
