/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes which box of the inputs a box of the outputs depends on, from the drua_parts of an operation. The functions
 * use no device, so tiles can also be planned for other devices and processes. Axes are 0: x, 1: y, 2: z; boxes are
 * positions in the whole images.
 */
#ifndef DRUA_TILE_H
#define DRUA_TILE_H

#include "op.h"

/**
 * A tile. `wanted`: outputs to compute; `read`: inputs needed for them; `made`: outputs that a call on these inputs
 * computes, which contain `wanted`.
 */
typedef struct drua_tile {
    drua_box wanted, read, made;
} drua_tile;

/** How the images of a call are cut into tiles. */
typedef struct drua_tiling {
    drua_parts parts;
    int64_t inputs[3], outputs[3];  /**< extents of the whole images */
    bool cuts[3];                   /**< axes of the outputs that are cut; along others a tile has the whole extent */
    int64_t
        usual[3]; /**< with parts.equal_extents: a smaller last tile reads as many pixels as a tile of this extent; 0:
                           as a tile of this tile's extent */
} drua_tiling;

/** The rule of an operation without a halo, with the same axes for inputs and outputs. */
drua_parts drua_parts_none(void);

/** Returns the box of a whole image of this extent. */
drua_box drua_box_of(const int64_t extent[3]);

/** Returns the number of pixels in a box. */
double drua_box_pixels(const drua_box *box);

/** Clips a box to an image of this extent, but keeps at least one pixel along each axis. */
void drua_box_clip(drua_box *box, const int64_t extent[3]);

/** Divides a box into halves along an axis, along which it has at least two pixels. */
void drua_box_halve(const drua_box *box, int axis, drua_box halves[2]);

/** For a box that is cut every `step` pixels: the number of parts, and part `number`, from 0, x fastest. */
int64_t drua_box_parts(const drua_box *box, const int64_t step[3]);
drua_box drua_box_part(const drua_box *box, const int64_t step[3], int64_t number);

/** Returns the tile that computes `wanted`, a box of the outputs. */
drua_tile drua_tile_for(const drua_tiling *tiling, const drua_box *wanted);

#endif
