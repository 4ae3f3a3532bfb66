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
#include "hull_faces.cl"
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

/* A label of a stack, its lines, and memory for polygons: 8 (height + 2) integers for each. */
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

/*
 * Left and right end of a slice's points on line y of a level, in the coordinates of that level. Returns whether there
 * are any.
 */
METHOD int ends_of_slice(const label_lines *l, int middles, int level, int slice, int y, int ends[2])
{
    const slice_hull s = hull_of_slice(l->row, l->place, l->lines, l->chains, slice, 0);
    return !middles ? corner_ends(&s, y, ends) : level % 2 ? middle_ends(&s, y, ends) : centre_ends(&s, y, ends);
}

/*
 * Returns whether a point is half-way between points above and below it, which two slices have at the same x and y.
 * Such a point cannot be a vertex of the hull.
 */
METHOD int is_half_way(const label_lines *l, int middles, int level, SPACE const int *point)
{
    const int above = middles ? level / 2 + level % 2 : level, below = middles ? level / 2 - 1 : level - 1;
    int a[2], b[2];
    return below >= 0 && above < l->depth && ends_of_slice(l, middles, level, below, point[1], a) &&
           ends_of_slice(l, middles, level, above, point[1], b) && point[0] >= larger(a[0], b[0]) &&
           point[0] <= smaller(a[1], b[1]);
}

/* Removes the points that are half-way between others from a chain of `count` vertices. Returns how many are left. */
METHOD int drop_half_way(const label_lines *l, int middles, int level, SPACE int *chain, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (is_half_way(l, middles, level, chain + 4 * i))
            continue;
        chain[4 * kept] = chain[4 * i];
        chain[4 * kept++ + 1] = chain[4 * i + 1];
    }
    return kept;
}

METHOD slice_hull polygon_in(const label_lines *l, int memory)
{
    slice_hull polygon = hull_of_slice(l->row, 0, l->lines, l->chains, 0, 0);
    polygon.chains += 8 * (size_t)memory * (size_t)(l->height + 2);
    return polygon;
}

/*
 * A convex polygon with all points of a level that can be vertices of the hull; it may have no vertex. `memory` is the
 * number of its memory.
 */
METHOD slice_hull polygon_of_level(const label_lines *l, int middles, int level, int memory)
{
    slice_hull polygon = polygon_in(l, memory);
    const int first = larger(middles ? (level - 1) / 2 : level - 1, 0),
              last = smaller(middles ? level / 2 : level, l->depth - 1);
    for (int y = 0; y <= l->height * (middles ? 2 : 1); y++) {
        int left = 0x7fffffff, right = -1;
        for (int slice = first; slice <= last; slice++) {
            int ends[2];
            const int any = ends_of_slice(l, middles, level, slice, y, ends);
            left = any ? smaller(left, ends[0]) : left;
            right = any ? larger(right, ends[1]) : right;
        }
        if (right < 0)
            continue;
        polygon.left = add_vertex(polygon.chains, polygon.left, left, y, 0);
        polygon.right = add_vertex(polygon.chains + 2, polygon.right, right, y, 1);
    }
    polygon.left = drop_half_way(l, middles, level, polygon.chains, polygon.left);
    polygon.right = drop_half_way(l, middles, level, polygon.chains + 2, polygon.right);
    return polygon;
}

METHOD int last_level(const label_lines *l, int middles)
{
    return l->depth * (1 + middles);
}

/*
 * Returns how many points a lane adds to a hull of the label at most; 0 for a label that is too long. A lane takes
 * every `lanes`-th level and the memory with its own number.
 */
METHOD int count_points(const label_lines *l, int middles, int lane, int lanes)
{
    int count = 0;
    for (int level = lane; level <= last_level(l, middles) && !is_too_long(l); level += lanes) {
        const slice_hull polygon = polygon_of_level(l, middles, level, lane);
        count += polygon.left + polygon.right;
    }
    return count;
}

/* The first level of middles may be only a point or a line, so it is added after the second one. */
METHOD int level_of_step(int middles, int step)
{
    return middles && step < 2 ? 1 - step : step;
}

/* Adds the polygon of a step's level to a hull. */
METHOD void add_step(solid *h, const slice_hull *polygon, int middles, int step)
{
    const int level = level_of_step(middles, step), fan = h->face_count / 2;
    if (step == 0) {
        set_candidates(h, 0, begin_with_polygon(h, polygon, level));
    } else if (middles && step == 1) {
        set_candidates(h, fan, fan);
        add_polygon(h, polygon, level);
        set_candidates(h, 0, fan);
    } else {
        add_polygon(h, polygon, level);
    }
}
#endif
