/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Columns of hulls and Feret diameters. The order of the columns is that of the headings in
 * native/ops/labels/measure_hull.c. The same source serves devices with doubles and the host.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "hull_chains.cl"
#include "hull_extent.cl"
#include "hull_plane.cl"
#include "shape_axes.cl"
#include "statistics.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

METHOD WHOLE floor_ratio(WHOLE a, WHOLE b)
{
    return a / b - (a % b < 0);
}

/*
 * The x of a chain on line y, as a ratio of two integers. `k` is the number of the edge that crosses the line; it grows
 * with y.
 */
METHOD WHOLE chain_at(SPACE const int *chain, int y, int *k, WHOLE *divisor)
{
    while (chain[4 * *k + 5] < y)
        ++*k;
    SPACE const int *a = chain + 4 * *k, *b = a + 4;
    *divisor = (WHOLE)b[1] - a[1];
    return (WHOLE)a[0] * *divisor + ((WHOLE)b[0] - a[0]) * ((WHOLE)y - a[1]);
}

/* Number of pixels whose centres lie in the hull of the middles of pixel sides, or on its border. */
METHOD WHOLE count_centres(const slice_hull *s)
{
    WHOLE count = 0;
    int left = 0, right = 0;
    for (int row = 0; row < s->height; row++) {
        WHOLE below, above;
        const WHOLE first = chain_at(s->chains, 2 * row + 1, &left, &below),
                    last = chain_at(s->chains + 2, 2 * row + 1, &right, &above);
        count += floor_ratio(last - above, 2 * above) + floor_ratio(below - first, 2 * below) + 1;
    }
    return count;
}

/* Hull: area, perimeter, convex area, solidity, convexity. `perimeter` is the label's. */
METHOD void fill_hull(slice_hull *s, SPACE const double *size, double pixels, double perimeter, SPACE double *cell)
{
    fill_polygon(s, size, cell);
    cell[4] = cell[1] / perimeter;
    build_chains(s, 1);
    const double convex = (double)count_centres(s);
    cell[2] = convex * size[0] * size[1];
    cell[3] = pixels / convex;
}

/* Two corners of a stack, as x, y and z of each. The first one has the smaller z. */
typedef struct {
    double square;
    int at[6];
} corner_pair;

METHOD corner_pair pair_of(SPACE const int *a, int a_z, SPACE const int *b, int b_z, SPACE const double *size)
{
    const double x = size[0] * ((double)b[0] - a[0]), y = size[1] * ((double)b[1] - a[1]), z = size[2] * (b_z - a_z);
    const corner_pair pair = {x * x + y * y + z * z, {a[0], a[1], a_z, b[0], b[1], b_z}};
    return pair;
}

METHOD int is_before(const corner_pair *a, const corner_pair *b)
{
    if (a->square != b->square)
        return a->square > b->square;
    for (int k = 0; k < 6; k++)
        if (a->at[k] != b->at[k])
            return a->at[k] < b->at[k];
    return 0;
}

/* Feret diameter and both ends. */
METHOD void fill_distant(SPACE const WORD *row, SPACE const double *size, const corner_pair *pair, SPACE double *cell)
{
    const double top = (double)(WORD)~row[LOW + 1], front = (double)(WORD)~row[LOW + 2];
    cell[0] = sqrt(pair->square);
    for (int end = 0; end < 2; end++) {
        cell[1 + 3 * end] = size[0] * pair->at[3 * end];
        cell[2 + 3 * end] = size[1] * (pair->at[3 * end + 1] + top);
        cell[3 + 3 * end] = size[2] * (pair->at[3 * end + 2] + front);
    }
}

#ifdef __OPENCL_VERSION__
METHOD slice_hull chains_of_slice(SPACE const WORD *row, WIDE place, SPACE int *chains, int slice)
{
    slice_hull s = hull_of_slice(row, place, 0, chains, slice, 0);
    s.left = s.chains[4 * (s.height + 1)];
    s.right = s.chains[4 * (s.height + 1) + 1];
    return s;
}

/* The most distant corners of a label, among the pairs of one of several lanes. */
METHOD corner_pair find_distant(SPACE const WORD *row, WIDE place, SPACE int *chains, SPACE const double *size,
                                int lane, int lanes)
{
    const int depth = (int)(row[HIGH + 2] - (WORD)~row[LOW + 2] + 1);
    corner_pair found = {-1, {0}};
    for (int s1 = 0; s1 < depth; s1++) {
        const slice_hull upper = chains_of_slice(row, place, chains, s1);
        const int count = upper.left + upper.right;
        for (int k = lane; k < count * (depth - s1); k += lanes) {
            const int s2 = s1 + k / count;
            const slice_hull lower = chains_of_slice(row, place, chains, s2);
            for (int i = 0; i < lower.left + lower.right; i++) {
                const corner_pair pair = pair_of(vertex_of(&upper, k % count), s1, vertex_of(&lower, i), s2 + 1, size);
                if (is_before(&pair, &found))
                    found = pair;
            }
        }
    }
    return found;
}

/* Columns of hull and Feret of a plane; `hull` or `feret` below 0: the group is not wanted. */
kernel void hull_columns(global const uint *rows, uint from, global const uint *places, uint count,
                         global const int *lines, global int *chains, global const double *size,
                         global double *cells, int columns, int hull, int feret, int perimeter, int hull_width,
                         int feret_width)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    global const uint *row = row_of_label(rows, (ulong)from + i);
    global double *cell = cells + ((ulong)from + i) * columns;
    if (pixels_of(row) == 0) {
        for (int c = 0; hull >= 0 && c < hull_width; c++)
            cell[hull + c] = (double)NAN;
        for (int c = 0; feret >= 0 && c < feret_width; c++)
            cell[feret + c] = (double)NAN;
        return;
    }
    slice_hull s = hull_of_slice(row, places[i], lines, chains, 0, 1);
    build_chains(&s, 0);
    if (feret >= 0) {
        const calipers found = turn_calipers(&s, size);
        fill_feret(&s, size, (double)~row[LOW + 1], &found, cell + feret);
        fill_box_of_least_width(&s, size, (double)~row[LOW + 1], &found, cell + feret + 12);
    }
    if (hull >= 0)
        fill_hull(&s, size, (double)pixels_of(row), cell[perimeter], cell + hull);
}

/* The largest Feret diameter of each small label of a stack; a work-group for each label. */
kernel void feret_columns(global const uint *rows, uint from, global const uint *places, uint count, global int *chains,
                          global const double *size, global double *cells, int columns, int column, int width)
{
    enum { LANES_OF_GROUP = 64 };
    local corner_pair found[LANES_OF_GROUP];
    const uint lane = get_local_id(0), i = get_global_id(0) / LANES_OF_GROUP;
    global const uint *row = row_of_label(rows, (ulong)from + min(i, count - 1));
    global double *cell = cells + ((ulong)from + min(i, count - 1)) * columns + column;
    const bool present = i < count && pixels_of(row) > 0 && !is_for_host(row);
    if (present)
        found[lane] = find_distant(row, places[i], chains, size, (int)lane, LANES_OF_GROUP);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane > 0 || i >= count)
        return;
    for (int c = 0; !present && c < width; c++)
        cell[c] = (double)NAN;
    if (!present)
        return;
    corner_pair best = found[0];
    for (int other = 1; other < LANES_OF_GROUP; other++) {
        const corner_pair pair = found[other];
        if (is_before(&pair, &best))
            best = pair;
    }
    fill_distant(row, size, &best, cell);
}
#endif
#endif
