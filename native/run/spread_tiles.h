/* SPDX-License-Identifier: BSD-3-Clause */
/* The tiles of one call on several devices. */
#ifndef DRUA_RUN_SPREAD_TILES_H
#define DRUA_RUN_SPREAD_TILES_H

#include "work.h"

/* Tiles in the order in which one device would do them. */
typedef struct drua_tile_list {
    drua_tile *tiles;
    int64_t count, capacity;
} drua_tile_list;

/* Adds the tile where the work's own device has memory for it, else DRUA_E_MEMORY: one that is like another one in the
 * list is not tried again. */
drua_status drua_try_tile(drua_work *work, drua_tile_list *list, const drua_tile *tile);

/* Does all of them into the work's whole results, whose call names the devices. Images that the call reads go to the
 * host. */
drua_status drua_spread_tiles(drua_work *work, const drua_tile_list *list);

#endif
