/* SPDX-License-Identifier: BSD-3-Clause */
/* The box in which an image is convolved by a Fourier transform: the image padded for its kernel, rounded up to fast
 * extents. */
#ifndef DRUA_FOURIER_BOX_H
#define DRUA_FOURIER_BOX_H

#include "plan.h"

/* How an image is padded; the numbers are those of kernels/fourier/box.cl. */
enum { EDGES_ZERO, EDGES_REPEAT, EDGES_MIRROR, EDGES_PERIODIC };

typedef struct fourier_box {
    drua_shape shape;
    int64_t at[3];      /* where the image's first pixel lies */
} fourier_box;

/** Padding on both sides for half of the kernel; none where the image is periodic. */
fourier_box fourier_box_around(drua_shape image, drua_shape kernel, int edges);

/** The box with the image and its padding. */
drua_view fourier_place(drua_plan *plan, fourier_box box, drua_view image, int edges);

/** The transform of a kernel times `scale`, its centre (half of the extent, rounded down) at the origin. */
drua_view fourier_kernel(drua_plan *plan, fourier_box box, drua_view kernel, double scale);

/** The image's part of a box that has not been transformed. */
drua_view fourier_crop(drua_view filled, fourier_box box, drua_shape image);

/** Fails if an image has pixels that are infinite or NaN: one would spread over all. Waits for the device. */
void fourier_check_numbers(drua_plan *plan, const char *name);

/** Fails if so many boxes of that extent do not fit into the device's memory. */
void fourier_check_memory(drua_plan *plan, fourier_box box, int boxes);

#endif
