/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduction.h"

static void one_for_each_slice(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){shape->depth, 1, 1, 3};
    (void)p;
}

/* Whether each slice can be processed as a line. */
static bool is_line(drua_layout l)
{
    drua_layout first = l, second = l;
    first.depth = second.depth = 1;
    second.offset += l.plane;
    return reduction_is_line(&first) && reduction_is_line(&second);
}

enum { GROUP = 256 };

static void send_slices(drua_plan *p, drua_view slices, drua_view partial, int64_t groups, int64_t these,
                        int64_t first_group, int64_t first_slice)
{
    LAUNCH(p, "slice_parts", GRID(these * GROUP, slices.layout.depth, 1, GROUP, 1, 1), ARG(slices), POINTER(partial),
           INT(groups), INT(first_group), INT(first_slice), INT(is_line(slices.layout)));
}

/* If the device has no room for a slice, the pixels of a few groups at a time are sent there. */
static void send_slice(drua_plan *p, drua_view slice, drua_view partial, int64_t groups, int64_t at_once, int32_t z)
{
    for (int64_t g = 0; g < groups && !plan_failed(p); g += at_once) {
        const int64_t these = at_once < groups - g ? at_once : groups - g;
        int64_t pixels;
        drua_view some = reduction_pixels_of_groups(p, slice, g, these, groups, &pixels);
        some.layout = drua_layout_dense((drua_shape){pixels, 1, 1, 3}, (drua_type)slice.layout.type);
        send_slices(p, some, partial, groups, these, g, z);
        plan_free_scratch(p, some);
    }
}

static void launch_sums(drua_plan *p)
{
    enum { MAX_GROUPS = 2048, PIXELS = 8192, AT_LEAST = 4, ITEMS = 32 };
    drua_view source = plan_image(p, "source"), out = plan_image(p, "destination");
    const drua_layout l = source.layout;
    const int64_t max = MAX_GROUPS / l.depth > AT_LEAST ? MAX_GROUPS / l.depth : AT_LEAST,
                  wanted = (int64_t)l.width * l.height / PIXELS + 1;
    const int64_t groups = wanted < max ? wanted : max;
    const int64_t parts = plan_part_count(p, (int64_t)l.width * l.height * (int64_t)drua_type_size((drua_type)l.type));
    drua_view partial = plan_scratch_bytes(p, (uint64_t)groups * (uint64_t)l.depth * 2 * sizeof(float));
    if (parts > 1 && drua_layout_is_dense(&l) && !plan_fits_both(p, source, source)) {
        for (int32_t z = 0; z < l.depth && !plan_failed(p); z++)
            send_slice(p, plan_slices(source, z, 1), partial, groups, groups / parts + 1, z);
    } else {
        for (drua_tiles t = {.inputs = {source}, .axis = 2, .separate = true}; plan_next_tile(p, &t);)
            send_slices(p, t.from[0], partial, groups, groups, 0, t.at.wanted.first[2]);
    }
    LAUNCH(p, "slice_sums", GRID((int64_t)out.layout.width * ITEMS, out.layout.height, out.layout.depth, ITEMS, 1, 1),
           POINTER(partial), INT(groups), INT(l.depth), ARG(out));
}

DRUA_OP(sum_image_slice_by_slice) = {
    .name = "sum_image_slice_by_slice",
    .category = "measurement",
    .summary = "Adds up the pixels of each slice.",
    .source = "sums of slices in a fixed order",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack"), DRUA_IMAGE_OUT("destination", "vector: one sum for each slice",
                                                                 .shape = one_for_each_slice, .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJ2/CLIJx sumImageSliceBySlice: source, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_sums,
};
