/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Floods of grey values, from which morphological reconstruction, holes, borders and extrema are made. Called inside
 * op->launch.
 */
#ifndef DRUA_OPS_GEODESIC_H
#define DRUA_OPS_GEODESIC_H

#include "plan.h"

/**
 * Levels of all pixels and the limits up to which they may rise, as uint32 in scratch memory without gaps; see
 * kernels/geodesic/levels.cl.
 */
typedef struct drua_flood {
    drua_layout of; /**< extent of the image */
    drua_view levels, limits;
} drua_flood;

/** Returns memory for a flood of an image of this extent. */
drua_flood geodesic_make(drua_plan *plan, drua_layout of);

/** One launch of a kernel that changes tiles of an image; `changed`, `left` and `last_change` are its arguments. */
typedef struct geodesic_pass {
    drua_layout of;
    int64_t tiles; /**< of 32 x 32 pixels or 16 x 8 x 8 on GPUs, else of 64 x 64 or 64 x 16 x 16 */
    drua_view changed, last_change;
    int left;
    uint32_t launch; /**< counted from 1 */
} geodesic_pass;

/** Launches the kernel once. */
typedef void (*geodesic_step)(drua_plan *plan, const geodesic_pass *pass, const void *state);

/** Repeats a step on an image of this extent until it changes nothing. Waits for the device after each batch. */
void geodesic_repeat(drua_plan *plan, drua_layout of, geodesic_step step, const void *state);

/** The pass as kernel arguments. */
#define PASS_OF(pass) POINTER((pass)->changed), INT((pass)->left), POINTER((pass)->last_change), INT((pass)->launch)

/** The grid of one work-group of 256 for each tile. */
#define GEODESIC_TILES(pass) GRID((pass)->tiles * 256, 1, 1, 256, 1, 1)

/**
 * Raises each level to the highest one around it, as far as its limit allows, until none rises. Waits for the device
 * after each batch of launches. Reads "connectivity" (CONNECTIVITY).
 */
void geodesic_spread(drua_plan *plan, const drua_flood *flood);

/** Stores the levels in "destination". `type` is the type of the levels; with `down`, the levels are complements. */
void geodesic_finish(drua_plan *plan, const drua_flood *flood, drua_type type, bool down);

#define CONNECTIVITY                                                                                                   \
    DRUA_INTEGER("connectivity", "4 or 6: neighbouring pixels share a side; 8 or 26: a shared corner is enough",       \
                 DRUA_RANGE(4, 26), DRUA_ONLY(4, 6, 8, 26), .default_value = 6)
#define EXTENT_OF(layout) INT((layout).width), INT((layout).height), INT((layout).depth)

#endif
