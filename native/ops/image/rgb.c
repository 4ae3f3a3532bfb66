/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

static void slice_shape(drua_plan *p, drua_shape *shape)
{
    drua_shape source = plan_shape(p, "source");
    if (source.depth != 3)
        plan_fail(p,
                  "source must have 3 slices, red, green and blue, got %lld; push an RGB image or join three with "
                  "concatenateStacks",
                  (long long)source.depth);
    *shape = (drua_shape){source.width, source.height, 1, 2};
}

static void launch_convert_rgb_stack_to_gray_slice(drua_plan *p)
{
    drua_view to = plan_image(p, "destination");
    LAUNCH(p, "luminance", plan_grid(to.layout), ARG(plan_image(p, "source")), ARG(to));
}

/* A part has some rows of all three slices. */
static void parts_convert_rgb_stack_to_gray_slice(drua_plan *p, drua_parts *parts)
{
    (void)p;
    parts->axis[2] = -1;
}

DRUA_OP(convert_rgb_stack_to_gray_slice) = {
    .name = "convert_rgb_stack_to_gray_slice",
    .category = "image",
    .summary = "Makes one grey image of red, green and blue slices: 0.299 red + 0.587 green + 0.114 blue.",
    .source = "luma of ITU-R BT.601",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "three slices: red, green, blue"),
                DRUA_IMAGE_OUT("destination", "grey image", .shape = slice_shape)),
    DRUA_ALIASES("CLIJx convertRGBStackToGraySlice: source, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_convert_rgb_stack_to_gray_slice,
    .parts = parts_convert_rgb_stack_to_gray_slice,
    .steps = plan_same_voxels,
};
