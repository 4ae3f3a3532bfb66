/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

/* One view for each pixel behind a lenslet. */
static void views_shape(drua_plan *p, drua_shape *shape)
{
    const int64_t across = plan_integer(p, "pixels_x"), down = plan_integer(p, "pixels_y");
    if (shape->width < across || shape->height < down)
        plan_fail(p,
                  "source must hold at least one block of %lld x %lld pixels, but it is %lld x %lld; choose smaller "
                  "pixels_x and pixels_y",
                  (long long)across, (long long)down, (long long)shape->width, (long long)shape->height);
    *shape = (drua_shape){shape->width / across, shape->height / down, across * down, 3};
}

static void launch_views(drua_plan *p)
{
    int64_t at[3];
    const drua_view to = plan_image(p, "destination");
    const int64_t across = plan_integer(p, "pixels_x"), down = plan_integer(p, "pixels_y");
    plan_whole_shape(p, "destination", at);
    if (plan_is_beyond_source(p, (const int64_t[]){across, down, 0}))
        plan_clear(p, to);
    else
        LAUNCH(p, "light_field_views", plan_grid(to.layout), ARG(plan_image(p, "source")), ARG(to), INT(across),
               INT(down), INT(at[2]));
}

static void blocks_of_views(drua_plan *p, const drua_box *made, drua_box *read)
{
    const int64_t pixels[2] = {plan_integer(p, "pixels_x"), plan_integer(p, "pixels_y")};
    for (int axis = 0; axis < 2; axis++) {
        read->first[axis] = made->first[axis] * pixels[axis];
        read->end[axis] = made->end[axis] * pixels[axis];
    }
    /* slices after the last view read from blocks further down */
    const int64_t last_row = (made->end[2] - 1) / pixels[0];
    read->end[1] += last_row < pixels[1] ? 0 : last_row + 1 - pixels[1];
    read->first[2] = 0;
    read->end[2] = 1;
}

#define PIXELS(axis)                                                                                                   \
    DRUA_INTEGER("pixels_" axis, "pixels behind a lenslet along " axis, .unit = "pixel", DRUA_RANGE(1, 10000),         \
                 .default_value = 1, .example = 8)

DRUA_OP(light_field_views) = {
    .name = "light_field_views",
    .category = "image",
    .summary =
        "Sorts the pixels behind the lenslets of a light-field microscope into views: a slice for each direction.",
    .source = "slice v pixels_x + u has pixel u, v of each block",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "plane of blocks of pixels; only the first slice of a stack is used"),
                DRUA_IMAGE_OUT("destination", "stack of views", .shape = views_shape), PIXELS("x"), PIXELS("y")),
    DRUA_ALIASES("CLIJx lfrecon: source, &destination, pixels_x, pixels_y"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_READS_PART,
    .launch = launch_views,
    .region = blocks_of_views,
};
