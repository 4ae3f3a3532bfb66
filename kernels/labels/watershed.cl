/* SPDX-License-Identifier: BSD-3-Clause */
/* Pixels climb to labelled tops; images are dense here. */

/* Batches of steps: changed[left] says whether one changed something; the first counts as if the step before had. */
kernel void watershed_batch(global uint *changed, int steps)
{
    const int i = get_global_id(0);
    if (i <= steps)
        changed[i] = i == steps;
}

kernel void watershed_begin(INPUT(seeds), INPUT(heights), global uint *labels, global float *to)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(seeds, x, y, z))
        return;
    const ulong at = ((ulong)z * seeds.height + y) * seeds.width + x;
    labels[at] = LOAD_LABEL(seeds, x, y, z);
    to[at] = LOAD_CLAMPED(heights, x, y, z);
}

/*
 * One step: a pixel above the threshold that has no label takes height and label of its highest neighbour, if that is higher.
 * Heights travel with the labels, so a pixel follows the way up that it began. Where no pixel gets a label, none will.
 */
kernel void watershed_step(global const uint *labels, global const float *heights, global uint *to_labels, global float *to_heights, int width,
                           int height, int depth, float threshold, global uint *changed, int left)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (x >= width || y >= height || z >= depth || !changed[left + 1])
        return;
    const ulong at = ((ulong)z * height + y) * width + x;
    uint label = labels[at];
    float top = heights[at];
    if (label == 0 && top > threshold) {
        ulong best = at;
        for (int i = max(x - 1, 0); i <= min(x + 1, width - 1); i++)
            for (int j = max(y - 1, 0); j <= min(y + 1, height - 1); j++)
                for (int k = max(z - 1, 0); k <= min(z + 1, depth - 1); k++) {
                    const ulong there = ((ulong)k * height + j) * width + i;
                    if (heights[there] > top) {
                        top = heights[there];
                        best = there;
                    }
                }
        label = labels[best];
        if (label)
            changed[left] = 1;
    }
    to_labels[at] = label;
    to_heights[at] = top;
}

kernel void watershed_end(global const uint *labels, int width, int height, int depth, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE_LABEL(to, x, y, z, labels[((ulong)min(z, depth - 1) * height + min(y, height - 1)) * width + min(x, width - 1)]);
}
