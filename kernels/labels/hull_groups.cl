/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Convex hulls of the small labels of stacks: a work-group for each label, whose lanes share the levels, the faces and
 * the lines.
 */
#define TOGETHER
#include "hull_extent.cl"
#include "hull_faces.cl"
#include "hull_levels.cl"
#include "hull_volume.cl"

#ifdef DOUBLES

enum { MOST_LANES = 32 };

/*
 * Counts the points of each small label, and assigns the label a place in the memory for hulls. total[1] is not 0 if
 * the labels have too many points for 32 bits.
 */
kernel void place_solids(global const uint *rows, uint from, global const uint *places, uint first, uint count,
                         global int *lines, global int *chains, global uint *points, volatile global uint *total)
{
    local int sums[2];
    const int lane = get_local_id(0), lanes = get_local_size(0);
    const uint i = get_global_id(0) / (uint)lanes;
    global const uint *row = row_of_label(rows, (ulong)from + first + min(i, count - 1));
    for (int middles = lane; middles < 2; middles += lanes)
        sums[middles] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < count && pixels_of(row) > 0 && !is_for_host(row)) {
        const ulong place = places[first + i];
        const label_lines l = label_of(row, place, lines, chains + 8 * place);
        for (int middles = 0; middles < 2 && lane < l.depth; middles++)
            atomic_add(&sums[middles], count_points(&l, middles, lane, min(lanes, l.depth)));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane > 0 || i >= count)
        return;
    points[2 * i + 1] = (uint)max(sums[0], sums[1]);
    points[2 * i] = points[2 * i + 1] == 0 ? 0 : atomic_add(total, points[2 * i + 1]);
    if (points[2 * i] > 0xffffffffu - points[2 * i + 1])
        total[1] = 1;
}

/* Builds a hull: each lane finds the polygon of a level, then all lanes add the points of these polygons. */
inline void build_solid(solid *h, const label_lines *l, int middles)
{
    const int together = min(h->lanes, l->depth), steps = last_level(l, middles) + 1;
    const int left = 8 * l->height + 12, right = left + 1; /* words of polygons that polygons do not use */
    for (int from = 0; from < steps; from += together) {
        const int count = min(together, steps - from);
        if (h->lane < count) {
            const int level = level_of_step(middles, from + h->lane);
            const slice_hull polygon = polygon_of_level(l, middles, level, h->lane);
            polygon.chains[left] = polygon.left;
            polygon.chains[right] = polygon.right;
        }
        MEET();
        for (int k = 0; k < count; k++) {
            slice_hull polygon = polygon_in(l, k);
            polygon.left = polygon.chains[left];
            polygon.right = polygon.chains[right];
            add_step(h, &polygon, middles, from + k);
        }
        MEET();
    }
}

/* Sums a number of each lane. */
inline long sum_of_lanes(local long *numbers, long number)
{
    long sum = 0;
    numbers[get_local_id(0)] = number;
    MEET();
    for (uint lane = 0; lane < get_local_size(0); lane++)
        sum += numbers[lane];
    MEET();
    return sum;
}

/* The columns of the group hull for the small labels of a stack. */
kernel void hull_solid_columns(global const uint *rows, uint from, global const uint *places, uint first, uint count,
                               global int *lines, global int *chains, global const uint *points, global int *memory,
                               global const double *size, global double *cells, int columns, int column, int surface)
{
    enum { WIDTH = 5 };
    local int counts[2];
    local long numbers[MOST_LANES];
    const int lane = get_local_id(0), lanes = get_local_size(0);
    const uint i = get_global_id(0) / (uint)lanes;
    if (i >= count)
        return;
    global const uint *row = row_of_label(rows, (ulong)from + first + i);
    global double *cell = cells + ((ulong)from + first + i) * columns;
    const int most_points = (int)points[2 * i + 1];
    for (int k = lane; k < WIDTH && most_points == 0; k += lanes)
        cell[column + k] = (double)NAN;
    if (most_points == 0)
        return;
    const ulong place = places[first + i];
    const label_lines l = label_of(row, place, lines, chains + 8 * place);
    const double scale = scale_of_areas(&l, size);
    long volume = 0, area = 0;
    solid h = solid_in(memory + (ulong)POINT_WORDS * points[2 * i], most_points, counts, lane, lanes);
    build_solid(&h, &l, 0);
    add_size_of_faces(&h, size, scale, &volume, &area);
    volume = sum_of_lanes(numbers, volume);
    area = sum_of_lanes(numbers, area);
    h.point_count = h.face_count = 0;
    build_solid(&h, &l, 1);
    clear_lines_of(&l, lane, lanes);
    MEET();
    mark_faces(&h, &l);
    MEET();
    const long voxels = sum_of_lanes(numbers, count_voxels(&l, lane, lanes));
    if (lane == 0)
        fill_hull_of_stack(&l, volume, (double)area / scale, voxels, size, cell[surface], cell + column);
}
#endif
