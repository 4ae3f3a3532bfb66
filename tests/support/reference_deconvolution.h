/* SPDX-License-Identifier: BSD-3-Clause */
/* The iterations of docs/deconvolution.md in double precision. Convolutions are computed as sums. */
#ifndef DRUA_TESTS_REFERENCE_DECONVOLUTION_H
#define DRUA_TESTS_REFERENCE_DECONVOLUTION_H

#include "reference_volume.h"

typedef struct reference_recipe {
    enum { NONCIRCULANT, MIRROR, CIRCULANT } edges;
    enum { PLAIN, HEAVY_BALL, BIGGS_ANDREWS } acceleration;
    enum { RICHARDSON_LUCY, WIENER_BUTTERWORTH, LANDWEBER } method;
    double tv, floor, background;       /* floor: the least gradient of the total variation, as a share of the pixel */
    double spacing[3];                  /* 0 means 1, 1, 3 */
    double step, alpha, order;          /* 0 means 1, 0.05 and 10 */
    double precondition; /* noise of the Wiener filter in Landweber's correction; 0: no preconditioner */
    /* NULL, or receives the iteration after which only noise was left and the run stopped; 0: it did not stop early */
    int *at_noise;
    double start; /* the first estimate unless edges are circulant; 0: the mean, or with MIRROR the image */
    /* NULL, or receives the least and the largest step of Biggs and Andrews, before the limit to 0 ... 1 */
    double *steps;
    /* nonzero for pixels that were not measured; v NULL: every pixel was measured */
    volume bad;
} reference_recipe;

/**
 * The estimates after each of `stops` iterations, and the divergences before each iteration unless `divergences` is
 * NULL.
 */
void reference_deconvolve_until(volume image, volume psf, reference_recipe r, const int *stops, int stop_count,
                                volume *outs, double *divergences);

volume reference_deconvolve(volume image, volume psf, reference_recipe r, int iterations);

#endif
