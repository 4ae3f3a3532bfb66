/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists the tiles that overlap according to the stage. The tiles are sorted along an axis, so that each one is compared
 * only with those that are near along this axis.
 */
#include "stitch.h"

#include <stdlib.h>

bool stitch_find_overlap(const stitch_job *j, int32_t first, int32_t second, drua_shape *shape, double from[2][3])
{
    enum { MIN_EXTENT = 8 };
    const stitch_tile *tiles[2] = {&j->tiles[first], &j->tiles[second]};
    bool beside = false;
    shape->dimension = j->shape.dimension;
    for (int axis = 0; axis < 3; axis++) {
        const double n = (double)j->shape.extent[axis], low = fmax(tiles[0]->stage[axis], tiles[1]->stage[axis]),
                     high = fmin(tiles[0]->stage[axis], tiles[1]->stage[axis]) + n;
        shape->extent[axis] = high - low > 0 ? (int64_t)floor(high - low) : 0;
        if (shape->extent[axis] < (axis < 2 ? MIN_EXTENT : 1))
            return false;
        beside = beside || (axis < 2 && 2 * (high - low) >= n);
        for (int k = 0; k < 2; k++) {
            from[k][axis] = fmax(0, floor(low - tiles[k]->stage[axis]));
            from[k][axis] = fmin(from[k][axis], n - (double)shape->extent[axis]);
        }
    }
    return beside;
}

/* A tile, and where the stage took it along one axis. */
typedef struct placed {
    double at;
    int32_t tile;
} placed;

static int compare_places(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static int compare_pairs(const void *a, const void *b)
{
    const stitch_pair *x = a, *y = b;
    const int first = (x->first > y->first) - (x->first < y->first);
    return first ? first : (x->second > y->second) - (x->second < y->second);
}

/* Returns the axis along which the stage moved by the largest number of tiles. */
static int longest_axis(const stitch_job *j)
{
    double longest = -1;
    int best = 0;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int32_t i = 0; i < j->count; i++) {
            low = fmin(low, j->tiles[i].stage[axis]);
            high = fmax(high, j->tiles[i].stage[axis]);
        }
        const double tiles = (high - low) / (double)j->shape.extent[axis];
        if (tiles > longest) {
            longest = tiles;
            best = axis;
        }
    }
    return best;
}

/* Returns the number of pairs of overlapping tiles, and lists them unless `pairs` is NULL. */
static int64_t find_pairs(const stitch_job *j, const placed *sorted, int axis, stitch_pair *pairs)
{
    const double extent = (double)j->shape.extent[axis];
    drua_shape shape;
    double from[2][3];
    int64_t found = 0;
    for (int32_t i = 0; i < j->count; i++)
        for (int32_t k = i + 1; k < j->count && sorted[k].at - sorted[i].at < extent; k++) {
            const int32_t a = sorted[i].tile, b = sorted[k].tile, first = a < b ? a : b, second = a < b ? b : a;
            if (!stitch_find_overlap(j, first, second, &shape, from))
                continue;
            if (pairs)
                pairs[found] = (stitch_pair){.first = first, .second = second, .correlation = -1, .rival = -1};
            found++;
        }
    return found;
}

void stitch_list_pairs(drua_plan *p, stitch_job *j)
{
    const int axis = longest_axis(j);
    placed *sorted = plan_host_memory(p, (size_t)(j->count + 1) * sizeof *sorted);
    for (int32_t i = 0; sorted && i < j->count; i++)
        sorted[i] = (placed){j->tiles[i].stage[axis], i};
    if (!sorted)
        return;
    qsort(sorted, (size_t)j->count, sizeof *sorted, compare_places);
    const int64_t count = find_pairs(j, sorted, axis, NULL);
    if (count > INT32_MAX)
        plan_fail(p, "the stage lets more than %d pairs of tiles overlap; check the positions", INT32_MAX);
    j->pairs = plan_host_memory(p, (size_t)(count + 1) * sizeof *j->pairs);
    if (plan_failed(p))
        return;
    j->pair_count = (int32_t)find_pairs(j, sorted, axis, j->pairs);
    qsort(j->pairs, (size_t)count, sizeof *j->pairs, compare_pairs);
}
