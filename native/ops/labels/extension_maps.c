/* SPDX-License-Identifier: BSD-3-Clause */
/* How far labels reach from their centroids, painted. */
#include "statistics.h"

enum { MEAN_DISTANCE, LONGEST, RATIO };

static void paint(drua_plan *p, int measurement)
{
    drua_view labels = plan_image(p, "labels"), out = plan_image(p, "destination");
    uint32_t largest = (uint32_t)plan_largest_label(p, "labels"), last = largest > 0 ? largest : 1;
    drua_label_table table = statistics_extents(p, labels, labels, 1, last, EXTENTS_POSITIONS);
    drua_view centres = plan_scratch(p, (drua_shape){STATISTICS_CENTRE_ROW, last, 1, 2}, DRUA_FLOAT32);
    LAUNCH(p, "centroid_scales", LINE(last, 64), POINTER(table.rows), INT(last), POINTER(centres));
    drua_view distances = statistics_distances(p, &table, centres);
    drua_view values = plan_scratch(p, (drua_shape){(int64_t)last + 1, 1, 1, 3}, DRUA_FLOAT32);
    LAUNCH(p, "extension_values", LINE((int64_t)last + 1, 64), POINTER(table.rows), POINTER(distances), POINTER(centres), POINTER(values), INT(last), INT(measurement));
    labels_replace(p, labels, values, out);
}

static void plan_mean(drua_plan *p) { paint(p, MEAN_DISTANCE); }
static void plan_longest(drua_plan *p) { paint(p, LONGEST); }
static void plan_ratio(drua_plan *p) { paint(p, RATIO); }

#define LABELS DRUA_IMAGE_IN("labels", "label map"), DRUA_IMAGE_OUT("destination", "map, float32; background is 0", .type = DRUA_FLOAT32)
#define SOURCE "Euclidean distances from the mean position of the pixels of each label"
#define MAP(name_, plan_, summary_, params_, ...)                                                                                \
    const drua_op drua_op_##name_ = {.name = #name_, .category = "measurement", .summary = summary_, .source = SOURCE, params_,                   \
                                     DRUA_ALIASES(__VA_ARGS__), .numeric = DRUA_DEVICE, .plan = plan_};

MAP(mean_extension_map, plan_mean, "Paints every label with the mean distance of its pixels to its centroid.", DRUA_PARAMS(LABELS),
    "CLIJ2 meanExtensionMap: labels, &destination", "CLIJx labelMeanExtensionMap: labels, &destination")
MAP(maximum_extension_map, plan_longest, "Paints every label with the distance of its farthest pixel to its centroid.", DRUA_PARAMS(LABELS),
    "CLIJ2 maximumExtensionMap: labels, &destination", "CLIJx labelMaximumExtensionMap: labels, &destination")
MAP(extension_ratio_map, plan_ratio, "Paints every label with its longest over its mean distance to the centroid: 1.5 in disks, more in long objects.",
    DRUA_PARAMS(LABELS), "CLIJ2 extensionRatioMap: labels, &destination", "CLIJx labelMaximumExtensionRatioMap: labels, &destination")
