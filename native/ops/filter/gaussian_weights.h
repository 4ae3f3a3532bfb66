/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights of a Gaussian, for kernels that smooth along one axis. */
#ifndef DRUA_OPS_GAUSSIAN_WEIGHTS_H
#define DRUA_OPS_GAUSSIAN_WEIGHTS_H

/**
 * Sets half[0] to half[radius] to the weights from the middle on. The weights are computed in double precision, so
 * that the sum of all 2 radius + 1 weights is 1. With `sigma` 0, the radius is 0 too.
 */
void gaussian_half(double sigma, int radius, float *half);

/** Sets all 2 radius + 1 weights; the middle is weights[radius]. */
void gaussian_weights(double sigma, int radius, float *weights);

#endif
