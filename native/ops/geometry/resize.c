/* SPDX-License-Identifier: BSD-3-Clause */
/* Resizes an image as a whole. */
#include "matrix.h"

/* Extents are rounded down to whole pixels, but are at least 1. */
static int64_t resized_extent(int64_t extent, double factor)
{
    const double size = floor((double)(float)(extent * factor));
    return size < 1 ? 1 : size > 9e15 ? INT64_MAX : (int64_t)size;
}

static void resized_shape(drua_shape *shape, double x, double y, double z)
{
    *shape = (drua_shape){resized_extent(shape->width, x), resized_extent(shape->height, y),
                          resized_extent(shape->depth, z), shape->dimension};
}

#define SOURCE DRUA_IMAGE_IN("source", "image to resize")
#define FACTOR(axis, doc_, default_) DRUA_NUMBER("factor_" axis, doc_, DRUA_RANGE(1e-6, 1e6), .default_value = default_)
#define FACTORS(doc_, default_)                                                                                        \
    FACTOR("x", doc_ " along x", default_), FACTOR("y", doc_ " along y", default_), FACTOR("z", doc_ " along z", 1)

/* ---- resample */

static void resampled_shape(drua_plan *p, drua_shape *shape)
{
    resized_shape(shape, 1 / plan_number(p, "factor_x"), 1 / plan_number(p, "factor_y"),
                  1 / plan_number(p, "factor_z"));
}

static matrix matrix_of_resampling(drua_plan *p)
{
    return matrix_scaling(plan_number(p, "factor_x"), plan_number(p, "factor_y"), plan_number(p, "factor_z"));
}

static void launch_resample(drua_plan *p)
{
    matrix_resample(p, matrix_of_resampling(p), plan_flag(p, "linear_interpolation"));
}

static void parts_of_resample(drua_plan *p, drua_parts *parts)
{
    matrix_parts(p, parts, matrix_of_resampling(p));
}

static void region_of_resample(drua_plan *p, const drua_box *made, drua_box *read)
{
    matrix_region(matrix_of_resampling(p), made, read);
}

static void steps_of_resample(drua_plan *p, double steps[3][3])
{
    matrix_steps(matrix_of_resampling(p), steps);
}

static void place_of_resample(drua_plan *p, double first[3])
{
    matrix_place(matrix_of_resampling(p), first);
}

DRUA_OP(resample) = {
    .name = "resample",
    .category = "geometry",
    .summary =
        "Makes an image smaller or larger; with a factor of 2, the result has half as many pixels along the axis.",
    .source = "each pixel of the result looks up its position in the source, linearly interpolated or nearest",
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "resized image", .shape = resampled_shape),
                FACTORS("number of pixels of the source for one pixel of the result", 1),
                DRUA_BOOLEAN("linear_interpolation", "whether to interpolate instead of taking the nearest pixel",
                             .default_value = 1)),
    DRUA_ALIASES("CLIJ2/CLIJx resample: source, &destination, factor_x, factor_y, factor_z, linear_interpolation"),
    .numeric = DRUA_EXACT,
    .launch = launch_resample,
    .parts = parts_of_resample,
    .region = region_of_resample,
    .steps = steps_of_resample,
    .place = place_of_resample,
};

/* ---- isotropic */

static double voxel_ratio(drua_plan *p, const char *name)
{
    return plan_number(p, name) / plan_number(p, "new_voxel_size");
}

static void isotropic_shape(drua_plan *p, drua_shape *shape)
{
    resized_shape(shape, voxel_ratio(p, "voxel_size_x"), voxel_ratio(p, "voxel_size_y"),
                  voxel_ratio(p, "voxel_size_z"));
}

static matrix matrix_of_isotropy(drua_plan *p)
{
    return matrix_scaling(1 / voxel_ratio(p, "voxel_size_x"), 1 / voxel_ratio(p, "voxel_size_y"),
                          1 / voxel_ratio(p, "voxel_size_z"));
}

static void make_isotropic(drua_plan *p)
{
    matrix_resample(p, matrix_of_isotropy(p), true);
}

static void parts_of_isotropic(drua_plan *p, drua_parts *parts)
{
    matrix_parts(p, parts, matrix_of_isotropy(p));
}

static void region_of_isotropic(drua_plan *p, const drua_box *made, drua_box *read)
{
    matrix_region(matrix_of_isotropy(p), made, read);
}

static void steps_of_isotropic(drua_plan *p, double steps[3][3])
{
    matrix_steps(matrix_of_isotropy(p), steps);
}

static void place_of_isotropic(drua_plan *p, double first[3])
{
    matrix_place(matrix_of_isotropy(p), first);
}

#define VOXEL(name, doc_) DRUA_NUMBER(name, doc_, .unit = "any length", DRUA_RANGE(1e-30, 1e30), .default_value = 1)

DRUA_OP(make_isotropic) = {
    .name = "make_isotropic",
    .category = "geometry",
    .menu = true,
    .summary = "Resizes a stack so that its voxels are equally large along all axes.",
    .source = "linear interpolation onto cubic voxels",
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "resized image", .shape = isotropic_shape, .type = DRUA_FLOAT32),
                VOXEL("voxel_size_x", "size of a voxel along x"), VOXEL("voxel_size_y", "size of a voxel along y"),
                VOXEL("voxel_size_z", "size of a voxel along z"), VOXEL("new_voxel_size", "size of the new voxels")),
    DRUA_ALIASES(
        "CLIJ2/CLIJx makeIsotropic: source, &destination, voxel_size_x, voxel_size_y, voxel_size_z, new_voxel_size"),
    .numeric = DRUA_EXACT,
    .launch = make_isotropic,
    .parts = parts_of_isotropic,
    .region = region_of_isotropic,
    .steps = steps_of_isotropic,
    .place = place_of_isotropic,
};

/* ---- downsample */

static void downsampled_shape(drua_plan *p, drua_shape *shape)
{
    resized_shape(shape, plan_number(p, "factor_x"), plan_number(p, "factor_y"), plan_number(p, "factor_z"));
}

/*
 * Pixel x of the result is pixel floor(x / factor) of the source. Positions therefore refer to the corners of pixels,
 * and the matrix undoes the half pixel that matrix_resample adds. A small offset prevents exact quotients such as
 * 3 / 0.3 from falling below the integer.
 */
static matrix matrix_of_downsampling(drua_plan *p)
{
    const double x = 1 / plan_number(p, "factor_x"), y = 1 / plan_number(p, "factor_y"),
                 z = 1 / plan_number(p, "factor_z"), nudge = 0x1p-16;
    matrix m = matrix_product(matrix_scaling(x, y, z), matrix_translation(-0.5, -0.5, -0.5));
    return matrix_product(matrix_translation(nudge, nudge, nudge), m);
}

static void launch_downsample(drua_plan *p)
{
    matrix_resample(p, matrix_of_downsampling(p), false);
}

static void parts_of_downsample(drua_plan *p, drua_parts *parts)
{
    matrix_parts(p, parts, matrix_of_downsampling(p));
}

static void region_of_downsample(drua_plan *p, const drua_box *made, drua_box *read)
{
    matrix_region(matrix_of_downsampling(p), made, read);
}

static void steps_of_downsample(drua_plan *p, double steps[3][3])
{
    matrix_steps(matrix_of_downsampling(p), steps);
}

DRUA_OP(downsample) = {
    .name = "downsample",
    .category = "geometry",
    .menu = true,
    .summary = "Makes an image smaller by leaving out pixels: a factor of 0.5 halves it.",
    .source = "nearest pixels of the source",
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "smaller image", .shape = downsampled_shape),
                FACTORS("size of the result as a fraction of the source's size", 0.5)),
    DRUA_ALIASES("CLIJ2 downsample2D: source, &destination, factor_x, factor_y, factor_z=1",
                 "CLIJ2 downsample3D: source, &destination, factor_x, factor_y, factor_z",
                 "CLIJx downsample2D: source, &destination:float32, factor_x, factor_y, factor_z=1",
                 "CLIJx downsample3D: source, &destination:float32, factor_x, factor_y, factor_z",
                 "CLIJ downsample2D: source, destination:float32, factor_x, factor_y, factor_z=1",
                 "CLIJ downsample3D: source, destination:float32, factor_x, factor_y, factor_z"),
    .numeric = DRUA_EXACT,
    .launch = launch_downsample,
    .parts = parts_of_downsample,
    .region = region_of_downsample,
    .steps = steps_of_downsample,
    .place = plan_same_place,
};

static void half_shape(drua_plan *p, drua_shape *shape)
{
    (void)p;
    resized_shape(shape, 0.5, 0.5, 1);
}

static void half_median(drua_plan *p)
{
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    LAUNCH(p, "half_median", plan_grid(to.layout), ARG(from), ARG(to));
}

static void half_region(drua_plan *p, const drua_box *made, drua_box *read)
{
    (void)p;
    *read = *made;
    for (int axis = 0; axis < 2; axis++)
        read->first[axis] *= 2, read->end[axis] *= 2;
}

static void half_steps(drua_plan *p, double steps[3][3])
{
    (void)p;
    steps[0][0] = steps[1][1] = 2;
}

static void half_place(drua_plan *p, double first[3])
{
    (void)p;
    first[0] = first[1] = 0.5;
    first[2] = 0;
}

DRUA_OP(downsample_slice_by_slice_half_median) = {
    .name = "downsample_slice_by_slice_half_median",
    .category = "geometry",
    .summary = "Halves width and height; each pixel is the median of the four pixels that it replaces.",
    .source = "mean of the two middle values of each 2 x 2 pixels",
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "smaller image", .shape = half_shape)),
    DRUA_ALIASES("CLIJ2/CLIJx downsampleSliceBySliceHalfMedian: source, &destination",
                 "CLIJ downsampleSliceBySliceHalfMedian: source, destination"),
    .numeric = DRUA_EXACT,
    .launch = half_median,
    .parts = plan_parts_slices,
    .region = half_region,
    .steps = half_steps,
    .place = half_place,
};
