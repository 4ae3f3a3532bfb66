/* SPDX-License-Identifier: BSD-3-Clause */
/* The group skeleton of measure_labels: thins all labels at once; see kernels/morphology/skeleton_labels.cl. */
#include "measure_labels.h"

#include "../morphology/thinning_rounds.h"

static const char *const headings[] = {"SKELETON_LENGTH", "SKELETON_PIXELS", "SKELETON_BRANCH_POINTS",
                                       "SKELETON_END_POINTS", NULL};

/* ---- on the host, for devices without double precision */

#define SPACE
#define METHOD static
#define WORD   uint32_t
#include "../../../kernels/labels/skeleton_cells.cl"

/* ---- on the device */

enum { SIDES = 6, PLANE_SIDES = 4, FIELDS = 8, GROUP = 128 };

/* State of the thinning. */
typedef struct thinning {
    drua_view thinned, list, counts, changed;
    drua_layout of;
    int64_t most; /* largest number of pixels in a subfield */
    bool flat;
} thinning;

/* Thins from one side after another, each in subfields. */
static void thin_once(drua_plan *p, void *state, int round)
{
    const thinning *t = state;
    enum { ITEMS = 1 << 16 };
    static const int side[SIDES][3] = {{0, -1, 0}, {0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, -1}, {0, 0, 1}};
    const drua_layout l = t->of;
    const int32_t items = (int32_t)(t->most < ITEMS ? (t->most + GROUP - 1) / GROUP * GROUP : ITEMS);
    for (int i = 0; i < (t->flat ? PLANE_SIDES : SIDES); i++) {
        const int first_count = (round * SIDES + i) * FIELDS;
        LAUNCH(p, "thin_mark", GRID(l.width, l.height, l.depth, GROUP, 1, 1), POINTER(t->thinned), INT(l.width),
               INT(l.height), INT(l.depth), INT(side[i][0]), INT(side[i][1]), INT(side[i][2]), POINTER(t->list),
               LONG(t->most), POINTER(t->counts), INT(first_count), POINTER(t->changed), INT(round));
        for (int field = 0; field < (t->flat ? FIELDS / 2 : FIELDS); field++)
            LAUNCH(p, "thin_remove", LINE(items, GROUP), POINTER(t->thinned), INT(l.width), INT(l.height), INT(l.depth),
                   POINTER(t->list), LONG(t->most), POINTER(t->counts), INT(first_count), POINTER(t->changed),
                   INT(round), INT(field), INT(items));
    }
}

static void fill_skeletons(drua_plan *p, const measure_part *part, int width)
{
    const drua_layout l = part->labels.layout;
    const uint64_t pixels = (uint64_t)drua_layout_count(&l), bytes = part->count * (uint64_t)SKELETON_COUNTS * 4;
    if (pixels > UINT32_MAX)
        plan_fail(p, "skeleton in options takes images of at most %u pixels, but labels has %llu; crop labels",
                  UINT32_MAX, (unsigned long long)pixels);
    thinning t = {.of = l, .flat = part->flat};
    t.most = ((int64_t)l.width + 1) / 2 * (((int64_t)l.height + 1) / 2) * (((int64_t)l.depth + 1) / 2);
    t.thinned = plan_memory(p, pixels * 4);
    t.list = plan_memory(p, (uint64_t)t.most * (part->flat ? FIELDS / 2 : FIELDS) * 4);
    t.counts = plan_memory(p, THINNING_MOST_ROUNDS * SIDES * FIELDS * sizeof(uint32_t));
    t.changed = plan_memory(p, (THINNING_MOST_ROUNDS + 1) * sizeof(uint32_t));
    const drua_view counts = plan_memory(p, bytes);
    LAUNCH(p, "thin_copy", plan_grid(part->labels.layout), ARG(part->labels), INT(part->first),
           INT(part->first + (part->count - 1)), POINTER(t.thinned));
    thin_until_stable(p, &(thinning_rounds){t.changed, t.counts, SIDES * FIELDS, thin_once, &t});
    plan_clear(p, counts);
    LAUNCH(p, "count_skeletons", GRID(l.width, l.height, l.depth, GROUP, 1, 1), POINTER(t.thinned), INT(l.width),
           INT(l.height), INT(l.depth), POINTER(counts));
    if (part->cells.buffer) {
        LAUNCH(p, "skeleton_columns", LINE(part->count, 64), POINTER(counts), POINTER(part->constants),
               INT(part->count), POINTER(part->cells), INT(part->columns), INT(part->column));
    } else {
        uint32_t *found = plan_host(p, bytes);
        plan_read(p, counts, found, bytes);
        for (size_t i = 0; i < part->count && !plan_failed(p); i++)
            fill_skeleton(found + i * SKELETON_COUNTS, part->size,
                          part->host_cells + i * (size_t)part->columns + part->column);
    }
    const drua_view scratch[] = {counts, t.changed, t.counts, t.list, t.thinned};
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++)
        plan_drop(p, scratch[i]);
    (void)width;
}

const measure_group measure_skeleton = {.name = "skeleton", .headings = {headings, headings}, .fill = fill_skeletons};
