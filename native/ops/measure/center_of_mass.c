/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduction.h"

static void measure_center_of_mass(drua_plan *p, double center[3])
{
    static const int weighted[] = {REDUCTION_SUM_X, REDUCTION_SUM_Y, REDUCTION_SUM_Z};
    float found[REDUCTION_POSITIONS] = {0};
    plan_read(p, reduce_positions(p, plan_image(p, "source"), false), found, sizeof found);
    for (int axis = 0; axis < 3; axis++)
        center[axis] = reduce_pair(found + weighted[axis]) / reduce_pair(found);
}

static void launch_numbers(drua_plan *p)
{
    double center[3];
    measure_center_of_mass(p, center);
    plan_set_number(p, "x", center[0]);
    plan_set_number(p, "y", center[1]);
    plan_set_number(p, "z", center[2]);
}

static void launch_table(drua_plan *p)
{
    static const char *const headings[] = {"MassX", "MassY", "MassZ"};
    double center[3];
    measure_center_of_mass(p, center);
    plan_set_table(p, headings, plan_shape(p, "source").dimension == 2 ? 2 : 3, center, 1);
}

#define SOURCE DRUA_IMAGE_IN("source", "image whose pixels are the weights")

DRUA_OP(center_of_mass) = {
    .name = "center_of_mass",
    .category = "measurement",
    .summary = "Finds the mean position, weighted by the pixels' values; the first pixel is at 0.",
    .source = "mean position, weighted with the grey values",
    DRUA_PARAMS(SOURCE, DRUA_NUMBER_OUT("x", "position along x"), DRUA_NUMBER_OUT("y", "position along y"),
                DRUA_NUMBER_OUT("z", "position along z")),
    DRUA_ALIASES("CLIJ2 getCenterOfMass: source, &x, &y, &z"),
    .numeric = DRUA_EXACT,
    .launch = launch_numbers,
};

DRUA_OP(center_of_mass_table) = {
    .name = "center_of_mass_table",
    .category = "measurement",
    .summary = "Puts the mean position, weighted by the pixels' values, into a table.",
    .source = "mean position, weighted with the grey values",
    DRUA_PARAMS(SOURCE, DRUA_TABLE_OUT("table", "MassX, MassY and in stacks MassZ")),
    DRUA_ALIASES("CLIJ2/CLIJx/CLIJ centerOfMass: source"),
    .numeric = DRUA_EXACT,
    .launch = launch_table,
};
