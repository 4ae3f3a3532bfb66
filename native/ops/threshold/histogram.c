/* SPDX-License-Identifier: BSD-3-Clause */
#include "histogram.h"

#include "../measure/tally.h"

enum { GROUP = 256, MOST_GROUPS = 1024, PIXELS_AT_LEAST = 32, LOCAL_BINS = 8192, COPIES = 8, FOUR = 4, MOST_BINS = 1 << 24 };

drua_view histogram_send(drua_plan *p, drua_view source, int32_t bins, double low, double high, const drua_view *range)
{
    int64_t count = drua_layout_count(&source.layout), groups = count / (GROUP * PIXELS_AT_LEAST) + 1;
    if (groups > MOST_GROUPS)
        groups = MOST_GROUPS;
    int copies = bins > LOCAL_BINS ? 0 : bins * COPIES > LOCAL_BINS ? 1 : COPIES;
    bool dense = drua_layout_is_dense(&source.layout) && source.layout.offset % 4 == 0;
    drua_view counted = plan_memory(p, (uint64_t)bins * sizeof(uint32_t));
    plan_clear(p, counted);
    const bool whole = !dense || plan_holds(p, source, source);
    const int64_t part = whole ? count : (count / plan_parts_of(p, count * (int64_t)sizeof(float)) + FOUR) / FOUR * FOUR;
    for (int64_t first = 0; first < count && !plan_failed(p); first += part) {
        const int64_t pixels = first + part < count ? part : count - first;
        drua_view from = whole ? source : plan_runs(p, source, first, pixels, pixels, first + pixels);
        LAUNCH(p, "histogram", GRID(groups * GROUP, 1, 1, GROUP, 1, 1), ARG(from), POINTER(range ? *range : counted), POINTER(counted),
               LOCAL((size_t)(copies ? bins * copies : 1) * sizeof(uint32_t)), INT(bins), INT(copies), INT(range != NULL), REAL(low),
               REAL(high), LONG(pixels), INT(dense), INT(!plan_device(p)->is_gpu));
        if (!whole)
            plan_drop(p, from);
    }
    return counted;
}

static void line_of_bins(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_integer(p, "number_of_bins"), 1, 1, 3};
}

static void plan(drua_plan *p)
{
    drua_view source = plan_image(p, "source"), to = plan_image(p, "destination"), all = {0};
    bool measured = plan_flag(p, "determine_min_max");
    if (measured)
        all = tally_send(p, "tally_extremes", source, source, all);
    drua_view bins = histogram_send(p, source, to.layout.width, plan_number(p, "minimum_intensity"), plan_number(p, "maximum_intensity"),
                                    measured ? &all : NULL);
    LAUNCH(p, "histogram_image", GRID(to.layout.width, 1, 1, 256, 1, 1), POINTER(bins), ARG(to));
}

const drua_op drua_op_histogram = {
    .name = "histogram",
    .category = "measurement",
    .summary = "Counts how often each range of grey values occurs. Pixels outside the range are not counted.",
    .source = "bin = trunc((v - minimum) * (bins - 1) * (1 / range)), the reciprocal first",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to count"),
                DRUA_IMAGE_OUT("destination", "line of counts", .shape = line_of_bins, .type = DRUA_FLOAT32),
                DRUA_INTEGER("number_of_bins", "number of ranges", .unit = "bin", DRUA_RANGE(1, MOST_BINS), .preset = 256),
                DRUA_NUMBER("minimum_intensity", "grey value of the first bin", .unit = "grey value", .preset = 0),
                DRUA_NUMBER("maximum_intensity", "grey value of the last bin", .unit = "grey value", .preset = 255),
                DRUA_BOOLEAN("determine_min_max", "take the image's own smallest and largest value instead", .preset = 0)),
    DRUA_ALIASES("CLIJ2/CLIJx histogram: source, &destination, number_of_bins, minimum_intensity, maximum_intensity, determine_min_max",
                 "CLIJ histogram: source, destination, number_of_bins, minimum_intensity, maximum_intensity, determine_min_max"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT,
    .plan = plan,
};
