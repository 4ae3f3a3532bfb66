/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variance as in window_moments.cl over flat windows that reach far: local memory holds the blocks of one size, from which those of twice
 * the size are made once they are folded. A tile is that of kernels/window/chords_filters.cl, whose first pixel all count from.
 */
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

/* `slices` is 1: a group makes one. */
__attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1))) kernel void window_moments_far(INPUT(from), OUTPUT(to), int slices EPILOGUE_PARAMETERS)
{
    local float2 blocks[PLACES];
    const int lx = get_local_id(0), ly = get_local_id(1), item = ly * GROUP_X + lx;
    const int left = (int)get_global_id(0) - lx, top = ((int)get_global_id(1) - ly) * TILE_ROWS, z = get_global_id(2);
    const float base = LOAD_CLAMPED(from, left, top, z);
    float2 found[TILE_ROWS], mine[TURNS];
    EACH(i, 0, TILE_ROWS)
        found[i] = (float2)(0.0f);
    float seen = (float)(slices - 1);       /* 0, unknown to compilers: the device rounds reciprocals in its own way */
    EACH(t, 0, TURNS) {
        const int place = min(item + t * ITEMS, (int)PLACES - 1), x = clamp(left - REACH_X + place % SPAN, 0, from.width - 1);
        const float pixel = ((global const FROM *)from_pixels)[AT(from, x, clamp(top - REACH_Y + place / SPAN, 0, from.height - 1), z)];
        mine[t] = (float2)(pixel - base, 0.0f);
    }
    EACH(k, 0, BLOCKS) {
        barrier(CLK_LOCAL_MEM_FENCE);
        EACH(t, 0, TURNS)
            if (item + t * ITEMS < PLACES)
                blocks[item + t * ITEMS] = mine[t];
        barrier(CLK_LOCAL_MEM_FENCE);
        EACH(dy, -REACH_Y, REACH_Y + 1) {
            /* rows in the order 0, -1, 1, -2, 2, ... */
            const int turn = dy + REACH_Y, distance = (turn + 1) / 2, length = LENGTH(distance);
            if (length > 0 && (length & 1 << k)) {
                const int step_y = turn % 2 ? -distance : distance, at = lx + REACH_X - length / 2 + (length & (1 << k) - 1);
                const float share = (float)(1 << k) * native_recip(seen + (float)(1 << k)), spread = seen * share;
                EACH(i, 0, TILE_ROWS) {
                    const float2 block = blocks[(ly + i * GROUP_Y + REACH_Y + step_y) * SPAN + at];
                    const float step = block.x - found[i].x;
                    found[i].x += step * share;
                    found[i].y += block.y + step * step * spread;
                }
                seen += (float)(1 << k);
            }
        }
        EACH(t, 0, TURNS) {
            const float2 other = blocks[min(item + t * ITEMS + (1 << k), (int)PLACES - 1)];
            const float step = other.x - mine[t].x;
            mine[t] = (float2)(mine[t].x + 0.5f * step, mine[t].y + other.y + step * step * (0.5f * (float)(1 << k)));
        }
    }
    EACH(i, 0, TILE_ROWS) {
        const int x = left + lx, y = top + ly + i * GROUP_Y;
        const float variance = found[i].y / seen, value = DEVIATION ? sqrt(variance) : variance;
        const TO result[1] = {(TO)saturate(TO_TYPE == FLOAT32 ? value : snap(value), TO_TYPE)};
        if (y < to.height)
            STORE_PIXELS(TO, 1, false, to, x, y, z, result)
    }
}
