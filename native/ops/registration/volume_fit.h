/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Affine maps of volumes, and the steps of a Gauss-Newton search that maximizes the correlation of two volumes. The
 * functions use no images, only sums over their pixels.
 */
#ifndef DRUA_OPS_REGISTRATION_VOLUME_FIT_H
#define DRUA_OPS_REGISTRATION_VOLUME_FIT_H

#include <stdbool.h>

typedef enum volume_mode { VOLUME_TRANSLATION, VOLUME_RIGID, VOLUME_SCALED, VOLUME_AFFINE } volume_mode;

/** Position i of the result: at[i][0] x + at[i][1] y + at[i][2] z + at[i][3]. */
typedef struct volume_map {
    double at[3][4];
} volume_map;

/** Returns the map that applies `first`, then `second`. */
volume_map volume_product(const volume_map *second, const volume_map *first);

/** Determinant of the linear part. */
double volume_change(const volume_map *m);

enum { VOLUME_SUMS = 38, VOLUME_AXES = 3 };

/** Quality of a map, from the sums of a comparison (kernel volume_sums, for each axis). */
typedef struct volume_match {
    double number, correlation, residual; /**< residual: root of the mean square difference */
} volume_match;

/** `sums`: VOLUME_AXES times VOLUME_SUMS. `difference`: mean of the reference less that of the source. */
volume_match volume_match_of(const double *sums, double difference);

/**
 * Sets *step to the map to apply after the current one. `damping` enlarges the diagonal of the equations by this
 * fraction. Returns false if the sums determine no step.
 */
bool volume_step(volume_mode mode, const double *sums, double damping, volume_map *step);

#endif
