/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joins components of tiles that were labelled separately: numbers the labels of all tiles consecutively, and unites
 * labels that touch across faces between tiles.
 */
#include "bit_lines.cl"

/*
 * Joins labels of two adjacent layers: the last layer of a tile (`before`) and the first layer of the next (`after`).
 * `first_before` and `first_after` are added to the labels, which makes them unique among all tiles.
 */
kernel void apart_join(INPUT(before), INPUT(after), uint first_before, uint first_after, int box,
                       volatile global uint *parent)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (!INSIDE(before, x, y, 0))
        return;
    const uint label = LOAD_LABEL(before, x, y, 0);
    if (label == 0)
        return;
    for (int dy = -box; dy <= box; dy++)
        for (int dx = -box; dx <= box; dx++) {
            const uint other = x + dx >= 0 && y + dy >= 0 && INSIDE(after, x + dx, y + dy, 0)
                                   ? LOAD_LABEL(after, x + dx, y + dy, 0)
                                   : 0;
            if (other > 0)
                join(parent, first_before + label, first_after + other);
        }
}

/* Sets a bit for each label above 0 that is the root of its component. */
kernel void apart_roots(global const uint *parent, global uint *bits, uint words, uint count)
{
    const uint word = get_global_id(0);
    if (word >= words)
        return;
    uint roots = 0;
    for (uint i = 0; i < 32; i++)
        if (word * 32 + i > 0 && word * 32 + i < count && parent[word * 32 + i] == word * 32 + i)
            roots |= 1u << i;
    bits[word] = roots;
}

/* Numbers the components consecutively: the rank of the root's bit is the number of all labels of a component. */
kernel void apart_numbers(global const uint *parent, global const uint *bits, global const uint *before,
                          global uint *numbers, uint count)
{
    const uint label = get_global_id(0);
    if (label < count)
        numbers[label] = label ? rank_of(bits, before, parent[label] / 32, parent[label] % 32) : 0;
}

kernel void apart_gather(INPUT(labels), global const uint *numbers, uint first, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const uint label = LOAD_LABEL(labels, x, y, z);
    STORE_LABEL(to, x, y, z, label ? numbers[first + label] : 0);
}
