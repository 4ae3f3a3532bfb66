/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a fit of BaSiC on the device and the host, and the launches that its steps share. */
#ifndef DRUA_OPS_SHADING_BASIC_STATE_H
#define DRUA_OPS_SHADING_BASIC_STATE_H

#include "basic_fit.h"

/** As in kernels/shading/shading_steps.cl. */
enum { BASIC_SUMS = 8 };

/* Sums over the pixels of a frame, in the order of the kernels. */
typedef struct basic_sums {
    double of[BASIC_SUMS];
} basic_sums;

typedef struct basic_state {
    drua_plan *p;
    const basic_options *options;
    int32_t count; /* frames */
    drua_view frames, rest, multipliers, weights, waves, flat, dark, plane, other, cosines, numbers, results;
    double *brightness, norm, spectral_norm, min, flat_limit, weight, mean; /* `mean`: of the flat field */
    basic_sums *sums;
    float *host, *pixels, *received;
} basic_state;

/** Scratch for some frames of the fit's extent. */
drua_view basic_plane(drua_plan *plan, int32_t frames);

/** Grids: a work-item for each pixel of a plane; work-groups for each frame. */
drua_grid basic_plane_grid(void);
drua_grid basic_frame_grid(const basic_state *f);

/** Allocates everything for frames, which the caller keeps; `flat` and `dark` are the caller's scratch. */
basic_state basic_begin(drua_plan *plan, drua_view frames, const basic_options *options, drua_view flat,
                        drua_view dark);

/** Reads the sums of all frames into `sums`; waits. basic_sum adds one of them up over all frames. */
void basic_read_sums(basic_state *f);
double basic_sum(const basic_state *f, int k);

/** Sends one number for each frame to the device. */
void basic_send_numbers(basic_state *f, const double *numbers);

/** Sums each frame, its products with an image, and its squares: sums 0, 1 and 2. */
void basic_project(basic_state *f, drua_view image);

/** Adds up all frames without their rest, each times a factor. */
void basic_combine(basic_state *f, const double *factors, drua_view to);

/** Transforms an image to its cosine waves, or back. `from` may be `to`. */
void basic_transform(basic_state *f, drua_view from, drua_view to, bool inverse);

/** Sets `to` to `change` or, with `keeps`, to `to` + `change`. Then moves all values towards 0 by at most `limit`. */
void basic_shrink(basic_state *f, drua_view change, drua_view to, double limit, bool keeps);

/** Reads an image into `pixels`; waits. basic_mean also returns its mean. */
void basic_read_plane(basic_state *f, drua_view plane);
double basic_mean(basic_state *f, drua_view plane);

/** Sets all weights to 1. */
void basic_start_weights(basic_state *f);

#endif
