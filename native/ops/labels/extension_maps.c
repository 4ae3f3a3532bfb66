/* SPDX-License-Identifier: BSD-3-Clause */
/* How far labels reach from their centroids, and how their intensities scatter, painted. */
#include "statistics.h"

enum { DEVIATION, MEAN_DISTANCE, LONGEST, RATIO };

static void paint(drua_plan *p, const char *source, int measurement)
{
    enum { WALK = 32 };
    drua_view labels = plan_image(p, "labels"), out = plan_image(p, "destination");
    uint32_t largest = (uint32_t)plan_largest_label(p, "labels"), last = largest > 0 ? largest : 1;
    drua_label_table table = statistics_extents(p, labels, plan_image(p, source), 1, last);
    drua_layout l = labels.layout;
    drua_view centres = plan_scratch(p, (drua_shape){STATISTICS_CENTRE_ROW, last, 1, 2}, DRUA_FLOAT32);
    if (measurement == DEVIATION) {
        statistics_values(p, &table);
    } else {
        LAUNCH(p, "centroid_scales", LINE(last, 64), POINTER(table.rows), INT(last), POINTER(centres));
        LAUNCH(p, "statistics_distances", GRID(l.width, (l.height + WALK - 1) / WALK, l.depth, 64, 1, 1), ARG(labels), INT(1), INT(last),
               POINTER(centres), POINTER(table.rows));
    }
    drua_view values = plan_scratch(p, (drua_shape){(int64_t)last + 1, 1, 1, 3}, DRUA_FLOAT32);
    LAUNCH(p, "extension_values", LINE((int64_t)last + 1, 64), POINTER(table.rows), POINTER(centres), POINTER(values), INT(last), INT(measurement));
    LAUNCH(p, "replace_intensities", plan_grid(out.layout), ARG(labels), ARG(values), ARG(out));
}

static void plan_deviation(drua_plan *p) { paint(p, "source", DEVIATION); }
static void plan_mean(drua_plan *p) { paint(p, "labels", MEAN_DISTANCE); }
static void plan_longest(drua_plan *p) { paint(p, "labels", LONGEST); }
static void plan_ratio(drua_plan *p) { paint(p, "labels", RATIO); }

#define LABELS DRUA_IMAGE_IN("labels", "label map"), DRUA_IMAGE_OUT("destination", "map, float32; background is 0", .type = DRUA_FLOAT32)
#define MAP(name_, plan_, summary_, params_, ...)                                                                                \
    const drua_op drua_op_##name_ = {.name = #name_, .category = "measurements", .summary = summary_, params_,                   \
                                     DRUA_ALIASES(__VA_ARGS__), .numeric = DRUA_DEVICE, .plan = plan_};

MAP(standard_deviation_intensity_map, plan_deviation, "Paints every label with the standard deviation of its intensities, as of a whole population.",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image whose intensities are measured"), LABELS),
    "CLIJ2 standardDeviationIntensityMap: source, labels, &destination", "CLIJx labelStandardDeviationIntensityMap: source, labels, &destination")
MAP(mean_extension_map, plan_mean, "Paints every label with the mean distance of its pixels to its centroid.", DRUA_PARAMS(LABELS),
    "CLIJ2 meanExtensionMap: labels, &destination", "CLIJx labelMeanExtensionMap: labels, &destination")
MAP(maximum_extension_map, plan_longest, "Paints every label with the distance of its farthest pixel to its centroid.", DRUA_PARAMS(LABELS),
    "CLIJ2 maximumExtensionMap: labels, &destination", "CLIJx labelMaximumExtensionMap: labels, &destination")
MAP(extension_ratio_map, plan_ratio, "Paints every label with its longest over its mean distance to the centroid: 1.5 in disks, more in long objects.",
    DRUA_PARAMS(LABELS), "CLIJ2 extensionRatioMap: labels, &destination", "CLIJx labelMaximumExtensionRatioMap: labels, &destination")
