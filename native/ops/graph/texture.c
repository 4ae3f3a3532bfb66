/* SPDX-License-Identifier: BSD-3-Clause */
/* Grey-level co-occurrence matrices; each pair of neighbours counts in both directions (Haralick 1973). */
#include "plan.h"

enum { WALK = 32, PIXELS = 1 << 28 };       /* this many pixels have fewer than 2^32 pairs */

typedef struct texture {
    drua_view pairs, totals; /**< `pairs`: 32-bit counts of the current part; `totals`: counts of the previous
                                     parts, without a buffer during the first part */
    int64_t levels;
    double low, span;
    bool box, begun;
} texture;

/* Adds the counts of the previous part to the totals, before another part is counted. */
static void add_up(drua_plan *p, texture *t)
{
    const int64_t cells = t->levels * t->levels;
    if (t->begun && !t->totals.buffer) {
        t->totals = plan_scratch_bytes(p, 8 * (uint64_t)cells);
        plan_clear(p, t->totals);
    }
    if (t->begun)
        LAUNCH(p, "cooccurrence_add", GRID(cells, 1, 1, 256, 1, 1), POINTER(t->pairs), POINTER(t->totals), LONG(cells));
    t->begun = true;
}

/*
 * Counts the pairs of a tile's pixels with their neighbours. Each part has so few pixels that 32-bit counts cannot
 * overflow.
 */
static void count_tile(drua_plan *p, const drua_tiles *tile, texture *t)
{
    const drua_layout l = tile->from[0].layout;
    const int64_t layer = drua_layout_count(&l) / l.extent[tile->axis];
    int64_t step[] = {l.width, l.height, l.depth};
    step[tile->axis] = layer < PIXELS ? PIXELS / layer : 1;
    const int64_t parts = drua_box_parts(&tile->at.wanted, step);
    const int directions = l.depth > 1 ? (t->box ? 13 : 3) : t->box ? 4 : 2;
    for (int64_t i = 0; i < parts && !plan_failed(p); i++) {
        const drua_box at = drua_box_part(&tile->at.wanted, step, i);
        const int64_t slices = at.end[2] - at.first[2];
        add_up(p, t);
        LAUNCH(p, "cooccurrence_counts", GRID(l.width, (l.height + WALK - 1) / WALK, slices * directions, 64, 1, 1),
               ARG(tile->from[0]), POINTER(t->pairs), INT(t->levels), REAL(t->low), REAL(t->span), INT(t->box),
               INT(at.first[1]), INT(at.end[1]), INT(at.first[2]), INT(slices));
    }
}

static void count_pairs(drua_plan *p, int64_t levels, double low, double span, bool box, double factor)
{
    drua_view image = plan_image(p, "source"), out = plan_image(p, "destination");
    texture t = {.pairs = plan_scratch_bytes(p, 4 * (uint64_t)levels * (uint64_t)levels),
                 .levels = levels,
                 .low = low,
                 .span = span,
                 .box = box};
    plan_clear(p, t.pairs);
    for (drua_tiles tiles = {.inputs = {image}, .halo = 1}; plan_next_tile(p, &tiles);)
        count_tile(p, &tiles, &t);
    const bool in_parts = t.totals.buffer != NULL;
    LAUNCH(p, "cooccurrence_matrix", plan_grid(out.layout), POINTER(t.pairs), POINTER(in_parts ? t.totals : t.pairs),
           INT(in_parts), INT(levels), REAL(factor), ARG(out));
}

static void largest_shape(drua_plan *p, drua_shape *shape)
{
    const int64_t levels = plan_largest_value(p, "source") + 1;
    *shape = (drua_shape){levels, levels, 1, 2};
}

static void count_all(drua_plan *p, bool box)
{
    const int64_t levels = plan_largest_value(p, "source") + 1;
    count_pairs(p, levels, 0, (double)levels, box, 1);
}

static void plan_box(drua_plan *p) { count_all(p, true); }
static void plan_diamond(drua_plan *p) { count_all(p, false); }

static double span_of(drua_plan *p)
{
    return plan_number(p, "maximum_intensity") - plan_number(p, "minimum_intensity");
}

static void range_shape(drua_plan *p, drua_shape *shape)
{
    if (span_of(p) < 0)
        plan_fail(p, "maximum_intensity must not be below minimum_intensity, %g, got %g",
                  plan_number(p, "minimum_intensity"), plan_number(p, "maximum_intensity"));
    if (!(span_of(p) < INT32_MAX))
        plan_fail(p, "maximum_intensity must be less than %d above minimum_intensity, %g, got %g", INT32_MAX,
                  plan_number(p, "minimum_intensity"), plan_number(p, "maximum_intensity"));
    const int64_t levels = plan_failed(p) ? 1 : (int64_t)span_of(p) + 1;
    *shape = (drua_shape){levels, levels, 1, 2};
}

/* Returns the number of pairs in both directions: twice the number of positions for each of the 13 directions. */
static double pairs_in(drua_shape s)
{
    double pairs = 0;
    for (int n = 14; n < 27; n++)
        pairs += 2.0 * (double)(s.width - (n % 3 != 1)) * (double)(s.height - (n / 3 % 3 != 1)) *
                 (double)(s.depth - (n / 9 != 1));
    return pairs;
}

static void plan_shares(drua_plan *p)
{
    const double pairs = pairs_in(plan_shape(p, "source")), span = span_of(p);
    count_pairs(p, (int64_t)span + 1, plan_number(p, "minimum_intensity"), span, true, pairs > 0 ? 1 / pairs : 0);
}

#define SOURCE               DRUA_IMAGE_IN("source", "image whose values are read as whole numbers of 0 and more")
#define MATRIX(shape_, doc_) DRUA_IMAGE_OUT("destination", doc_, .shape = shape_, .type = DRUA_FLOAT32)
#define COOCCURRENCE(name_, plan_, summary_, source_, params_, ...)                                                    \
    {                                                                                                                  \
        .name = #name_, .category = "graph", .summary = summary_, .source = source_, params_,                          \
        DRUA_ALIASES(__VA_ARGS__), .numeric = DRUA_EXACT, .launch = plan_                                              \
    }
#define COUNTS                                                                                                         \
    "entry x, y: how often values x and y are neighbours; each pair counts in both orders, so pairs of equal values "  \
    "count twice"

DRUA_OP(generate_cooccurrence_count_matrix_box) = COOCCURRENCE(
    generate_cooccurrence_count_matrix_box, plan_box,
    "Counts how often two grey values lie side by side or corner to corner.",
    "pairs among 8 or 26 neighbours, each seen from both pixels", DRUA_PARAMS(SOURCE, MATRIX(largest_shape, COUNTS)),
    "CLIJx generateIntegerGreyValueCooccurrenceCountMatrixHalfBox: source, &destination");
DRUA_OP(generate_cooccurrence_count_matrix_diamond) = COOCCURRENCE(
    generate_cooccurrence_count_matrix_diamond, plan_diamond, "Counts how often two grey values lie side by side.",
    "pairs among 4 or 6 neighbours, each seen from both pixels", DRUA_PARAMS(SOURCE, MATRIX(largest_shape, COUNTS)),
    "CLIJx generateIntegerGreyValueCooccurrenceCountMatrixHalfDiamond: source, &destination");
DRUA_OP(generate_cooccurrence_matrix_box) = COOCCURRENCE(
    generate_cooccurrence_matrix_box, plan_shares,
    "Measures texture: the share of each pair of grey values among all pairs of neighbours.",
    "pairs among 8 or 26 neighbours, each seen from both pixels, divided by their number",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image"),
                MATRIX(range_shape, "shares, whose sum is 1; row and column 0 stand for minimum_intensity"),
                DRUA_NUMBER("minimum_intensity", "grey value of the first row; lower values count as this value",
                            .unit = "grey value", .default_value = 0),
                DRUA_NUMBER("maximum_intensity", "grey value of the last row; higher values count as this value",
                            .unit = "grey value", .default_value = 255)),
    "CLIJx generateGreyValueCooccurrenceMatrixBox: source, &destination, minimum_intensity, maximum_intensity");
