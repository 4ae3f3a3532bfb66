/* SPDX-License-Identifier: BSD-3-Clause */
/* Fourier transforms, in place, of real images whose rows have room for the half spectrum. */
#ifndef DRUA_PLAN_FFT_H
#define DRUA_PLAN_FFT_H

#include "plan.h"

/** Whether any library of transforms is available. */
bool plan_fft_is_available(drua_plan *plan);

/** The smallest extent of at least `min` whose transform is fast. */
int64_t plan_fft_extent(int64_t min);

/**
 * Makes the transforms for images of this shape, or their convolutions. Call this function before other memory is
 * allocated, because the transforms are tested with images.
 */
void plan_fft_prepare(drua_plan *plan, drua_shape shape, bool convolution);

/** Scratch memory for a real image of this extent, and its size in bytes. */
drua_view plan_fft_scratch(drua_plan *plan, drua_shape shape);
uint64_t plan_fft_bytes(drua_shape shape);

/** After plan_fft_forward: the spectrum in the image's memory, as pairs of numbers (real, imaginary) along x. */
drua_view plan_fft_spectrum(drua_view image);

/** Transforms a real image in its scratch memory. */
void plan_fft_forward(drua_plan *plan, drua_view image);

/** Transforms back and scales the result, so that it undoes plan_fft_forward. */
void plan_fft_inverse(drua_plan *plan, drua_view image);

/** Convolves (or correlates) cyclically with an image that was transformed forward. `from` may be `to`. */
void plan_fft_convolve(drua_plan *plan, drua_view from, drua_view kernel, drua_view to, bool correlate);

/**
 * Convolutions in sequence, with the caller's work between two of them in the same kernel. plan_fft_rows and then
 * plan_fft_columns do all but the last pass of a convolution. The kernel of plan_fft_join, below kernels/specialized,
 * does that pass in registers, then the caller's work, then the first pass of the next convolution. Its `arguments`
 * follow the work image, the table of roots of unity and the scale. With `ahead`, the kernel is compiled in the
 * background and not launched. plan_fft_joins returns whether transforms of this extent can do this.
 */
bool plan_fft_joins(drua_plan *plan, drua_shape shape);
void plan_fft_rows(drua_plan *plan, drua_view from, drua_view to);
void plan_fft_columns(drua_plan *plan, drua_view work, drua_view kernel, bool correlate);
void plan_fft_join(drua_plan *plan, drua_view work, const char *kernel, const char *constants,
                   const drua_arg *arguments, bool ahead);
#define JOIN_ROWS(plan, ahead, work, kernel, constants, ...)                                                           \
    plan_fft_join(plan, work, kernel, constants, (const drua_arg[]){__VA_ARGS__, {.kind = DRUA_LAUNCH_END}}, ahead)

/** The name of the library that makes the transforms for this extent. */
const char *plan_fft_note(drua_plan *plan, drua_shape shape);

#endif
