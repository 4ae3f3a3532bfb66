/* SPDX-License-Identifier: BSD-3-Clause */
/* Percentiles of all pixels, and grey values stretched between two of them. */
#include "stretch.h"

#include "percentile_search.h"

#include "../threshold/histogram.h"

#include <string.h>

/* A kernel counts keys by digits of at most DIGIT bits; KEY_BINS as in kernels/measure/sort_keys.cl. */
enum { GROUP = 256, GROUPS = 512, DIGIT = 11, KEY_BINS = 1 << DIGIT, COUNTS = DRUA_SELECTED * KEY_BINS };

/* Adds the counts of one part, whose pixels 32-bit counters can count. */
static void count_part(drua_plan *p, drua_view part, const drua_percentile_search *s, int digit, uint64_t *counts)
{
    const int64_t rows = (int64_t)part.layout.height * part.layout.depth, groups = rows < GROUPS ? rows : GROUPS;
    const int shift = s->left - digit, above = s->left < s->bits ? s->left : 32;
    const drua_view bins = plan_scratch_bytes(p, COUNTS * sizeof(uint32_t));
    uint32_t some[COUNTS];
    plan_clear(p, bins);
    LAUNCH(p, "count_sort_keys", GRID(groups * GROUP, 1, 1, GROUP, 1, 1), ARG(part), INT(s->known[0]), INT(s->known[1]),
           INT(above), INT(shift), INT((1u << digit) - 1), POINTER(bins));
    plan_read(p, bins, some, sizeof some);
    plan_free_scratch(p, bins);
    for (int i = 0; i < COUNTS && !plan_failed(p); i++)
        counts[i] += some[i];
}

static void count_digits(drua_plan *p, drua_view source, const drua_percentile_search *s, int digit, uint64_t *counts)
{
    memset(counts, 0, COUNTS * sizeof *counts);
    for (drua_tiles t = {.inputs = {source}, .rows = true, .separate = true}; plan_next_tile(p, &t);) {
        const drua_layout l = t.from[0].layout;
        const int64_t max = plan_max_countable_pixels(p), rows = max / l.width > 0 ? max / l.width : 1,
                      slices = rows / l.height;
        const int64_t step[] = {l.width, slices ? l.height : rows, slices ? slices : 1};
        const drua_box all = drua_box_of((const int64_t[]){l.width, l.height, l.depth});
        for (int64_t i = 0; i < drua_box_parts(&all, step) && !plan_failed(p); i++) {
            const drua_box at = drua_box_part(&all, step, i);
            count_part(p, histogram_part(t.from[0], &at), s, digit, counts);
        }
    }
}

static void launch_percentiles(drua_plan *p)
{
    const drua_view source = plan_image(p, "source");
    const double percents[] = {plan_number(p, "lower_percent"), plan_number(p, "upper_percent")};
    drua_percentile_search s = drua_select((drua_type)source.layout.type, percents);
    uint64_t *counts = plan_host_memory(p, COUNTS * sizeof *counts);
    double numbers[DRUA_SELECTED];
    while (s.left > 0 && !plan_failed(p)) {
        const int digits = (s.left + DIGIT - 1) / DIGIT, digit = (s.left + digits - 1) / digits;
        count_digits(p, source, &s, digit, counts);
        if (!plan_failed(p))
            drua_select_digit(&s, digit,
                              (const uint64_t *const[]){counts, s.known[0] == s.known[1] ? counts : counts + KEY_BINS});
    }
    drua_selected(&s, numbers);
    plan_set_number(p, "lower", numbers[0]);
    plan_set_number(p, "upper", numbers[1]);
}

#define PERCENT(name_, doc_, default_)                                                                                 \
    DRUA_NUMBER(name_ "_percent", doc_, .unit = "%", DRUA_RANGE(0, 100), .default_value = default_)
#define RULE                                                                                                           \
    "percentile q is the smallest grey value that at least q percent of the pixels do not exceed (NumPy's method "     \
    "inverted_cdf). Infinite pixels and NaN are not counted"

DRUA_OP(percentiles_of_all_pixels) = {
    .name = "percentiles_of_all_pixels",
    .category = "measurement",
    .summary = "Finds two percentiles of all pixels, exactly for every pixel type.",
    .source = RULE ". A radix select counts the pixels by digits of their bits",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to measure"), PERCENT("lower", "first percentile", 1),
                PERCENT("upper", "second percentile", 99.8),
                DRUA_NUMBER_OUT("lower", "grey value of the first percentile; not a number if no pixel is finite"),
                DRUA_NUMBER_OUT("upper", "the same of the second percentile")),
    .numeric = DRUA_EXACT,
    .launch = launch_percentiles,
};

static void build_normalize(drua_plan *p)
{
    const drua_operand source = plan_operand(p, "source");
    const double lower = plan_number(p, "lower_percent"), upper = plan_number(p, "upper_percent");
    double numbers[DRUA_SELECTED];
    if (lower >= upper)
        plan_fail(p, "lower_percent must be below upper_percent, got %g and %g", lower, upper);
    plan_call_numbers(p, "percentiles_of_all_pixels", (drua_operand[]){source, NUMBER(lower), NUMBER(upper)}, 3,
                      numbers, DRUA_SELECTED);
    plan_return(p, "destination", stretch_between(p, source, plan_type(p, "destination"), numbers[0], numbers[1]));
}

DRUA_OP(normalize_percentiles) = {
    .name = "normalize_percentiles",
    .category = "math",
    .menu = true,
    .summary = "Stretches the grey values so that a low percentile becomes 0 and a high one becomes 1, as StarDist, "
               "CARE and Cellpose expect images. A few very dark or bright pixels hardly change the result. Pixels "
               "beyond the percentiles become less than 0 or more than 1.",
    .source = RULE,
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to stretch"),
                DRUA_IMAGE_OUT("destination", "stretched image", .type = DRUA_FLOAT32),
                PERCENT("lower", "percent of the pixels that are at most the grey value that becomes 0", 1),
                PERCENT("upper", "percent of the pixels that are at most the grey value that becomes 1", 99.8)),
    .numeric = DRUA_DEVICE,
    .build = build_normalize,
};
