/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The first and last pixel of each label in each row of its box. A label has height + 2 lines for each slice of its
 * box, from `places` on; the hull needs the last two. Only pixels at a change of labels along x write. Label i of a
 * kernel is label `from` + i of `rows`.
 */
#include "hull_extent.cl"
#include "statistics.cl"

/*
 * Gives lines to each label with pixels, and lists the large ones of a stack. total[1] is not 0 if there are too many
 * lines for 32 bits; total[2] is the number of large labels.
 */
kernel void place_lines(global const uint *rows, uint from, uint count, uint flat, global uint *places,
                        global uint *large, volatile global uint *total)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    global const uint *row = row_of_label(rows, (ulong)from + i);
    if (pixels_of(row) == 0)
        return;
    const ulong lines = lines_of_label(row);
    if (!flat && is_for_host(row))
        large[atomic_inc(total + 2)] = i;
    if (lines >= 0x80000000u) {
        total[1] = 1;
        return;
    }
    places[i] = atomic_add(total, (uint)lines);
    if (places[i] > 0xffffffffu - (uint)lines)
        total[1] = 1;
}

kernel void clear_lines(global int2 *lines, uint count)
{
    const uint i = get_global_id(0);
    if (i < count)
        lines[i] = (int2)(0x7fffffff, -1);
}

kernel void mark_lines(INPUT(labels), uint first, uint last, global const uint *rows, uint from,
                       global const uint *places, volatile global int *lines)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint label = LOAD_LABEL(labels, x, y, z), i = label - first;
    if (i > last - first)
        return;
    const bool begins = x == 0 || LOAD_LABEL(labels, x - 1, y, z) != label;
    const bool ends = x == labels.width - 1 || LOAD_LABEL(labels, x + 1, y, z) != label;
    if (!begins && !ends)
        return;
    global const uint *row = row_of_label(rows, (ulong)from + i);
    const uint slice = (uint)z - ~row[LOW + 2], line = slice * (extent_of(row, 1) + 2) + (uint)y - ~row[LOW + 1];
    const ulong at = 2 * ((ulong)places[i] + line);
    if (begins && lines[at] > x)
        atomic_min(lines + at, x);
    if (ends && lines[at + 1] < x)
        atomic_max(lines + at + 1, x);
}
