/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

#include <math.h>

/* Distances within this relative error of the limit belong to it: float32 rounds sums of squares. */
#define WITHIN 1e-6

/* Size of a pixel along each axis; 1 in images without calibration. */
static void pixel_size(drua_plan *p, double size[3])
{
    if (plan_flag(p, "calibrated")) {
        plan_voxel_size(p, "source", size);
        return;
    }
    size[0] = size[1] = size[2] = 1;
}

/* Number of pixels along each axis that a label can grow; 0 along z in planes. */
static void reach_of_growth(drua_plan *p, const double size[3], int64_t reach[3])
{
    const drua_shape of = plan_shape(p, "source");
    const int64_t max[3] = {of.width, of.height, of.depth - 1};
    for (int axis = 0; axis < 3; axis++) {
        const double pixels = floor(plan_number(p, "distance") / size[axis] * (1 + WITHIN));
        reach[axis] = pixels < (double)max[axis] ? (int64_t)pixels : max[axis];
    }
}

static void launch_expand(drua_plan *p)
{
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_layout l = from.layout;
    const uint64_t bytes = 4 * (uint64_t)l.width * (uint64_t)l.height * (uint64_t)l.depth;
    const double distance = plan_number(p, "distance");
    drua_view squares[2], nearest[2];
    double size[3];
    int64_t reach[3];
    int now = 0;
    for (int i = 0; i < 2; i++) {
        squares[i] = plan_scratch_bytes(p, bytes);
        nearest[i] = plan_scratch_bytes(p, bytes);
    }
    pixel_size(p, size);
    reach_of_growth(p, size, reach);
    LAUNCH(p, "expand_begin", plan_grid(l), ARG(from), POINTER(squares[0]), POINTER(nearest[0]));
    for (int axis = 0; axis < 3; axis++) {
        drua_grid grid = plan_grid(l);
        grid.turns = 2 * reach[axis];
        if (reach[axis] == 0)
            continue;
        LAUNCH(p, "expand_along", grid, POINTER(squares[now]), POINTER(nearest[now]), POINTER(squares[!now]),
               POINTER(nearest[!now]), INT(l.width), INT(l.height), INT(l.depth), INT(axis), INT(reach[axis]),
               REAL(size[axis]));
        now = !now;
    }
    LAUNCH(p, "expand_end", plan_grid(to.layout), POINTER(squares[now]), POINTER(nearest[now]), INT(l.width),
           INT(l.height), INT(l.depth), REAL(distance * distance * (1 + 2 * WITHIN)), ARG(to));
}

static void expand_parts(drua_plan *p, drua_parts *parts)
{
    double size[3];
    pixel_size(p, size);
    reach_of_growth(p, size, parts->halo);
    parts->columns = true;
}

static uint64_t scratch_of_expansion(drua_plan *p)
{
    const drua_shape of = plan_shape(p, "source");
    return 16 * (uint64_t)of.width * (uint64_t)of.height * (uint64_t)of.depth;
}

DRUA_OP(expand_labels) = {
    .name = "expand_labels",
    .category = "labels",
    .menu = true,
    .summary = "Grows each label by a distance in the image's unit. Labels stop growing where they meet.",
    .source = "exact Euclidean distance to the nearest pixel of a label, axis by axis; a pixel equally near to two "
              "labels gets the smaller number",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map"),
                DRUA_LABELS_OUT("destination", "label map with larger labels", .type = DRUA_TYPE_OF_SOURCE),
                DRUA_NUMBER("distance", "largest distance between pixel centres", .unit = "unit of the image",
                            DRUA_RANGE(0, 10000), .default_value = 2),
                DRUA_BOOLEAN("calibrated", "the distance is in the unit of the image's calibration; off: in pixels",
                             .default_value = 1)),
    .numeric = DRUA_EXACT,
    .traits = DRUA_KEEPS_LABELS,
    .launch = launch_expand,
    .parts = expand_parts,
    .scratch = scratch_of_expansion,
};
