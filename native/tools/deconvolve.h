/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_TOOLS_DECONVOLVE_H
#define DRUA_TOOLS_DECONVOLVE_H

#include "tool_command.h"

#include <drua/drua.h>

/** drua deconvolve: deconvolves all channels and frames of a file. Returns the exit status. */
int drua_tool_deconvolve(const drua_tool_command *command, int count, char **arguments);

/** drua phantom: writes a known object, its psf and its simulated microscope image. Returns the exit status. */
int drua_tool_phantom(const drua_tool_command *command, int count, char **arguments);

/** A known object, the psf, and the image with noise that drua phantom's microscope makes of them. */
typedef struct drua_picture {
    drua_image truth, psf, image;
} drua_picture;

/**
 * Makes bars of at most 100 above `background`, with 3 photons per grey level, on the device. The images stay until the
 * context is closed.
 */
drua_status drua_tool_picture(drua_context *context, drua_shape shape, double background, drua_picture *picture);

/** Returns the root mean squared difference between an image less its background and the truth; negative on failure. */
double drua_tool_error(drua_context *context, drua_image image, double background, drua_image truth);

#endif
