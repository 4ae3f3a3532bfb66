/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variance as in window_moments.cl over large flat windows. Local memory holds blocks of one size; after they are
 * folded, the blocks of twice that size are made from them. Tiles are those of kernels/window/chords_filters.cl, and
 * all values are relative to the tile's first pixel.
 */
#include "blocks.cl"
enum {
    GROUP_X = 32,
    GROUP_Y = 8,
    TILE_ROWS = ROWS,
    ITEMS = GROUP_X * GROUP_Y,
    SPAN = GROUP_X + 2 * REACH_X,
    BAND = GROUP_Y * TILE_ROWS + 2 * REACH_Y,
    PLACES = BAND * SPAN,
    TURNS = (PLACES + ITEMS - 1) / ITEMS
};

constant char chords[] = CHORDS;
#define LENGTH(dy) (2 * (chords[dy] - 'A') + 1)

/* `slices` is 1: a work-group computes one. */
__attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1)))
kernel void window_moments_far(INPUT(from), OUTPUT(to), int slices EPILOGUE_PARAMETERS)
{
    local float2 blocks[PLACES];
    const int lx = get_local_id(0), ly = get_local_id(1), item = ly * GROUP_X + lx;
    const int left = (int)get_global_id(0) - lx, top = ((int)get_global_id(1) - ly) * TILE_ROWS, z = get_global_id(2);
    const float base = LOAD_CLAMPED(from, left, top, z);
    float2 found[TILE_ROWS], mine[TURNS];
    EACH(i, 0, TILE_ROWS)
        found[i] = (float2)(0.0f);
    /* 0, hidden from compilers: the device rounds reciprocals in its own way */
    float seen = (float)(slices - 1);
    EACH(t, 0, TURNS) {
        const int place = min(item + t * ITEMS, (int)PLACES - 1),
                  x = clamp(left - REACH_X + place % SPAN, 0, from.width - 1);
        const float pixel =
            ((global const FROM *)from_pixels)[AT(from, x, clamp(top - REACH_Y + place / SPAN, 0, from.height - 1), z)];
        mine[t] = (float2)(pixel - base, 0.0f);
    }
    EACH(k, 0, BLOCKS) {
        barrier(CLK_LOCAL_MEM_FENCE);
        EACH(t, 0, TURNS)
            if (item + t * ITEMS < PLACES)
                blocks[item + t * ITEMS] = mine[t];
        barrier(CLK_LOCAL_MEM_FENCE);
        EACH(turn, 0, 2 * REACH_Y + 1) {
            const int length = LENGTH(distance_of(turn));
            if (length > 0 && (length & 1 << k)) {
                const int at = lx + REACH_X - length / 2 + (length & (1 << k) - 1);
                const float share = (float)(1 << k) * native_recip(seen + (float)(1 << k)), spread = seen * share;
                EACH(i, 0, TILE_ROWS)
                found[i] =
                    add_block(found[i], blocks[(ly + i * GROUP_Y + REACH_Y + row_of(turn)) * SPAN + at], share, spread);
                seen += (float)(1 << k);
            }
        }
        EACH(t, 0, TURNS)
            mine[t] = join_blocks(mine[t], blocks[min(item + t * ITEMS + (1 << k), (int)PLACES - 1)], k);
    }
    EACH(i, 0, TILE_ROWS) {
        const int x = left + lx, y = top + ly + i * GROUP_Y;
        const TO result[1] = {result_of(found[i], seen)};
        if (y < to.height)
            STORE_PIXELS(TO, 1, false, to, x, y, z, result)
    }
}
