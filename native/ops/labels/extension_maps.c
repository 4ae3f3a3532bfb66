/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps of the extension of labels around their centroids. */
#include "statistics.h"

enum { MEAN_DISTANCE, LONGEST, RATIO };

/* Values of labels `first` to `last`, preceded by the value of the background. */
static drua_view some_values(drua_plan *p, const char *source, int measurement, uint32_t first, uint32_t last)
{
    const uint32_t count = last - first + 1;
    drua_view labels = plan_image(p, source);
    drua_label_table table = statistics_extents(p, labels, labels, first, last, EXTENTS_POSITIONS);
    drua_view centres = plan_scratch(p, (drua_shape){STATISTICS_CENTRE_ROW, count, 1, 2}, DRUA_FLOAT32);
    LAUNCH(p, "centroid_scales", LINE(count, 64), POINTER(table.rows), INT(count), POINTER(centres));
    drua_view distances = statistics_distances(p, &table, centres);
    drua_view values = plan_scratch(p, (drua_shape){(int64_t)count + 1, 1, 1, 3}, DRUA_FLOAT32);
    LAUNCH(p, "extension_values", LINE((int64_t)count + 1, 64), POINTER(table.rows), POINTER(distances),
           POINTER(centres), POINTER(values), INT(count), INT(measurement));
    plan_free_scratch(p, distances);
    plan_free_scratch(p, centres);
    statistics_drop(p, &table);
    return values;
}

static drua_view values_of(drua_plan *p, int measurement)
{
    return statistics_join(p, (uint32_t)plan_largest_label(p, "labels"), "labels", measurement, some_values);
}

static void paint_values(drua_plan *p, int measurement)
{
    drua_view labels = plan_image(p, "labels"), values = statistics_given(p);
    labels_replace(p, labels, values.buffer ? values : values_of(p, measurement), plan_image(p, "destination"));
}

#define PAINT(measurement, name)                                                                                       \
    static void plan_##name(drua_plan *p)                                                                              \
    {                                                                                                                  \
        paint_values(p, measurement);                                                                                  \
    }                                                                                                                  \
    static void parts_of_##name(drua_plan *p, drua_parts *parts)                                                       \
    {                                                                                                                  \
        parts->scratch = values_of(p, measurement).buffer;                                                             \
    }

PAINT(MEAN_DISTANCE, mean)
PAINT(LONGEST, longest)
PAINT(RATIO, ratio)

#define LABELS                                                                                                         \
    DRUA_IMAGE_IN("labels", "label map"),                                                                              \
        DRUA_IMAGE_OUT("destination", "map, float32; background is 0", .type = DRUA_FLOAT32)
#define SOURCE "Euclidean distances from the mean position of the pixels of each label"
#define MAP(name_, function, summary_, params_, ...)                                                                   \
    {                                                                                                                  \
        .name = #name_, .category = "measurement", .summary = summary_, .source = SOURCE, params_,                     \
        DRUA_ALIASES(__VA_ARGS__), .numeric = DRUA_DEVICE, .launch = plan_##function, .parts = parts_of_##function     \
    }

DRUA_OP(mean_extension_map) = MAP(mean_extension_map, mean,
                                  "Paints every label with the mean distance of its pixels to its centroid.",
                                  DRUA_PARAMS(LABELS), "CLIJ2 meanExtensionMap: labels, &destination",
                                  "CLIJx labelMeanExtensionMap: labels, &destination");
DRUA_OP(maximum_extension_map) = MAP(maximum_extension_map, longest,
                                     "Paints every label with the distance from its centroid to its farthest pixel.",
                                     DRUA_PARAMS(LABELS), "CLIJ2 maximumExtensionMap: labels, &destination",
                                     "CLIJx labelMaximumExtensionMap: labels, &destination");
DRUA_OP(extension_ratio_map) =
    MAP(extension_ratio_map, ratio,
        "Paints every label with a ratio: the largest distance of its pixels to the centroid divided by their mean "
        "distance. Disks have 1.5, long objects more, and single pixels NaN.",
        DRUA_PARAMS(LABELS), "CLIJ2 extensionRatioMap: labels, &destination",
        "CLIJx labelMaximumExtensionRatioMap: labels, &destination");
