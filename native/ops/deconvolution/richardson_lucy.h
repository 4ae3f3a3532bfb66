/* SPDX-License-Identifier: BSD-3-Clause */
/* Richardson-Lucy deconvolution: what can be chosen, and the iteration. */
#ifndef DRUA_RICHARDSON_LUCY_H
#define DRUA_RICHARDSON_LUCY_H

#include "../fourier/box.h"

typedef enum rl_acceleration { RL_PLAIN, RL_HEAVY_BALL, RL_BIGGS_ANDREWS } rl_acceleration;

/** Wiener-Butterworth: Richardson-Lucy with another back projector. */
typedef enum rl_method { RL_RICHARDSON_LUCY, RL_WIENER_BUTTERWORTH, RL_LANDWEBER } rl_method;

typedef struct rl_options {
    rl_method method;
    double step;                /* of Landweber's, below 2 */
    double alpha, order;        /* Wiener-Butterworth: noise, and how sharp the end of the resolution is */
    int64_t iterations;
    int edges;                  /* EDGES_ZERO: light from outside the view is estimated too */
    rl_acceleration acceleration;
    double total_variation, spacing[3];
    double least_gradient;      /* of the total variation, as a share of the pixel */
    double background;
    double stop;                /* relative change of the divergence; 0: all iterations */
    int64_t every;              /* iterations between two divergences; 0: none */
    double saturated;           /* pixels from here on are unknown; INFINITY: none */
    double start;               /* what the estimate is at first; below 0: the mean above the background */
    bool slices;                /* each slice for itself, with the middle slice of the psf */
} rl_options;

/** Iterations 20, edges noncirculant, nothing else. */
rl_options rl_defaults(void);

/** "iterations=20 tv=0.002 edges=noncirculant accelerate background=10": fails the call with what is wrong. */
rl_options rl_parse(drua_plan *plan, const char *text);

/** What the iteration takes beside the images that exist. */
fourier_box rl_box(drua_plan *plan, const rl_options *options);
int rl_boxes(const rl_options *options, bool masked);

/** The extent of the psf that is used: one slice of it, if each slice is for itself. */
drua_shape rl_psf_shape(drua_plan *plan, const rl_options *options);

/** The sum of a psf that is one, else fails the call; waits. */
double rl_check_psf(drua_plan *plan, drua_view psf);

/** The factor of Wiener and Butterworth's back projection from the blur's spectrum; waits. */
drua_view rl_back_projector(drua_plan *plan, const rl_options *options, drua_view psf, drua_view spectrum);

/** Deconvolves `source` with `psf` into `destination`; the divergences go to the table, if there are any. `mask`: bad pixels, or NULL. */
void rl_run(drua_plan *plan, const rl_options *options, const char *mask);

/** The same in blocks, inside op->large; `text` is what the options were parsed from. */
void rl_run_large(drua_plan *plan, const rl_options *options, const char *text);

/** In how many blocks an image can be deconvolved on this device; 0: in none. */
int64_t rl_blocks(drua_plan *plan, const rl_options *options);

#endif
