/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Columns of the labels of stacks: volume and surface area of the convex hull, convex volume, solidity and convexity,
 * and on the host also the Feret diameter. The order of the columns is that of the headings in
 * native/ops/labels/measure_hull.c. The same source serves devices with doubles and the host.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "hull_chains.cl"
#include "hull_columns.cl"
#include "hull_faces.cl"
#include "hull_levels.cl"
#include "statistics.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/* The longest edge of a voxel. Areas are computed in its squares, because squares of tiny voxels vanish. */
METHOD double longest_edge(SPACE const double *size)
{
    return fmax(size[0], fmax(size[1], size[2]));
}

/*
 * A power of two: areas of faces times this number add up to less than 2^62 in any order, because a hull has less
 * surface than its box.
 */
METHOD double scale_of_areas(const label_lines *l, SPACE const double *size)
{
    enum { LEAST = -900 }; /* exponent of the box's surface: it may be 0, and the scale must be finite */
    const double edge = longest_edge(size), x = (double)(l->row[HIGH] - (WORD)~l->row[LOW] + 1) * (size[0] / edge),
                 y = l->height * (size[1] / edge), z = l->depth * (size[2] / edge);
    return ldexp(1.0, 60 - larger(ilogb(2 * (x * y + y * z + z * x)), LEAST));
}

/* Adds six times the volume below a lane's share of the faces, and their area times `scale`. */
METHOD void add_size_of_faces(const solid *h, SPACE const double *size, double scale, WHOLE *volume, WHOLE *area)
{
    const double edge = longest_edge(size), a = size[0] / edge, b = size[1] / edge, c = size[2] / edge;
    for (int face = h->lane; face < h->face_count; face += h->lanes) {
        SPACE const WHOLE *n = h->planes + PLANE_LONGS * (size_t)face;
        if (face_of(h, face)[SEEN_BY] == DEAD)
            continue;
        const double x = (double)n[0] * b * c, y = (double)n[1] * a * c, z = (double)n[2] * a * b;
        *area += (WHOLE)(sqrt(x * x + y * y + z * z) / 2 * scale);
        *volume -= volume_to(h, face, point_of(h, 0));
    }
}

/*
 * For each line along x that crosses the face, stores one of the line's voxel centres inside the hull or on its
 * surface: the first one if the face points to lower x, else the last one.
 */
METHOD void mark_face(const solid *h, const label_lines *l, int face)
{
    SPACE const WHOLE *n = h->planes + PLANE_LONGS * (size_t)face;
    if (n[0] == 0)
        return;
    SPACE const int *v[3];
    for (int k = 0; k < 3; k++)
        v[k] = point_of(h, face_of(h, face)[k]);
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

METHOD WIDE line_count(const label_lines *l)
{
    return (WIDE)(l->height + 2) * (WIDE)l->depth;
}

/* Empties a lane's share of the label's lines. */
METHOD void clear_lines_of(const label_lines *l, int lane, int lanes)
{
    for (WIDE i = (WIDE)lane; i < line_count(l); i += (WIDE)lanes) {
        l->lines[2 * (l->place + i)] = 0x7fffffff;
        l->lines[2 * (l->place + i) + 1] = -1;
    }
}

/* Marks the lines that cross a lane's share of the faces. */
METHOD void mark_faces(const solid *h, const label_lines *l)
{
    for (int face = h->lane; face < h->face_count; face += h->lanes)
        if (face_of(h, face)[SEEN_BY] != DEAD)
            mark_face(h, l, face);
}

/* Number of voxel centres between the marks of a lane's share of the lines. */
METHOD WHOLE count_voxels(const label_lines *l, int lane, int lanes)
{
    WHOLE count = 0;
    for (WIDE i = (WIDE)lane; i < line_count(l); i += (WIDE)lanes) {
        SPACE const int *ends = l->lines + 2 * (l->place + i);
        count += ends[1] >= ends[0] ? (WHOLE)ends[1] - ends[0] + 1 : 0;
    }
    return count;
}

/*
 * Fills the columns of the group hull from six times the volume and the area of the hull of corners, in squares of the
 * longest edge, and from the number of voxel centres in the hull of middles. `surface` is the label's surface area.
 */
METHOD void fill_hull_of_stack(const label_lines *l, WHOLE volume, double area, WHOLE voxels, SPACE const double *size,
                               double surface, SPACE double *cell)
{
    const double voxel = size[0] * size[1] * size[2];
    cell[0] = (double)volume / 6 * size[0] * size[1] * size[2];
    cell[1] = area * longest_edge(size) * longest_edge(size);
    cell[2] = (double)voxels * voxel;
    cell[3] = (double)pixels_of(l->row) / (double)voxels;
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
            SPACE const int *a = point_of(h, h->rim[i]), *b = point_of(h, h->rim[k]);
            const corner_pair pair = pair_of(a, a[2], b, b[2], size);
            if (is_before(&pair, &found))
                found = pair;
        }
    fill_distant(l->row, size, &found, cell);
}
#endif

#endif
