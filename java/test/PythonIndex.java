// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts Python's a[...] to a box: start, extent and direction of each axis. */
final class PythonIndex {
    private final int[] start, extent, step;
    private final boolean[] dropped;

    /** Throws IllegalArgumentException for lists of positions, steps other than 1 and -1, and empty boxes. */
    private PythonIndex(Object json, int[] shape) {
        List<Object> index = new ArrayList<>(json instanceof List ? (List<?>) json : Collections.singletonList(json));
        int dots = index.indexOf("...");
        if (dots >= 0)
            index.remove(dots);
        while (index.size() < shape.length)
            index.add(dots >= 0 ? dots : index.size(), null);
        start = new int[shape.length];
        extent = new int[shape.length];
        step = new int[shape.length];
        dropped = new boolean[shape.length];
        for (int i = 0; i < shape.length; i++)
            set(i, index.get(i), shape[i]);
    }

    private void set(int axis, Object item, int n) {
        step[axis] = 1;
        extent[axis] = n;
        if (item instanceof Number) {
            int at = ((Number) item).intValue();
            start[axis] = at < 0 ? at + n : at;
            extent[axis] = 1;
            dropped[axis] = true;
        } else if (item instanceof Map) {
            List<?> slice = (List<?>) ((Map<?, ?>) item).get("slice");
            step[axis] = slice.get(2) == null ? 1 : ((Number) slice.get(2)).intValue();
            boolean back = step[axis] < 0;
            int from = limit(slice.get(0), back ? n - 1 : 0, back, n), to = limit(slice.get(1), back ? -1 : n, back, n);
            extent[axis] = back ? from - to : to - from;
            start[axis] = back ? to + 1 : from;
        } else if (item != null) {
            throw new IllegalArgumentException("positions");
        }
        if (Math.abs(step[axis]) != 1 || extent[axis] < 1)
            throw new IllegalArgumentException("no box");
    }

    private static int limit(Object value, int otherwise, boolean back, int n) {
        if (value == null)
            return otherwise;
        int at = ((Number) value).intValue();
        at = at < 0 ? at + n : at;
        return back ? Math.max(-1, Math.min(n - 1, at)) : Math.max(0, Math.min(n, at));
    }

    /** start_x, width, reversed_x, ... of an image; empty if the index is not a box. */
    static Map<String, Object> parts(Object json, long[] info) {
        Map<String, Object> parts = new LinkedHashMap<>();
        int dimension = (int) info[3];
        int[] shape = dimension == 3 ? new int[] {(int) info[2], (int) info[1], (int) info[0]}
                                     : new int[] {(int) info[1], (int) info[0]};
        try {
            PythonIndex index = new PythonIndex(json, shape);
            String[] axis = {"x", "y", "z"}, extent = {"width", "height", "depth"};
            for (int i = 0; i < 3; i++) {
                int at = dimension - 1 - i;
                parts.put("start_" + axis[i], (double) (at < 0 ? 0 : index.start[at]));
                parts.put(extent[i], (double) (at < 0 ? 1 : index.extent[at]));
                parts.put("reversed_" + axis[i], at >= 0 && index.step[at] < 0);
            }
            parts.put("box", true);
        } catch (IllegalArgumentException e) {
            parts.put("box", false);
        }
        return parts;
    }

    static Pixels pick(Object json, Pixels from) {
        PythonIndex index = new PythonIndex(json, from.shape);
        int count = 1, axes = 0;
        for (int i = 0; i < from.shape.length; i++) {
            count *= index.extent[i];
            axes += index.dropped[i] ? 0 : 1;
        }
        int[] shape = new int[axes];
        for (int i = 0, a = 0; i < from.shape.length; i++)
            if (!index.dropped[i])
                shape[a++] = index.extent[i];
        double[] data = new double[count];
        for (int i = 0; i < count; i++) {
            int rest = i, at = 0, stride = 1;
            for (int axis = from.shape.length - 1; axis >= 0; axis--) {
                int k = rest % index.extent[axis];
                rest /= index.extent[axis];
                at += stride * (index.start[axis] + (index.step[axis] > 0 ? k : index.extent[axis] - 1 - k));
                stride *= from.shape[axis];
            }
            data[i] = from.data[at];
        }
        return new Pixels(shape, data, from.type);
    }
}
