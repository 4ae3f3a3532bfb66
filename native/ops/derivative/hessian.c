/* SPDX-License-Identifier: BSD-3-Clause */
/* Detects ridges, tubes and blobs from the eigenvalues of the second derivatives. */
#include "plan.h"

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static drua_layout layout_of_all(drua_layout a, drua_layout b, drua_layout c)
{
    a.width = (int32_t)larger(a.width, larger(b.width, c.width));
    a.height = (int32_t)larger(a.height, larger(b.height, c.height));
    a.depth = (int32_t)larger(a.depth, larger(b.depth, c.depth));
    return a;
}

static void launch_planes(drua_plan *p, drua_view low, drua_view high)
{
    const drua_layout all = layout_of_all(low.layout, high.layout, high.layout);
    LAUNCH(p, "hessian_of_planes", plan_grid_of_vectors(p, all, 4), ARG(plan_image(p, "source")), ARG(low), ARG(high));
}

static void launch_stacks(drua_plan *p, drua_view low, drua_view middle, drua_view high)
{
    const drua_view from = plan_image(p, "source");
    const drua_layout all = layout_of_all(low.layout, middle.layout, high.layout);
    if (from.layout.depth == 1)
        LAUNCH(p, "hessian_of_slice", plan_grid_of_vectors(p, all, 4), ARG(from), ARG(low), ARG(middle), ARG(high));
    else
        LAUNCH(p, "hessian_of_stacks", plan_grid(all), ARG(from), ARG(low), ARG(middle), ARG(high));
}

static void plan_2d(drua_plan *p)
{
    launch_planes(p, plan_image(p, "small_eigenvalue"), plan_image(p, "large_eigenvalue"));
}

static void plan_3d(drua_plan *p)
{
    launch_stacks(p, plan_image(p, "small_eigenvalue"), plan_image(p, "middle_eigenvalue"),
                  plan_image(p, "large_eigenvalue"));
}

/* Writes one eigenvalue to the destination and the others to scratch memory. */
static void write_eigenvalue(drua_plan *p, bool large)
{
    const drua_shape pixel = {1, 1, 1, 3};
    drua_view to = plan_image(p, "destination"), none = plan_scratch(p, pixel, DRUA_FLOAT32),
              nor = plan_scratch(p, pixel, DRUA_FLOAT32);
    if (plan_shape(p, "source").dimension == 2)
        launch_planes(p, large ? none : to, large ? to : none);
    else
        launch_stacks(p, large ? none : to, nor, large ? to : none);
}

static void plan_small(drua_plan *p)
{
    write_eigenvalue(p, false);
}
static void plan_large(drua_plan *p)
{
    write_eigenvalue(p, true);
}

#define VALUES(name, words) DRUA_IMAGE_OUT(name "_eigenvalue", words " eigenvalue of each pixel", .type = DRUA_FLOAT32)
#define HESSIAN(name_, function, summary_, params_, ...)                                                               \
    {                                                                                                                  \
        .name = #name_, .category = "filter", .summary = summary_, .numeric = DRUA_DEVICE, .launch = function,         \
        params_,                                                                                                       \
        .source = "second differences 1 -2 1; mixed differences: four corners with alternating signs, divided by 4; "  \
                  "the most isolated eigenvalue first, then those perpendicular to its eigenvector",                   \
        .parts = plan_parts_neighbours, DRUA_ALIASES(__VA_ARGS__)                                                      \
    }

DRUA_OP(hessian_eigenvalues_2d) = HESSIAN(
    hessian_eigenvalues_2d, plan_2d, "Shows ridges and blobs: both eigenvalues of the second derivatives in slices.",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image; the slices of a stack are filtered separately"),
                VALUES("small", "smaller"), VALUES("large", "larger")),
    "CLIJx hessianEigenvalues2D: source, &small_eigenvalue:source, &large_eigenvalue:source");
DRUA_OP(hessian_eigenvalues_3d) = HESSIAN(hessian_eigenvalues_3d, plan_3d,
                                          "Shows tubes, sheets and blobs: the three eigenvalues of the second "
                                          "derivatives.",
                                          DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack"), VALUES("small", "smallest"),
                                                      VALUES("middle", "middle"), VALUES("large", "largest")),
                                          "CLIJx hessianEigenvalues3D: source, &small_eigenvalue:source, "
                                          "&middle_eigenvalue:source, &large_eigenvalue:source");
DRUA_OP(small_hessian_eigenvalue) =
    HESSIAN(small_hessian_eigenvalue, plan_small,
            "Shows bright ridges and blobs as negative values: the smallest eigenvalue of the second derivatives.",
            DRUA_PARAMS(DRUA_IMAGE_IN("source", "image"),
                        DRUA_IMAGE_OUT("destination", "smallest eigenvalue of each pixel", .type = DRUA_FLOAT32)),
            NULL);
DRUA_OP(large_hessian_eigenvalue) =
    HESSIAN(large_hessian_eigenvalue, plan_large,
            "Shows dark ridges and blobs as positive values: the largest eigenvalue of the second derivatives.",
            DRUA_PARAMS(DRUA_IMAGE_IN("source", "image"),
                        DRUA_IMAGE_OUT("destination", "largest eigenvalue of each pixel", .type = DRUA_FLOAT32)),
            NULL);
