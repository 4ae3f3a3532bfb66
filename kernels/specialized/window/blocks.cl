/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mean and sum of squared differences from it, for blocks of 2^k pixels, joined without cancellation (Chan, Golub,
 * LeVeque 1979).
 */
#if defined DEVIATION && defined BLOCKS

/* Joins a block and the next one. */
inline float2 join_blocks(float2 block, float2 next, int k)
{
    const float step = next.x - block.x;
    return (float2)(block.x + 0.5f * step, block.y + next.y + step * step * (0.5f * (float)(1 << k)));
}

/* The turn-th row in the order 0, -1, 1, -2, 2, ... */
inline int distance_of(int turn)
{
    return (turn + 1) / 2;
}

inline int row_of(int turn)
{
    return turn % 2 ? -distance_of(turn) : distance_of(turn);
}

/*
 * Adds a block. `share` is the block's part of all pixels so far, this block included. `spread` is `share` times the
 * number of pixels before the block.
 */
inline float2 add_block(float2 found, float2 block, float share, float spread)
{
    const float step = block.x - found.x;
    found.x += step * share;
    found.y += block.y + step * step * spread;
    return found;
}

inline TO result_of(float2 found, float seen)
{
    const float variance = found.y / seen, value = DEVIATION ? sqrt(variance) : variance;
    return (TO)saturate(TO_TYPE == FLOAT32 ? value : snap(value, 2 * ROUNDINGS_OF_SUM(seen)), TO_TYPE);
}
#endif
