/* SPDX-License-Identifier: BSD-3-Clause */
/* Thinning; see kernels/morphology/skeleton.cl. */
#include "plan.h"

enum { GROUP = 128 };      /* SKELETON_WORDS in kernels/morphology/skeleton.cl */
#define LINE(items) GRID(items, 1, 1, GROUP, 1, 1)

/*
 * What is thinned: bits, those that may go, and lists of the words that have such, one for each subfield. changed[round]: whether the
 * round before removed something.
 */
typedef struct thinning {
    drua_view bits, marks, list, counts, changed, last_change;
    drua_layout of;
    int32_t pairs;
    uint32_t words, step;
    int64_t most;               /* words of a subfield */
} thinning;

enum { FIELDS = 8 };

static int sides_of(const thinning *t)
{
    return t->of.depth == 1 ? 4 : 6;
}

/* One side after the other, each side by subfields; a plane has no sides and no subfields along z. */
static void thin_once(drua_plan *p, thinning *t, int round)
{
    enum { LISTED = 1 << 18 };
    static const int side[6][3] = {{0, -1, 0}, {0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, -1}, {0, 0, 1}};
    const bool groups = plan_device(p)->is_gpu;
    const int sides = sides_of(t);
    const int32_t items = (int32_t)(t->most < LISTED ? (t->most + GROUP - 1) / GROUP * GROUP : LISTED);
    for (int i = 0; i < sides; i++) {
        const int first_count = (round * sides + i) * FIELDS;
        t->step++;
#define THINNING                                                                                                                 \
    POINTER(t->bits), POINTER(t->marks), INT(t->pairs), INT(t->of.height), INT(t->of.depth), POINTER(t->list), LONG(t->most),    \
        POINTER(t->counts), INT(first_count), POINTER(t->changed), INT(round), POINTER(t->last_change), INT(t->step)
        LAUNCH(p, groups ? "skeleton_mark_in_groups" : "skeleton_mark", LINE(t->words), THINNING, INT(t->words), INT(sides), INT(side[i][0]),
               INT(side[i][1]), INT(side[i][2]));
        for (int field = 0; field < (t->of.depth == 1 ? FIELDS / 2 : FIELDS); field++)
            if (t->of.height > 1 || !(field & 2))
                LAUNCH(p, groups ? "skeleton_thin_in_groups" : "skeleton_thin", LINE(items), THINNING, INT(field), INT(items));
    }
}

/* The thickest object decides how many rounds there are, so the host looks after each batch; batches double. */
static void plan_skeletonize(drua_plan *p)
{
    enum { FIRST_BATCH = 4, LARGEST_BATCH = 64, TILE = 8 };      /* TILE as in kernels/morphology/skeleton_steps.cl */
    drua_view source = plan_image(p, "source");
    drua_layout l = source.layout;
    const int32_t pairs = (int32_t)(((int64_t)l.width + 63) / 64);
    const int64_t all = 2 * (int64_t)pairs * l.height * l.depth;
    if (all > UINT32_MAX)
        plan_fail(p, "the image has %lld words of 32 pixels, the limit is %lld; cut it into blocks", (long long)all, (long long)UINT32_MAX);
    thinning t = {.of = l, .pairs = pairs, .words = (uint32_t)all, .most = (int64_t)pairs * ((l.height + 1) / 2) * ((l.depth + 1) / 2)};
    t.bits = plan_memory(p, 4 * (uint64_t)all);
    t.marks = plan_memory(p, 4 * (uint64_t)all);
    t.list = plan_memory(p, 4 * FIELDS * (uint64_t)t.most);
    t.changed = plan_memory(p, (LARGEST_BATCH + 1) * sizeof(uint32_t));
    t.counts = plan_memory(p, LARGEST_BATCH * 6 * FIELDS * sizeof(uint32_t));
    for (drua_stretch s = {.count = 0}; plan_next_stretch(p, source, &s);) {
        const int64_t layer = 2 * (int64_t)pairs * (s.axis == 2 ? l.height : 1), end = (s.first + s.count) * layer;
        drua_grid grid = LINE(s.count * layer);
        grid.from[0] = s.first * layer;
        LAUNCH(p, "skeleton_pack", grid, ARG(s.view), POINTER(t.bits), INT(pairs), INT(end));
    }
    t.last_change = plan_memory(p, 4 * (uint64_t)pairs * (uint64_t)((l.height + TILE - 1) / TILE) * (uint64_t)((l.depth + TILE - 1) / TILE));
    plan_clear(p, t.last_change);
    uint32_t flags[LARGEST_BATCH + 1];
    bool more = true;
    for (int batch = FIRST_BATCH; more && !plan_failed(p); batch = batch < LARGEST_BATCH ? 2 * batch : batch) {
        const int lists = batch * sides_of(&t) * FIELDS;
        LAUNCH(p, "skeleton_batch", LINE(lists), POINTER(t.changed), INT(batch), POINTER(t.counts), INT(lists));
        for (int round = 0; round < batch; round++)
            thin_once(p, &t, round);
        plan_read(p, t.changed, flags, sizeof flags);
        more = flags[batch] != 0;
    }
    for (drua_stretch s = {.count = 0}; plan_next_slices(p, "destination", &s);) {
        const bool fours = drua_layout_is_in_fours(&s.view.layout) && drua_layout_is_same_size(&s.view.layout, &l);
        const drua_grid grid = plan_grid_along((fours ? plan_grid_of_fours : plan_grid)(s.view.layout), &s);
        LAUNCH(p, fours ? "skeleton_unpack_in_fours" : "skeleton_unpack", grid, POINTER(t.bits), INT(pairs), INT(l.width), INT(l.height), INT(l.depth),
               ARG(s.view));
    }
}

const drua_op drua_op_skeletonize = {
    .name = "skeletonize",
    .category = "binary",
    .menu = true,
    .summary = "Thins objects to lines one pixel wide that keep their shape, branches and holes.",
    .source = "thinning from six sides (four in a plane) by subfields; ends of lines stay (Lee, Kashyap and Chu 1994; simple pixels as Malandain and Bertrand 1992)",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "binary image"), DRUA_IMAGE_OUT("destination", "binary image of the lines, 0 and 1", .by_slices = true)),
    DRUA_ALIASES("CLIJx skeletonize: source, &destination"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .plan = plan_skeletonize,
};
