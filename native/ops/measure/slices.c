/* SPDX-License-Identifier: BSD-3-Clause */
#include "tally.h"

static void one_for_each_slice(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){shape->depth, 1, 1, 3};
    (void)p;
}

/* Whether each slice is a line. */
static bool is_line(drua_layout l)
{
    drua_layout first = l, second = l;
    first.depth = second.depth = 1;
    second.offset += l.plane;
    return tally_is_line(&first) && tally_is_line(&second);
}

enum { GROUP = 256 };

/* The pixels of a slice that some groups add: four an item, then again after those of all groups. */
static drua_view pixels_of_groups(drua_plan *p, drua_view slice, int64_t first, int64_t count, int64_t groups)
{
    enum { RUN = 4 * GROUP };
    const int64_t pixels = drua_layout_count(&slice.layout), stride = groups * RUN, start = first * RUN, length = count * RUN;
    const int64_t rows = (pixels - start + stride - 1) / stride, rest = pixels - start - (rows - 1) * stride;
    drua_view some = plan_runs(p, slice, start, length, stride, pixels);
    some.layout.width = (int32_t)((rows - 1) * length + (rest < length ? rest : length));
    some.layout.depth = 1;
    return some;
}

static void plan_sums(drua_plan *p)
{
    enum { MOST_GROUPS = 2048, PIXELS = 8192, AT_LEAST = 4, ITEMS = 32 };
    drua_view source = plan_image(p, "source"), out = plan_image(p, "destination");
    const drua_layout l = source.layout;
    const int64_t most = MOST_GROUPS / l.depth > AT_LEAST ? MOST_GROUPS / l.depth : AT_LEAST;
    int64_t groups = (int64_t)l.width * l.height / PIXELS + 1;
    if (groups > most)
        groups = most;
    drua_view partial = plan_memory(p, (uint64_t)groups * (uint64_t)l.depth * 2 * sizeof(float));
    const int32_t step = plan_layers_at_once(p, source);
    const int64_t parts = plan_parts_of(p, (int64_t)l.width * l.height * (int64_t)sizeof(float));
    const bool apart = step == 1 && parts > 1 && drua_layout_is_dense(&l) && !plan_holds(p, source, source);
    const int64_t at_once = apart ? groups / parts + 1 : groups;
    for (int32_t z = 0; z < l.depth && !plan_failed(p); z += step)
        for (int64_t g = 0; g < groups && !plan_failed(p); g += at_once) {
            const int64_t these = at_once < groups - g ? at_once : groups - g;
            drua_view some = apart ? pixels_of_groups(p, plan_slices(source, z, 1), g, these, groups) : plan_layers(p, source, z, step);
            LAUNCH(p, "slice_parts", GRID(these * GROUP, some.layout.depth, 1, GROUP, 1, 1), ARG(some), POINTER(partial), INT(groups), INT(g), INT(z),
                   INT(is_line(some.layout)));
            plan_drop(p, some);
        }
    LAUNCH(p, "slice_sums", GRID((int64_t)out.layout.width * ITEMS, out.layout.height, out.layout.depth, ITEMS, 1, 1), POINTER(partial), INT(groups), INT(l.depth), ARG(out));
}

const drua_op drua_op_sum_image_slice_by_slice = {
    .name = "sum_image_slice_by_slice",
    .category = "measurement",
    .summary = "Adds up the pixels of each slice.",
    .source = "sums of slices in a fixed order",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack"),
                DRUA_IMAGE_OUT("destination", "vector: one sum for each slice", .shape = one_for_each_slice, .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJ2/CLIJx sumImageSliceBySlice: source, &destination"),
    .numeric = DRUA_EXACT,
    .plan = plan_sums,
};
