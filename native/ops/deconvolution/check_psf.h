/* SPDX-License-Identifier: BSD-3-Clause */
/* A point spread function in host memory, and checks of its quality. */
#ifndef DRUA_CHECK_PSF_H
#define DRUA_CHECK_PSF_H

#include "plan.h"

typedef struct psf_pixels {
    drua_shape shape;
    size_t count, brightest;
    float *v;
    double centre[3];       /* centre of the light around the brightest pixel */
} psf_pixels;

/** Reads a psf from the device; waits. */
psf_pixels psf_read(drua_plan *plan, drua_view psf);

/** Sizes in micrometres, `wavelength` in nanometres; 0: unknown. */
typedef struct psf_sampling {
    double image_pixel, image_slice, psf_pixel, psf_slice, wavelength, aperture, index;
} psf_sampling;

enum { PSF_ADVICE = 2048 };

/** Appends a sentence to `advice`, a buffer of PSF_ADVICE characters, and truncates it at the end of the buffer. */
void psf_add_advice(char *advice, const char *format, ...);

/**
 * Appends the sentences of all checks of a psf. `resampled`: the psf resampled to the image's voxels with its light in
 * the middle; NULL: the psf needs no resampling.
 */
void psf_check(const psf_pixels *psf, const psf_pixels *resampled, drua_shape image, const psf_sampling *sampling,
               char *advice);

/** Whether both sizes are known and differ by more than 1 %. */
bool psf_differs(double psf, double image);

/* Parameters of the operations that check a psf. */
#define PSF_LENGTH(name, doc)                                                                                          \
    DRUA_NUMBER(name, doc ", 0: unknown", .unit = "um", DRUA_RANGE(0, 1000), .default_value = 0)
#define PSF_OBJECTIVE                                                                                                  \
    DRUA_NUMBER("wavelength", "wavelength of the emitted light, 0: unknown", .unit = "nm", DRUA_RANGE(0, 5000),        \
                .default_value = 0),                                                                                   \
        DRUA_NUMBER("numerical_aperture", "numerical aperture of the objective, 0: unknown", DRUA_RANGE(0, 2),         \
                    .default_value = 0),                                                                               \
        DRUA_NUMBER("immersion_index", "refractive index, 0: unknown", DRUA_RANGE(0, 2), .default_value = 0),          \
        DRUA_TEXT_OUT("advice", "warnings, one per line")

#endif
