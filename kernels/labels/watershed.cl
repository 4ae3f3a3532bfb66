/* SPDX-License-Identifier: BSD-3-Clause */
/* Assigns pixels to the labelled peaks to which they climb. The images here have no gaps between rows. */

/*
 * Starts a batch of steps. changed[left] says whether a step changed something; the first step starts as if the step
 * before it had changed something.
 */
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

enum { CLIMB_COLUMNS = 32, CLIMB_ROWS = 8 };       /* size of a tile, which has 1 << shift slices */

/*
 * Marks the tiles in which or next to which pixels changed, from slice `first` to `last`; all writers store the same
 * number.
 */
inline void note_step(global uint *last_change, uint step, int width, int height, int depth, int shift, int x, int y,
                      int first, int last)
{
    const int columns = (width + CLIMB_COLUMNS - 1) / CLIMB_COLUMNS, rows = (height + CLIMB_ROWS - 1) / CLIMB_ROWS;
    for (int k = max(first - 1, 0) >> shift; k <= min(last + 1, depth - 1) >> shift; k++)
        for (int j = max(y - 1, 0) / CLIMB_ROWS; j <= min(y + 1, height - 1) / CLIMB_ROWS; j++)
            for (int i = max(x - 1, 0) / CLIMB_COLUMNS; i <= min(x + 1, width - 1) / CLIMB_COLUMNS; i++)
                last_change[((uint)k * rows + j) * columns + i] = step;
}

/*
 * One step, counted from 1. A pixel above the threshold without a label takes the height and the label of its highest
 * neighbour if this neighbour is higher than the pixel. In a tie the first x, then y, then z wins. Heights travel with
 * the labels, so a pixel keeps following the path that it began. Once a step labels no pixel, no later step will. Steps
 * read one pair of images (labels and heights) and write another. A tile is skipped if nothing in it or next to it has
 * changed, because both pairs then hold the same values there.
 */
#define STEP_PARAMETERS                                                                                                \
    global const uint *labels, global const float *heights, global uint *to_labels, global float *to_heights,          \
        int width, int height, int depth,                                                                              \
        int shift, float threshold, global uint *changed, int left, global uint *last_change, uint step

/* Finds the highest neighbour that is higher than the pixel, else the pixel; `top` becomes its height. */
IN_PLACE ulong highest_around(global const float *heights, int width, int height, int depth, int x, int y, int z,
                              float *top)
{
    ulong best = ((ulong)z * height + y) * width + x;
    for (int i = max(x - 1, 0); i <= min(x + 1, width - 1); i++)
        for (int j = max(y - 1, 0); j <= min(y + 1, height - 1); j++)
            for (int k = max(z - 1, 0); k <= min(z + 1, depth - 1); k++) {
                const ulong there = ((ulong)k * height + j) * width + i;
                if (heights[there] > *top) {
                    *top = heights[there];
                    best = there;
                }
            }
    return best;
}

/* The highest of 3 x 3 pixels of a slice: its height, and its place 3 (dx + 1) + dy + 1. In ties the first one wins. */
typedef struct {
    float top;
    int place;
} crest;

inline crest find_crest(global const float *heights, int width, int height, int depth, int x, int y, int z)
{
    crest found = {-INFINITY, 0};
    if (z < 0 || z >= depth)
        return found;
    global const float *slice = heights + (ulong)z * height * width;
    for (int i = max(x - 1, 0); i <= min(x + 1, width - 1); i++)
        for (int j = max(y - 1, 0); j <= min(y + 1, height - 1); j++) {
            const float top = slice[(uint)j * width + i];
            found = top > found.top ? (crest){top, 3 * (i - x + 1) + j - y + 1} : found;
        }
    return found;
}

/*
 * The pixels of a tile at one x and y. `crests` are those of the slices before, at and after a pixel that climbs; the
 * next pixel uses two of them again.
 */
IN_PLACE void climb_column(STEP_PARAMETERS, int x, int y, int front)
{
    int first = depth, last = -1, known = front - 2;
    bool gains = false;
    crest crests[3];
    for (int z = front; z < min(front + (1 << shift), depth); z++) {
        const ulong at = ((ulong)z * height + y) * width + x;
        uint label = labels[at];
        float top = heights[at];
        if (label == 0 && top > threshold) {
            int place = -1, slice = z;
            for (int k = max(known + 1, z - 1); k <= z + 1; k++) {
                crests[0] = crests[1];
                crests[1] = crests[2];
                crests[2] = find_crest(heights, width, height, depth, x, y, k);
            }
            known = z + 1;
            UNROLLED(i, 3)
                if (crests[i].top > top || (crests[i].top == top && crests[i].place < place)) {
                    top = crests[i].top;
                    place = crests[i].place;
                    slice = z + i - 1;
                }
            if (place >= 0) {
                label = labels[((ulong)slice * height + y + place % 3 - 1) * width + x + place / 3 - 1];
                gains = gains || label;
                first = min(first, z);
                last = z;
            }
        }
        to_labels[at] = label;
        to_heights[at] = top;
    }
    if (last >= 0)
        note_step(last_change, step, width, height, depth, shift, x, y, first, last);
    if (gains)
        set_flag(changed + left);
}

#define STEP_ARGUMENTS                                                                                                 \
    labels, heights, to_labels, to_heights, width, height, depth, shift, threshold, changed, left, last_change, step

kernel void watershed_step(STEP_PARAMETERS)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), layer = (int)get_global_id(2),
              front = layer << shift;
    const int columns = (width + CLIMB_COLUMNS - 1) / CLIMB_COLUMNS, rows = (height + CLIMB_ROWS - 1) / CLIMB_ROWS;
    if (x >= width || y >= height || front >= depth || !changed[left + 1] ||
        last_change[((uint)layer * rows + y / CLIMB_ROWS) * columns + x / CLIMB_COLUMNS] + 1 < step)
        return;
    climb_column(STEP_ARGUMENTS, x, y, front);
}

/* One step for every pixel; `gained` gets the number of the step in which a pixel got its label. */
kernel void watershed_step_noted(global const uint *labels, global const float *heights, global uint *to_labels,
                                 global float *to_heights, global uint *gained, int width, int height, int depth,
                                 float threshold, int step, global uint *changed)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (x >= width || y >= height || z >= depth)
        return;
    const ulong at = ((ulong)z * height + y) * width + x;
    uint label = labels[at];
    float top = heights[at];
    if (label == 0 && top > threshold) {
        label = labels[highest_around(heights, width, height, depth, x, y, z, &top)];
        if (label) {
            gained[at] = step;
            set_flag(changed);
        }
    }
    to_labels[at] = label;
    to_heights[at] = top;
}

kernel void watershed_end(global const uint *labels, int width, int height, int depth, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE_LABEL(to, x, y, z,
                    labels[((ulong)min(z, depth - 1) * height + min(y, height - 1)) * width + min(x, width - 1)]);
}
