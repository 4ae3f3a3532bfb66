/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts the pieces of labels, whose pixels touch by side, edge or corner, by union-find on pixels; and traces outlines
 * as ImageJ does.
 */
#include "components.cl"
#include "statistics.cl"

UNION_FIND(global, find_piece, join_pixels, join_rows_of_pieces)

inline INDEX place_in(const layout l, int x, int y, int z)
{
    return ((INDEX)z * l.height + y) * l.width + x;
}

/* Joins each pixel with the pixel before it in its row. */
kernel void pieces_of_rows(INPUT(labels), global uint *parent)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const INDEX at = place_in(labels, x, y, z);
    const bool goes_on = x > 0 && LOAD_LABEL(labels, x - 1, y, z) == LOAD_LABEL(labels, x, y, z);
    parent[at] = (uint)at - (goes_on ? 1 : 0);
}

/*
 * Joins each pixel of labels `first` to `last` with the row above and the slice before. The nearest pixel there makes
 * the diagonal ones unnecessary, because they belong to its row or are joined to it.
 */
kernel void join_pieces(INPUT(labels), uint first, uint last, volatile global uint *parent)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint label = LOAD_LABEL(labels, x, y, z), at = (uint)place_in(labels, x, y, z);
    if (label - first > last - first)
        return;
    ROLLED for (int row = z > 0 ? -1 : 2; row < 3; row++) {
        const int b = row < 2 ? y + row : y - 1, c = row < 2 ? z - 1 : z;
        if (b < 0 || b >= labels.height)
            continue;
        if (LOAD_LABEL(labels, x, b, c) == label) {
            join_pixels(parent, at, (uint)place_in(labels, x, b, c));
            continue;
        }
        if (x > 0 && LOAD_LABEL(labels, x - 1, b, c) == label)
            join_pixels(parent, at, (uint)place_in(labels, x - 1, b, c));
        if (x + 1 < labels.width && LOAD_LABEL(labels, x + 1, b, c) == label)
            join_pixels(parent, at, (uint)place_in(labels, x + 1, b, c));
    }
}

/* Counts the roots of each label. */
kernel void count_pieces(INPUT(labels), uint first, uint last, global const uint *parent, volatile global uint *counts)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint at = (uint)place_in(labels, x, y, z);
    if (parent[at] != at)
        return;
    const uint i = LOAD_LABEL(labels, x, y, z) - first;
    if (i <= last - first)
        atomic_inc(counts + i);
}

inline bool is_of_label(global const uchar *pixels, const layout l, int x, int y, uint label)
{
    return x >= 0 && y >= 0 && x < l.width && y < l.height && load_label(pixels, l.type, AT(l, x, y, 0)) == label;
}

/* Whether the pixel to the left of a step from a corner belongs to the label. Directions: right, up, left, down. */
inline bool is_left_of_step(global const uchar *pixels, const layout l, int x, int y, int direction, uint label)
{
    const int d = direction & 3;
    return is_of_label(pixels, l, x - (d > 1), y - (d == 1 || d == 2), label);
}

/*
 * Traces the outline of each label of a plane along the sides of pixels, clockwise from its first pixel. Counts the
 * steps along x and along y, and the corners: of corners that are one step apart, only every other one.
 */
kernel void trace_outlines(INPUT(labels), uint first, uint count, global const uint *rows, global uint *outlines)
{
    enum { UP = 1, LEFT = 2, DOWN = 3 };
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    const layout l = labels;
    const uint label = first + i;
    uint steps[2] = {0, 0}, corners = 0;
    if (pixels_of(rows + (ulong)i * ROW) > 0) {
        const int top = (int)~rows[(ulong)i * ROW + LOW + 1];
        int right = (int)~rows[(ulong)i * ROW + LOW];
        while (!is_of_label(labels_pixels, l, right, top, label))
            right++;
        while (is_of_label(labels_pixels, l, right, top, label))
            right++;
        int x = right, y = top + 1, direction = DOWN, side = 0;
        bool counted = false;
        do {
            int next = direction + 1;
            while (next >= direction && !is_left_of_step(labels_pixels, l, x, y, next, label))
                next--;
            if (next != direction) {
                counted = side > 1 || !counted;
                corners += counted ? 1 : 0;
                side = 0;
            }
            direction = next;
            const int d = direction & 3;
            x += d == 0 ? 1 : d == LEFT ? -1 : 0;
            y += d == UP ? -1 : d == DOWN ? 1 : 0;
            steps[d & 1]++;
            side++;
        } while (x != right || y != top + 1 || (direction & 3) != DOWN);
    }
    outlines[3 * (ulong)i] = steps[0];
    outlines[3 * (ulong)i + 1] = steps[1];
    outlines[3 * (ulong)i + 2] = corners;
}
