/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a TIFF file strip by strip; tiff.h creates the file. */
#ifndef DRUA_IO_TIFF_STRIPS_H
#define DRUA_IO_TIFF_STRIPS_H

#include "tiff.h"

/** Returns the number of planes of a page: 1, or 3 for a coloured page. A page is written in strips. */
int drua_tiff_out_samples(const drua_tiff_out *out);
int64_t drua_tiff_out_pages(const drua_tiff_out *out);
int64_t drua_tiff_out_strips(const drua_tiff_out *out);

/** A strip as stored in the file. */
typedef struct drua_strip {
    void *bytes, *memory; /**< the caller frees `memory` with drua_free, unless it is NULL */
    size_t length, capacity;
} drua_strip;

/** Encodes a strip from the contiguous planes of its page. Any thread. */
drua_status drua_tiff_encode(const drua_tiff_out *out, int64_t strip, void *const *planes, drua_strip *encoded);

/** Writes the next strip, in order from the first strip of the first page. One thread at a time. */
drua_status drua_tiff_put(drua_tiff_out *out, int64_t page, int64_t strip, const drua_strip *encoded);

/**
 * Completes the file. If `status` is not DRUA_OK, removes the unfinished file; an existing file of that name stays
 * unchanged.
 */
drua_status drua_tiff_finish(drua_tiff_out *out, drua_status status);

#endif
