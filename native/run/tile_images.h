/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles of images: cut out of whole images for a call, and copied into results on the host. */
#ifndef DRUA_TILE_IMAGES_H
#define DRUA_TILE_IMAGES_H

#include "call.h"

enum { DRUA_MAX_SUBSTITUTES = 4 * DRUA_PENDING_VALUES };

/* Values that replace others in a part of an image; each has one reference. */
typedef struct drua_substitutes {
    bool in_tile; /* the part is a tile of a larger call; see drua_value */
    const drua_value *of[DRUA_MAX_SUBSTITUTES];
    drua_value *tile[DRUA_MAX_SUBSTITUTES];
    int count;
} drua_substitutes;

/*
 * Makes a value of this extent from the pixels of `from`, an image on the host with contiguous rows. The engine need
 * not be the one of that image.
 */
drua_status drua_send_from_host(drua_engine *engine, drua_view from, drua_shape shape, drua_value **out);

/* The box of an image as a view. */
drua_view drua_seen_box(const drua_value *value, const drua_box *box);

/*
 * Returns the value that replaces `value` in a tile, borrowed from `all`: its pixels in the box, which refers to images
 * of `extent`. Along axes that the box covers, or where the value has one pixel, it keeps its own extent.
 * DRUA_E_UNSUPPORTED if it has another extent along an axis that is cut.
 */
drua_status drua_substitute(drua_engine *engine, drua_value *value, const drua_box *box, const int64_t extent[3],
                            drua_substitutes *all, drua_value **out);

/*
 * Records the work of a pending value again, for a box of images of `extent`. *out is pending and has one reference for
 * the caller.
 */
drua_status drua_cut_pending(drua_engine *engine, const drua_value *value, const drua_box *box, const int64_t extent[3],
                             drua_substitutes *all, drua_value **out);

/*
 * Like drua_substitute, for a result on the host that is changed in place. Always makes a copy, so that the result
 * stays on the host even if one tile covers it.
 */
drua_status drua_tile_of_host_result(drua_engine *engine, const drua_value *host_result, const drua_box *box,
                                     const int64_t extent[3], drua_substitutes *all, drua_value **out);

void drua_substitutes_release(drua_engine *engine, drua_substitutes *all);

/*
 * Copies the wanted part of a tile's result to its place in the whole result on the host; along axes that are not cut,
 * all of it.
 */
drua_status drua_copy_to_host_result(drua_engine *engine, const drua_tiling *tiling, const drua_tile *tile,
                                     const drua_value *result, const drua_value *host_result);

/*
 * Converts a box of images of `extent` to the value's own extents: all of it along axes where the value has one pixel.
 * `is_all`: whether that is the whole value. DRUA_E_UNSUPPORTED if it has another extent along an axis that is cut.
 */
drua_status drua_own_box(const drua_value *value, const drua_box *box, const int64_t extent[3], drua_box *own,
                         bool *is_all);

/* The pixels of a value inside a box, as a value of that dimension that shares its memory. */
drua_status drua_share_box(drua_engine *engine, drua_value *value, const drua_box *box, int32_t dimension,
                           drua_value **part);

/* Like drua_share_box, but a single slice becomes a plane. */
drua_status drua_view_of_box(drua_engine *engine, drua_value *value, const drua_box *box, drua_value **part);

#endif
