/* SPDX-License-Identifier: BSD-3-Clause */
#include "../labels/labels.h"
#include "../measure/reduction.h"

/* The grey levels in ascending order. */
typedef struct grey_levels {
    float *values;
    uint32_t count;
} grey_levels;

static drua_view send_floats(drua_plan *p, const float *values, int64_t count)
{
    const drua_view view = plan_scratch(p, (drua_shape){count, 1, 1, 3}, DRUA_FLOAT32);
    plan_write(p, view, values);
    return view;
}

/* The number of levels that each pixel exceeds. */
static void launch_number_levels(drua_plan *p)
{
    const grey_levels *levels = plan_state(p);
    const drua_view source = plan_image(p, "source");
    LAUNCH(p, "number_levels", plan_grid(source.layout), ARG(source),
           POINTER(send_floats(p, levels->values, levels->count + !levels->count)), INT(levels->count),
           ARG(plan_image(p, "numbers")));
}

static const drua_op number_levels = {
    .name = "number_levels",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image"), DRUA_IMAGE_OUT("numbers", "number of levels below each pixel")),
    .numeric = DRUA_EXACT,
    .launch = launch_number_levels,
    .parts = plan_parts_pixels,
};

/* The level of each number; 0 for number 0. Only pixels that exceed all levels may have a negative one. */
static void launch_levels_of_numbers(drua_plan *p)
{
    const grey_levels *levels = plan_state(p);
    float *values = plan_host_memory(p, ((size_t)levels->count + 1) * sizeof *values);
    if (!values)
        return;
    for (uint32_t i = 0; i < levels->count; i++)
        values[i + 1] = levels->values[i] > 0 || i + 1 == levels->count ? levels->values[i] : 0;
    labels_replace(p, plan_image(p, "numbers"), send_floats(p, values, (int64_t)levels->count + 1),
                   plan_image(p, "destination"));
}

static const drua_op levels_of_numbers = {
    .name = "levels_of_numbers",
    DRUA_PARAMS(DRUA_IMAGE_IN("numbers", "numbers of levels"),
                DRUA_IMAGE_OUT("destination", "levels", .type = DRUA_FLOAT32)),
    .numeric = DRUA_EXACT,
    .launch = launch_levels_of_numbers,
    .parts = plan_parts_pixels,
};

/* Finds the levels at which bins of a histogram begin, without those of empty bins. */
static grey_levels find_levels(drua_plan *p, drua_operand source)
{
    double low, high;
    reduction_finite_extremes(p, "source", &low, &high);
    const int64_t bins = plan_integer(p, "levels");
    const drua_operand histogram =
        CALL(p, "histogram", DRUA_FLOAT32, source, NUMBER((double)bins), NUMBER(low), NUMBER(high), NUMBER(0));
    float *counts = plan_host_memory(p, (size_t)bins * sizeof *counts), level = (float)low;
    grey_levels levels = {plan_host_memory(p, (size_t)bins * sizeof *levels.values), 0};
    if (plan_failed(p))
        return levels;
    plan_read(p, plan_operand_image(p, histogram), counts, (size_t)bins * sizeof *counts);
    const float step = (float)((high - low) / (double)bins);
    for (int64_t i = 1; i < bins; i++) {
        level += step;
        if (counts[i] > 0)
            levels.values[levels.count++] = level;
    }
    return levels;
}

/* Pixels become the numbers of their levels, of which the filter keeps those of large objects. */
static void build_grey_level_attribute_filter(drua_plan *p)
{
    const drua_operand source = plan_operand(p, "source");
    grey_levels levels = find_levels(p, source);
    const drua_type type = levels.count <= UINT8_MAX ? DRUA_UINT8 : DRUA_UINT16;
    const drua_operand numbers = plan_call_private(p, &number_levels, &levels, type, &source, 1);
    const drua_operand opened = CALL(p, "attribute_filter", type, numbers, TEXT("opening"), TEXT("area"),
                                     NUMBER((double)plan_integer(p, "minimum_pixel_count")), NUMBER(26));
    plan_release_image(p, numbers);
    plan_return(p, "destination", plan_call_private(p, &levels_of_numbers, &levels, DRUA_FLOAT32, &opened, 1));
}

static void refuse_blocks(drua_plan *p, int64_t margin)
{
    (void)margin;
    plan_fail_unsupported(
        p, "takes its grey levels from the histogram of the whole image, so it cannot run block by block; use "
           "Drua_attributeFilter, which needs no levels");
}

DRUA_OP(grey_level_attribute_filter) = {
    .name = "grey_level_attribute_filter",
    .category = "filter",
    .summary = "Removes small bright objects: at each grey level, only objects with enough pixels are kept.",
    .source = "area opening at the levels of a histogram's bins that are not empty; pixels get the highest level that "
              "keeps them (Vincent 1993)",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"),
                DRUA_IMAGE_OUT("destination", "filtered image", .type = DRUA_FLOAT32),
                DRUA_INTEGER("levels",
                             "number of grey levels between the smallest and the largest pixel; each level takes time",
                             DRUA_RANGE(1, 65536), .default_value = 256, .example = 16),
                DRUA_INTEGER("minimum_pixel_count", "pixels of the smallest object that is kept", .unit = "pixel",
                             DRUA_RANGE(0, 2147483647), .default_value = 100)),
    DRUA_ALIASES("CLIJx greyLevelAtttributeFiltering: source, &destination, levels, minimum_pixel_count"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .build = build_grey_level_attribute_filter,
    .build_in_blocks = refuse_blocks,
};
