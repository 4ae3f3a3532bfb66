/* SPDX-License-Identifier: BSD-3-Clause */
/* The light of a point behind an objective, by the scalar integral over its pupil (Gibson and Lanni 1991). Host memory,
 * in double. */
#ifndef DRUA_PUPIL_H
#define DRUA_PUPIL_H

#include "plan.h"

/* Lengths in micrometres. `depth` of the point below the cover glass; `glass`: its index, 0: as the objective was
 * designed for. */
typedef struct optics {
    double wavenumber, aperture, immersion, sample, depth, glass;
} optics;

/* Light at `count` radii, `step` apart from 0 on, in each of `depth` planes. */
typedef struct rings {
    double step;
    int64_t count, depth;
    double *light;
} rings;

/** Which of how many equally long pieces of work this is: for progress. */
typedef struct piece {
    int done, all;
} piece;

/** Tells how far a piece is; false if the call is to end, which it does with the next thing that it asks of the device.
 */
bool piece_goes_on(drua_plan *plan, piece s, int64_t done, int64_t all);

/** The stage position where the product of the waves is brightest on the axis: deep in the sample it is not the
 * designed one. */
double pupil_focus(drua_plan *plan, const optics *waves, int count);

/** Light up to `radius`, in planes `slice` apart, the one of number depth / 2 at the stage position `focus`. */
rings pupil_light(drua_plan *plan, const optics *wave, double radius, double slice, int64_t depth, double focus,
                  piece s);

/** What of `light`, whose finest detail has that wave's, a round hole passes that scans it: up to `radius` less that of
 * the hole. */
rings pupil_through_hole(drua_plan *plan, const rings *light, const optics *wave, double hole, piece s);

/** What to take of the ring `first` and those that follow for a radius between them; below 0 is the other side: the
 * same rings. */
enum { RING_WEIGHTS = 8 };
int64_t rings_between(const rings *rings, double radius, double *weights);
double rings_at(const rings *rings, int64_t first, const double *weights, int64_t plane);

#endif
