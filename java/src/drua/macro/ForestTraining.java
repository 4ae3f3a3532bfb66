// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Trains a random forest (Breiman 2001). Each tree gets samples drawn with replacement, the same number from every
 * class. Each node tests a few features drawn at random and splits where the entropy of the classes decreases most. The
 * same samples give the same forest.
 */
final class ForestTraining {
    private static final long SEED = 1;
    private static final double MIN_GAIN = 1e-2;

    private final float[][] values;
    private final int[] classes;
    private final int[][] ofClass;
    private final int featuresPerSplit, maxDepth;
    private final Random random = new Random(SEED);
    private final RandomForest forest;

    private static final class Part {
        final int node, depth;
        final int[] samples;

        Part(int node, int depth, int[] samples) {
            this.node = node;
            this.depth = depth;
            this.samples = samples;
        }
    }

    private ForestTraining(float[][] values, int[] classes, int count, int trees, int featuresPerSplit, int maxDepth) {
        this.values = values;
        this.classes = classes;
        this.maxDepth = maxDepth;
        this.featuresPerSplit =
            featuresPerSplit > 0 ? featuresPerSplit : (int) (Math.log(values.length) / Math.log(2)) + 1;
        ofClass = new int[count][];
        for (int c = 0; c < count; c++) {
            int wanted = c;
            ofClass[c] = IntStream.range(0, classes.length).filter(i -> classes[i] == wanted).toArray();
        }
        forest = new RandomForest(trees, count, values.length);
    }

    /**
     * @param values           indexed by feature and sample
     * @param classes          class of each sample, from 0 to count - 1
     * @param featuresPerSplit number of features tested in a node; 0: one more than the base-2 logarithm of their
     *     number
     * @param maxDepth        maximum number of splits from the root to a leaf; 0: unlimited
     */
    static RandomForest train(
        float[][] values, int[] classes, int count, int trees, int featuresPerSplit, int maxDepth) {
        ForestTraining training = new ForestTraining(values, classes, count, trees, featuresPerSplit, maxDepth);
        Deque<Part> parts = new ArrayDeque<>();
        for (int tree = 0; tree < trees; tree++)
            parts.add(new Part(tree, 0, training.draw()));
        while (!parts.isEmpty())
            training.grow(parts.remove(), parts);
        return training.forest;
    }

    private int[] draw() {
        int[][] present = Arrays.stream(ofClass).filter(samples -> samples.length > 0).toArray(int[][] ::new);
        int[] drawn = new int[classes.length];
        for (int i = 0; i < drawn.length; i++) {
            int[] samples = present[i % present.length];
            drawn[i] = samples[random.nextInt(samples.length)];
        }
        return drawn;
    }

    private void grow(Part part, Deque<Part> parts) {
        double[] counts = count(part.samples);
        boolean pure = Arrays.stream(counts).max().orElse(0) == part.samples.length;
        int best = -1;
        double max = MIN_GAIN, limit = 0;
        int[] order = random.ints(values.length, 0, Integer.MAX_VALUE).toArray(), window = new int[values.length];
        for (int f = 0; f < window.length; f++)
            window[f] = f;
        for (int tested = 0; !pure && (maxDepth == 0 || part.depth < maxDepth) && tested < window.length
             && (tested < featuresPerSplit || best < 0);
             tested++) {
            int chosen = tested + order[tested] % (window.length - tested), feature = window[chosen];
            window[chosen] = window[tested];
            double[] split = split(feature, part.samples, counts);
            if (split[0] > max) {
                max = split[0];
                limit = split[1];
                best = feature;
            }
        }
        if (best < 0) {
            forest.nodes.get(part.node).shares = Arrays.stream(counts).map(c -> c / part.samples.length).toArray();
            return;
        }
        float[] column = values[best];
        double at = limit;
        int child = forest.split(part.node, best, limit);
        parts.add(new Part(child, part.depth + 1, Arrays.stream(part.samples).filter(i -> column[i] < at).toArray()));
        parts.add(
            new Part(child + 1, part.depth + 1, Arrays.stream(part.samples).filter(i -> !(column[i] < at)).toArray()));
    }

    private double[] count(int[] samples) {
        double[] counts = new double[ofClass.length];
        for (int i : samples)
            counts[classes[i]]++;
        return counts;
    }

    /**
     * Returns the largest decrease of entropy that one threshold of a feature gives, in bits per sample, and that
     * threshold.
     */
    private double[] split(int feature, int[] samples, double[] counts) {
        float[] column = values[feature];
        long[] keys = new long[samples.length];
        for (int i = 0; i < keys.length; i++)
            keys[i] = (long) orderedBits(column[samples[i]]) << 32 | samples[i];
        Arrays.sort(keys);
        double[] below = new double[counts.length], above = counts.clone(), best = {0, 0};
        double all = entropy(counts) * samples.length;
        for (int i = 0; i < keys.length - 1; i++) {
            int here = classes[(int) keys[i]];
            below[here]++;
            above[here]--;
            float low = column[(int) keys[i]], high = column[(int) keys[i + 1]];
            double gain = low < high
                ? (all - entropy(below) * (i + 1) - entropy(above) * (keys.length - 1 - i)) / keys.length
                : 0;
            if (gain > best[0]) {
                float middle = (float) ((low + (double) high) / 2);
                best = new double[] {gain, middle > low ? middle : high};
            }
        }
        return best;
    }

    /** Maps floats to ints in the same order. */
    private static int orderedBits(float value) {
        int bits = Float.floatToIntBits(value + 0f);
        return bits < 0 ? ~bits ^ Integer.MIN_VALUE : bits;
    }

    private static double entropy(double[] counts) {
        double all = Arrays.stream(counts).sum(), sum = 0;
        for (double count : counts)
            sum -= count > 0 ? count / all * Math.log(count / all) / Math.log(2) : 0;
        return sum;
    }
}
