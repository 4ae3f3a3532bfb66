/* SPDX-License-Identifier: BSD-3-Clause */
/* Maxima that stand out; see kernels/detect/prominence.cl. */
#include "plan.h"

#define LINE GRID(count, 1, 1, 64, 1, 1)

/* For each pixel its place in the order of values and its way up; of each top its highest pass, and what is behind it. */
typedef struct ascents {
    drua_layout layout;
    uint64_t count;
    drua_view ranks, up, passes, peaks, others, joined;
    double tolerance;
} ascents;

#define EXTENT INT(l.width), INT(l.height), INT(l.depth)
#define PASSES POINTER(a->passes), POINTER(a->peaks), POINTER(a->others)

/* Tops that rise too little join others until there are none. */
static void join(drua_plan *p, const ascents *a)
{
    const drua_layout l = a->layout;
    const uint64_t count = a->count;
    for (uint32_t more = 1; more && !plan_failed(p);) {
        more = 0;
        plan_clear(p, a->joined);
        LAUNCH(p, "prominence_forget", LINE, PASSES, INT(count));
        for (int turn = 0; turn < 3; turn++)
            LAUNCH(p, "prominence_passes", plan_grid(l), POINTER(a->ranks), POINTER(a->up), EXTENT, PASSES, INT(turn));
        LAUNCH(p, "prominence_join", LINE, POINTER(a->ranks), POINTER(a->up), POINTER(a->passes), POINTER(a->others), INT(count), REAL(a->tolerance),
               POINTER(a->joined));
        LAUNCH(p, "prominence_follow", LINE, POINTER(a->up), INT(count), INT(count));
        plan_read(p, a->joined, &more, sizeof more);
    }
}

/* The same by lists of each row's tops and of its pixels beside those of other tops. */
static void join_listed(drua_plan *p, const ascents *a)
{
    const drua_layout l = a->layout;
    const int64_t rows = (int64_t)l.height * l.depth;
    const drua_view tops = plan_memory(p, 4 * a->count), borders = plan_memory(p, 4 * a->count), counts = plan_memory(p, 8 * (uint64_t)rows);
#define ROWS GRID(rows, 1, 1, 8, 1, 1)
    LAUNCH(p, "prominence_list", ROWS, POINTER(a->up), POINTER(tops), POINTER(borders), POINTER(counts), INT(l.width), INT(rows));
    for (uint32_t more = 1; more && !plan_failed(p);) {
        more = 0;
        plan_clear(p, a->joined);
        LAUNCH(p, "prominence_forget_listed", ROWS, POINTER(a->up), POINTER(tops), POINTER(counts), INT(l.width), INT(rows), PASSES);
        for (int turn = 0; turn < 3; turn++)
            LAUNCH(p, "prominence_passes_listed", ROWS, POINTER(a->ranks), POINTER(a->up), POINTER(borders), POINTER(counts), EXTENT, PASSES,
                   INT(turn));
        LAUNCH(p, "prominence_join_listed", ROWS, POINTER(a->ranks), POINTER(a->up), POINTER(tops), POINTER(counts), INT(l.width), INT(rows),
               POINTER(a->passes), POINTER(a->others), REAL(a->tolerance), POINTER(a->joined));
        plan_read(p, a->joined, &more, sizeof more);
    }
}

static void plan_prominent(drua_plan *p)
{
    enum { STEPS = 8 };
    const drua_view source = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_layout l = source.layout;
    const uint64_t count = (uint64_t)drua_layout_count(&l);
    if (count >= UINT32_MAX)
        plan_fail(p, "source has %llu pixels, at most 4294967294 can be searched at once; cut it into blocks", (unsigned long long)count);
    const ascents made = {l,
                          count,
                          plan_memory(p, 4 * count),
                          plan_memory(p, 4 * count),
                          plan_memory(p, 4 * count),
                          plan_memory(p, 4 * count),
                          plan_memory(p, 4 * count),
                          plan_memory(p, 4),
                          plan_number(p, "tolerance")};
    const drua_view least = plan_memory(p, 4);
    plan_write(p, least, &(uint32_t){UINT32_MAX});
    LAUNCH(p, "prominence_ranks", plan_grid(l), ARG(source), POINTER(made.ranks), POINTER(least));
    LAUNCH(p, "prominence_climb", plan_grid(l), POINTER(made.ranks), POINTER(made.up), EXTENT);
    for (uint64_t reached = 1; reached < count; reached *= STEPS)
        LAUNCH(p, "prominence_follow", LINE, POINTER(made.up), INT(count), INT(STEPS));
    if (plan_device(p)->is_gpu)
        join(p, &made);
    else
        join_listed(p, &made);
    LAUNCH(p, "prominence_mark", plan_grid(to.layout), POINTER(made.ranks), POINTER(made.up), POINTER(made.passes), POINTER(made.others),
           POINTER(least), REAL(made.tolerance), EXTENT, ARG(to));
}

static void number_maxima(drua_plan *p, drua_operand image)
{
    drua_operand marks = CALL(p, "prominent_maxima", DRUA_UINT8, image, NUMBER(plan_number(p, "tolerance")));
    plan_return(p, "destination", CALL(p, "label_spots", plan_type(p, "destination"), marks));
}

static void build_find(drua_plan *p)
{
    number_maxima(p, plan_operand(p, "source"));
}

static void build_find_and_label(drua_plan *p)
{
    drua_operand image = plan_operand(p, "source");
    number_maxima(p, plan_flag(p, "invert") ? CALL(p, "invert", DRUA_FLOAT32, image) : image);
}

#define SOURCE DRUA_IMAGE_IN("source", "image to search")
#define TOLERANCE                                                                                                                                    \
    DRUA_NUMBER("tolerance", "least prominence: a maximum must exceed the way to anything higher, or the darkest pixel, by so much",                 \
                .unit = "grey value", DRUA_RANGE(0, 1e30), .preset = 10)
#define METHOD                                                                                                                                       \
    "prominence: a maximum's height above the highest pass that leads to a higher one, above the darkest pixel for the highest; pixels touch by "    \
    "side"

const drua_op drua_op_prominent_maxima = {
    .name = "prominent_maxima",
    .category = "detection",
    .summary = "Marks maxima that stand out from what is around them by a tolerance, one pixel each: the first of a flat top in raster order.",
    .source = METHOD,
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "1 at each maximum, else 0"), TOLERANCE),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .plan = plan_prominent,
};

const drua_op drua_op_find_maxima = {
    .name = "find_maxima",
    .category = "detection",
    .summary = "Finds and numbers maxima that stand out from what is around them by a tolerance, one pixel each.",
    .source = METHOD,
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "the number of each maximum, in raster order, else 0"), TOLERANCE),
    DRUA_ALIASES("CLIJx findMaxima: source, &destination, tolerance"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .menu = true,
    .build = build_find,
};

const drua_op drua_op_find_and_label_maxima = {
    .name = "find_and_label_maxima",
    .category = "detection",
    .summary = "Finds and numbers maxima, or minima, that stand out from what is around them by a tolerance, one pixel each.",
    .source = METHOD,
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "the number of each maximum, in raster order, else 0"), TOLERANCE,
                DRUA_BOOLEAN("invert", "look for minima instead, as maxima of the negative image", .preset = 1)),
    DRUA_ALIASES("CLIJx findAndLabelMaxima: source, &destination, tolerance, invert"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .build = build_find_and_label,
};
