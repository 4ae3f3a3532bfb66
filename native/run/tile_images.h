/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles of images: cut out of whole images for a call, and copied into results on the host. */
#ifndef DRUA_TILE_IMAGES_H
#define DRUA_TILE_IMAGES_H

#include "call.h"

enum { DRUA_MAX_SUBSTITUTES = 4 * DRUA_PENDING_VALUES };

/* The values that replace whole images in a call on a part of them. This structure owns one reference to each. */
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
 * Sets *out to the value that replaces `value` in a tile: its pixels in a box, whose positions refer to images of
 * `extent`. `all` owns the replacement. Along an axis that the box covers, or where `value` has one pixel, the
 * replacement has the extent of `value`. DRUA_E_UNSUPPORTED if `value` has another extent along an axis that is cut.
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
 * Converts a box of images of `extent` to a box of the value: along an axis where the value has one pixel, the whole
 * axis. `is_all`: whether the box is the whole value. DRUA_E_UNSUPPORTED if the value has another extent along an axis
 * that is cut.
 */
drua_status drua_own_box(const drua_value *value, const drua_box *box, const int64_t extent[3], drua_box *own,
                         bool *is_all);

/* Makes a value of this dimension from the pixels of another value inside a box. Both share their memory. */
drua_status drua_share_box(drua_engine *engine, drua_value *value, const drua_box *box, int32_t dimension,
                           drua_value **part);

/* Like drua_share_box, but a single slice becomes a plane. */
drua_status drua_view_of_box(drua_engine *engine, drua_value *value, const drua_box *box, drua_value **part);

#endif
