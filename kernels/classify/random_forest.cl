/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A forest is a plane with one row per node. The first three columns are the feature to test (-1 in a leaf), the
 * threshold below which the first child is taken, and the row of the first child. The second child is the next row. The
 * further columns are the class shares of a leaf. The first rows are the roots of the trees. Child rows always come
 * later, so every walk ends.
 */

enum { FEATURE, LIMIT, CHILD, SHARES };

#define CELL(row, column) LOAD(forest, column, row, 0)

inline int leaf_of(global const uchar *features_pixels, const layout features, global const uchar *forest_pixels,
                   const layout forest, int root, int x, int y)
{
    int row = root;
    for (int feature = (int)CELL(row, FEATURE); feature >= 0; feature = (int)CELL(row, FEATURE)) {
        const int child = (int)CELL(row, CHILD);
        if (child <= row || child >= forest.height - 1)
            break;
        row = child + !(LOAD_CLAMPED(features, x, y, feature) < CELL(row, LIMIT));
    }
    return row;
}

/* Writes the mean share of class z over all trees. */
kernel void forest_probabilities(INPUT(features), INPUT(forest), OUTPUT(to), int trees)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    float sum = 0.0f;
    for (int tree = 0; tree < trees && z < forest.width - SHARES; tree++)
        sum += CELL(leaf_of(features_pixels, features, forest_pixels, forest, tree, x, y), SHARES + z);
    STORE(to, x, y, z, DIVIDE((FLOATV)(sum), (FLOATV)((float)trees)).s0);
}

/* Writes the class, counted from 1, with the largest sum of shares; the first one in a tie. */
kernel void forest_classes(INPUT(features), INPUT(forest), OUTPUT(to), int trees, int classes)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    float max_sum = -INFINITY;
    int found = 0;
    for (int group = 0; group < classes; group++) {
        float sum = 0.0f;
        for (int tree = 0; tree < trees; tree++)
            sum += CELL(leaf_of(features_pixels, features, forest_pixels, forest, tree, x, y), SHARES + group);
        found = sum > max_sum ? group + 1 : found;
        max_sum = fmax(sum, max_sum);
    }
    STORE(to, x, y, z, (float)found);
}
