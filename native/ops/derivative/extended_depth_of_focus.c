/* SPDX-License-Identifier: BSD-3-Clause */
/* Projects a stack to one sharp plane: each pixel comes from the slice with the largest smoothed sharpness measure. */
#include "plan.h"

static void take_from_largest(drua_plan *p)
{
    enum { COLUMNS = 32, ROWS = 8, FEW = 16 };
    drua_view source = plan_image(p, "source"), focus = plan_image(p, "focus"), to = plan_image(p, "destination");
    if (focus.layout.depth == 1 && source.layout.width == to.layout.width && source.layout.height == to.layout.height &&
        to.layout.depth == 1) {
        plan_copy(p, plan_slices(source, 0, 1), to, 0, 0, 0);
        return;
    }
    const int sharing = focus.layout.depth < FEW ? 1 : ROWS;
    LAUNCH(p, "take_from_largest", GRID(to.layout.width, (int64_t)to.layout.height * sharing, 1, COLUMNS, ROWS, 1),
           ARG(source), ARG(focus), ARG(to), INT(sharing));
}

/* A single slice is returned unchanged. */
static void project_sharpest(drua_plan *p, drua_operand (*focus)(drua_plan *))
{
    if (plan_shape(p, "source").depth == 1) {
        plan_return(p, "destination", plan_operand(p, "source"));
        return;
    }
    drua_operand sigma = NUMBER(plan_number(p, "sigma")),
                 smooth = CALL(p, "gaussian_blur", DRUA_FLOAT32, focus(p), sigma, sigma, NUMBER(0));
    plan_return(p, "destination",
                CALL(p, "slice_of_largest_projection", DRUA_NO_TYPE, plan_operand(p, "source"), smooth));
}

static drua_operand call_variance(drua_plan *p)
{
    return CALL(p, "variance_sphere", DRUA_FLOAT32, plan_operand(p, "source"), NUMBER(plan_number(p, "radius_x")),
                NUMBER(plan_number(p, "radius_y")), NUMBER(0));
}

static drua_operand call_sobel(drua_plan *p)
{
    return CALL(p, "sobel", DRUA_FLOAT32, plan_operand(p, "source"), NUMBER(1));
}

static drua_operand call_tenengrad(drua_plan *p)
{
    return CALL(p, "tenengrad", DRUA_FLOAT32, plan_operand(p, "source"), NUMBER(1));
}

static void build_variance(drua_plan *p)
{
    project_sharpest(p, call_variance);
}
static void build_sobel(drua_plan *p)
{
    project_sharpest(p, call_sobel);
}
static void build_tenengrad(drua_plan *p)
{
    project_sharpest(p, call_tenengrad);
}

static void flat_shape(drua_plan *p, drua_shape *shape)
{
    (void)p;
    *shape = (drua_shape){shape->width, shape->height, 1, 2};
}

static void along_z(drua_plan *p, drua_parts *parts)
{
    (void)p;
    parts->axis[2] = -1;
}

#define STACK DRUA_IMAGE_IN("source", "stack")
#define PLANE DRUA_IMAGE_OUT("destination", "projection", .shape = flat_shape)
#define SIGMA                                                                                                          \
    DRUA_NUMBER("sigma", "standard deviation of the Gaussian that smooths the measure of sharpness", .unit = "pixel",  \
                DRUA_RANGE(0, 1000), .default_value = 10)
#define RADIUS(axis)                                                                                                   \
    DRUA_INTEGER("radius_" axis, "half width of the disk along " axis, .unit = "pixel", DRUA_RANGE(0, 490),            \
                 .default_value = 2)

#define BY(...) __VA_ARGS__

#define FOCUS(name_, numeric_, summary_, source_, member, traits_, params_, ...)                                       \
    {                                                                                                                  \
        .name = #name_, .category = "projection", .summary = summary_, .source = source_, .numeric = numeric_,         \
        .steps = plan_same_voxels, .place = plan_same_place, .traits = traits_, member, params_,                       \
        .aliases = (const char *const[])                                                                               \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

DRUA_OP(slice_of_largest_projection) =
    FOCUS(slice_of_largest_projection, DRUA_EXACT,
          "Makes one plane of a stack: each pixel comes from the slice in which a second stack, such as a measure of "
          "sharpness, is largest.",
          "the first of several slices with the largest value", BY(.launch = take_from_largest, .parts = along_z),
          DRUA_READS_PART,
          DRUA_PARAMS(STACK, DRUA_IMAGE_IN("focus", "measure of sharpness, as large as the stack"), PLANE), NULL);
DRUA_OP(extended_depth_of_focus_variance_projection) =
    FOCUS(extended_depth_of_focus_variance_projection, DRUA_DEVICE,
          "Makes one sharp plane from a stack, judged by the variance around each pixel.",
          "variance in a disk, smoothed by a Gaussian; the slice with the largest value", .build = build_variance, 0,
          DRUA_IN_MENU(DRUA_PARAMS(STACK, PLANE, RADIUS("x"), RADIUS("y"), SIGMA)),
          "CLIJ2/CLIJx extendedDepthOfFocusVarianceProjection: source, &destination, radius_x, radius_y, sigma", NULL);
DRUA_OP(extended_depth_of_focus_sobel_projection) =
    FOCUS(extended_depth_of_focus_sobel_projection, DRUA_DEVICE,
          "Makes one sharp plane from a stack, judged by the length of the gradient.",
          "Sobel's gradient, smoothed by a Gaussian; the slice with the largest value", .build = build_sobel, 0,
          DRUA_PARAMS(STACK, PLANE, SIGMA),
          "CLIJ2/CLIJx extendedDepthOfFocusSobelProjection: source, &destination, sigma", NULL);
DRUA_OP(extended_depth_of_focus_tenengrad_projection) =
    FOCUS(extended_depth_of_focus_tenengrad_projection, DRUA_DEVICE,
          "Makes one sharp plane from a stack, judged by the squared length of the gradient.",
          "Sobel's differences, squared and smoothed by a Gaussian; the slice with the largest value",
          .build = build_tenengrad, 0, DRUA_PARAMS(STACK, PLANE, SIGMA),
          "CLIJ2/CLIJx extendedDepthOfFocusTenengradProjection: source, &destination, sigma", NULL);
