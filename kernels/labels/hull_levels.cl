/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Levels along z of the points whose hull is computed. For the hull of the voxels' corners, level k is the plane
 * between slices k - 1 and k. For the hull of the middles of the voxels' faces, coordinates are in half voxels. Odd
 * levels run through the middle of a slice and have the faces perpendicular to x and y. Even levels lie between slices
 * and have the faces perpendicular to z. The same source serves devices with doubles and the host.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "hull_chains.cl"
#include "hull_solid.cl"
#include "shape_axes.cl"
#include "statistics.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/*
 * Limits in half voxels. MAX_BOX: longest side of a label's box for which all products fit 64 bits. MAX_X: limit of x
 * for which positions fit 32 bits.
 */
enum { MAX_BOX = 1 << 20, MAX_X = 1 << 30 };

/* A label of a stack, its lines, and memory for the chains of one level: 8 (height + 2) integers. */
typedef struct {
    SPACE const WORD *row;
    WIDE place;
    SPACE int *lines, *chains;
    int height, depth;
} label_lines;

METHOD label_lines label_of(SPACE const WORD *row, WIDE place, SPACE int *lines, SPACE int *chains)
{
    label_lines l;
    l.row = row;
    l.place = place;
    l.lines = lines;
    l.height = (int)(row[HIGH + 1] - (WORD)~row[LOW + 1] + 1);
    l.depth = (int)(row[HIGH + 2] - (WORD)~row[LOW + 2] + 1);
    l.chains = chains;
    return l;
}

METHOD int is_too_long(const label_lines *l)
{
    const WORD last = l->row[HIGH], width = last - (WORD)~l->row[LOW] + 1;
    return last >= MAX_X / 2 || width > MAX_BOX / 2 || l->height > MAX_BOX / 2 || l->depth > MAX_BOX / 2;
}

/* As middle_ends, for the centres of voxels, which are on odd lines. */
METHOD int centre_ends(const slice_hull *s, int y, int ends[2])
{
    if (y % 2 == 0 || s->rows[y] < 0)
        return 0;
    ends[0] = 2 * s->rows[y - 1] + 1;
    ends[1] = 2 * s->rows[y] + 1;
    return 1;
}

/* The convex polygon of a level, which may have no vertex. */
METHOD slice_hull polygon_of_level(const label_lines *l, int middles, int level)
{
    slice_hull polygon = hull_of_slice(l->row, 0, l->lines, l->chains, 0, 0);
    const int first = larger(middles ? (level - 1) / 2 : level - 1, 0),
              last = smaller(middles ? level / 2 : level, l->depth - 1);
    for (int y = 0; y <= l->height * (middles ? 2 : 1); y++) {
        int left = 0x7fffffff, right = -1;
        for (int slice = first; slice <= last; slice++) {
            const slice_hull s = hull_of_slice(l->row, l->place, l->lines, l->chains, slice, 0);
            int ends[2];
            const int any = !middles ? corner_ends(&s, y, ends)
                            : level % 2 ? middle_ends(&s, y, ends) : centre_ends(&s, y, ends);
            left = any ? smaller(left, ends[0]) : left;
            right = any ? larger(right, ends[1]) : right;
        }
        if (right < 0)
            continue;
        polygon.left = add_vertex(polygon.chains, polygon.left, left, y, 0);
        polygon.right = add_vertex(polygon.chains + 2, polygon.right, right, y, 1);
    }
    return polygon;
}

/* Returns how many points a hull of the label takes at most; 0 for a label that is too long. */
METHOD int count_points(const label_lines *l)
{
    int most = 0;
    if (is_too_long(l))
        return 0;
    for (int middles = 0; middles < 2; middles++) {
        int count = 0;
        for (int level = 0; level <= l->depth * (1 + middles); level++) {
            const slice_hull polygon = polygon_of_level(l, middles, level);
            count += polygon.left + polygon.right;
        }
        most = larger(most, count);
    }
    return most;
}

/* The first level of middles may be only a point or a line, so it is added after the second one. */
METHOD void build_solid(solid *h, const label_lines *l, int middles)
{
    slice_hull polygon = polygon_of_level(l, middles, middles);
    begin_with_polygon(h, &polygon, middles);
    if (middles) {
        h->last = h->face_count / 2;
        polygon = polygon_of_level(l, 1, 0);
        add_polygon(h, &polygon, 0);
        h->last = 0;
    }
    for (int level = middles + 1; level <= l->depth * (1 + middles); level++) {
        polygon = polygon_of_level(l, middles, level);
        add_polygon(h, &polygon, level);
    }
}
#endif
