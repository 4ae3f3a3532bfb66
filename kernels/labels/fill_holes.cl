/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds background components that reach the border; uses the runs of components.cl. */
#include "components.cl"

kernel void bits_invert(global uint *bits, uint words, int row_words, int width)
{
    const uint word = get_global_id(0);
    if (word >= words)
        return;
    const int pixels = width - (int)(word % row_words) * 32;
    bits[word] = ~bits[word] & (pixels >= 32 ? 0xffffffffu : (1u << pixels) - 1);
}

/*
 * Marks the roots of runs at the border. Depth 0 means a plane, which has no border along z. `open` has 16 bits for the
 * nodes of each word.
 */
kernel void border_runs(global const uint *bits, global const uint *parent, volatile global uint *open, uint words,
                        int row_words, int width, int height, int depth)
{
    const uint word = get_global_id(0);
    if (word >= words)
        return;
    const int column = word % row_words, y = word / row_words % height, z = word / row_words / height;
    const uint here = bits[word];
    uint starts = here & ~(here << 1);
    if (y > 0 && y < height - 1 && (depth == 0 || (z > 0 && z < depth - 1))) {
        uint edge = column == 0 ? 1u : 0;
        if (column == row_words - 1)
            edge |= 1u << (width - 1) % 32;
        starts = here & edge;
    }
    for (; starts; starts &= starts - 1) {
        const uint root = parent[node_of(word, here, BIT_NUMBER(ONE_BIT(starts)))];
        if ((open[root / 16] >> root % 16 & 1) == 0)
            atomic_or(&open[root / 16], 1u << root % 16);
    }
}

kernel void fill_closed_runs(global const uint *bits, global const uint *parent, global const uint *open, int row_words,
                             int width, int height, int depth, OUTPUT(filled))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(filled, x, y, z))
        return;
    const int from = min(x, width - 1);
    const uint word = ((uint)min(z, depth - 1) * height + min(y, height - 1)) * row_words + from / 32,
               here = bits[word];
    bool full = true;
    if (here >> (from & 31) & 1) {
        const uint root = parent[node_of(word, here, from & 31)];
        full = (open[root / 16] >> root % 16 & 1) == 0;
    }
    STORE(filled, x, y, z, full ? 1.0f : 0.0f);
}
