/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over windows made of chords, in the order of kernels/window/chords.cl. A work-group visits the slices in order.
 * For each slice, it stores the sums of the blocks from every pixel on in local memory. Constants:
 *
 * - FROM, TO: element types. FROM_TYPE, TO_TYPE: their numbers.
 * - ALIGNED: whether rows lie in vectors of four.
 * - WANTED: one of the results below. T: type of sums, float or uint.
 * - REACH_X, REACH_Y, REACH_Z: how far the window reaches.
 * - PIXELS: number of pixels in the window.
 * - CHORDS: half lengths of chords for every |dy| and |dz|; 'A' is 0, '@' no chord.
 * - BLOCKS: number of block sizes (1, 2, 4, ... pixels) that make up the chords.
 * - LX, LY: size of a work-group. WIDE, ROWS: pixels and rows of a work-item.
 */
#include "bands.cl"
#define MEAN_OF_FLOATS 1
#define MEAN_OF_INTEGERS 2
#define COUNT_OF_NONZEROS 3

constant char chords[] = CHORDS;
#define LENGTH(dy, dz) (2 * (chords[(dz) * (REACH_Y + 1) + (dy)] - 'A') + 1)

typedef union {
    JOIN(T, 4) all;
    T one[4];
} sums;

inline T value_of(FROM pixel)
{
#if WANTED == COUNT_OF_NONZEROS
    return pixel != 0;
#elif WANTED == MEAN_OF_INTEGERS
    return (uint)(int)pixel;
#else
    return pixel;
#endif
}

/*
 * Unpacks the quads of a band to values from x on. If the work-group's quads extend past an end of the rows
 * (`over_ends`), the end pixel is repeated.
 */
inline void spread_quads(T *values, const quad *quads, int x, int width, bool over_ends)
{
    quad spread[READ];
    EACH(i, 0, READ)
        spread[i] = quads[i];
    if (ALIGNED && over_ends)
        EACH(i, 0, READ)
            SPREAD_ENDS(spread[i], x + 4 * i, width)
    EACH(i, 0, READ) {
        values[4 * i] = value_of(spread[i].x);
        values[4 * i + 1] = value_of(spread[i].y);
        values[4 * i + 2] = value_of(spread[i].z);
        values[4 * i + 3] = value_of(spread[i].w);
    }
}

inline float result_of(T sum)
{
#if WANTED == COUNT_OF_NONZEROS
    return saturate((float)sum, TO_TYPE);
#elif WANTED == MEAN_OF_INTEGERS
    const bool is_negative = (FROM_TYPE == INT8) + (FROM_TYPE == INT16) != 0 && (int)sum < 0;
    const uint size = is_negative ? -sum : sum;
    const float mean =
        TO_TYPE == FLOAT32 ? DIVIDE((FLOATV)((float)size), (FLOATV)((float)PIXELS)).s0 : (float)(size / PIXELS);
    return saturate(is_negative ? -mean : mean, TO_TYPE);
#else
    const float mean = DIVIDE((FLOATV)(sum), (FLOATV)((float)PIXELS)).s0;
    return saturate(TO_TYPE == FLOAT32 ? mean : snap(mean, ROUNDINGS_OF_SUM(PIXELS)), TO_TYPE);
#endif
}

/* Writes the sums of blocks of 1, 2, 4, ... values from each pixel of a quad on, into row `row` of local memory. */
inline void store_blocks(local sums (*blocks)[BAND][QUADS], T *v, int row, int quad_number)
{
    EACH(k, 0, BLOCKS) {
        sums first;
        EACH(e, 0, 4)
            first.one[e] = v[e];
        blocks[k][row][quad_number] = first;
        EACH(e, 0, 4 * READ)
            if (e + (1 << k) < 4 * READ)
                v[e] += v[e + (1 << k) < 4 * READ ? e + (1 << k) : e];
    }
}

/* Sums over the discs of a plane, for each |dz|, around the pixel at `x` of row `here`. */
inline void fold_discs(T *disc, local sums (*blocks)[BAND][QUADS], int here, int x)
{
    EACH(dz, 0, REACH_Z + 1)
        disc[dz] = 0;
    EACH(k, 0, BLOCKS)
        EACH(dy, 0, REACH_Y + 1)
        EACH(dz, 0, REACH_Z + 1) /* chords of one length are adjacent, so their blocks are computed once */
        if (LENGTH(dy, dz) > 0 && (LENGTH(dy, dz) & 1 << k)) {
            const int at = x + 4 * SIDE - LENGTH(dy, dz) / 2 + (LENGTH(dy, dz) & (1 << k) - 1);
            disc[dz] += ((local const T *)blocks[k][here - dy])[at];
            if (dy > 0)
                disc[dz] += ((local const T *)blocks[k][here + dy])[at];
                }
}

__attribute__((reqd_work_group_size(LX, LY, 1))) kernel void window_sum(INPUT(from), OUTPUT(to),
                                                                        int slices EPILOGUE_PARAMETERS)
{
    local sums blocks[BLOCKS][BAND][QUADS];
    const int lx = get_local_id(0), ly = get_local_id(1), item = ly * LX + lx;
    const int left = ((int)get_global_id(0) - lx) * WIDE, top = ((int)get_global_id(1) - ly) * ROWS;
    const int front = slices * (int)get_global_id(2), end = min(front + slices, to.depth);
    const bool over_ends = left < 4 * SIDE || left + 4 * (QUADS - SIDE + READ - 1) > from.width;
    T found[WIDE][ROWS][2 * REACH_Z + 1];       /* sums of slices that still need planes */
    EACH(w, 0, WIDE)
        EACH(i, 0, ROWS)
            EACH(k, 0, 2 * REACH_Z + 1)
                found[w][i][k] = 0;
    quad band[TURNS][READ];
    read_band(band, from_pixels, &from, left, top, front - REACH_Z, item);
    _Pragma("unroll 1") for (int z = front - REACH_Z; z < end + REACH_Z; z++) {
        EACH(t, 0, TURNS) {
            const int id = item + t * ITEMS;
            if (id < BAND * QUADS) {
                T v[4 * READ];
                spread_quads(v, band[t], left + 4 * (id % QUADS - SIDE), from.width, over_ends);
                store_blocks(blocks, v, id / QUADS, id % QUADS);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (z + 1 < end + REACH_Z)
            read_band(band, from_pixels, &from, left, top, z + 1, item);
        EACH(w, 0, WIDE)
            EACH(i, 0, ROWS) {
                T disc[REACH_Z + 1];
                fold_discs(disc, blocks, ly * ROWS + i + REACH_Y, lx + w * LX);
                EACH(k, 0, 2 * REACH_Z + 1)
                found[w][i][k] = (k < 2 * REACH_Z ? found[w][i][k < 2 * REACH_Z ? k + 1 : k] : 0) +
                                 disc[k < REACH_Z ? REACH_Z - k : k - REACH_Z];
            }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (z >= front + REACH_Z)
            EACH(w, 0, WIDE)
                EACH(i, 0, ROWS) {
                    const int x = left + lx + w * LX, y = top + ly * ROWS + i;
                    const TO result[1] = {(TO)result_of(found[w][i][0])};
                    if (y < to.height)
                        STORE_PIXELS(TO, 1, false, to, x, y, z - REACH_Z, result)
                }
    }
}
