/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variance over windows made of chords, in the steps and tiles of kernels/window/chords_filters.cl. Constants:
 *
 * - FROM, TO: element types. TO_TYPE: the number of type TO.
 * - ALIGNED: whether rows lie in vectors of four.
 * - DEVIATION: whether the result is the standard deviation.
 * - REACH_X, REACH_Y, REACH_Z: how far the window reaches.
 * - CHORDS: half lengths of chords for every |dy| and |dz|; 'A' is 0, '@' no chord.
 * - BLOCKS: number of block sizes (1, 2, 4, ... pixels) that make up the chords.
 */
#include "blocks.cl"
enum {
    GROUP_X = 32,
    GROUP_Y = 8,
    TILE_ROWS = 4,
    ITEMS = GROUP_X * GROUP_Y,
    SIDE = (REACH_X + 3) / 4,           /* number of quads on either side of a tile that chords reach */
    QUADS = GROUP_X / 4 + 2 * SIDE,
    BAND = GROUP_Y * TILE_ROWS + 2 * REACH_Y,
    TURNS = (BAND * QUADS + ITEMS - 1) / ITEMS
};

constant char chords[] = CHORDS;
#define LENGTH(dy, dz) (2 * (chords[(dz) * (REACH_Y + 1) + (dy)] - 'A') + 1)

/* Eight pixels of a row with repeated ends; x is a multiple of four. */
inline void read_eight(float *values, global const FROM *row, const layout *image, int x)
{
    EACH(i, 0, 2) {
        const int at = x + 4 * i;
        quad q = quad_at(row, image, at);
        if (ALIGNED)
            SPREAD_ENDS(q, at, image->width)
        values[4 * i] = q.x;
        values[4 * i + 1] = q.y;
        values[4 * i + 2] = q.z;
        values[4 * i + 3] = q.w;
    }
}

/* `slices` is 1: a work-group computes one. */
__attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1))) kernel void window_moments(INPUT(from), OUTPUT(to),
                                                                                      int slices EPILOGUE_PARAMETERS)
{
    local float2 blocks[BLOCKS][BAND][4 * QUADS];
    const int lx = get_local_id(0), ly = get_local_id(1), item = ly * GROUP_X + lx;
    const int left = (int)get_global_id(0) - lx, top = ((int)get_global_id(1) - ly) * TILE_ROWS, z = get_global_id(2);
    const float base = LOAD_CLAMPED(from, left, top, z);
    float2 found[TILE_ROWS];
    EACH(i, 0, TILE_ROWS)
        found[i] = (float2)(0.0f);
    /* 0, hidden from compilers: the device rounds reciprocals in its own way */
    float seen = (float)(slices - 1);
    EACH(n, 0, 2 * REACH_Z + 1) {
        const int dz = n < REACH_Z ? REACH_Z - n : n - REACH_Z, plane = clamp(z + n - REACH_Z, 0, from.depth - 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        EACH(t, 0, TURNS) {
            const int id = item + t * ITEMS, row = id / QUADS, quad = id % QUADS;
            if (row < BAND) {
                float pixels[8];
                float2 v[8];
                read_eight(pixels,
                           (global const FROM *)from_pixels +
                               AT(from, 0, clamp(top - REACH_Y + row, 0, from.height - 1), plane),
                           &from, left + 4 * (quad - SIDE));
                EACH(e, 0, 8)
                    v[e] = (float2)(pixels[e] - base, 0.0f);
                EACH(k, 0, BLOCKS) {
                    EACH(e, 0, 4)
                        blocks[k][row][4 * quad + e] = v[e];
                    EACH(e, 0, 8)
                        if (e + (1 << k) < 8)
                            v[e] = join_blocks(v[e], v[e + (1 << k) < 8 ? e + (1 << k) : e], k);
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        EACH(k, 0, BLOCKS)
            EACH(turn, 0, 2 * REACH_Y + 1) {
                const int length = LENGTH(distance_of(turn), dz);
                if (length > 0 && (length & 1 << k)) {
                    const int at = lx + 4 * SIDE - length / 2 + (length & (1 << k) - 1);
                    const float share = (float)(1 << k) * native_recip(seen + (float)(1 << k)), spread = seen * share;
                    EACH(i, 0, TILE_ROWS)
                    found[i] =
                        add_block(found[i], blocks[k][ly * TILE_ROWS + i + REACH_Y + row_of(turn)][at], share, spread);
                    seen += (float)(1 << k);
                }
            }
    }
    EACH(i, 0, TILE_ROWS) {
        const int x = left + lx, y = top + ly * TILE_ROWS + i;
        const TO result[1] = {result_of(found[i], seen)};
        if (y < to.height)
            STORE_PIXELS(TO, 1, false, to, x, y, z, result)
    }
}
