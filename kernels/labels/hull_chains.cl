/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Convex hulls of labels in their slices (Andrew 1979): a left and a right chain of vertices from top to bottom, found
 * from the first and last pixel of each row. The same source serves devices with doubles and the host.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "hull_extent.cl"
#include "shape_axes.cl"
#include "statistics.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/*
 * Rows of a slice, with the first and last x of each, and both chains. Slot k has x and y of vertex k of the left
 * chain, then of vertex k of the right chain. Coordinates of corners are in pixels, those of middles of sides in half
 * pixels.
 */
typedef struct {
    SPACE const int *rows;
    SPACE int *chains;
    int height, left, right;
} slice_hull;

METHOD int smaller(int a, int b)
{
    return a < b ? a : b;
}

METHOD int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Left and right end of the slice's corners on line y, from 0 to height. Returns whether there are any. */
METHOD int corner_ends(const slice_hull *s, int y, int ends[2])
{
    ends[0] = 0x7fffffff;
    ends[1] = -1;
    for (int row = larger(y - 1, 0); row <= smaller(y, s->height - 1); row++) {
        ends[0] = smaller(ends[0], s->rows[2 * row]);
        ends[1] = larger(ends[1], s->rows[2 * row + 1] + 1);
    }
    return ends[1] > 0;
}

/* As corner_ends, for the middles of pixel sides on line y, from 0 to 2 height, in half pixels. */
METHOD int middle_ends(const slice_hull *s, int y, int ends[2])
{
    int first = 0x7fffffff, last = -1;
    for (int row = larger((y - 1) / 2, 0); row <= smaller(y / 2, s->height - 1); row++) {
        first = smaller(first, s->rows[2 * row]);
        last = larger(last, s->rows[2 * row + 1]);
    }
    if (last < 0)
        return 0;
    ends[0] = 2 * first + (y % 2 == 0);
    ends[1] = 2 * last + 1 + y % 2;
    return 1;
}

/* Twice the area of a triangle. Its sign shows on which side of the line from a to b the corner c lies. */
METHOD WHOLE turn(int ax, int ay, int bx, int by, int cx, int cy)
{
    return ((WHOLE)bx - ax) * ((WHOLE)cy - by) - ((WHOLE)by - ay) * ((WHOLE)cx - bx);
}

/* Removes the vertices that no longer belong to the hull from a chain of `count` vertices, then adds a vertex. */
METHOD int add_vertex(SPACE int *chain, int count, int x, int y, int side)
{
    while (count > 1) {
        SPACE const int *a = chain + 4 * (count - 2), *b = chain + 4 * (count - 1);
        const WHOLE t = turn(a[0], a[1], b[0], b[1], x, y);
        if (side ? t > 0 : t < 0)
            break;
        count--;
    }
    chain[4 * count] = x;
    chain[4 * count + 1] = y;
    return count + 1;
}

METHOD void build_chains(slice_hull *s, int middles)
{
    s->left = s->right = 0;
    for (int y = 0; y <= s->height * (middles ? 2 : 1); y++) {
        int ends[2];
        if (middles ? !middle_ends(s, y, ends) : !corner_ends(s, y, ends))
            continue;
        s->left = add_vertex(s->chains, s->left, ends[0], y, 0);
        s->right = add_vertex(s->chains + 2, s->right, ends[1], y, 1);
    }
}

/* Vertex i of the polygon: the left chain down, then the right chain up. */
METHOD SPACE const int *vertex_of(const slice_hull *s, int i)
{
    return i < s->left ? s->chains + 4 * i : s->chains + 4 * (s->left + s->right - 1 - i) + 2;
}

/* The rows and chains of a slice of a label's box. */
METHOD slice_hull hull_of_slice(SPACE const WORD *row, WIDE place, SPACE const int *lines, SPACE int *chains,
                                int slice, int flat)
{
    slice_hull s;
    s.height = (int)(row[HIGH + 1] - (WORD)~row[LOW + 1] + 1);
    s.left = s.right = 0;
    const WIDE line = place + (WIDE)slice * (WIDE)(s.height + 2);
    s.rows = lines + 2 * line;
    s.chains = chains + 4 * line * (flat ? 2 : 1);
    return s;
}

#ifdef __OPENCL_VERSION__
/* Chains of each slice of the small labels of a stack; the last slot of a slice has their lengths. */
kernel void slice_hulls(global const uint *rows, uint from, global const uint *places, uint count,
                        global const int *lines, global int *chains)
{
    const uint i = get_global_id(0), slice = get_global_id(1);
    if (i >= count)
        return;
    global const uint *row = row_of_label(rows, (ulong)from + i);
    if (pixels_of(row) == 0 || is_for_host(row) || slice > row[HIGH + 2] - ~row[LOW + 2])
        return;
    slice_hull s = hull_of_slice(row, places[i], lines, chains, (int)slice, 0);
    build_chains(&s, 0);
    s.chains[4 * (s.height + 1)] = s.left;
    s.chains[4 * (s.height + 1) + 1] = s.right;
}
#endif
#endif
