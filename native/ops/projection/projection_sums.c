/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums, means and standard deviations of a stack along one axis. */
#include "projection_axes.h"

#include <math.h>

/*
 * Largest absolute value of an 8-bit or 16-bit type; infinity for other types, which float32 sums may not represent
 * exactly.
 */
static double largest_of_type(int32_t type)
{
    switch (type) {
    case DRUA_UINT8: return 255;
    case DRUA_INT8: return 128;
    case DRUA_UINT16: return 65535;
    case DRUA_INT16: return 32768;
    default: return INFINITY;
    }
}

static const double EXACT = 0x1p24; /* float32 represents all integers up to this value */

static void sum_of_slices(drua_plan *p, projection q, int32_t first, int32_t count, bool mean)
{
    const bool plain = largest_of_type(q.from.layout.type) * count <= EXACT;
    if (plan_device(p)->is_gpu)
        PROJECT(p, "sum_of_slices", q, INT(q.sharing), INT(first), INT(count), REAL(mean ? count : 1));
    else
        LAUNCH(p, "sum_of_columns", projection_runs(q.to), ARG(q.from), ARG(q.to), INT(plain), INT(q.sharing),
               INT(first), INT(count), REAL(mean ? count : 1));
}

static void add_z(drua_plan *p, bool mean)
{
    int32_t first, count = projection_range(p, (int32_t)plan_shape(p, "source").depth, &first);
    sum_of_slices(p, projection_along_z(p, plan_image(p, "source"), plan_image(p, "destination")), first, count, mean);
}

static void add_y(drua_plan *p, bool mean)
{
    projection q = projection_along_y(p);
    sum_of_slices(p, q, 0, q.from.layout.depth, mean);
}

static void add_x(drua_plan *p, bool mean)
{
    projection q = projection_along_x(p);
    PROJECT(p, "sum_of_rows", q, REAL(mean ? q.from.layout.width : 1));
}

static void sum_x(drua_plan *p) { add_x(p, false); }
static void sum_y(drua_plan *p) { add_y(p, false); }
static void sum_z(drua_plan *p) { add_z(p, false); }
static void mean_x(drua_plan *p) { add_x(p, true); }
static void mean_y(drua_plan *p) { add_y(p, true); }
static void mean_z(drua_plan *p) { add_z(p, true); }

static void deviation_z(drua_plan *p)
{
    projection q = projection_along_z(p, plan_image(p, "source"), plan_image(p, "destination"));
    const bool bytes = largest_of_type(q.from.layout.type) < 256,
               plain = bytes && 255.0 * 255 * q.from.layout.depth <= EXACT;
    if (plan_device(p)->is_gpu)
        PROJECT(p, "deviation_of_slices", q, INT(q.sharing));
    else
        LAUNCH(p, "deviation_of_columns", projection_runs(q.to), ARG(q.from), ARG(q.to), INT(plain), INT(q.sharing));
}

#define SOURCE "pixels in a fixed order; the rounding errors of float32 sums are added at the end (Neumaier 1974)"

DRUA_OP(mean_x_projection) = PROJECTION(mean_x_projection, mean_x, x,
                                        "Takes the mean along x; the result is depth x height.",
                                        DRUA_PARAMS(STACK, RESULT(x, DRUA_TYPE_OF_SOURCE)),
                                        "CLIJ2 meanXProjection: source, &destination");
DRUA_OP(mean_y_projection) = PROJECTION(mean_y_projection, mean_y, y,
                                        "Takes the mean along y; the result is width x depth.",
                                        DRUA_PARAMS(STACK, RESULT(y, DRUA_TYPE_OF_SOURCE)),
                                        "CLIJ2 meanYProjection: source, &destination");
DRUA_OP(mean_z_projection) = PROJECTION(mean_z_projection, mean_z, z,
                                        "Makes one plane of a stack: the mean along z, of all slices or a range.",
                                        DRUA_IN_MENU(DRUA_PARAMS(STACK, RESULT(z, DRUA_TYPE_OF_SOURCE), BOUNDS)),
                                        "CLIJ2/CLIJx meanZProjection: source, &destination" ALL,
                                        "CLIJ meanZProjection: source, destination" ALL,
                                        "CLIJ2/CLIJx meanZProjectionBounded: source, &destination, min_z, max_z");
DRUA_OP(sum_x_projection) = PROJECTION(sum_x_projection, sum_x, x, "Adds along x; the result is depth x height.",
                                       DRUA_PARAMS(STACK, RESULT(x, DRUA_FLOAT32)),
                                       "CLIJ2/CLIJx sumXProjection: source, &destination");
DRUA_OP(sum_y_projection) = PROJECTION(sum_y_projection, sum_y, y, "Adds along y; the result is width x depth.",
                                       DRUA_PARAMS(STACK, RESULT(y, DRUA_FLOAT32)),
                                       "CLIJ2/CLIJx sumYProjection: source, &destination");
DRUA_OP(sum_z_projection) = PROJECTION(sum_z_projection, sum_z, z,
                                       "Makes one plane of a stack: the sum along z, of all slices or a range.",
                                       DRUA_IN_MENU(DRUA_PARAMS(STACK, RESULT(z, DRUA_FLOAT32), BOUNDS)),
                                       "CLIJ2/CLIJx sumZProjection: source, &destination" ALL,
                                       "CLIJ sumZProjection: source, destination:source" ALL);
DRUA_OP(standard_deviation_z_projection) = PROJECTION(
    standard_deviation_z_projection, deviation_z, z,
    "Takes the standard deviation along z (of a sample: divided by the number of slices less 1; 0 for one slice).",
    DRUA_IN_MENU(DRUA_PARAMS(STACK, RESULT(z, DRUA_FLOAT32))),
    "CLIJ2/CLIJx standardDeviationZProjection: source, &destination");
