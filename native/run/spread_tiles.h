/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the tiles of one call on several devices. */
#ifndef DRUA_RUN_SPREAD_TILES_H
#define DRUA_RUN_SPREAD_TILES_H

#include "work.h"

/* Tiles in the order in which one device would compute them. */
typedef struct drua_tile_list {
    drua_tile *tiles;
    int64_t count, capacity;
} drua_tile_list;

/*
 * Adds a tile to the list if the device of the work's engine has memory for it; otherwise fails with DRUA_E_MEMORY. A
 * tile with the extents of an earlier one in the list is not tried.
 */
drua_status drua_try_tile(drua_work *work, drua_tile_list *list, const drua_tile *tile);

/*
 * Computes all tiles into the work's whole results; its call names the devices. Images that the call reads move to the
 * host.
 */
drua_status drua_spread_tiles(drua_work *work, const drua_tile_list *list);

#endif
