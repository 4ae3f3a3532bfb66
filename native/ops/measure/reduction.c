/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduction.h"

#include <string.h>

enum { GROUP = 256, MAX_GROUPS = 1024, PIXELS_AT_LEAST = 32, FLOATS = 10 };

bool reduction_is_line(const drua_layout *l)
{
    const int64_t gap = (l->height > 1 ? l->row : l->depth > 1 ? l->plane : l->width) - l->width;
    const bool even = l->column == 1 && (l->height == 1 || l->depth == 1 || l->plane == l->height * l->row);
    return even && (gap == 0 ? l->offset % 4 == 0 : gap > 0 && l->width >= 4);
}

/* A reduction of one or two images by groups of work-items. */
typedef struct pass {
    const char *kernel;
    drua_view source, other; /* other: {0}: one image */
    drua_view center; /* an earlier reduction; {0}: none */
    drua_view partial; /* results of the groups */
    int64_t groups;
    int32_t items; /* per group */
} pass;

/* Sends one launch over `count` pixels. With one image, the launch may also compute the image by a fused chain. */
static void send_once(drua_plan *plan, const pass *r, int64_t count, bool line)
{
    const drua_grid grid = GRID(r->groups * r->items, 1, 1, r->items, 1, 1);
    const drua_view middle = r->center.buffer ? r->center : r->partial;
    if (r->other.buffer)
        LAUNCH(plan, r->kernel, grid, ARG(r->source), ARG(r->other), POINTER(middle), POINTER(r->partial), LONG(count),
               INT(line));
    else
        LAUNCH_LINE(plan, r->kernel, grid, r->source, POINTER(middle), POINTER(r->partial), LONG(count), INT(line));
}

/*
 * Group g processes 4 GROUP pixels from pixel 4 GROUP g on. After each stride of all groups, it processes another 4
 * GROUP pixels. The line thus forms a plane with one row for each round, and each group owns some columns of this
 * plane.
 */
drua_view reduction_pixels_of_groups(drua_plan *plan, drua_view line, int64_t first, int64_t count, int64_t groups,
                                     int64_t *pixels)
{
    enum { RUN = 4 * GROUP };
    const int64_t all = drua_layout_count(&line.layout), start = first * RUN, stride = groups * RUN,
                  rows = all > start ? (all - start + stride - 1) / stride : 0;
    const int64_t length = count * RUN, rest = all - start - (rows - 1) * stride;
    const drua_layout l = line.layout;
    *pixels = rows == 0 ? 0 : (rows - 1) * length + (rest < length ? rest : length);
    if (rows == 0)
        return (drua_view){0};
    line.layout = drua_layout_dense((drua_shape){stride, rows, 1, 2}, (drua_type)l.type);
    line.layout.offset = l.offset;
    return plan_send_box(plan, line, &(drua_box){{start, 0, 0}, {start + length, rows, 1}});
}

/*
 * If the device has no room for the image, the pixels of a few groups at a time are sent there. The result is identical
 * to that of the whole image.
 */
static void send_some_groups(drua_plan *plan, const pass *all)
{
    const drua_view source = all->source, other = all->other, partial = all->partial;
    const int64_t groups = all->groups,
                  parts = plan_part_count(plan, drua_layout_count(&source.layout) * (int64_t)sizeof(float)),
                  some = (groups + parts - 1) / parts;
    for (int64_t g = 0; g < groups && !plan_failed(plan); g += some) {
        const int64_t these = g + some < groups ? some : groups - g;
        int64_t pixels;
        pass some_of_them = *all;
        some_of_them.groups = these;
        some_of_them.partial = plan_scratch_bytes(plan, (uint64_t)these * FLOATS * sizeof(float));
        drua_view a = reduction_pixels_of_groups(plan, source, g, these, groups, &pixels);
        drua_view b = other.buffer ? reduction_pixels_of_groups(plan, other, g, these, groups, &pixels) : other;
        some_of_them.source = pixels > 0 ? a : partial;
        some_of_them.other = pixels == 0 && other.buffer ? partial : b;
        send_once(plan, &some_of_them, pixels, true);
        plan_copy(plan, some_of_them.partial, partial, g * FLOATS, 0, 0);
        if (pixels > 0)
            plan_free_scratch(plan, a);
        plan_free_scratch(plan, b);
        plan_free_scratch(plan, some_of_them.partial);
    }
}

static int64_t groups_of(drua_view source)
{
    const int64_t groups = drua_layout_count(&source.layout) / (GROUP * PIXELS_AT_LEAST) + 1;
    return groups < MAX_GROUPS ? groups : MAX_GROUPS;
}

/* Reduces the pixels of each group, and sets `groups` and `partial`. */
static void send_groups(drua_plan *plan, pass *r)
{
    const drua_layout *const first = &r->source.layout, *const second = r->other.buffer ? &r->other.layout : first;
    const bool line = reduction_is_line(first) && reduction_is_line(second) && drua_layout_is_same_size(first, second);
    const bool dense = line && drua_layout_is_dense(first) && drua_layout_is_dense(second);
    r->groups = groups_of(r->source);
    r->partial = plan_scratch_bytes(plan, (uint64_t)r->groups * FLOATS * sizeof(float));
    if (dense && !plan_fits_both(plan, r->source, r->other.buffer ? r->other : r->source))
        send_some_groups(plan, r);
    else
        send_once(plan, r, drua_layout_count(first), line);
}

static drua_view reduce_pass(drua_plan *plan, pass r)
{
    send_groups(plan, &r);
    const drua_view results = plan_scratch_bytes(plan, FLOATS * sizeof(float));
    LAUNCH(plan, "reduce_groups", GRID(GROUP, 1, 1, GROUP, 1, 1), POINTER(r.partial), POINTER(results), INT(r.groups));
    return results;
}

drua_view reduction_send(drua_plan *plan, const char *kernel, drua_view source, drua_view center)
{
    return reduce_pass(plan, (pass){.kernel = kernel, .source = source, .center = center, .items = GROUP});
}

drua_view reduction_send_two(drua_plan *plan, const char *kernel, drua_view source, drua_view other, drua_view center)
{
    return reduce_pass(plan,
                       (pass){.kernel = kernel, .source = source, .other = other, .center = center, .items = GROUP});
}

int32_t reduction_exact_items(drua_plan *plan)
{
    return plan_device(plan)->is_gpu ? GROUP : 1;
}

drua_view reduction_send_exactly(drua_plan *plan, const char *kernel, drua_view source, drua_view other)
{
    return reduce_pass(
        plan, (pass){.kernel = kernel, .source = source, .other = other, .items = reduction_exact_items(plan)});
}

double reduction_sum(drua_plan *plan, drua_view source)
{
    float pair[2] = {0};
    pass r = {.kernel = "reduce_sum", .source = source, .items = GROUP};
    send_groups(plan, &r);
    const drua_view results = plan_scratch_bytes(plan, sizeof pair);
    LAUNCH(plan, "join_sums", GRID(GROUP, 1, 1, GROUP, 1, 1), POINTER(r.partial), POINTER(results), INT(r.groups));
    plan_read(plan, results, pair, sizeof pair);
    return reduce_pair(pair);
}

drua_view reduction_sample(drua_plan *plan, drua_view source)
{
    drua_view results = plan_scratch_bytes(plan, FLOATS * sizeof(float)), from = source;
    const drua_layout l = source.layout;
    int64_t count = drua_layout_count(&l);
    if (drua_layout_is_dense(&l) && !plan_fits_both(plan, source, source) && !plan_failed(plan)) {
        from = plan_scratch(plan, (drua_shape){GROUP, 1, 1, 3}, (drua_type)l.type);
        for (int64_t k = 0; k < GROUP && !plan_failed(plan); k++) {
            const int64_t at = count * k / GROUP, x = at % l.width, y = at / l.width % l.height,
                          z = at / l.width / l.height;
            drua_view pixel = plan_send_box(plan, source, &(drua_box){{x, y, z}, {x + 1, y + 1, z + 1}});
            plan_copy(plan, pixel, from, k, 0, 0);
            plan_free_scratch(plan, pixel);
        }
        count = GROUP;
    }
    LAUNCH_LINE(plan, "reduce_sample", GRID(GROUP, 1, 1, GROUP, 1, 1), from, POINTER(results), LONG(count));
    return results;
}

reduction reduction_read(drua_plan *plan, drua_view results)
{
    float values[FLOATS] = {0};
    plan_read(plan, results, values, sizeof values);
    reduction t = {.low = values[REDUCTION_LOW], .high = values[REDUCTION_LOW + 1]};
    for (int n = 0; n < 4; n++)
        t.sum[n] = reduce_pair(values + 2 * n);
    return t;
}

reduction reduction_integer_extremes(drua_plan *p, drua_view source, drua_view mask)
{
    enum { ITEMS = 64, LOW = 0, HIGH, PRESENT, WORDS }; /* as in kernels/measure/integer_extremes.cl */
    const drua_layout l = source.layout;
    const bool masked = mask.buffer != NULL;
    const double min = l.type == DRUA_INT32 ? INT32_MIN : 0;
    uint32_t found[WORDS] = {0};
    const drua_view words = plan_scratch_bytes(p, sizeof found);
    plan_clear(p, words);
    for (drua_tiles t = {.inputs = {source, mask}, .rows = true}; plan_next_tile(p, &t);)
        LAUNCH(p, "integer_extremes", plan_tile_grid(GRID(ITEMS, l.height, l.depth, ITEMS, 1, 1), &t), ARG(t.from[0]),
               ARG(t.from[masked]), INT(masked), POINTER(words));
    plan_read(p, words, found, sizeof found);
    return (reduction){.sum[1] = found[PRESENT], .low = min + ~found[LOW], .high = min + found[HIGH]};
}

/*
 * Each pixel is added to its difference from itself. This makes infinities NaN, which extremes ignore, and changes no
 * finite pixel.
 */
void reduction_finite_extremes(drua_plan *p, const char *name, double *low, double *high)
{
    const drua_operand image = plan_operand(p, name);
    drua_operand finite = image;
    if (plan_type(p, name) == DRUA_FLOAT32)
        finite = CALL(p, "add_images", DRUA_FLOAT32, image, CALL(p, "subtract_images", DRUA_FLOAT32, image, image));
    *low = plan_call_number(p, "minimum_of_all_pixels", &finite, 1);
    *high = plan_call_number(p, "maximum_of_all_pixels", &finite, 1);
    if (!(*low <= *high))
        *low = *high = 0;
}

/*
 * Number of rows of a group, in whole rounds of its work-items. Groups are so small that they keep the device busy, and
 * so large that the final tree sum in each group pays off.
 */
static int32_t rows_of_group(drua_layout l)
{
    enum { GROUPS = 512, MIN_PIXELS = 8192, MAX_PIXELS = 262144, ROWS_AT_ONCE = 8 };
    const int64_t wanted = drua_layout_count(&l) / GROUPS, pixels = wanted < MIN_PIXELS   ? MIN_PIXELS
                                                                    : wanted > MAX_PIXELS ? MAX_PIXELS
                                                                                          : wanted;
    const int32_t columns = (l.width + 3) / 4, round = ROWS_AT_ONCE * (columns < GROUP ? GROUP / columns : 1);
    const int64_t min = pixels / l.width + 1, rows = min > round ? min / round * round : round;
    return (int32_t)(rows < l.height ? rows : l.height);
}

static bool is_wide(drua_layout l)
{
    return drua_layout_is_in_vectors(&l, 4);
}

/*
 * Whether the sums of a group are exact in any order: sums of rows in float32, and their sums as pairs of floats. A
 * pair holds 48 bits. Sums stay one to three bits below that, so that the rounding errors of additions can be summed
 * without further rounding.
 */
static bool sums_are_exact(drua_plan *plan, drua_layout l, int32_t rows)
{
    enum { ROWS_AT_ONCE = 8 };
    const bool bytes = l.type == DRUA_UINT8 || l.type == DRUA_INT8,
               shorts = l.type == DRUA_UINT16 || l.type == DRUA_INT16;
    const int64_t columns = (l.width + 3) / 4, down = columns < GROUP ? GROUP / columns : 1;
    const double max = bytes ? 255 : 65535, pixels = (double)rows * l.width,
                 extent = l.width > l.height ? l.width : l.height;
    return (bytes || shorts) && ROWS_AT_ONCE * max * (double)(rows + ROWS_AT_ONCE * down) <= 0x1p24 &&
           pixels * max * extent <= 0x1p45 && pixels * max * max <= 0x1p47 &&
           strstr(plan_device(plan)->extensions, "cl_khr_fp64");
}

drua_view reduce_positions(drua_plan *plan, drua_view source, bool about)
{
    enum { FROM_ZERO, FROM_ORIGIN, FROM_SAMPLE }; /* as in kernels/measure/reduction_positions.cl */
    const drua_layout l = source.layout;
    const int32_t rows = rows_of_group(l), in_slice = (l.height + rows - 1) / rows;
    const bool whole = !drua_layout_is_dense(&l) || plan_fits_both(plan, source, source);
    const bool exact = !plan_device(plan)->is_gpu && sums_are_exact(plan, l, rows);
    const bool samples =
        /* each group samples again, because a separate launch takes longer on GPUs */
        plan_device(plan)->is_gpu && whole;
    const int origin_is = !about ? FROM_ZERO : samples ? FROM_SAMPLE : FROM_ORIGIN;
    drua_view partial = plan_scratch_bytes(plan, (uint64_t)in_slice * (uint64_t)l.depth * FLOATS * sizeof(float));
    drua_view origin =
        origin_is == FROM_ORIGIN ? reduction_sample(plan, source) : plan_scratch_bytes(plan, sizeof(float));
    drua_view results = plan_scratch_bytes(plan, REDUCTION_POSITIONS * sizeof(float));
    for (drua_tiles t = {.inputs = {source}, .multiple = rows, .rows = true, .separate = true};
         plan_next_tile(plan, &t);) {
        const drua_layout tile = t.from[0].layout;
        const int64_t *first = t.at.wanted.first, groups = (tile.height + rows - 1) / rows;
        if (plan_device(plan)->is_gpu)
            LAUNCH(plan, "reduce_positions", GRID(groups * GROUP, tile.depth, 1, GROUP, 1, 1), ARG(t.from[0]),
                   POINTER(origin), POINTER(partial), INT(rows), INT(in_slice), INT(first[1] / rows), INT(first[2]),
                   INT(is_wide(tile)), INT(origin_is));
        else if (exact)
            LAUNCH(plan, "reduce_whole_numbers", GRID(groups, tile.depth, 1, 1, 1, 1), ARG(t.from[0]), POINTER(origin),
                   POINTER(partial), INT(rows), INT(in_slice), INT(first[1] / rows), INT(first[2]), INT(!about));
        else
            LAUNCH(plan, "reduce_positions_alone", GRID(groups, tile.depth, 1, 1, 1, 1), ARG(t.from[0]),
                   POINTER(origin), POINTER(partial), INT(rows), INT(in_slice), INT(first[1] / rows), INT(first[2]),
                   INT(is_wide(tile)), INT(!about));
    }
    LAUNCH(plan, "join_positions", GRID(GROUP, 1, 1, GROUP, 1, 1), POINTER(partial), POINTER(origin), POINTER(results),
           INT(in_slice), INT(l.depth));
    return results;
}

double reduce_pair(const float *pair)
{
    return isfinite(pair[1]) ? (double)pair[0] + pair[1] : pair[0];
}
