/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The box in which a Fourier transform convolves an image: the image, padded for its kernel and rounded up to extents
 * with fast transforms.
 */
#ifndef DRUA_FOURIER_BOX_H
#define DRUA_FOURIER_BOX_H

#include "plan.h"

/* How an image is padded; the numbers are those of kernels/fourier/box.cl. */
enum { EDGES_ZERO, EDGES_REPEAT, EDGES_MIRROR, EDGES_PERIODIC };

typedef struct fourier_box {
    drua_shape shape;
    int64_t at[3];      /* position of the image's first pixel */
} fourier_box;

/** Returns the box with padding for half of the kernel on each side; a periodic image needs no padding. */
fourier_box fourier_box_around(drua_shape image, drua_shape kernel, int edges);

/** Returns a new box that contains the image and its padding. */
drua_view fourier_place(drua_plan *plan, fourier_box box, drua_view image, int edges);

/**
 * Returns the transform of a kernel times `scale`. The kernel's centre (half of the extent, rounded down) is at the
 * origin.
 */
drua_view fourier_kernel(drua_plan *plan, fourier_box box, drua_view kernel, double scale);

/** Returns the image's part of a box that holds pixels, not a spectrum. */
drua_view fourier_crop(drua_view filled, fourier_box box, drua_shape image);

/**
 * Fails the call if an image has infinite pixels or NaN, because a transform would spread them to all pixels. Waits for
 * the device.
 */
void fourier_check_numbers(drua_plan *plan, const char *name);

/** Fails the call if `boxes` boxes of this extent do not fit the device's memory. */
void fourier_check_memory(drua_plan *plan, fourier_box box, int boxes);

#endif
