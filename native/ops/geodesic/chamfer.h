/* SPDX-License-Identifier: BSD-3-Clause */
/* Chamfer distances: lengths of shortest paths in steps of given weights. Called inside op->launch. */
#ifndef DRUA_OPS_CHAMFER_H
#define DRUA_OPS_CHAMFER_H

#include "geodesic.h"

/** A step along x, y, z and its weight, as in kernels/geodesic/chamfer.cl. */
typedef struct chamfer_step {
    int32_t x, y, z;
    float weight;
} chamfer_step;

/** All steps of a metric. A stack has at most 26 steps to neighbours and 24 steps of 1, 1 and 2 pixels. */
typedef struct chamfer_metric {
    chamfer_step steps[50];
    int count;
    float unit; /**< weight of a step to a neighbour with a common side */
} chamfer_metric;

enum { CHAMFER_CHESSBOARD, CHAMFER_CITY_BLOCK, CHAMFER_QUASI_EUCLIDEAN, CHAMFER_BORGEFORS, CHAMFER_CHESSKNIGHT };

/** The metric of one of the choices above, for a plane (`flat`) or a stack. */
chamfer_metric chamfer_metric_of(int choice, bool flat);

/** Memory for the keys of an image: a distance and a label for each pixel. */
drua_view chamfer_keys(drua_plan *plan, drua_layout of);

/**
 * Lowers the keys until none changes any more. `grows`: labels spread to pixels without a label whose distance is below
 * `limit`. Otherwise paths stay inside pixels of one label. Waits for the device after each batch of launches.
 */
void chamfer_spread(drua_plan *plan, drua_view keys, drua_layout of, const chamfer_metric *metric, bool grows,
                    float limit);

/** The steps as kernel arguments. */
#define STEPS_OF(metric) TABLE((metric)->steps, (uint64_t)(metric)->count * sizeof(chamfer_step)), INT((metric)->count)

#define CHAMFER_WEIGHTS                                                                                                \
    DRUA_CHOICE("weights",                                                                                             \
                "lengths of steps to neighbours at a side, edge and corner: chessboard 1, 1, 1; city-block 1, 2, 3; "  \
                "quasi-euclidean their true lengths; borgefors 3, 4, 5; chessknight 5, 7 and 11 for a step of 1 and "  \
                "2 pixels, in stacks 3, 4, 5 and 7 for a step of 1, 1 and 2",                                          \
                DRUA_CHOICES("chessboard", "city-block", "quasi-euclidean", "borgefors", "chessknight"),               \
                .default_text = "borgefors")
#define CHAMFER_NORMALIZED                                                                                             \
    DRUA_BOOLEAN("normalized",                                                                                         \
                 "on: sums of weights divided by the first weight, which is 1 pixel; off: sums of weights",            \
                 .default_value = 1)

#endif
