/* SPDX-License-Identifier: BSD-3-Clause */
#include "margins.h"

enum { DOUBTED = 8 };

/* The tile on the host. Pixels of its core lie outside the margins of cut sides. */
typedef struct marked_tile {
    int64_t extent[3];
    drua_box core;
    int cuts;
    uint8_t *marks;
    uint32_t *waiting; /* doubted pixels whose neighbours have not been visited */
    size_t count;
} marked_tile;

void margin_parts(drua_plan *p, drua_parts *parts)
{
    parts->halo[0] = parts->halo[1] = parts->halo[2] = plan_integer(p, "margin");
    parts->columns = true;
}

int margin_cuts(drua_plan *p, const char *image)
{
    int64_t origin[3];
    const drua_shape whole = plan_whole_shape(p, image, origin), tile = plan_shape(p, image);
    int cuts = 0;
    for (int axis = 0; axis < 3; axis++)
        cuts |= (origin[axis] > 0) << 2 * axis | (origin[axis] + tile.extent[axis] < whole.extent[axis])
                                                     << (2 * axis + 1);
    return cuts;
}

static bool is_beside_cut(const marked_tile *t, const int64_t at[3])
{
    bool beside = false;
    for (int axis = 0; axis < 3; axis++)
        beside |= (at[axis] == 0 && t->cuts >> 2 * axis & 1) ||
                  (at[axis] == t->extent[axis] - 1 && t->cuts >> (2 * axis + 1) & 1);
    return beside;
}

/* Returns the first pixel of the core with all of these marks, and sets its position, or returns -1. */
static int64_t find_in_core(const marked_tile *t, int marks, int64_t at[3])
{
    for (at[2] = t->core.first[2]; at[2] < t->core.end[2]; at[2]++)
        for (at[1] = t->core.first[1]; at[1] < t->core.end[1]; at[1]++)
            for (at[0] = t->core.first[0]; at[0] < t->core.end[0]; at[0]++) {
                const int64_t pixel = (at[2] * t->extent[1] + at[1]) * t->extent[0] + at[0];
                if ((t->marks[pixel] & marks) == marks)
                    return pixel;
            }
    return -1;
}

static void mark_undecided(marked_tile *t, int64_t pixel)
{
    t->marks[pixel] |= DOUBTED;
    t->waiting[t->count++] = (uint32_t)pixel;
}

static void start_doubts(marked_tile *t)
{
    int64_t pixel = 0, at[3];
    for (at[2] = 0; at[2] < t->extent[2]; at[2]++)
        for (at[1] = 0; at[1] < t->extent[1]; at[1]++)
            for (at[0] = 0; at[0] < t->extent[0]; at[0]++, pixel++)
                if (t->marks[pixel] & MARGIN_STARTS || (t->marks[pixel] & MARGIN_OPEN && is_beside_cut(t, at)))
                    mark_undecided(t, pixel);
}

static void doubt_neighbours(marked_tile *t, int64_t pixel)
{
    const int64_t at[] = {pixel % t->extent[0], pixel / t->extent[0] % t->extent[1],
                          pixel / t->extent[0] / t->extent[1]};
    for (int k = 0; k < 27; k++) {
        const int64_t to[] = {at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1};
        bool inside = true;
        for (int axis = 0; axis < 3; axis++)
            inside = inside && to[axis] >= 0 && to[axis] < t->extent[axis];
        const int64_t next = (to[2] * t->extent[1] + to[1]) * t->extent[0] + to[0];
        if (inside && (t->marks[next] & (MARGIN_OPEN | DOUBTED)) == MARGIN_OPEN)
            mark_undecided(t, next);
    }
}

static void spread_doubts(drua_plan *p, marked_tile *t)
{
    const int64_t pixels = t->extent[0] * t->extent[1] * t->extent[2];
    size_t marked = 0;
    for (int64_t i = 0; i < pixels; i++)
        marked += t->marks[i] != 0;
    t->waiting = plan_host_memory(p, (marked + 1) * sizeof *t->waiting);
    if (plan_failed(p))
        return;
    start_doubts(t);
    while (t->count > 0)
        doubt_neighbours(t, t->waiting[--t->count]);
}

void margin_check(drua_plan *p, const char *image, drua_view marks, const char *what)
{
    int64_t origin[3], at[3];
    const drua_shape of = plan_shape(p, image);
    const int64_t margin = plan_integer(p, "margin");
    const size_t pixels = (size_t)(of.width * of.height * of.depth);
    marked_tile t = {.cuts = margin_cuts(p, image)};
    if (!t.cuts || plan_failed(p))
        return;
    plan_whole_shape(p, image, origin);
    for (int axis = 0; axis < 3; axis++) {
        t.extent[axis] = t.core.end[axis] = of.extent[axis];
        t.core.first[axis] = t.cuts >> 2 * axis & 1 ? margin : 0;
        t.core.end[axis] -= t.cuts >> (2 * axis + 1) & 1 ? margin : 0;
    }
    if (pixels > UINT32_MAX)
        plan_fail_memory(p, "a block has more than 4294967295 pixels with its margin");
    t.marks = plan_host_memory(p, pixels);
    if (plan_failed(p))
        return;
    plan_read(p, marks, t.marks, pixels);
    if (plan_failed(p) || find_in_core(&t, MARGIN_MATTERS, at) < 0)
        return;
    spread_doubts(p, &t);
    if (!plan_failed(p) && find_in_core(&t, MARGIN_MATTERS | DOUBTED, at) >= 0)
        plan_fail(p,
                  "the %s of pixel %lld, %lld, %lld extends more than %lld pixels beyond its block, so it cannot be "
                  "computed exactly block by block; make the plan again with a larger margin (--margin)",
                  what, (long long)(origin[0] + at[0]), (long long)(origin[1] + at[1]), (long long)(origin[2] + at[2]),
                  (long long)margin);
}
