/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The group skeleton of measure_labels: thins all labels at once; see kernels/morphology/skeleton_labels.cl and, for 2D
 * images, skeleton_label_plane.cl.
 */
#include "measure_labels.h"

#include "cells_on_host.h"
#include "../morphology/thinning_rounds.h"

static const char *const headings[] = {"SKELETON_LENGTH",     "SKELETON_PIXELS",   "SKELETON_BRANCH_POINTS",
                                       "SKELETON_END_POINTS", "AVERAGE_THICKNESS", NULL};

/* ---- on the host, for devices without double precision */

#include "../../../kernels/labels/skeleton_cells.cl"

/* ---- on the device */

enum { SIDES = 6, FIELDS = 8, GROUP = 128 };

/* State of the thinning of a stack. */
typedef struct thinning {
    drua_view thinned, list, counts, changed;
    drua_layout of;
    int64_t max; /* largest number of pixels in a subfield */
} thinning;

/* Thins from one side after another, each in subfields. */
static void thin_once(drua_plan *p, void *state, int round)
{
    const thinning *t = state;
    enum { ITEMS = 1 << 16 };
    static const int side[SIDES][3] = {{0, -1, 0}, {0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, -1}, {0, 0, 1}};
    const drua_layout l = t->of;
    const int32_t items = (int32_t)(t->max < ITEMS ? (t->max + GROUP - 1) / GROUP * GROUP : ITEMS);
    for (int i = 0; i < SIDES; i++) {
        const int first_count = (round * SIDES + i) * FIELDS;
        LAUNCH(p, "thin_mark", GRID(l.width, l.height, l.depth, GROUP, 1, 1), POINTER(t->thinned), INT(l.width),
               INT(l.height), INT(l.depth), INT(side[i][0]), INT(side[i][1]), INT(side[i][2]), POINTER(t->list),
               LONG(t->max), POINTER(t->counts), INT(first_count), POINTER(t->changed), INT(round));
        for (int field = 0; field < FIELDS; field++)
            LAUNCH(p, "thin_remove", LINE(items, GROUP), POINTER(t->thinned), INT(l.width), INT(l.height), INT(l.depth),
                   POINTER(t->list), LONG(t->max), POINTER(t->counts), INT(first_count), POINTER(t->changed),
                   INT(round), INT(field), INT(items));
    }
}

static void thin_stack(drua_plan *p, const measure_part *part, drua_view thinned)
{
    const drua_layout l = part->labels.layout;
    thinning t = {.of = l, .thinned = thinned};
    t.max = ((int64_t)l.width + 1) / 2 * (((int64_t)l.height + 1) / 2) * (((int64_t)l.depth + 1) / 2);
    t.list = plan_scratch_bytes(p, (uint64_t)t.max * FIELDS * 4);
    t.counts = plan_scratch_bytes(p, THINNING_MAX_ROUNDS * SIDES * FIELDS * sizeof(uint32_t));
    t.changed = plan_scratch_bytes(p, (THINNING_MAX_ROUNDS + 1) * sizeof(uint32_t));
    LAUNCH(p, "thin_copy", plan_grid(l), ARG(part->labels), INT(part->first), INT(part->first + (part->count - 1)),
           POINTER(thinned));
    thin_until_stable(p, &(thinning_rounds){t.changed, t.counts, SIDES * FIELDS, thin_once, &t});
    plan_free_scratch(p, t.changed);
    plan_free_scratch(p, t.counts);
    plan_free_scratch(p, t.list);
}

/* State of the thinning of a plane. A launch reads one set of bits and writes the other. */
typedef struct plane_thinning {
    drua_view bits, spare, links, changed, last_change;
    int32_t pairs, height;
    int64_t tiles;
    uint32_t step;
} plane_thinning;

static void thin_plane_once(drua_plan *p, void *state, int launch)
{
    plane_thinning *t = state;
    const drua_view written = t->spare;
    LAUNCH(p, "thin_plane", LINE(t->tiles * THINNING_TILE_ITEMS, THINNING_TILE_ITEMS), POINTER(t->bits),
           POINTER(written), POINTER(t->links), INT(t->pairs), INT(t->height), POINTER(t->changed), INT(launch),
           POINTER(t->last_change), INT(++t->step));
    t->spare = t->bits;
    t->bits = written;
}

static void thin_plane(drua_plan *p, const measure_part *part, drua_view thinned)
{
    enum { COLUMNS = 64, ROWS = 4, WORDS = 2, LINKS = 8 }; /* as in kernels/morphology/skeleton_label_plane.cl */
    const drua_layout l = part->labels.layout;
    plane_thinning t = {.pairs = (l.width - 1) / COLUMNS + 1, .height = l.height};
    const uint64_t words = WORDS * (uint64_t)t.pairs * (uint64_t)l.height;
    t.tiles = thinning_tiles(t.pairs, l.height);
    t.bits = plan_scratch_bytes(p, 4 * words);
    t.spare = plan_scratch_bytes(p, 4 * words);
    t.links = plan_scratch_bytes(p, 4 * LINKS * words);
    t.changed = plan_scratch_bytes(p, (THINNING_MAX_ROUNDS + 1) * sizeof(uint32_t));
    t.last_change = plan_scratch_bytes(p, 4 * (uint64_t)t.tiles);
    plan_clear(p, t.last_change);
    LAUNCH(p, "thin_pack_plane", GRID((int64_t)t.pairs * COLUMNS, l.height, 1, COLUMNS, ROWS, 1), ARG(part->labels),
           INT(part->first), INT(part->first + (part->count - 1)), INT(t.pairs), POINTER(t.bits), POINTER(t.links));
    thin_until_stable(p, &(thinning_rounds){.changed = t.changed, .send = thin_plane_once, .state = &t});
    LAUNCH(p, "thin_unpack_plane", plan_grid(l), ARG(part->labels), INT(part->first), INT(t.pairs), POINTER(t.bits),
           POINTER(thinned));
    const drua_view scratch[] = {t.last_change, t.changed, t.links, t.spare, t.bits};
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++)
        plan_free_scratch(p, scratch[i]);
}

static void fill_skeletons(drua_plan *p, const measure_part *part, int width)
{
    const drua_layout l = part->labels.layout;
    const uint64_t pixels = (uint64_t)drua_layout_count(&l), bytes = part->count * (uint64_t)SKELETON_COUNTS * 4;
    if (pixels > UINT32_MAX)
        plan_fail(p, "the columns of skeleton can be measured in at most %u pixels, but labels has %llu; crop it",
                  UINT32_MAX, (unsigned long long)pixels);
    const drua_view thinned = plan_scratch_bytes(p, pixels * 4);
    const drua_view counts = plan_scratch_bytes(p, bytes);
    (part->flat ? thin_plane : thin_stack)(p, part, thinned);
    plan_clear(p, counts);
    LAUNCH(p, "count_skeletons", GRID(l.width, l.height, l.depth, GROUP, 1, 1), POINTER(thinned), INT(l.width),
           INT(l.height), INT(l.depth), POINTER(part->squares), REAL(part->size[0]), POINTER(counts));
    if (part->cells.buffer) {
        LAUNCH(p, "skeleton_columns", LINE(part->count, 64), POINTER(counts), POINTER(part->constants),
               INT(part->count), POINTER(part->cells), INT(part->columns), INT(part->column));
    } else {
        uint32_t *found = plan_host_memory(p, bytes);
        plan_read(p, counts, found, bytes);
        for (size_t i = 0; i < part->count && !plan_failed(p); i++)
            fill_skeleton(found + i * SKELETON_COUNTS, part->size,
                          part->host_cells + i * (size_t)part->columns + part->column);
    }
    plan_free_scratch(p, counts);
    plan_free_scratch(p, thinned);
    (void)width;
}

const measure_group measure_skeleton = {
    .name = "skeleton", .headings = {headings, headings}, .fill = fill_skeletons, .distances = true};
