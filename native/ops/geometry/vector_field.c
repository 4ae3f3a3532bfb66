/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

static void launch_warp(drua_plan *p, const char *vector_z)
{
    drua_view source = plan_image(p, "source"), out = plan_image(p, "destination"), x = plan_image(p, "vector_x");
    int64_t origin[3];
    plan_whole_shape(p, "destination", origin);
    for (drua_tiles t = {.inputs = {source}, .halo = 1}; plan_next_tile(p, &t);)
        LAUNCH(p, "apply_vector_field", plan_grid(out.layout), ARG(t.from[0]), ARG(x), ARG(plan_image(p, "vector_y")),
               ARG(vector_z ? plan_image(p, vector_z) : x), INT(vector_z != NULL), INT(origin[1]), INT(origin[2]),
               INT(source.layout.height), INT(source.layout.depth), INT(t.axis), INT(t.at.wanted.first[t.axis]),
               INT(t.at.wanted.end[t.axis]), ARG(out));
}

static void launch_plane(drua_plan *p)
{
    launch_warp(p, NULL);
}

static void launch_stack(drua_plan *p)
{
    launch_warp(p, "vector_z");
}

/* A vector may point anywhere, so each part of the result reads all parts of the source, one after another. */
static void parts_vector_field(drua_plan *p, drua_parts *parts)
{
    (void)p;
    parts->range[1] = parts->range[2] = (drua_affine_range){true, 1, 0, 0};
}

#define SOURCE DRUA_IMAGE_WHOLE("source", "image to warp")
#define VECTOR(axis) DRUA_IMAGE_IN("vector_" axis, "offset along " axis " at which each pixel is read")
#define WARPED DRUA_IMAGE_OUT("destination", "warped image")

DRUA_OP(apply_vector_field_2d) = {
    .name = "apply_vector_field_2d",
    .category = "transform",
    .summary = "Warps an image: two further images give the offsets along x and y at which each pixel is read. Values "
               "between pixels are interpolated; values outside the image are 0. Where an "
               "offset is NaN, the result is NaN.",
    .source = "each pixel looks up the source at its shifted position, linearly interpolated",
    DRUA_PARAMS(SOURCE, VECTOR("x"), VECTOR("y"), WARPED),
    DRUA_ALIASES("CLIJ2/CLIJx applyVectorField2D: source, vector_x, vector_y, &destination",
                 "CLIJ applyVectorField2D: source, vector_x, vector_y, destination"),
    .numeric = DRUA_DEVICE,
    .launch = launch_plane,
    .parts = parts_vector_field,
};

DRUA_OP(apply_vector_field_3d) = {
    .name = "apply_vector_field_3d",
    .category = "transform",
    .summary = "Warps a stack: three further stacks give the offsets along x, y and z at which each voxel is read. "
               "Values between voxels are interpolated; values outside the stack are 0. Where an "
               "offset is NaN, the result is NaN.",
    .source = "each pixel looks up the source at its shifted position, linearly interpolated",
    DRUA_PARAMS(SOURCE, VECTOR("x"), VECTOR("y"), VECTOR("z"), WARPED),
    DRUA_ALIASES("CLIJ2/CLIJx applyVectorField3D: source, vector_x, vector_y, vector_z, &destination",
                 "CLIJ applyVectorField3D: source, vector_x, vector_y, vector_z, destination"),
    .numeric = DRUA_DEVICE,
    .launch = launch_stack,
    .parts = parts_vector_field,
};
