/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deformations as images, for the operations that estimate, invert and check them. The image of a deformation has the
 * extent of the reference, with the shifts along x, y and (for stacks) z below each other along z.
 */
#ifndef DRUA_OPS_REGISTRATION_DEFORMATION_H
#define DRUA_OPS_REGISTRATION_DEFORMATION_H

#include "plan.h"

/** Shifts of all pixels in device memory: for each pixel x, y, z and, in an inverse, the error of the shift. */
typedef struct deformation {
    drua_view shifts;
    int32_t width, height, depth;
} deformation;

/** The kernel arguments for the extent of a deformation. */
#define DEFORMATION_SIZE(d) INT((d).width), INT((d).height), INT((d).depth)
/** The grid for all its pixels. */
#define DEFORMATION_GRID(d) GRID((d).width, (d).height, (d).depth, 64, 1, 1)

/** Scratch for a deformation of this extent, undefined. */
deformation deformation_new(drua_plan *plan, int32_t width, int32_t height, int32_t depth);

/** Number of its pixels. */
uint64_t deformation_pixels(const deformation *d);

/** The shape of the image that a deformation of an image of shape `image` becomes. */
drua_shape deformation_shape(drua_shape image);

/** Writes a deformation into an output image. */
void deformation_write(drua_plan *plan, const deformation *d, const char *image);

/**
 * Returns "source" deformed by `field`, in the type of "destination". `extent`: that of the reference. Call only inside
 * op->build.
 */
drua_operand deformation_applied(drua_plan *plan, drua_operand field, drua_shape extent);

/** How well a deformation fits: both correlations with the reference, NaN if an image is constant, and the residual. */
typedef struct deformation_fit {
    double before, after, residual;
} deformation_fit;

/**
 * Compares the reference with an image before and after the deformation; all three are dense float32 of its extent.
 * Waits.
 */
deformation_fit deformation_compare(drua_plan *plan, const deformation *d, drua_view reference, drua_view before,
                                    drua_view after);

/**
 * The smallest Jacobian, the number of folded pixels, the length of the longest shift (infinite if one is not finite),
 * and the largest error.
 */
typedef struct deformation_measures {
    double jacobian, folded, longest, error;
} deformation_measures;

/** Measures a deformation. Waits. */
deformation_measures deformation_measure(drua_plan *plan, const deformation *d);

/** Returns the mean of an image argument. Fails if a pixel is NaN or infinite. */
double deformation_finite_mean(drua_plan *plan, const char *image);

/** Whether an image's pixels differ. Waits for the device. */
bool deformation_has_texture(drua_plan *plan, const char *image);

#endif
