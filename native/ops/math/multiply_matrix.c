/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

static void product_shape(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_shape(p, "matrix2").width, plan_shape(p, "matrix1").height, 1, 2};
}

static void launch_product(drua_plan *p)
{
    enum { GROUP = 16, EACH_ITEM = 4 };     /* as in kernels/math/multiply_matrix.cl */
    drua_view out = plan_image(p, "destination");
    const drua_shape left = plan_shape(p, "matrix1"), right = plan_shape(p, "matrix2");
    if (left.width != right.height) {
        plan_fail(p,
                  "matrix1 is %lld wide and matrix2 is %lld high, but both numbers must be equal; exchange or "
                  "transpose the matrices",
                  (long long)left.width, (long long)right.height);
        return;
    }
    const drua_grid grid = GRID((out.layout.width + EACH_ITEM - 1) / EACH_ITEM,
                                (out.layout.height + EACH_ITEM - 1) / EACH_ITEM, out.layout.depth, GROUP, GROUP, 1);
    LAUNCH(p, "multiply_matrix", grid_of_turns(grid, EACH_ITEM * EACH_ITEM * left.width), ARG(plan_image(p, "matrix1")),
           ARG(plan_image(p, "matrix2")), ARG(out));
}

DRUA_OP(multiply_matrix) = {
    .name = "multiply_matrix",
    .category = "math",
    .summary = "Multiplies two matrices.",
    .source = "rows times columns, added up in a fixed order",
    DRUA_PARAMS(DRUA_IMAGE_IN("matrix1", "left matrix"),
                DRUA_IMAGE_IN("matrix2", "right matrix; as high as the left one is wide"),
                DRUA_IMAGE_OUT("destination", "product; as wide as the right one, as high as the left one",
                               .shape = product_shape, .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJ2/CLIJx multiplyMatrix: matrix1, matrix2, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_product,
};
