/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_TOOLS_DECONVOLVE_H
#define DRUA_TOOLS_DECONVOLVE_H

#include <drua/drua.h>

/** drua deconvolve IN.tif PSF.tif OUT.tif [option=value ...]: all channels and frames. Returns the exit status. */
int drua_tool_deconvolve(int count, char **arguments);

/** drua phantom FOLDER [name=value ...]: a known object, its psf and what a microscope makes of it, as files. */
int drua_tool_phantom(int count, char **arguments);

/** A known object, the psf, and what drua phantom's microscope makes of both, with noise. */
typedef struct drua_picture {
    drua_image truth, psf, image;
} drua_picture;

/** Makes bars of at most 100 above such a background, 3 photons a grey level, on the device. They stay until the
 * context is closed. */
drua_status drua_tool_picture(drua_context *context, drua_shape shape, double background, drua_picture *picture);

/** Root of the mean squared difference of an image less its background and the truth; negative after a failure. */
double drua_tool_error(drua_context *context, drua_image image, double background, drua_image truth);

#endif
