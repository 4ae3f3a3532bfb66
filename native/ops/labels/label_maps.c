/* SPDX-License-Identifier: BSD-3-Clause */
/* Images that show a measurement of each label. */
#include "statistics.h"

/* As label_values in kernels/labels/tables.cl counts them. */
enum { PIXELS, MEAN, MINIMUM, MAXIMUM, DEVIATION };

static void paint(drua_plan *p, const char *source, int measurement)
{
    drua_view labels = plan_image(p, "labels"), out = plan_image(p, "destination");
    uint32_t largest = labels_largest(p, "labels");
    drua_label_table table = statistics_extents(p, labels, plan_image(p, source), 1, largest > 0 ? largest : 1,
                                                measurement == PIXELS ? EXTENTS_COUNT : EXTENTS_INTENSITIES);
    if (measurement == MEAN || measurement == DEVIATION)
        statistics_values(p, &table, measurement == MEAN ? VALUES_SUM : VALUES_SQUARES);
    drua_view values = plan_scratch(p, (drua_shape){(int64_t)largest + 1, 1, 1, 3}, DRUA_FLOAT32);
    LAUNCH(p, "label_values", LINE((int64_t)largest + 1, 64), POINTER(table.rows), POINTER(values), INT(largest), INT(measurement));
    labels_replace(p, labels, values, out);
}

static void plan_pixels(drua_plan *p)
{
    paint(p, "labels", PIXELS);
}

static void plan_mean(drua_plan *p)
{
    paint(p, "source", MEAN);
}

static void plan_minimum(drua_plan *p)
{
    paint(p, "source", MINIMUM);
}

static void plan_maximum(drua_plan *p)
{
    paint(p, "source", MAXIMUM);
}

static void plan_deviation(drua_plan *p)
{
    paint(p, "source", DEVIATION);
}

#define MAP DRUA_IMAGE_OUT("destination", "map, float32; background is 0", .type = DRUA_FLOAT32)
#define LABELS DRUA_IMAGE_IN("labels", "label map")
#define SOURCE "the statistic over all pixels of each label, added up in a fixed order"
#define INTENSITY_MAP(name_, plan_, summary_, ...)                                                                               \
    const drua_op drua_op_##name_ = {.name = #name_, .category = "measurement", .summary = summary_, .source = SOURCE, .numeric = DRUA_DEVICE,    \
                                     DRUA_PARAMS(DRUA_IMAGE_IN("source", "image whose intensities are measured"), LABELS, MAP),  \
                                     DRUA_ALIASES(__VA_ARGS__), .plan = plan_};

INTENSITY_MAP(mean_intensity_map, plan_mean, "Paints every label with its mean intensity.",
              "CLIJ2 meanIntensityMap: source, labels, &destination", "CLIJx labelMeanIntensityMap: source, labels, &destination")
INTENSITY_MAP(minimum_intensity_map, plan_minimum, "Paints every label with its smallest intensity.",
              "CLIJ2 minimumIntensityMap: source, labels, &destination", "CLIJx labelMinimumIntensityMap: source, labels, &destination",
              "CLIJx labelMiniumIntensityMap: source, labels, &destination")
INTENSITY_MAP(maximum_intensity_map, plan_maximum, "Paints every label with its largest intensity.",
              "CLIJ2 maximumIntensityMap: source, labels, &destination", "CLIJx labelMaximumIntensityMap: source, labels, &destination",
              "CLIJx labelMaxiumIntensityMap: source, labels, &destination")

INTENSITY_MAP(standard_deviation_intensity_map, plan_deviation, "Paints every label with the standard deviation of its intensities.",
              "CLIJ2 standardDeviationIntensityMap: source, labels, &destination",
              "CLIJx labelStandardDeviationIntensityMap: source, labels, &destination")

const drua_op drua_op_pixel_count_map = {
    .name = "pixel_count_map",
    .category = "measurement",
    .menu = true,
    .summary = "Paints every label with its number of pixels.",
    .source = "pixels of each label are counted",
    DRUA_PARAMS(LABELS, MAP),
    DRUA_ALIASES("CLIJ2 pixelCountMap: labels, &destination", "CLIJx labelPixelCountMap: labels, &destination"),
    .numeric = DRUA_EXACT,
    .plan = plan_pixels,
};
