/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks before hours of work whether a tool may and can write its output. */
#ifndef DRUA_TOOLS_CHECK_OUTPUT_H
#define DRUA_TOOLS_CHECK_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Returns whether `output`, a TIFF or an OME-Zarr, may and can be written. Refuses an output that is one of the `count`
 * input files (NULL: no file), lies inside one or contains one. Refuses an existing output unless `overwrite` is set.
 * If it returns false, `why` receives an error message.
 */
bool drua_tool_check_output(const char *output, const char *const *read, int count, bool overwrite, char *why,
                            size_t size);

#endif
