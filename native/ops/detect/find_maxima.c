/* SPDX-License-Identifier: BSD-3-Clause */
/* Maxima of a minimum prominence; see kernels/detect/prominence.cl. */
#include "plan.h"

#define FOURS GRID((count + 3) / 4, 1, 1, 256, 1, 1)

/*
 * For each pixel, its rank among the values, and the next pixel uphill. For each top, its highest pass, and the top on
 * the other side of this pass.
 */
typedef struct ascents {
    drua_layout layout;
    uint64_t count;
    drua_view ranks, up, passes, peaks, others, joined;
    double tolerance;
} ascents;

#define EXTENT INT(l.width), INT(l.height), INT(l.depth)
#define PASSES POINTER(a->passes), POINTER(a->peaks), POINTER(a->others)

/* Merges tops of insufficient prominence with their neighbours until all remaining tops are prominent. */
static void merge_tops(drua_plan *p, const ascents *a)
{
    const drua_layout l = a->layout;
    const uint64_t count = a->count;
    for (uint32_t more = 1; more && !plan_failed(p);) {
        more = 0;
        plan_clear(p, a->joined);
        LAUNCH(p, "prominence_forget", FOURS, POINTER(a->up), PASSES, INT(count));
        for (int turn = 0; turn < 3; turn++)
            LAUNCH(p, "prominence_passes", FOURS, POINTER(a->ranks), POINTER(a->up), EXTENT, PASSES, INT(turn));
        LAUNCH(p, "prominence_join", FOURS, POINTER(a->ranks), POINTER(a->up), POINTER(a->passes), POINTER(a->others),
               INT(count), REAL(a->tolerance), POINTER(a->joined));
        LAUNCH(p, "prominence_follow", FOURS, POINTER(a->up), INT(count), INT(count));
        plan_read(p, a->joined, &more, sizeof more);
    }
}

static void mark_by_climbing(drua_plan *p, drua_view source, drua_view to)
{
    enum { STEPS = 8 };
    const drua_layout l = source.layout;
    const uint64_t count = (uint64_t)drua_layout_count(&l);
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
        LAUNCH(p, "prominence_follow", FOURS, POINTER(made.up), INT(count), INT(STEPS));
    merge_tops(p, &made);
    LAUNCH(p, "prominence_mark", plan_grid(to.layout), POINTER(made.ranks), POINTER(made.up), POINTER(made.passes),
           POINTER(made.others), POINTER(least), REAL(made.tolerance), EXTENT, ARG(to));
}

#define SEARCHED POINTER(ranks), POINTER(owners), POINTER(queue), POINTER(found)

/*
 * Each top floods the pixels less than the tolerance below it. The host launches the sequential part in short pieces,
 * because a running launch cannot be stopped.
 */
static void mark_by_flooding(drua_plan *p, drua_view source, drua_view to)
{
    enum { LEAST_LINES = 8, STRIPS_OF_UNIT = 4, STATES = 5, PIXELS_AT_ONCE = 1 << 24 };
    const drua_layout l = source.layout;
    const uint64_t count = (uint64_t)drua_layout_count(&l);
    const int64_t lines = (int64_t)l.height * l.depth,
                  wanted = lines / ((int64_t)plan_device(p)->compute_units * STRIPS_OF_UNIT) + 1;
    const int64_t lines_of_strip = wanted > LEAST_LINES ? wanted : LEAST_LINES,
                  strips = (lines + lines_of_strip - 1) / lines_of_strip;
    const drua_view ranks = plan_memory(p, 4 * count), owners = plan_memory(p, 4 * count),
                    queue = plan_memory(p, 4 * count);
    const drua_view list = plan_memory(p, 4 * count), found = plan_memory(p, count),
                    counts = plan_memory(p, 4 * (uint64_t)strips);
    const int64_t share = (int64_t)count / 4 + 1, most = share < PIXELS_AT_ONCE ? share : PIXELS_AT_ONCE;
    const double tolerance = plan_number(p, "tolerance");
    LAUNCH(p, "prominence_ranks_of_lines", GRID(lines, 1, 1, 8, 1, 1), ARG(source), POINTER(ranks), POINTER(owners),
           POINTER(found), INT(lines));
    LAUNCH(p, "prominence_of_strips", GRID(strips, 1, 1, 1, 1, 1), SEARCHED, POINTER(list), POINTER(counts), EXTENT,
           INT(lines_of_strip), REAL(tolerance));
    uint32_t *of_strips = plan_host(p, (size_t)strips * sizeof *of_strips), state[STATES] = {0};
    uint64_t undecided = 0;
    plan_read(p, counts, of_strips, (size_t)strips * sizeof *of_strips);
    for (int64_t strip = 0; strip < strips && !plan_failed(p); strip++)
        undecided += of_strips[strip];
    if (undecided && !plan_failed(p)) {
        const drua_view tops = plan_memory(p, 4 * undecided), spare = plan_memory(p, 4 * undecided),
                        states = plan_memory(p, sizeof state);
        LAUNCH(p, "prominence_order", GRID(1, 1, 1, 1, 1, 1), POINTER(ranks), POINTER(list), POINTER(counts),
               INT(lines_of_strip * l.width), INT(strips), POINTER(tops), POINTER(spare));
        plan_clear(p, states);
        while (state[0] < undecided && !plan_failed(p)) {
            LAUNCH(p, "prominence_of_list", GRID(1, 1, 1, 1, 1, 1), SEARCHED, POINTER(tops), INT(undecided), EXTENT,
                   REAL(tolerance), POINTER(states), INT(most));
            plan_read(p, states, state, sizeof state);
        }
    }
    LAUNCH(p, "prominence_of_found", GRID((int64_t)to.layout.height * to.layout.depth, 1, 1, 8, 1, 1), POINTER(found),
           EXTENT, ARG(to));
}

static void plan_prominent(drua_plan *p)
{
    const drua_view source = plan_image(p, "source"), to = plan_image(p, "destination");
    const uint64_t count = (uint64_t)drua_layout_count(&source.layout);
    if (count >= UINT32_MAX)
        plan_fail(p, "source has %llu pixels, at most 4294967294 can be searched at once; cut it into blocks",
                  (unsigned long long)count);
    if (plan_device(p)->is_gpu)
        mark_by_climbing(p, source, to);
    else
        mark_by_flooding(p, source, to);
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
#define TOLERANCE                                                                                                      \
    DRUA_NUMBER("tolerance",                                                                                           \
                "least prominence: a maximum must exceed the highest pass to a higher one, or the darkest pixel, by "  \
                "this much",                                                                                           \
                .unit = "grey value", DRUA_RANGE(0, 1e30), .preset = 10)
#define METHOD                                                                                                         \
    "prominence: a maximum's height above the highest pass that leads to a higher one, above the darkest pixel for "   \
    "the highest; pixels touch by "                                                                                    \
    "side"

DRUA_OP(prominent_maxima) = {
    .name = "prominent_maxima",
    .category = "detection",
    .summary = "Marks maxima that exceed their surroundings by a tolerance, one pixel each: the first of a flat top in "
               "raster order.",
    .source = METHOD,
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "1 at each maximum, else 0"), TOLERANCE),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .plan = plan_prominent,
};

DRUA_OP(find_maxima) = {
    .name = "find_maxima",
    .category = "detection",
    .summary = "Finds and numbers maxima that exceed their surroundings by a tolerance, one pixel each.",
    .source = METHOD,
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "the number of each maximum, in raster order, else 0"),
                TOLERANCE),
    DRUA_ALIASES("CLIJx findMaxima: source, &destination, tolerance"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .menu = true,
    .build = build_find,
};

DRUA_OP(find_and_label_maxima) = {
    .name = "find_and_label_maxima",
    .category = "detection",
    .summary =
        "Finds and numbers maxima, or minima, that differ from their surroundings by a tolerance, one pixel each.",
    .source = METHOD,
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "the number of each maximum, in raster order, else 0"), TOLERANCE,
                DRUA_BOOLEAN("invert", "find minima instead, as maxima of the negative image", .preset = 1)),
    DRUA_ALIASES("CLIJx findAndLabelMaxima: source, &destination, tolerance, invert"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .build = build_find_and_label,
};
