/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_TOOLS_DECONVOLVE_H
#define DRUA_TOOLS_DECONVOLVE_H

/** drua deconvolve IN.tif PSF.tif OUT.tif [option=value ...]: all channels and frames. Returns the exit status. */
int drua_tool_deconvolve(int count, char **arguments);

/** drua phantom FOLDER [name=value ...]: a known object, its psf and what a microscope makes of it, as files. */
int drua_tool_phantom(int count, char **arguments);

#endif
