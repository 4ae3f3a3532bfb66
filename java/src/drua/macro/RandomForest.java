// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.imagej.Images;
import java.util.ArrayList;
import java.util.List;

/**
 * Trees that vote for classes. Nodes are numbered, and the first numbers are the roots. A node with a feature of at
 * least 0 has two children with consecutive numbers: the first for values below its threshold, the second for the
 * others. Leaves hold the shares of the classes.
 */
final class RandomForest {
    static final class Node {
        int feature = -1, child;
        double limit;
        double[] shares;
    }

    /** Columns before the class shares, in the forest format of the engine's random_forest_classes. */
    private static final int COLUMNS = 3;

    final int trees, classes, features;
    final List<Node> nodes = new ArrayList<>();

    RandomForest(int trees, int classes, int features) {
        this.trees = trees;
        this.classes = classes;
        this.features = features;
        for (int i = 0; i < trees; i++)
            nodes.add(new Node());
    }

    /** Gives a node two children and returns the number of the first one. */
    int split(int node, int feature, double limit) {
        Node n = nodes.get(node);
        n.feature = feature;
        n.limit = limit;
        n.child = nodes.size();
        nodes.add(new Node());
        nodes.add(new Node());
        return n.child;
    }

    /** Pushes the forest to the device, one row for each node. The caller releases the image. */
    long push(long context) {
        int width = COLUMNS + classes;
        float[] numbers = new float[width * nodes.size()];
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            numbers[i * width] = node.feature;
            numbers[i * width + 1] = (float) node.limit;
            numbers[i * width + 2] = node.child;
            for (int c = 0; node.shares != null && c < classes; c++)
                numbers[i * width + COLUMNS + c] = (float) node.shares[c];
        }
        return Images.push(context, width, nodes.size(), 1, 2, Images.FLOAT32, z -> numbers, 0);
    }
}
