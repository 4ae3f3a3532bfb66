/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles of images: cut out of whole ones for a call, and copied into results that live on the host. */
#ifndef DRUA_TILE_IMAGES_H
#define DRUA_TILE_IMAGES_H

#include "call.h"

enum { DRUA_MOST_SUBSTITUTES = 4 * DRUA_PENDING_VALUES };

/* What stands for values in a tile; each has one reference. */
typedef struct drua_substitutes {
    const drua_value *of[DRUA_MOST_SUBSTITUTES];
    drua_value *tile[DRUA_MOST_SUBSTITUTES];
    int count;
} drua_substitutes;

/*
 * Pixels of `from`, an image on the host whose pixels follow each other in rows, as a value of that extent; the engine
 * may be another one than that of the image.
 */
drua_status drua_send_from_host(drua_engine *engine, drua_view from, drua_shape shape, drua_value **out);

/* Of an image the box. */
drua_view drua_seen_box(const drua_value *value, const drua_box *box);

/*
 * What stands for `value` in a tile, borrowed from `all`: its pixels in the box, which is one of images of `extent`.
 * Along axes of which the box has all, or the value one pixel, it keeps its own. DRUA_E_UNSUPPORTED if it has another
 * extent along an axis that is cut.
 */
drua_status drua_substitute(drua_engine *engine, drua_value *value, const drua_box *box, const int64_t extent[3],
                            drua_substitutes *all, drua_value **out);

/* The same for a result on the host that is changed in place: always a copy, so that the result stays on the host when
 * a tile is all of it. */
drua_status drua_tile_of_host_result(drua_engine *engine, const drua_value *host_result, const drua_box *box,
                                     const int64_t extent[3], drua_substitutes *all, drua_value **out);

void drua_substitutes_release(drua_engine *engine, drua_substitutes *all);

/* Copies what is wanted of a tile's result to its place in the whole one, which is on the host; along axes that are not
 * cut all of it. */
drua_status drua_copy_to_host_result(drua_engine *engine, const drua_tiling *tiling, const drua_tile *tile,
                                     const drua_value *result, const drua_value *host_result);

/*
 * A box of images of `extent` in the value's own extents: all of it along axes where the value has one pixel. `is_all`:
 * whether that is all of it. DRUA_E_UNSUPPORTED if it has another extent along an axis that is cut.
 */
drua_status drua_own_box(const drua_value *value, const drua_box *box, const int64_t extent[3], drua_box *own,
                         bool *is_all);

/* The pixels of a value in a box, as a value of that dimension that shares its memory. */
drua_status drua_share_box(drua_engine *engine, drua_value *value, const drua_box *box, int32_t dimension,
                           drua_value **part);

/* The same; one slice is a plane. */
drua_status drua_view_of_box(drua_engine *engine, drua_value *value, const drua_box *box, drua_value **part);

#endif
