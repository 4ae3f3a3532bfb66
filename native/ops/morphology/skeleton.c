/* SPDX-License-Identifier: BSD-3-Clause */
/* Thinning; see kernels/morphology/skeleton.cl and, for 2D images, skeleton_plane.cl. */
#include "thinning_rounds.h"

#include "../labels/margins.h"

enum { GROUP = 128 }; /* must equal SKELETON_WORDS in kernels/morphology/skeleton.cl */
#define LINE(items, group) GRID(items, 1, 1, group, 1, 1)

/*
 * State of the thinning: the bits, the removable bits (`marks`), and for each subfield a list of the words that contain
 * removable bits.
 */
typedef struct thinning {
    drua_view bits, spare, marks, list, counts, changed, last_change;
    drua_layout of;
    int32_t pairs;
    uint32_t words, step;
    int64_t max; /* largest number of words in a subfield */
} thinning;

enum { SIDES = 6, FIELDS = 8 };

/* Thins from one side after another, each in subfields. */
static void thin_once(drua_plan *p, void *state, int round)
{
    thinning *t = state;
    enum { LISTED = 1 << 18 };
    static const int side[SIDES][3] = {{0, -1, 0}, {0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, -1}, {0, 0, 1}};
    const bool groups = plan_device(p)->is_gpu;
    const int32_t items = (int32_t)(t->max < LISTED ? (t->max + GROUP - 1) / GROUP * GROUP : LISTED);
    for (int i = 0; i < SIDES; i++) {
        const int first_count = (round * SIDES + i) * FIELDS;
        t->step++;
#define THINNING                                                                                                       \
    POINTER(t->bits), POINTER(t->marks), INT(t->pairs), INT(t->of.height), INT(t->of.depth), POINTER(t->list),         \
        LONG(t->max), POINTER(t->counts), INT(first_count), POINTER(t->changed), INT(round), POINTER(t->last_change),  \
        INT(t->step)
        LAUNCH(p, groups ? "skeleton_mark_in_groups" : "skeleton_mark", LINE(t->words, GROUP), THINNING, INT(t->words),
               INT(SIDES), INT(side[i][0]), INT(side[i][1]), INT(side[i][2]));
        for (int field = 0; field < FIELDS; field++)
            if (t->of.height > 1 || !(field & 2))
                LAUNCH(p, groups ? "skeleton_thin_in_groups" : "skeleton_thin", LINE(items, GROUP), THINNING,
                       INT(field), INT(items));
    }
}

static void thin_stack(drua_plan *p, thinning *t)
{
    enum { TILE = 8 };      /* as in kernels/morphology/skeleton_steps.cl */
    const drua_layout l = t->of;
    t->max = (int64_t)t->pairs * ((l.height + 1) / 2) * ((l.depth + 1) / 2);
    t->marks = plan_scratch_bytes(p, 4 * (uint64_t)t->words);
    t->list = plan_scratch_bytes(p, 4 * FIELDS * (uint64_t)t->max);
    t->counts = plan_scratch_bytes(p, THINNING_MAX_ROUNDS * SIDES * FIELDS * sizeof(uint32_t));
    t->last_change = plan_scratch_bytes(p, 4 * (uint64_t)t->pairs * (uint64_t)((l.height + TILE - 1) / TILE) *
                                               (uint64_t)((l.depth + TILE - 1) / TILE));
    plan_clear(p, t->last_change);
    thin_until_stable(p, &(thinning_rounds){t->changed, t->counts, SIDES * FIELDS, thin_once, t});
}

/* Four rounds in a launch, which reads one set of bits and writes the other. */
static void thin_plane_once(drua_plan *p, void *state, int launch)
{
    thinning *t = state;
    const drua_view written = t->spare;
    LAUNCH(p, "skeleton_plane", LINE(thinning_tiles(t->pairs, t->of.height) * THINNING_TILE_ITEMS, THINNING_TILE_ITEMS),
           POINTER(t->bits), POINTER(written), INT(t->pairs), INT(t->of.height), POINTER(t->changed), INT(launch),
           POINTER(t->last_change), INT(++t->step));
    t->spare = t->bits;
    t->bits = written;
}

static void thin_plane(drua_plan *p, thinning *t)
{
    t->spare = plan_scratch_bytes(p, 4 * (uint64_t)t->words);
    t->last_change = plan_scratch_bytes(p, 4 * (uint64_t)thinning_tiles(t->pairs, t->of.height));
    plan_clear(p, t->last_change);
    thin_until_stable(p, &(thinning_rounds){.changed = t->changed, .send = thin_plane_once, .state = t});
}

static void launch_skeletonize(drua_plan *p)
{
    drua_view source = plan_image(p, "source");
    drua_layout l = source.layout;
    const int32_t pairs = (int32_t)(((int64_t)l.width + 63) / 64);
    const int64_t all = 2 * (int64_t)pairs * l.height * l.depth;
    if (all > UINT32_MAX)
        plan_fail(
            p, "with rows padded to 64 pixels, the image has %lld pixels, but the limit is %lld; crop it or split it",
            32 * (long long)all, 32 * (long long)UINT32_MAX);
    thinning t = {.of = l, .pairs = pairs, .words = (uint32_t)all, .bits = plan_scratch_bytes(p, 4 * (uint64_t)all)};
    t.changed = plan_scratch_bytes(p, (THINNING_MAX_ROUNDS + 1) * sizeof(uint32_t));
    for (drua_tiles from = {.inputs = {source}}; plan_next_tile(p, &from);) {
        const drua_box *at = &from.at.wanted;
        const int64_t row = 2 * (int64_t)pairs, first = (at->first[2] * l.height + at->first[1]) * row;
        const int64_t count = (at->end[2] - at->first[2]) * (at->end[1] - at->first[1]) * row;
        drua_grid grid = LINE(count, GROUP);
        grid.from[0] = first;
        LAUNCH(p, "skeleton_pack", grid, ARG(from.from[0]), POINTER(t.bits), INT(pairs), INT(first + count));
    }
    if (l.depth > 1)
        thin_stack(p, &t);
    else
        thin_plane(p, &t);
    for (drua_tiles out = {.output = "destination"}; plan_next_tile(p, &out);) {
        const bool vec4 = drua_layout_is_vec4(&out.to.layout) && drua_layout_is_same_size(&out.to.layout, &l);
        const drua_grid grid = plan_tile_grid((vec4 ? plan_grid_vec4 : plan_grid)(out.to.layout), &out);
        LAUNCH(p, vec4 ? "skeleton_unpack_vec4" : "skeleton_unpack", grid, POINTER(t.bits), INT(pairs), INT(l.width),
               INT(l.height), INT(l.depth), ARG(out.to));
    }
}

/* ---- images in blocks: an object is thinned alone, so only objects that reach a cut side are undecided */

/* Subfields consist of even and odd columns, rows and slices. */
static void parts_of_skeleton(drua_plan *p, drua_parts *parts)
{
    margin_parts(p, parts);
    parts->align[0] = parts->align[1] = parts->align[2] = 2;
}

static void launch_skeletonize_near(drua_plan *p)
{
    launch_skeletonize(p);
    const drua_view marks = plan_scratch(p, plan_shape(p, "source"), DRUA_UINT8);
    LAUNCH(p, "margin_of_objects", plan_grid(marks.layout), ARG(plan_image(p, "source")), ARG(marks));
    margin_check(p, "source", marks, "object");
}

#define IMAGES                                                                                                         \
    DRUA_IMAGE_IN("source", "binary image"),                                                                           \
        DRUA_IMAGE_OUT("destination", "binary image of the lines, 0 and 1", .by_tiles = true)

static const drua_op skeletonize_near = {
    .name = "skeletonize",
    DRUA_PARAMS(IMAGES, MARGIN),
    .numeric = DRUA_EXACT,
    .launch = launch_skeletonize_near,
    .parts = parts_of_skeleton,
};

static void skeletonize_within(drua_plan *p, int64_t margin)
{
    plan_return(p, "destination",
                CALL_RECORDED(p, &skeletonize_near, plan_type(p, "destination"), plan_operand(p, "source"),
                              NUMBER((double)margin)));
}

DRUA_OP(skeletonize) = {
    .name = "skeletonize",
    .category = "binary",
    .menu = true,
    .summary = "Thins objects to lines one pixel wide that keep their shape, branches and holes.",
    .source = "thinning from six sides (four in a plane) by subfields; ends of lines stay (Lee, Kashyap and Chu 1994; "
              "simple pixels as Malandain and Bertrand 1992)",
    DRUA_PARAMS(IMAGES),
    DRUA_ALIASES("CLIJx skeletonize: source, &destination"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = launch_skeletonize,
    .build_in_blocks = skeletonize_within,
};
