/* SPDX-License-Identifier: BSD-3-Clause */
#include "../measure/reduction.h"

#include <float.h>

/*
 * Returns an image that holds `level` where a pixel exceeds the level and its object at that level is large enough,
 * else 0.
 */
static drua_operand kept_at(drua_plan *p, drua_operand source, double level)
{
    const drua_operand above = CALL(p, "greater_constant", DRUA_UINT8, source, NUMBER(level));
    const drua_operand parts = CALL(p, "connected_components_box", DRUA_UINT32, above);
    const drua_operand large = CALL(p, "exclude_labels_outside_size_range", DRUA_UINT32, parts,
                                    NUMBER((double)plan_integer(p, "minimum_pixel_count")), NUMBER(FLT_MAX));
    const drua_operand marks = CALL(p, "not_equal_constant", DRUA_UINT8, large, NUMBER(0));
    plan_release_image(p, above);
    plan_release_image(p, parts);
    const drua_operand kept = CALL(p, "multiply_image_and_scalar", DRUA_FLOAT32, marks, NUMBER(level));
    plan_release_image(p, large);
    plan_release_image(p, marks);
    return kept;
}

static void build_grey_level_attribute_filter(drua_plan *p)
{
    const drua_operand source = plan_operand(p, "source");
    double low, high;
    reduction_finite_extremes(p, "source", &low, &high);
    const int64_t bins = plan_integer(p, "levels");
    const drua_operand histogram =
        CALL(p, "histogram", DRUA_FLOAT32, source, NUMBER((double)bins), NUMBER(low), NUMBER(high), NUMBER(0));
    float *counts = plan_host_memory(p, (size_t)bins * sizeof *counts);
    if (!counts)
        return;
    plan_read(p, plan_operand_image(p, histogram), counts, (size_t)bins * sizeof *counts);
    const float step = (float)((high - low) / (double)bins);
    float level = (float)low;
    drua_operand result = CALL(p, "multiply_image_and_scalar", DRUA_FLOAT32,
                               CALL(p, "greater_constant", DRUA_UINT8, source, NUMBER(high)), NUMBER(0));
    for (int64_t i = 1, found = 0; i < bins && !plan_failed(p); i++) {
        level += step;
        if (counts[i] == 0)
            continue;
        const drua_operand last = result, kept = kept_at(p, source, level);
        result = found++ ? CALL(p, "maximum_images", DRUA_FLOAT32, last, kept) : kept;
        if (found > 1) {
            plan_release_image(p, last);
            plan_release_image(p, kept);
        }
    }
    plan_return(p, "destination", result);
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
