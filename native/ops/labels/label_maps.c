/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps that show a measurement of each label. */
#include "statistics.h"

/* As in label_values of kernels/labels/tables.cl. */
enum { PIXELS, MEAN, MINIMUM, MAXIMUM, DEVIATION };

/* Values of labels `first` to `last`, preceded by the value of the background. */
static drua_view some_values(drua_plan *p, const char *source, int measurement, uint32_t first, uint32_t last)
{
    const uint32_t count = last - first + 1;
    drua_label_table table = statistics_extents(p, plan_image(p, "labels"), plan_image(p, source), first, last,
                                                measurement == PIXELS ? EXTENTS_COUNT : EXTENTS_INTENSITIES);
    if (measurement == MEAN || measurement == DEVIATION)
        statistics_values(p, &table, measurement == MEAN ? VALUES_SUM : VALUES_SQUARES);
    drua_view values = plan_scratch(p, (drua_shape){(int64_t)count + 1, 1, 1, 3}, DRUA_FLOAT32);
    LAUNCH(p, "label_values", LINE((int64_t)count + 1, 64), POINTER(table.rows), POINTER(values), INT(count),
           INT(measurement), INT(table.source.layout.type));
    statistics_drop(p, &table);
    return values;
}

static drua_view values_of(drua_plan *p, const char *source, int measurement)
{
    return statistics_join(p, labels_largest(p, "labels"), source, measurement, some_values);
}

static void paint_values(drua_plan *p, const char *source, int measurement)
{
    drua_view labels = plan_image(p, "labels"), values = statistics_given(p);
    labels_replace(p, labels, values.buffer ? values : values_of(p, source, measurement), plan_image(p, "destination"));
}

#define PAINT(measurement, name, source)                                                                               \
    static void plan_##name(drua_plan *p)                                                                              \
    {                                                                                                                  \
        paint_values(p, source, measurement);                                                                          \
    }                                                                                                                  \
    static void parts_of_##name(drua_plan *p, drua_parts *parts)                                                       \
    {                                                                                                                  \
        parts->scratch = values_of(p, source, measurement).buffer;                                                     \
    }

PAINT(PIXELS, pixels, "labels")
PAINT(MEAN, mean, "source")
PAINT(MINIMUM, minimum, "source")
PAINT(MAXIMUM, maximum, "source")
PAINT(DEVIATION, deviation, "source")

#define MAP                                                                                                            \
    DRUA_IMAGE_OUT("destination", "map, float32, so integers beyond 2^24 are rounded; background is 0",                \
                   .type = DRUA_FLOAT32)
#define LABELS DRUA_IMAGE_IN("labels", "label map")
#define SOURCE "the statistic over all pixels of each label, added up in a fixed order"
#define INTENSITY_MAP(name_, function, summary_, ...)                                                                  \
    {                                                                                                                  \
        .name = #name_, .category = "measurement", .summary = summary_, .source = SOURCE, .numeric = DRUA_DEVICE,      \
        DRUA_PARAMS(DRUA_IMAGE_IN("source", "image whose intensities are measured"), LABELS, MAP),                     \
        DRUA_ALIASES(__VA_ARGS__), .launch = plan_##function, .parts = parts_of_##function                             \
    }

DRUA_OP(mean_intensity_map) = INTENSITY_MAP(mean_intensity_map, mean, "Paints every label with its mean intensity.",
                                            "CLIJ2 meanIntensityMap: source, labels, &destination",
                                            "CLIJx labelMeanIntensityMap: source, labels, &destination");
DRUA_OP(minimum_intensity_map) = INTENSITY_MAP(minimum_intensity_map, minimum,
                                               "Paints every label with its smallest intensity.",
                                               "CLIJ2 minimumIntensityMap: source, labels, &destination",
                                               "CLIJx labelMinimumIntensityMap: source, labels, &destination",
                                               "CLIJx labelMiniumIntensityMap: source, labels, &destination");
DRUA_OP(maximum_intensity_map) = INTENSITY_MAP(maximum_intensity_map, maximum,
                                               "Paints every label with its largest intensity.",
                                               "CLIJ2 maximumIntensityMap: source, labels, &destination",
                                               "CLIJx labelMaximumIntensityMap: source, labels, &destination",
                                               "CLIJx labelMaxiumIntensityMap: source, labels, &destination");

DRUA_OP(standard_deviation_intensity_map) = INTENSITY_MAP(
    standard_deviation_intensity_map, deviation, "Paints every label with the standard deviation of its intensities.",
    "CLIJ2 standardDeviationIntensityMap: source, labels, &destination",
    "CLIJx labelStandardDeviationIntensityMap: source, labels, &destination");

DRUA_OP(pixel_count_map) = {
    .name = "pixel_count_map",
    .category = "measurement",
    .menu = true,
    .summary = "Paints every label with its number of pixels.",
    .source = "pixels of each label are counted",
    DRUA_PARAMS(LABELS, MAP),
    DRUA_ALIASES("CLIJ2 pixelCountMap: labels, &destination", "CLIJx labelPixelCountMap: labels, &destination"),
    .numeric = DRUA_EXACT,
    .launch = plan_pixels,
    .parts = parts_of_pixels,
};
