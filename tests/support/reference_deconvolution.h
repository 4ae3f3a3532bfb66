/* SPDX-License-Identifier: BSD-3-Clause */
/* The iterations of docs/deconvolution.md in double precision; convolutions as sums. */
#ifndef DRUA_TESTS_REFERENCE_DECONVOLUTION_H
#define DRUA_TESTS_REFERENCE_DECONVOLUTION_H

#include "reference_volume.h"

typedef struct reference_recipe {
    enum { NONCIRCULANT, MIRROR, CIRCULANT } edges;
    enum { PLAIN, HEAVY_BALL, BIGGS_ANDREWS } acceleration;
    enum { RICHARDSON_LUCY, WIENER_BUTTERWORTH, LANDWEBER } method;
    double tv, floor, background;       /* floor: least gradient of the total variation, as a share of the pixel */
    double spacing[3];                  /* 0: 1, 1, 3 */
    double step, alpha, order;          /* 0: 1, 0.05 and 10 */
    double precondition; /* of Landweber's correction: noise of Wiener's filter; 0: there is none */
    int *at_noise; /* NULL, or where it says after how many iterations it ended as nothing but noise was left; 0: it did
                      not */
    double start; /* the first estimate, where edges are not circulant; 0: the mean, or with MIRROR the image */
    double *steps; /* NULL, or where the least and the largest of Biggs and Andrews' steps go, before they are limited
                      to 0 ... 1 */
    volume bad;                         /* pixels that were not seen are not 0; without v there are none */
} reference_recipe;

/** What is there after each of `stops` iterations; the divergences before each iteration, if they are asked for. */
void reference_deconvolve_until(volume image, volume psf, reference_recipe r, const int *stops, int stop_count,
                                volume *outs, double *divergences);

volume reference_deconvolve(volume image, volume psf, reference_recipe r, int iterations);

#endif
