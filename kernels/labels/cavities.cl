/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts the cavities of labels, which are holes in a plane: components of the pixels outside the label that no path
 * over sides of pixels joins with the border of the label's box. Each label has a cell for each pixel of its box, from
 * `places` on. Union-find joins the cells outside the label. The first cell is the root of everything that reaches the
 * border, also if the label has a pixel there. A cell in the label has no parent. `items` work-items serve each label.
 */
#include "components.cl"
#include "hull_extent.cl"
#include "statistics.cl"

UNION_FIND(global, find_outside, join_outside, join_rows_outside)

/* The box of a label, in pixels; cells 0: the label cannot have a cavity. */
typedef struct {
    uint width, height, depth, first, cells;
} cell_box;

inline ulong cells_of_label(global const uint *row, int flat)
{
    const uint width = extent_of(row, 0), height = extent_of(row, 1), depth = extent_of(row, 2);
    return pixels_of(row) > 0 && width > 2 && height > 2 && (flat || depth > 2) ? (ulong)width * height * depth : 0;
}

inline cell_box box_of_label(global const uint *row, int flat, global const uint *places, uint i)
{
    return (cell_box){extent_of(row, 0), extent_of(row, 1), extent_of(row, 2), places[i],
                      (uint)cells_of_label(row, flat)};
}

/* Position of a cell in its box. */
inline uint3 place_of_cell(cell_box box, uint cell)
{
    const uint line = cell / box.width;
    return (uint3)(cell - line * box.width, line % box.height, line / box.height);
}

/* A label with more cells gets all work-items, because few work-items would need seconds for it. */
enum { MOST_SHARED_CELLS = 1 << 22 };

/* total[1] is not 0 if there are too many cells for 32 bits, or if one of several labels should be served alone. */
kernel void place_cavity_cells(global const uint *rows, int flat, uint from, uint count, global uint *places,
                               volatile global uint *total)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    const ulong cells = cells_of_label(row_of_label(rows, (ulong)from + i), flat);
    places[i] = 0;
    if (cells >= NOBODY)
        total[1] = 1;
    else if (cells > 0)
        places[i] = atomic_add(total, (uint)cells);
    if (cells < NOBODY && places[i] >= NOBODY - (uint)cells)
        total[1] = 1;
    if (count > 1 && cells > MOST_SHARED_CELLS)
        total[1] = 1;
}

/* Joins each cell outside the label with the cell before it in its row, and cells at the border with the first cell. */
kernel void cavity_rows(INPUT(labels), uint first, global const uint *rows, int flat, uint from,
                        global const uint *places, int items, uint count, global uint *parent)
{
    const uint i = (uint)get_global_id(0) / (uint)items, item = (uint)get_global_id(0) % (uint)items;
    if (i >= count)
        return;
    global const uint *row = row_of_label(rows, (ulong)from + i);
    const cell_box box = box_of_label(row, flat, places, i);
    for (ulong cell = item; cell < box.cells; cell += (uint)items) {
        const uint3 at = place_of_cell(box, (uint)cell);
        const int x = (int)(~row[LOW] + at.x), y = (int)(~row[LOW + 1] + at.y), z = (int)(~row[LOW + 2] + at.z);
        const bool inner = at.x > 0 && at.x + 1 < box.width && at.y > 0 && at.y + 1 < box.height &&
                           (flat || (at.z > 0 && at.z + 1 < box.depth));
        uint up = box.first;
        if (cell > 0 && LOAD_LABEL(labels, x, y, z) == first + i)
            up = NOBODY;
        else if (inner)
            up = box.first + (uint)cell - (LOAD_LABEL(labels, x - 1, y, z) != first + i ? 1 : 0);
        parent[box.first + (uint)cell] = up;
    }
}

/*
 * Joins each cell with the cells above it and before it in depth, once for each overlap of their rows, and the last
 * cell of a row with the cell before it, because cavity_rows gives border cells another parent.
 */
kernel void join_cavities(global const uint *rows, int flat, uint from, global const uint *places, int items,
                          uint count, volatile global uint *parent)
{
    const uint i = (uint)get_global_id(0) / (uint)items, item = (uint)get_global_id(0) % (uint)items;
    if (i >= count)
        return;
    const cell_box box = box_of_label(row_of_label(rows, (ulong)from + i), flat, places, i);
    for (ulong cell = item; cell < box.cells; cell += (uint)items) {
        const uint at = box.first + (uint)cell, own = parent[at];
        const uint3 place = place_of_cell(box, (uint)cell);
        if (own == NOBODY)
            continue;
        if (place.x + 1 == box.width && parent[at - 1] != NOBODY)
            join_outside(parent, at, at - 1);
        ROLLED for (int k = 0; k < 2; k++) {
            if ((k == 0 ? place.y : place.z) == 0)
                continue;
            const uint other = at - (k == 0 ? box.width : box.width * box.height), their = parent[other];
            const bool joined = place.x > 0 && parent[at - 1] != NOBODY && parent[other - 1] != NOBODY;
            if (their != NOBODY && their != own && !joined)
                join_outside(parent, at, other);
        }
    }
}

/* Counts, for each label, the roots but the first cell, and the cells that the first cell is not the root of. */
kernel void count_cavities(global const uint *rows, int flat, uint from, global const uint *places, int items,
                           uint count, volatile global uint *parent, volatile global uint *counts)
{
    const uint i = (uint)get_global_id(0) / (uint)items, item = (uint)get_global_id(0) % (uint)items;
    if (i >= count)
        return;
    const cell_box box = box_of_label(row_of_label(rows, (ulong)from + i), flat, places, i);
    uint roots = 0, enclosed = 0;
    for (ulong cell = item; cell < box.cells; cell += (uint)items) {
        const uint at = box.first + (uint)cell;
        if (parent[at] == NOBODY)
            continue;
        const uint root = find_outside(parent, at);
        roots += root == at && at != box.first;
        enclosed += root != box.first;
    }
    if (enclosed > 0)
        atomic_add(counts + 2 * ((ulong)from + i) + 1, enclosed);
    if (roots > 0)
        atomic_add(counts + 2 * ((ulong)from + i), roots);
}
