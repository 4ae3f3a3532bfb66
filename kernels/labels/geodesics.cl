/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Distances inside labels: the length of the shortest path over neighbouring pixels of the label. A work-group lowers
 * the distances of its tile in local memory. A tile is computed again if it or a neighbour has changed. Float addition
 * is monotone, so the final distances do not depend on the order of steps.
 */
#include "statistics.cl"

enum { WAYS_TILE = 18 * 18 * 3, WAYS_STEPS = 32 };

/* Offset in a tile from a pixel to its neighbour i. Neighbours are numbered along x, then y, then z. */
#define WAYS_NEIGHBOUR(i) (((i) / 9 - 1) * plane + ((i) / 3 % 3 - 1) * row + (i) % 3 - 1)

kernel void ways_clear(global float *distances, ulong pixels)
{
    const ulong at = get_global_id(0);
    if (at < pixels)
        distances[at] = INFINITY;
}

/*
 * Sets the distance of one pixel of each label to 0. `places` are complements of positions, or 0 for a label without
 * pixels.
 */
kernel void ways_start(global const uint *places, uint count, global float *distances)
{
    const uint i = get_global_id(0);
    if (i < count && places[i] != 0)
        distances[~places[i]] = 0;
}

/* Whether this tile or one that touches it changed in the pass before, or has already changed in this one. */
inline bool is_ways_tile_active(global const uint *last_change, int3 tile, int3 tiles, uint pass, local int *active)
{
    const int lane = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    if (lane == 0)
        *active = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x = tile.x + lane % 3 - 1, y = tile.y + lane / 3 % 3 - 1, z = tile.z + lane / 9 - 1;
    if (lane < 27 && x >= 0 && y >= 0 && z >= 0 && x < tiles.x && y < tiles.y && z < tiles.z &&
        last_change[((uint)z * tiles.y + y) * tiles.x + x] + 1 >= pass)
        *active = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    return *active;
}

/*
 * Runs one pass, counted from 1. changed[left] receives whether the pass changed something. If the previous pass
 * changed nothing, this pass does nothing. `weights` has the length of each step; bits 1, 2 and 4 of the index say
 * whether it goes along x, y and z.
 */
kernel void ways_relax(INPUT(labels), uint first, uint last, global const float *weights, global float *distances,
                           global uint *changed, int left, global uint *last_change, uint pass)
{
    volatile local float tile_distances[WAYS_TILE];
    local uint tile_labels[WAYS_TILE];
    volatile local uint lowered[WAYS_STEPS];
    local int active;
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    const int3 size = (int3)((int)get_local_size(0), (int)get_local_size(1), (int)get_local_size(2));
    const int3 tile = (int3)(x / size.x, y / size.y, z / size.z), from = tile * size - 1;
    const int3 tiles = (int3)((labels.width + size.x - 1) / size.x, (labels.height + size.y - 1) / size.y,
                              (labels.depth + size.z - 1) / size.z);
    const int lane = (int)((get_local_id(2) * size.y + get_local_id(1)) * size.x + get_local_id(0));
    const int row = size.x + 2, plane = row * (size.y + 2);
    const bool is_active = is_ways_tile_active(last_change, tile, tiles, pass, &active);
    if (lane < WAYS_STEPS)
        lowered[lane] = 0;
    if (!is_active || changed[left + 1] == 0)
        return;
    for (int i = lane; i < plane * (size.z + 2); i += size.x * size.y * size.z) {
        const int a = from.x + i % row, b = from.y + i / row % (size.y + 2), c = from.z + i / plane;
        const bool inside = a >= 0 && b >= 0 && c >= 0 && a < labels.width && b < labels.height && c < labels.depth;
        const uint label = inside ? LOAD_LABEL(labels, a, b, c) - first : NOBODY;
        tile_labels[i] = label <= last - first ? label : NOBODY;
        tile_distances[i] = inside ? distances[((ulong)c * labels.height + b) * labels.width + a] : INFINITY;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int own = (z - from.z) * plane + (y - from.y) * row + x - from.x;
    const float before = tile_distances[own];
    uint same = 0; /* the neighbours with the same label */
    for (int i = 0; i < 27 && tile_labels[own] != NOBODY; i++)
        same |= (tile_labels[own + WAYS_NEIGHBOUR(i)] == tile_labels[own] ? 1u : 0u) << i;
    /* a neighbour's distance may be old or new; a tile that is not done after the last step counts as changed */
    ROLLED for (int step = 0; step < WAYS_STEPS; step++) {
        const float now = tile_distances[own];
        float best = now;
        UNROLLED(i, 27)
            if (i != 13 && (same >> i & 1))
                best = fmin(best, tile_distances[own + WAYS_NEIGHBOUR(i)] +
                                      weights[(i % 3 != 1) + 2 * (i / 3 % 3 != 1) + 4 * (i / 9 != 1)]);
        if (best < now) {
            tile_distances[own] = best;
            lowered[step] = 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!lowered[step])
            break;
    }
    if (tile_distances[own] < before) {
        distances[((ulong)z * labels.height + y) * labels.width + x] = tile_distances[own];
        set_flag(changed + left);
        last_change[((uint)tile.z * tiles.y + tile.y) * tiles.x + tile.x] = pass;
    }
}

/* Starts a batch of passes as if the pass before it had changed something. */
kernel void ways_batch(global uint *changed, int passes)
{
    const int i = get_global_id(0);
    if (i <= passes)
        changed[i] = i == passes;
}
