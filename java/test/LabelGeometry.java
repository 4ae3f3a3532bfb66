// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import java.util.Arrays;

/** Computes the inputs of some macro calls from label maps in plain Java. */
final class LabelGeometry {
    private LabelGeometry() {}

    private static int count(Pixels labels) {
        return (int) Arrays.stream(labels.data).max().orElse(0);
    }

    /** Centroids of labels 1 to n: one column each, rows x, y(, z). */
    static Pixels centroids(Pixels labels, int dimension) {
        int n = count(labels), width = labels.extent(0), height = labels.extent(1);
        double[] sums = new double[dimension * n], sizes = new double[n];
        for (int i = 0; i < labels.data.length; i++) {
            int label = (int) labels.data[i] - 1;
            if (label < 0)
                continue;
            int[] at = {i % width, i / width % height, i / width / height};
            sizes[label]++;
            for (int d = 0; d < dimension; d++)
                sums[d * n + label] += at[d];
        }
        for (int i = 0; i < sums.length; i++)
            sums[i] /= sizes[i % n];
        return new Pixels(new int[] {dimension, n}, sums, "float32");
    }

    /** Pairwise distances of all points, with zeros in row and column 0 for the background. */
    static Pixels distances(Pixels points) {
        int n = points.extent(0) + 1;
        double[] data = new double[n * n];
        for (int y = 1; y < n; y++)
            for (int x = 1; x < n; x++) {
                double sum = 0;
                for (int d = 0; d < points.extent(1); d++) {
                    double difference = points.data[d * (n - 1) + x - 1] - points.data[d * (n - 1) + y - 1];
                    sum += difference * difference;
                }
                data[y * n + x] = Math.sqrt(sum);
            }
        return new Pixels(new int[] {n, n}, data, "float32");
    }

    /** 1 where two labels, including the background, share an edge; the row is the larger label. */
    static Pixels touchMatrix(Pixels labels) {
        int n = count(labels) + 1, width = labels.extent(0), height = labels.extent(1);
        double[] data = new double[n * n];
        int[] extents = {width, height, labels.extent(2)}, strides = {1, width, width * height};
        for (int i = 0; i < labels.data.length; i++) {
            int[] at = {i % width, i / width % height, i / width / height};
            for (int d = 0; d < 3; d++) {
                if (at[d] + 1 == extents[d])
                    continue;
                int a = (int) labels.data[i], b = (int) labels.data[i + strides[d]];
                if (a != b)
                    data[Math.max(a, b) * n + Math.min(a, b)] = 1;
            }
        }
        return new Pixels(new int[] {n, n}, data, "float32");
    }
}
