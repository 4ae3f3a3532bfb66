/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tiles: which box of the inputs a box of the outputs reads, from what an operation declares (drua_parts). Plain
 * arithmetic on extents, without a device, so that tiles can be planned for other devices and processes too. Axes are
 * 0: x, 1: y, 2: z; boxes are in positions of whole images.
 */
#ifndef DRUA_TILE_H
#define DRUA_TILE_H

#include "op.h"

/** A tile: what is wanted of the outputs, what that reads of the inputs, and what a call on these makes of the outputs.
 */
typedef struct drua_tile {
    drua_box wanted, read, made;
} drua_tile;

typedef struct drua_tiling {
    drua_parts parts;
    int64_t inputs[3], outputs[3];  /**< extents of the whole images */
    bool cuts[3];                   /**< axes of the outputs that are cut; along the others a tile has all */
    int64_t usual[3]; /**< what most tiles want along an axis; the last ones read as much where parts.equal_extents says
                         so; 0: as they want */
} drua_tiling;

/** No halo, and axes of the outputs as those of the inputs. */
drua_parts drua_parts_none(void);

drua_box drua_box_of(const int64_t extent[3]);
double drua_box_pixels(const drua_box *box);

/** Cuts a box to an image of that extent; at least one pixel of each axis stays. */
void drua_box_clip(drua_box *box, const int64_t extent[3]);

/** Cuts a box of at least two pixels along an axis in two. */
void drua_box_halve(const drua_box *box, int axis, drua_box halves[2]);

/** A box cut after each `step` pixels: how many parts that makes, and part `number` of these, x fastest. */
int64_t drua_box_parts(const drua_box *box, const int64_t step[3]);
drua_box drua_box_part(const drua_box *box, const int64_t step[3], int64_t number);

drua_tile drua_tile_for(const drua_tiling *tiling, const drua_box *wanted);

enum { DRUA_TILE_TEXT = 400 };      /**< bytes that the text of any tile takes */

/** A tile as one line of numbers, and back; false where the text is none. */
void drua_tile_print(const drua_tile *tile, char text[DRUA_TILE_TEXT]);
bool drua_tile_parse(const char *text, drua_tile *tile);

#endif
