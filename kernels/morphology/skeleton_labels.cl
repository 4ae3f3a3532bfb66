/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thinning of all labels of a map at once, as in skeleton.cl: pixels of another label are background. A pixel holds its
 * label, counted from 1, and 0 once it is removed. Lists hold the positions of pixels that may be removed, one list for
 * each subfield. Two pixels of a subfield are never neighbours.
 */
#include "skeleton.cl"

enum { THINNING_FIELDS = 8, THINNING_COUNTS = 12, THINNING_PIXELS = 7, THINNING_ENDS, THINNING_BRANCHES,
       THINNING_DISTANCES };

kernel void thin_copy(INPUT(labels), uint first, uint last, global uint *thinned)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint i = LOAD_LABEL(labels, x, y, z) - first;
    thinned[((ulong)z * labels.height + y) * labels.width + x] = i <= last - first ? i + 1 : 0;
}

/* The pixels of the 3 x 3 x 3 neighbourhood with this label, and the pixel itself. */
inline uint same_label_around(global const uint *thinned, int width, int height, int depth, int x, int y, int z,
                              uint label)
{
    uint around = 0;
    ROLLED for (int i = 0; i < 27; i++) {
        const int a = x + i % 3 - 1, b = y + i / 3 % 3 - 1, c = z + i / 9 - 1;
        const bool inside = a >= 0 && b >= 0 && c >= 0 && a < width && b < height && c < depth;
        around |= (inside && thinned[((ulong)c * height + b) * width + a] == label ? 1u : 0u) << i;
    }
    return around;
}

/* Lists the simple pixels that are not ends of lines and whose neighbour at a side has another label. */
kernel void thin_mark(global const uint *thinned, int width, int height, int depth, int dx, int dy, int dz,
                      global uint *list, ulong capacity, volatile global uint *counts, int first_count,
                      global const uint *changed, int round)
{
    volatile local uint found[THINNING_FIELDS], before[THINNING_FIELDS];
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    const int lane = get_local_id(0), field = x % 2 + 2 * (y % 2) + 4 * (z % 2);
    const bool inside = changed[round] && x < width && y < height && z < depth;
    const ulong at = ((ulong)z * height + y) * width + x;
    const uint label = inside ? thinned[at] : 0;
    bool marked = false;
    if (label != 0) {
        const int a = x + dx, b = y + dy, c = z + dz;
        const bool beside = a >= 0 && b >= 0 && c >= 0 && a < width && b < height && c < depth;
        if (!beside || thinned[((ulong)c * height + b) * width + a] != label) {
            const uint around = same_label_around(thinned, width, height, depth, x, y, z, label) & AROUND;
            marked = popcount(around) > 1 && is_simple(around);
        }
    }
    if (lane < THINNING_FIELDS)
        found[lane] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint place = marked ? atomic_inc(&found[field]) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < THINNING_FIELDS && found[lane] > 0)
        before[lane] = atomic_add(&counts[first_count + lane], found[lane]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (marked)
        list[capacity * field + before[field] + place] = (uint)at;
}

/* Removes the listed pixels of a subfield that are still simple. */
kernel void thin_remove(global uint *thinned, int width, int height, int depth, global const uint *list, ulong capacity,
                        global const uint *counts, int first_count, global uint *changed, int round, int field,
                        uint items)
{
    const uint count = counts[first_count + field];
    for (uint i = get_global_id(0); i < count; i += items) {
        const uint at = list[capacity * field + i];
        const int x = (int)(at % width), y = (int)(at / width % height), z = (int)(at / width / height);
        const uint around = same_label_around(thinned, width, height, depth, x, y, z, thinned[at]) & AROUND;
        if (is_simple(around)) {
            thinned[at] = 0;
            set_flag(changed + round + 1);
        }
    }
}

/*
 * Whether the pixel and neighbour i of its surroundings form an edge: no other pixel of the skeleton lies in the box
 * that both span. Otherwise, two shorter steps connect them.
 */
inline bool is_edge(uint around, int i)
{
    const int dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - 1;
    uint box = 0;
    for (int k = 0; k < 8; k++)
        box |= 1u << (13 + (k & 1) * dx + (k >> 1 & 1) * 3 * dy + (k >> 2) * 9 * dz);
    return (around & box) == (1u << 13 | 1u << i);
}

/*
 * Counts for each label the edges along x, y, xy, z, xz, yz and xyz, the pixels, the ends and the branch points. Adds
 * up the distances to other pixels, in steps of a 4096th of `unit`, in 64 bits. `squares`: of these distances.
 */
kernel void count_skeletons(global const uint *thinned, int width, int height, int depth, global const float *squares,
                            float unit, volatile global uint *counts)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (x >= width || y >= height || z >= depth)
        return;
    const ulong at = ((ulong)z * height + y) * width + x;
    const uint label = thinned[at];
    if (label == 0)
        return;
    const uint around = same_label_around(thinned, width, height, depth, x, y, z, label);
    volatile global uint *own = counts + (ulong)(label - 1) * THINNING_COUNTS;
    const uint distance = isinf(squares[at]) ? 0 : convert_uint_sat(sqrt(squares[at]) / unit * 4096 + 0.5f);
    int edges = 0;
    ROLLED for (int i = 0; i < 27; i++) {
        if (i == 13 || !(around >> i & 1) || !is_edge(around, i))
            continue;
        edges++;
        const int axes = (i % 3 != 1) + 2 * (i / 3 % 3 != 1) + 4 * (i / 9 != 1);
        if (i > 13)
            atomic_inc(own + axes - 1);
    }
    atomic_inc(own + THINNING_PIXELS);
    if (atomic_add(own + THINNING_DISTANCES, distance) > ~distance)
        atomic_inc(own + THINNING_DISTANCES + 1);
    if (edges == 1)
        atomic_inc(own + THINNING_ENDS);
    if (edges > 2)
        atomic_inc(own + THINNING_BRANCHES);
}
