/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene_tiles.h"

#include <math.h>

enum { BLOBS = 2500 };

static double blobs[BLOBS][4]; /* x, y, z, brightness */

/* A random number from 0 to below `max`. */
static double below(harness_random *random, double max)
{
    return max * harness_below(random, 1 << 20) / (1 << 20);
}

void scene_tiles_scatter(harness_random *random)
{
    for (int i = 0; i < BLOBS; i++)
        for (int k = 0; k < 4; k++)
            blobs[i][k] = below(random, k == 2 ? 12 : k == 3 ? 1000 : 440) - (k < 2 ? 20 : 0);
}

static void draw_tile(harness_random *random, scene_tiles *t, int i, double vignette, double noise)
{
    const double wide = 2.2;
    for (int k = 0; k < BLOBS; k++) {
        double at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = blobs[k][axis] - t->truth[i][axis];
        for (int z = 0; z < t->depth; z++)
            for (int y = (int)at[1] - 8; y <= at[1] + 9; y++)
                for (int x = (int)at[0] - 8; x <= at[0] + 9; x++) {
                    if (x < 0 || y < 0 || x >= TILE || y >= TILE)
                        continue;
                    const double dz = t->depth > 1 ? z - at[2] : 0,
                                 squares = (x - at[0]) * (x - at[0]) + (y - at[1]) * (y - at[1]) + dz * dz;
                    t->image.pixels[(size_t)((i * t->depth + z) * TILE + y) * TILE + (size_t)x] +=
                        blobs[k][3] * exp(-squares / (2 * wide * wide));
                }
    }
    for (int z = 0; z < t->depth; z++)
        for (int y = 0; y < TILE; y++)
            for (int x = 0; x < TILE; x++) {
                double *pixel = &t->image.pixels[(size_t)((i * t->depth + z) * TILE + y) * TILE + (size_t)x];
                const double far = hypot(x - TILE / 2.0, y - TILE / 2.0) / TILE;
                double grain = 0; /* nearly Gaussian, of deviation 1 */
                for (int k = 0; k < 12; k++)
                    grain += below(random, 1) - 0.5;
                *pixel = reference_store(t->image.type,
                                         fmax(0, (*pixel + 200) * (1 - vignette * far * far) + noise * grain));
            }
}

scene_tiles scene_tiles_make(harness_random *random, int columns, int rows, int depth, double overlap, double error,
                             double vignette, double noise)
{
    scene_tiles t = {.count = columns * rows, .columns = columns, .depth = depth};
    const double step = TILE * (1 - overlap / 100);
    t.image = reference_make(DRUA_UINT16, reference_stack(TILE, TILE, t.count * depth));
    for (int i = 0; i < t.count; i++) {
        const double stage[3] = {step * (i % columns), step * (int)(i / columns), 0};
        for (int axis = 0; axis < 3; axis++) {
            const double by = axis < 2 ? error : depth > 1 ? error / 4 : 0;
            t.stage[i][axis] = stage[axis];
            t.truth[i][axis] = stage[axis] + below(random, 2 * by) - by;
        }
        draw_tile(random, &t, i, vignette, noise);
    }
    return t;
}
