/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The image that an objective forms of a point, from the scalar integral over the pupil (Gibson and Lanni 1991). All
 * computation is in double precision in host memory.
 */
#ifndef DRUA_PUPIL_H
#define DRUA_PUPIL_H

#include "plan.h"

/*
 * Lengths in micrometres, `wavenumber` in radians per micrometre. `depth`: depth of the point below the cover glass.
 * `glass`: refractive index of the cover glass; 0: the index that the objective was designed for.
 */
typedef struct optics {
    double wavenumber, aperture, immersion, sample, depth, glass;
} optics;

/* Intensity at `count` radii, from 0 in steps of `step`, in each of `depth` planes. */
typedef struct rings {
    double step;
    int64_t count, depth;
    double *light;
} rings;

/**
 * A piece of work: the number of pieces that are finished and of all pieces, for reports of progress. All pieces take
 * about the same time.
 */
typedef struct piece {
    int done, all;
} piece;

/** Reports the progress of a piece. Returns false if the call is to end; the next use of the device then fails. */
bool report_piece(drua_plan *plan, piece s, int64_t done, int64_t all);

/**
 * Returns the stage position at which the product of the intensities of one or two waves is largest on the axis. Deep
 * in the sample, this is not the nominal focus.
 */
double pupil_focus(drua_plan *plan, const optics *waves, int count);

/** Returns the intensity up to `radius`, in planes `slice` apart; plane depth / 2 is at the stage position `focus`. */
rings pupil_light(drua_plan *plan, const optics *wave, double radius, double slice, int64_t depth, double focus,
                  piece s);

/**
 * Returns the part of `light` that passes a round, scanned pinhole of radius `hole`, up to the radius of `light` minus
 * `hole`. The finest detail of `light` is that of `wave`.
 */
rings pupil_through_hole(drua_plan *plan, const rings *light, const optics *wave, double hole, piece s);

/**
 * Interpolation between rings: rings_between returns the first of RING_WEIGHTS rings around a radius and sets their
 * weights. Rings of negative number lie on the other side of the axis and equal those of positive number.
 */
enum { RING_WEIGHTS = 8 };
int64_t rings_between(const rings *rings, double radius, double *weights);
double rings_at(const rings *rings, int64_t first, const double *weights, int64_t plane);

#endif
