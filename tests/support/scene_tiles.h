/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles of a scene of Gaussian blobs, at known positions, with noise and a vignette. */
#ifndef DRUA_TESTS_SCENE_TILES_H
#define DRUA_TESTS_SCENE_TILES_H

#include "harness.h"

enum { SCENE_TILES = 16, TILE = 160 };

typedef struct scene_tiles {
    reference_image image; /**< all tiles, uint16, one after the other along z */
    double stage[SCENE_TILES][3], truth[SCENE_TILES][3]; /**< positions of the first pixels */
    int count, columns, depth;
} scene_tiles;

/** Draws new blobs, which are the scene of all tiles that are made from now on. */
void scene_tiles_scatter(harness_random *random);

/**
 * Makes at most SCENE_TILES tiles of TILE x TILE x `depth` pixels in a grid with that overlap in percent. The truth
 * differs from the stage by up to `error` pixels. The caller frees the image.
 */
scene_tiles scene_tiles_make(harness_random *random, int columns, int rows, int depth, double overlap, double error,
                             double vignette, double noise);

#endif
