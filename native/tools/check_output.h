/* SPDX-License-Identifier: BSD-3-Clause */
/* Before hours of work: whether a tool may write a file, and can. */
#ifndef DRUA_TOOLS_CHECK_OUTPUT_H
#define DRUA_TOOLS_CHECK_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Whether `output`, a TIFF or an OME-Zarr, may and can be written. Refuses an output that is one of the `count` files
 * that are read (NULL: no file), lies in one or contains one. Refuses an output that exists unless it may be
 * overwritten. `why` then receives a sentence.
 */
bool drua_tool_check_output(const char *output, const char *const *read, int count, bool overwrite, char *why,
                            size_t size);

#endif
