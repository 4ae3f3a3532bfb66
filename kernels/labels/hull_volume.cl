/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fills the columns of the labels of stacks: volume and surface area of the convex hull, convex volume, solidity and
 * convexity, and on the host also the Feret diameter. The order of the columns is that of the headings in
 * native/ops/labels/measure_hull.c. The same source serves devices with doubles and the host.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "hull_chains.cl"
#include "hull_columns.cl"
#include "hull_extent.cl"
#include "hull_levels.cl"
#include "hull_solid.cl"
#include "statistics.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/* Volume and surface area of a hull of corners. */
METHOD void fill_size_of_hull(const solid *h, SPACE const double *size, SPACE double *cell)
{
    WHOLE volume = 0;
    double area = 0;
    for (int face = 0; face < h->face_count; face++) {
        WHOLE n[3];
        if (face_of(h, face)[SEEN_BY] == DEAD)
            continue;
        normal_of(h, face, n);
        const double x = (double)n[0] * size[1] * size[2], y = (double)n[1] * size[0] * size[2],
                     z = (double)n[2] * size[0] * size[1];
        area += sqrt(x * x + y * y + z * z) / 2;
        volume -= volume_to(h, face, 0);
    }
    cell[0] = (double)volume / 6 * size[0] * size[1] * size[2];
    cell[1] = area;
}

/*
 * For each line along x that crosses the face, stores one of the line's voxel centres inside the hull or on its
 * surface: the first one if the face points to lower x, else the last one.
 */
METHOD void mark_face(const solid *h, const label_lines *l, int face)
{
    WHOLE n[3];
    normal_of(h, face, n);
    if (n[0] == 0)
        return;
    SPACE const int *v[3];
    for (int k = 0; k < 3; k++)
        v[k] = h->points + 3 * (size_t)face_of(h, face)[k];
    const int above = larger(v[0][1], larger(v[1][1], v[2][1])), below = smaller(v[0][1], smaller(v[1][1], v[2][1])),
              back = larger(v[0][2], larger(v[1][2], v[2][2])), front = smaller(v[0][2], smaller(v[1][2], v[2][2]));
    for (int z = front | 1; z <= back; z += 2)
        for (int y = below | 1; y <= above; y += 2) {
            int inside = 1;
            for (int k = 0; k < 3; k++) {
                SPACE const int *a = v[k], *b = v[(k + 1) % 3];
                const WHOLE side = turn(a[1], a[2], b[1], b[2], y, z);
                inside = inside && (n[0] > 0 ? side >= 0 : side <= 0);
            }
            if (!inside)
                continue;
            const WHOLE rest = n[1] * ((WHOLE)v[0][1] - y) + n[2] * ((WHOLE)v[0][2] - z),
                        along = floor_ratio(rest, n[0] > 0 ? n[0] : -n[0]);
            SPACE int *line = l->lines + 2 * (l->place + (WIDE)(z / 2) * (WIDE)(l->height + 2) + (WIDE)(y / 2));
            if (n[0] > 0)
                line[1] = (int)floor_ratio(v[0][0] + along - 1, 2);
            else
                line[0] = (int)-floor_ratio(along - v[0][0] + 1, 2);
        }
}

/* Number of voxel centres in a hull of middles or on its surface. Overwrites the label's lines. */
METHOD WHOLE count_voxels(const solid *h, const label_lines *l)
{
    SPACE int *first = l->lines + 2 * l->place;
    const WIDE lines = (WIDE)(l->height + 2) * (WIDE)l->depth;
    WHOLE count = 0;
    for (WIDE i = 0; i < lines; i++) {
        first[2 * i] = 0x7fffffff;
        first[2 * i + 1] = -1;
    }
    for (int face = 0; face < h->face_count; face++)
        if (face_of(h, face)[SEEN_BY] != DEAD)
            mark_face(h, l, face);
    for (WIDE i = 0; i < lines; i++)
        if (first[2 * i + 1] >= first[2 * i])
            count += (WHOLE)first[2 * i + 1] - first[2 * i] + 1;
    return count;
}

/* Builds a hull in memory for `points` points. */
METHOD solid hull_of_points(const label_lines *l, int middles, SPACE int *memory, int points)
{
    solid h = solid_in(memory, points);
    build_solid(&h, l, middles);
    return h;
}

/*
 * Fills the columns of the group hull. The hull of corners lies in `memory` for `points` points and is overwritten.
 * `surface` is the label's surface area.
 */
METHOD void fill_hull_of_stack(const label_lines *l, const solid *corners, SPACE int *memory, int points,
                               SPACE const double *size, double surface, SPACE double *cell)
{
    fill_size_of_hull(corners, size, cell);
    const solid middles = hull_of_points(l, 1, memory, points);
    const double voxels = (double)count_voxels(&middles, l);
    cell[2] = voxels * size[0] * size[1] * size[2];
    cell[3] = (double)pixels_of(l->row) / voxels;
    cell[4] = cell[1] / surface;
}

#ifndef __OPENCL_VERSION__
/* The most distant corners of a label, which are vertices of its hull. Overwrites the list of the rim. */
METHOD void fill_feret_of_hull(const solid *h, const label_lines *l, SPACE const double *size, SPACE double *cell)
{
    corner_pair found = {-1, {0}};
    int count = 0;
    for (int i = 0; i < h->point_count; i++)
        h->rim[i] = 0;
    for (int face = 0; face < h->face_count; face++)
        for (int k = 0; k < 3 && face_of(h, face)[SEEN_BY] != DEAD; k++)
            h->rim[face_of(h, face)[k]] = 1;
    for (int i = 0; i < h->point_count; i++)
        if (h->rim[i])
            h->rim[count++] = i;
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            SPACE const int *a = h->points + 3 * h->rim[i], *b = h->points + 3 * h->rim[k];
            const corner_pair pair = pair_of(a, a[2], b, b[2], size);
            if (is_before(&pair, &found))
                found = pair;
        }
    fill_distant(l->row, size, &found, cell);
}
#endif

#ifdef __OPENCL_VERSION__
/*
 * Counts the points of each small label, and assigns the label a place in the memory for hulls. total[1] is not 0 if
 * the labels have too many points for 32 bits.
 */
kernel void place_solids(global const uint *rows, uint from, global const uint *places, uint first, uint count,
                         global int *lines, global int *chains, global uint *points, volatile global uint *total)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    global const uint *row = row_of_label(rows, (ulong)from + first + i);
    points[2 * i] = points[2 * i + 1] = 0;
    if (pixels_of(row) == 0 || is_for_host(row))
        return;
    const ulong place = places[first + i];
    const label_lines l = label_of(row, place, lines, chains + 8 * place);
    points[2 * i + 1] = (uint)count_points(&l);
    points[2 * i] = atomic_add(total, points[2 * i + 1]);
    if (points[2 * i] > 0xffffffffu - points[2 * i + 1])
        total[1] = 1;
}

/* The columns of the group hull for the small labels of a stack; a work-item for each label. */
kernel void hull_solid_columns(global const uint *rows, uint from, global const uint *places, uint first, uint count,
                               global int *lines, global int *chains, global const uint *points, global int *memory,
                               global const double *size, global double *cells, int columns, int column, int surface)
{
    enum { WIDTH = 5 };
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    global const uint *row = row_of_label(rows, (ulong)from + first + i);
    global double *cell = cells + ((ulong)from + first + i) * columns;
    for (int k = 0; k < WIDTH; k++)
        cell[column + k] = (double)NAN;
    if (points[2 * i + 1] == 0)
        return;
    const ulong place = places[first + i];
    const label_lines l = label_of(row, place, lines, chains + 8 * place);
    global int *own = memory + (ulong)POINT_WORDS * points[2 * i];
    const solid corners = hull_of_points(&l, 0, own, (int)points[2 * i + 1]);
    fill_hull_of_stack(&l, &corners, own, (int)points[2 * i + 1], size, cell[surface], cell + column);
}
#endif
#endif
