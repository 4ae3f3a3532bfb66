/* SPDX-License-Identifier: BSD-3-Clause */
#include "histogram.h"

#include "../measure/reduction.h"

enum {
    GROUP = 256,
    LARGE_GROUP = 1024,
    MAX_GROUPS = 1024,
    PIXELS_AT_LEAST = 32,
    LOCAL_NUMBERS = 8192,
    LOCAL_BINS = LOCAL_NUMBERS / 2, /* each with a counter and a border */
    COPIES = 8,
    MAX_BINS = 1 << 24,
    MAX_PART_BINS = 1024
};

/* On CPUs, a work-group has one work-item, which counts a contiguous stretch of pixels. */
static int64_t groups_of(drua_view source, int32_t items)
{
    enum { STRETCH = 1 << 15, MAX_STRETCHES = 64 };
    const int64_t stretches = drua_layout_count(&source.layout) / STRETCH + 1;
    if (items == 1)
        return stretches < MAX_STRETCHES ? stretches : MAX_STRETCHES;
    const int64_t groups = drua_layout_count(&source.layout) / (items * PIXELS_AT_LEAST) + 1,
                  max = MAX_GROUPS * GROUP / items;
    return groups < max ? groups : max;
}

/* The ranges that the counting groups combine. */
typedef struct ranges {
    drua_view all, found;
    int64_t first, count;
} ranges;

/*
 * Measures the range of each work-group's pixels, and clears `clears` bins in the same launch. If the image does not
 * fit the device, it measures the range of the whole image instead.
 */
static ranges measure_ranges(drua_plan *p, drua_view source, drua_view bins, int32_t clears, bool whole)
{
    ranges r = {.found = plan_scratch_bytes(p, 2 * sizeof(float)), .first = REDUCTION_LOW / 2, .count = 1};
    if (!whole) {
        r.all = reduction_send_exactly(p, "reduce_finite_extremes", source, (drua_view){0});
        return r;
    }
    const int32_t items = reduction_exact_items(p);
    r.first = 0;
    r.count = groups_of(source, items);
    r.all = plan_scratch_bytes(p, (uint64_t)r.count * 2 * sizeof(float));
    LAUNCH_LINE(p, "ranges_of_groups", GRID(r.count * items, 1, 1, items, 1, 1), source, POINTER(r.all), POINTER(bins),
                INT(clears), LONG(drua_layout_count(&source.layout)), INT(reduction_is_line(&source.layout)));
    return r;
}

/*
 * Number of values of a type whose values a CPU counts one by one; 0 for other types. For 16-bit images with few
 * pixels, the tables would cost more than they save.
 */
static int32_t values_of(const drua_layout *l)
{
    enum { BYTES = 256, SHORTS = 65536, ENOUGH_SHORTS = SHORTS / 4 };
    if (!drua_layout_is_dense(l))
        return 0;
    switch (l->type) {
    case DRUA_UINT8:
    case DRUA_INT8: return BYTES;
    case DRUA_UINT16:
    case DRUA_INT16: return drua_layout_count(l) >= ENOUGH_SHORTS ? SHORTS : 0;
    default: return 0;
    }
}

enum { TABLES_OF_GROUP = 2 }; /* as in kernels/measure/reduction_histogram_values.cl */

static int64_t groups_of_values(drua_plan *p, drua_view source)
{
    enum { PIXELS_OF_GROUP = 1 << 20 };
    const int64_t units = plan_device(p)->compute_units,
                  wanted = drua_layout_count(&source.layout) / PIXELS_OF_GROUP + 1;
    return wanted < units ? wanted : units;
}

static uint64_t bytes_of_tables(int64_t groups, int32_t values)
{
    return (uint64_t)groups * TABLES_OF_GROUP * (uint64_t)values * sizeof(uint32_t);
}

static drua_view count_values(drua_plan *p, drua_view source, int32_t bins, double low, double high, drua_view *range,
                              int32_t values)
{
    const drua_type type = (drua_type)source.layout.type;
    const int64_t count = drua_layout_count(&source.layout), groups = groups_of_values(p, source);
    const drua_view tables = plan_scratch_bytes(p, bytes_of_tables(groups, values));
    const drua_view counted = plan_scratch_bytes(p, (uint64_t)bins * sizeof(uint32_t)),
                    found = plan_scratch_bytes(p, 2 * sizeof(float));
    LAUNCH(p, "count_values", GRID(groups, 1, 1, 1, 1, 1), ARG(source), POINTER(tables), INT(values), LONG(count));
    LAUNCH(p, "bins_of_values", GRID(1, 1, 1, 1, 1, 1), POINTER(tables), INT(groups * TABLES_OF_GROUP), INT(values),
           INT(type == DRUA_INT8 || type == DRUA_INT16 ? -values / 2 : 0), POINTER(counted), INT(bins),
           INT(range != NULL), POINTER(found), REAL(low), REAL(high));
    if (range)
        *range = found;
    return counted;
}

typedef struct counting {
    int32_t bins;
    int copies;
    bool in_parts;
    double low, high;
} counting;

static void count_tile(drua_plan *p, drua_view from, const ranges *r, drua_view counted, const counting *c,
                       drua_grid grid)
{
    const int64_t count = drua_layout_count(&from.layout);
    const bool is_line = reduction_is_line(&from.layout);
    if (plan_device(p)->is_gpu && !c->copies)
        LAUNCH_LINE(p, "histogram_of_many_bins", grid, from, POINTER(r->all), POINTER(counted), INT(c->bins),
                    INT(r->first), INT(r->count), POINTER(r->found), REAL(c->low), REAL(c->high), LONG(count),
                    INT(is_line));
    else
        LAUNCH_LINE(p, "histogram", grid, from, POINTER(r->all), POINTER(counted),
                    LOCAL((size_t)(c->copies ? c->bins * (c->copies + 1) : 1) * sizeof(uint32_t)), INT(c->bins),
                    INT(c->copies), INT(r->first), INT(r->count), POINTER(r->found), REAL(c->low), REAL(c->high),
                    LONG(count), INT(is_line), INT(c->in_parts));
}

drua_view histogram_send(drua_plan *p, drua_view source, int32_t bins, double low, double high, drua_view *range,
                         int64_t *parts)
{
    const bool is_gpu = plan_device(p)->is_gpu;
    const bool whole = !drua_layout_is_dense(&source.layout) || plan_fits_both(p, source, source);
    const int32_t values = is_gpu || !whole ? 0 : values_of(&source.layout);
    if (parts)
        *parts = 1;
    if (values && plan_fits_with_scratch(p, source, bytes_of_tables(groups_of_values(p, source), values)))
        return count_values(p, source, bins, low, high, range, values);
    const int32_t items =
        is_gpu && plan_device(p)->largest_work_group >= LARGE_GROUP ? LARGE_GROUP : reduction_exact_items(p);
    const int copies = bins > LOCAL_BINS ? 0 : bins * (COPIES + 1) > LOCAL_NUMBERS ? 1 : COPIES;
    const int64_t groups = groups_of(source, items);
    const bool in_parts = parts && is_gpu && whole && bins <= MAX_PART_BINS,
               clears = range && whole && bins <= LOCAL_BINS;
    const drua_view counted =
        plan_scratch_bytes(p, (uint64_t)(in_parts ? groups : 1) * (uint64_t)bins * sizeof(uint32_t));
    ranges r = {.all = counted, .found = counted};
    if (range)
        r = measure_ranges(p, source, counted, clears && !in_parts ? bins : 0, whole);
    if (!clears && !in_parts)
        plan_clear(p, counted);
    for (drua_tiles t = {.inputs = {source}, .rows = true, .separate = true}; plan_next_tile(p, &t);)
        count_tile(p, t.from[0], &r, counted, &(counting){bins, copies, in_parts, low, high},
                   GRID(groups * items, 1, 1, items, 1, 1));
    if (range)
        *range = r.found;
    if (parts)
        *parts = in_parts ? groups : 1;
    return counted;
}

bool histogram_has_totals(drua_plan *p, drua_view source)
{
    return drua_layout_count(&source.layout) > plan_max_countable_pixels(p);
}

drua_view histogram_part(drua_view view, const drua_box *at)
{
    drua_layout *l = &view.layout;
    for (int axis = 0; axis < 3; axis++) {
        l->offset += at->first[axis] * l->stride[axis];
        l->extent[axis] = (int32_t)(at->end[axis] - at->first[axis]);
    }
    return view;
}

double *histogram_totals(drua_plan *p, drua_view source, int32_t bins, bool measured, double range[2])
{
    const drua_layout l = source.layout;
    const int64_t max = plan_max_countable_pixels(p), rows = max / l.width > 0 ? max / l.width : 1,
                  slices = rows / l.height;
    const int64_t step[] = {l.width, slices ? l.height : rows, slices ? slices : 1};
    const drua_box all = drua_box_of((const int64_t[]){l.width, l.height, l.depth});
    uint32_t *some = plan_host_memory(p, (size_t)bins * sizeof *some);
    double *totals = plan_host_memory(p, (size_t)bins * sizeof *totals);
    if (measured) {
        const reduction extremes =
            reduction_read(p, reduction_send_exactly(p, "reduce_finite_extremes", source, (drua_view){0}));
        range[0] = extremes.low;
        range[1] = extremes.high;
    }
    for (int64_t i = 0; i < drua_box_parts(&all, step) && !plan_failed(p); i++) {
        const drua_box at = drua_box_part(&all, step, i);
        const drua_view counted = histogram_send(p, histogram_part(source, &at), bins, range[0], range[1], NULL, NULL);
        plan_read(p, counted, some, (size_t)bins * sizeof *some);
        plan_free_scratch(p, counted);
        for (int32_t bin = 0; bin < bins && !plan_failed(p); bin++)
            totals[bin] += some[bin];
    }
    return totals;
}

static void line_of_bins(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_integer(p, "number_of_bins"), 1, 1, 3};
}

static void write_totals(drua_plan *p, drua_view source, double low, double high, drua_view to)
{
    const int32_t bins = (int32_t)plan_integer(p, "number_of_bins");
    const drua_view line = plan_scratch(p, (drua_shape){to.layout.width, 1, 1, 3}, DRUA_FLOAT32);
    const double *totals = histogram_totals(p, source, bins, plan_flag(p, "determine_min_max"), (double[]){low, high});
    float *counts = plan_host_memory(p, (size_t)to.layout.width * sizeof *counts);
    for (int32_t bin = 0; bin < bins && bin < to.layout.width && !plan_failed(p); bin++)
        counts[bin] = (float)totals[bin];
    plan_write(p, line, counts);
    LAUNCH(p, "copy_window", plan_grid(to.layout), ARG(line), ARG(to), INT(0), INT(0), INT(0));
}

static void launch_histogram(drua_plan *p)
{
    enum { JOINED = 16 }; /* as in kernels/measure/reduction_histogram.cl */
    const drua_view source = plan_image(p, "source"), to = plan_image(p, "destination");
    const int32_t bins = (int32_t)plan_integer(p, "number_of_bins"), width = to.layout.width;
    const double low = plan_number(p, "minimum_intensity"), high = plan_number(p, "maximum_intensity");
    drua_view range;
    int64_t parts;
    if (histogram_has_totals(p, source)) {
        write_totals(p, source, low, high, to);
        return;
    }
    const drua_view counted =
        histogram_send(p, source, bins, low, high, plan_flag(p, "determine_min_max") ? &range : NULL, &parts);
    LAUNCH(p, "histogram_image",
           GRID(((int64_t)width + JOINED - 1) / JOINED * JOINED * JOINED, 1, 1, JOINED * JOINED, 1, 1),
           POINTER(counted), ARG(to), INT(bins), INT(parts));
}

DRUA_OP(histogram) = {
    .name = "histogram",
    .category = "measurement",
    .summary = "Counts how often each range of grey values occurs. Pixels outside the range are not "
               "counted, nor are infinite pixels and NaN.",
    .source = "bin = floor((v - minimum) * (bins - 1) / (maximum - minimum)) without rounding",
    DRUA_PARAMS(
        DRUA_IMAGE_IN("source", "image to count"),
        DRUA_IMAGE_OUT("destination", "line of counts", .shape = line_of_bins, .type = DRUA_FLOAT32),
        DRUA_INTEGER("number_of_bins", "number of ranges", .unit = "bin", DRUA_RANGE(1, MAX_BINS),
                     .default_value = 256),
        DRUA_NUMBER("minimum_intensity", "grey value of the first bin", .unit = "grey value", .default_value = 0),
        DRUA_NUMBER("maximum_intensity", "grey value of the last bin", .unit = "grey value", .default_value = 255),
        DRUA_BOOLEAN("determine_min_max", "on: the bins go from the smallest to the largest finite value of the image",
                     .default_value = 0)),
    DRUA_ALIASES(
        "CLIJ2/CLIJx histogram: source, &destination, number_of_bins, minimum_intensity, maximum_intensity, "
        "determine_min_max",
        "CLIJ histogram: source, destination, number_of_bins, minimum_intensity, maximum_intensity, determine_min_max"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_PROLOGUE,
    .launch = launch_histogram,
};
