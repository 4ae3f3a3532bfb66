/* SPDX-License-Identifier: BSD-3-Clause */
#include "geodesic.h"

drua_flood geodesic_make(drua_plan *p, drua_layout of)
{
    const uint64_t bytes = (uint64_t)of.width * (uint64_t)of.height * (uint64_t)of.depth * sizeof(uint32_t);
    return (drua_flood){of, plan_scratch_bytes(p, bytes), plan_scratch_bytes(p, bytes)};
}

/* Whether "connectivity" includes neighbours that touch at edges and corners. */
static bool is_box(drua_plan *p)
{
    const int64_t connectivity = plan_integer(p, "connectivity");
    return connectivity == 8 || connectivity == 26;
}

static int64_t tiles_along(int32_t extent, int32_t tile)
{
    return ((int64_t)extent + tile - 1) / tile;
}

/*
 * The number of launches is unknown, so the host reads the state after each batch. Each batch has half as many launches
 * as all before it. Launches after the last change return at once.
 */
void geodesic_repeat(drua_plan *p, drua_layout of, geodesic_step step, const void *state)
{
    enum { FIRST_BATCH = 8, LARGEST_BATCH = 1024 };
    static const int32_t tile_of[2][2][3] = {{{64, 64, 1}, {64, 16, 16}}, {{32, 32, 1}, {16, 8, 8}}};
    const int32_t *tile = tile_of[plan_device(p)->is_gpu][of.depth > 1];
    geodesic_pass pass = {.of = of,
                          .tiles = tiles_along(of.width, tile[0]) * tiles_along(of.height, tile[1]) *
                                   tiles_along(of.depth, tile[2])};
    uint32_t goes_on = 1;
    pass.last_change = plan_scratch_bytes(p, (uint64_t)pass.tiles * sizeof(uint32_t));
    pass.changed = plan_scratch_bytes(p, (LARGEST_BATCH + 1) * sizeof(uint32_t));
    plan_clear(p, pass.last_change);
    for (int batch = FIRST_BATCH; goes_on && !plan_failed(p);) {
        LAUNCH(p, "geodesic_batch", GRID(batch + 1, 1, 1, 64, 1, 1), POINTER(pass.changed), INT(batch));
        for (pass.left = batch - 1; pass.left >= 0; pass.left--) {
            pass.launch++;
            step(p, &pass, state);
        }
        plan_read(p, pass.changed, &goes_on, sizeof goes_on);
        const int next = (int)pass.launch / 2;
        if (next > FIRST_BATCH)
            batch = next < LARGEST_BATCH ? next : LARGEST_BATCH;
    }
    plan_free_scratch(p, pass.last_change);
    plan_free_scratch(p, pass.changed);
}

/* Floods tiles around which the last launch has changed something. */
static void flood_tiles(drua_plan *p, const geodesic_pass *pass, const void *state)
{
    const drua_flood *f = state;
    const bool box = is_box(p);
#define FLOOD POINTER(f->levels), POINTER(f->limits), EXTENT_OF(f->of), INT(box), PASS_OF(pass)
    if (plan_device(p)->is_gpu)
        LAUNCH(p, "geodesic_flood", GEODESIC_TILES(pass), FLOOD);
    else
        LAUNCH(p, "geodesic_flood_in_order", GRID(pass->tiles, 1, 1, 1, 1, 1), FLOOD, INT(pass->tiles));
}

void geodesic_spread(drua_plan *p, const drua_flood *f)
{
    geodesic_repeat(p, f->of, flood_tiles, f);
}

void geodesic_finish(drua_plan *p, const drua_flood *f, drua_type type, bool down)
{
    const drua_view to = plan_image(p, "destination");
    LAUNCH(p, "geodesic_end", plan_grid(to.layout), POINTER(f->levels), EXTENT_OF(f->of), INT(type), INT(down),
           ARG(to));
}
