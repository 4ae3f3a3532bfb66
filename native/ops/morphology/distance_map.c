/* SPDX-License-Identifier: BSD-3-Clause */
#include "binary_bits.h"

#include "../labels/margins.h"

static int bits_of(int64_t number)
{
    int bits = 0;
    for (; number > 0; number >>= 1)
        bits++;
    return bits;
}

/*
 * A range of layers (along z or, in 2D images, along y) whose distances are counted together. Counts are binary, with
 * one plane of bits for each digit.
 */
typedef struct counted {
    drua_view planes;
    int64_t layer, words; /* number of words of the mask in one layer, and in all these layers */
    int32_t first, layers;
} counted;

/*
 * Chooses how many layers are counted together: as many as fit in memory besides the bits, the source and the
 * destination. If this takes more than MAX_ROUNDS rounds, or the destination has its layers along another axis, chooses
 * all layers.
 */
static counted make_counted(drua_plan *p, const drua_mask *m, int planes)
{
    enum { MAX_ROUNDS = 32, ALL = INT32_MAX / 2 };
    const int64_t extent = m->depth > 1 ? m->depth : m->height;
    const bool same_axis = (m->depth > 1) == (plan_shape(p, "destination").depth > 1);
    counted c = {.layer = m->words / extent};
    const uint64_t left = plan_memory_left(p) / 3 * 2, bits = 8 * (uint64_t)m->words,
                   each = 4 * (uint64_t)c.layer * (uint64_t)planes;
    const uint64_t layers = left > bits ? (left - bits) / each : 0;
    const bool some = same_axis && layers > (uint64_t)extent / MAX_ROUNDS && layers < (uint64_t)extent;
    c.layers = some ? (int32_t)layers : ALL;
    c.words = some ? c.layer * c.layers : m->words;
    c.first = -c.layers;
    c.planes = plan_scratch_bytes(p, (uint64_t)planes * 4 * (uint64_t)c.words);
    return c;
}

/*
 * Erodes until erosions remove no more pixels. Returns the number of launched steps, which may be larger than needed:
 * after each batch of launches, the host checks whether erosions still removed pixels. Each batch is twice as long as
 * the one before it, up to `largest_batch`.
 */
static int64_t erode_until_stable(drua_plan *p, const drua_mask *objects, const counted *c, drua_view changed,
                                  int largest_batch)
{
    enum { FIRST_BATCH = 16, SLICES = 8 };
    const int64_t max_steps = (int64_t)objects->width + objects->height + objects->depth;
    int64_t step = 0;
    uint32_t goes_on = 1;
    plan_clear(p, c->planes);
    for (int batch = FIRST_BATCH; goes_on && step < max_steps && !plan_failed(p);
         batch = batch < largest_batch ? 2 * batch : batch) {
        plan_clear(p, changed);
        for (int i = 0; i < batch && step < max_steps; i++) {
            step++;
            LAUNCH(p, "distance_erode",
                   GRID(objects->row, objects->height, (objects->depth + SLICES - 1) / SLICES, 16, 4, 1),
                   POINTER(step & 1 ? objects->bits : objects->spare),
                   POINTER(step & 1 ? objects->spare : objects->bits), INT(objects->row), INT(objects->width),
                   INT(objects->height), INT(objects->depth), INT(step % 2 == 0), INT(step), INT(i == 0),
                   POINTER(changed), INT(batch - 1 - i), POINTER(c->planes), LONG(c->first * c->layer), LONG(c->words));
        }
        plan_read(p, changed, &goes_on, sizeof goes_on);
    }
    return step;
}

/*
 * If the distances of all pixels cannot be counted at once, the objects are eroded again for each further range of
 * layers.
 */
static void count_erosions(drua_plan *p, drua_mask objects)
{
    enum { LARGEST_BATCH = 1024 };
    counted c = make_counted(p, &objects, bits_of((int64_t)objects.width + objects.height + objects.depth));
    drua_view changed = plan_scratch_bytes(p, (LARGEST_BATCH + 1) * sizeof(uint32_t));
    int64_t steps = 0;
    objects.spare = plan_scratch_bytes(p, 4 * (uint64_t)objects.words);
    for (drua_tiles t = {.output = "destination"}; plan_next_tile(p, &t);) {
        const drua_layout l = t.to.layout;
        const bool vec4 = drua_layout_is_vec4(&l);
        drua_tiles part = t;
        int64_t *first = &part.at.wanted.first[t.axis], *end = &part.at.wanted.end[t.axis];
        for (const int64_t last = *end; *first < last && !plan_failed(p); *first = *end) {
            if (*first >= c.first + c.layers) {
                if (c.first >= 0) {
                    plan_free_scratch(p, objects.bits);
                    objects.bits = mask_pack(p, false).bits;
                }
                c.first = (int32_t)*first;
                steps = erode_until_stable(p, &objects, &c, changed, LARGEST_BATCH);
            }
            *end = last < c.first + c.layers ? last : c.first + c.layers;
            LAUNCH(p, vec4 ? "distance_unpack_vec4" : "distance_unpack",
                   plan_tile_grid((vec4 ? plan_grid_vec4 : plan_grid)(l), &part), MASK_ARGUMENTS(&objects),
                   POINTER(c.planes), INT(bits_of(steps)), ARG(t.to), LONG(c.first * c.layer), LONG(c.words),
                   INT(t.axis), INT(*end));
        }
    }
}

/*
 * Relaxes distances until a pass over the image changes nothing. The host checks this after each batch of launches.
 * Launches after the last change return at once. Tiles whose neighbours have not changed are skipped.
 */
static void relax_distances(drua_plan *p, drua_view distances, const drua_mask *m)
{
    enum { FIRST_BATCH = 2, LARGEST_BATCH = 64, SLICES = 8 };
    const drua_grid grid = GRID(4 * (int64_t)m->row, m->height, (m->depth + SLICES - 1) / SLICES, 16, 8, 1);
    drua_view changed = plan_scratch_bytes(p, (LARGEST_BATCH + 1) * sizeof(uint32_t));
    drua_view last_change = plan_scratch_bytes(p, 4 * (((uint64_t)grid.items[0] + 15) / 16) *
                                                      (((uint64_t)grid.items[1] + 7) / 8) * (uint64_t)grid.items[2]);
    plan_clear(p, last_change);
    uint32_t goes_on = 1, pass = 0;
    for (int batch = FIRST_BATCH; goes_on && !plan_failed(p); batch = batch < LARGEST_BATCH ? 2 * batch : batch) {
        LAUNCH(p, "distance_relax_begin", GRID(batch + 1, 1, 1, 64, 1, 1), POINTER(changed), INT(batch));
        for (int left = batch - 1; left >= 0; left--)
            LAUNCH(p, "distance_relax", grid, POINTER(distances), INT(32 * m->row), INT(m->height), INT(m->depth),
                   INT(SLICES), POINTER(changed), INT(left), POINTER(last_change), INT(++pass));
        plan_read(p, changed, &goes_on, sizeof goes_on);
    }
}

/*
 * Searches for distances along lines. The work of the search does not increase with the distances. In volumes,
 * relaxation then corrects the found distances.
 */
static void search_distances(drua_plan *p, const drua_mask *m)
{
    enum { BLOCK = 8 };
    const int32_t vectors = 8 * m->row, blocks = (m->height + BLOCK - 1) / BLOCK,
                  layers = (m->depth + BLOCK - 1) / BLOCK;
    const bool volume = m->depth > 1;
    const uint64_t pixels = 32 * (uint64_t)m->words, slice = 64 * (uint64_t)m->row * (uint64_t)m->height;
    drua_view in_row = plan_scratch_bytes(p, 2 * pixels),
              lowest = plan_scratch_bytes(p, 64 * (uint64_t)m->row * (uint64_t)blocks * (uint64_t)m->depth);
    drua_view present = plan_scratch_bytes(p, 4 * ((uint64_t)m->depth + (uint64_t)layers));
    drua_view distances = plan_scratch_bytes(p, 2 * pixels),
              pairs = volume ? plan_scratch_bytes(p, 4 * pixels) : distances;
    plan_clear(p, present);
    LAUNCH(p, "distance_in_rows", GRID(4 * (int64_t)m->row, blocks, m->depth, 32, 1, 1), POINTER(m->bits), INT(m->row),
           INT(m->width), INT(m->height), INT(m->depth), POINTER(in_row), POINTER(lowest), POINTER(present));
    LAUNCH(p, "distance_in_slices", GRID(vectors, blocks, m->depth, 32, 1, 1), POINTER(in_row), POINTER(lowest),
           INT(vectors), INT(m->height), POINTER(present), POINTER(distances), POINTER(pairs), INT(volume));
    if (volume) {
        drua_view lowest_layers = plan_scratch_bytes(p, slice * (uint64_t)layers);
        LAUNCH(p, "distance_lowest_of_slices", GRID(vectors, m->height, layers, 32, 1, 1), POINTER(pairs), INT(vectors),
               INT(m->height), INT(m->depth), POINTER(lowest_layers));
        LAUNCH(p, "distance_in_volume", GRID(vectors, m->height, layers, 32, 1, 1), POINTER(pairs),
               POINTER(lowest_layers), INT(vectors), INT(m->height), INT(m->depth), POINTER(present),
               POINTER(distances));
        relax_distances(p, distances, m);
    }
    for (drua_tiles t = {.output = "destination"}; plan_next_tile(p, &t);) {
        const drua_layout l = t.to.layout;
        const bool vec4 = drua_layout_is_vec4(&l);
        LAUNCH(p, vec4 ? "distance_write_vec4" : "distance_write",
               plan_tile_grid((vec4 ? plan_grid_vec4 : plan_grid)(l), &t), POINTER(distances), INT(32 * m->row),
               ARG(t.to));
    }
}

/* Whether an object is so thick that erosions would take long. */
static bool is_thick(drua_plan *p, const drua_mask *m)
{
    enum { THICK = 32 };
    drua_view found = plan_scratch_bytes(p, sizeof(uint32_t));
    uint32_t thick = 0;
    if (m->width < THICK || m->height < THICK || (m->depth > 1 && m->depth < THICK))
        return false;
    plan_clear(p, found);
    LAUNCH(p, "distance_is_thick",
           GRID(64 * (int64_t)m->row, m->height / THICK, m->depth > 1 ? m->depth / THICK : 1, 64, 1, 1),
           POINTER(m->bits), INT(m->row), INT(m->height), INT(m->depth), POINTER(found));
    plan_read(p, found, &thick, sizeof thick);
    return thick != 0;
}

static void launch_distance_map(drua_plan *p)
{
    enum {
        MAX_ROWS = 1 << 13,
        MAX_STEPS = 65000,
        BYTES_A_PIXEL = 10
    }; /* row numbers have 13 bits, distances 16 bits */
    drua_mask objects = mask_pack(p, false);
    const bool volume = objects.depth > 1, small = (int64_t)objects.width + objects.height + objects.depth <= MAX_STEPS;
    const bool can_search = small && (!volume || objects.height <= MAX_ROWS) &&
                            plan_memory_left(p) / BYTES_A_PIXEL / 32 > (uint64_t)objects.words;
    if (can_search && ((!volume && plan_device(p)->is_gpu) || is_thick(p, &objects)))
        search_distances(p, &objects);
    else
        count_erosions(p, objects);
}

/*
 * Pixels outside a block and its margin count as object, so distances are never too small. A distance that is at most
 * the margin is exact, because all pixels on which it depends were read.
 */
static void launch_distance_near(drua_plan *p)
{
    launch_distance_map(p);
    if (!margin_cuts(p, "source"))
        return;
    const drua_view marks = plan_scratch(p, plan_shape(p, "source"), DRUA_UINT8);
    LAUNCH(p, "margin_of_distances", plan_grid(marks.layout), ARG(plan_image(p, "destination")),
           INT(plan_integer(p, "margin")), ARG(marks));
    margin_check(p, "source", marks, "distance");
}

static const drua_op distance_near = {
    .name = "distance_map",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "binary image"),
                DRUA_IMAGE_OUT("destination", "distances", .type = DRUA_FLOAT32), MARGIN),
    .numeric = DRUA_EXACT,
    .launch = launch_distance_near,
    .parts = margin_parts,
};

static void distance_within(drua_plan *p, int64_t margin)
{
    plan_return(p, "destination",
                CALL_RECORDED(p, &distance_near, plan_type(p, "destination"), plan_operand(p, "source"),
                              NUMBER((double)margin)));
}

DRUA_OP(distance_map) = {
    .name = "distance_map",
    .category = "binary",
    .menu = true,
    .summary = "Gives each pixel of an object its distance to the background, 1 at the edge; infinity if the image has "
               "no background.",
    .source =
        "octagonal distance: 1 plus the number of erosions, alternately by side neighbours and by all "
        "neighbours, that a pixel survives; a search along lines gives the same distances faster for thick objects, "
        "and on GPUs for 2-D images",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "binary image"),
                DRUA_IMAGE_OUT("destination", "distances", .type = DRUA_FLOAT32, .by_tiles = true)),
    DRUA_ALIASES("CLIJ2/CLIJx distanceMap: source, &destination"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = launch_distance_map,
    .build_in_blocks = distance_within,
};
