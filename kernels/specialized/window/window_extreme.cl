/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Minimum or maximum (PICK, starting at START) over windows made of chords, as in kernels/window/chords.cl. A
 * work-group visits the slices in order. For each slice, it stores the extremes over chords of every length in local
 * memory. A disc contains the next smaller disc, so each chord is read once. Extremes of discs wait in registers for
 * the slices that they reach. Constants:
 *
 * - FROM, TO: element types. FROM_TYPE, TO_TYPE: their numbers.
 * - T: type of comparisons, int for 8 and 16 bits, else float.
 * - ALIGNED: whether rows lie in vectors of four.
 * - REACH_X, REACH_Y, REACH_Z: how far the window reaches.
 * - LEVELS: number of chord lengths. HALVES: these lengths; 'A' is one pixel, 'B' three.
 * - CHORDS: index of the length for every |dy| and |dz|; 'A' is the first, '@' no chord.
 * - LX, LY: size of a work-group. WIDE, ROWS: pixels and rows of a work-item.
 */
#include "bands.cl"
constant char halves[] = HALVES, chords[] = CHORDS;
#define LEVEL(dy, dz) (chords[(dz) * (REACH_Y + 1) + (dy)] - 'A')

/* One bit for each value that is read. */
#if REACH_X > 12
#define BITS ulong
#else
#define BITS uint
#endif

#define LEAVES_OUT (ALIGNED && (!WHOLE || (REACH_Z > 0 && REACH_X > 3)))

#define COLUMN JOIN(T, WIDE)
#define COLUMN_AT(level, row) ((local const COLUMN *)levels[level][row])[lx]

/*
 * Unpacks the quads of a band; the middle quad starts at pixel x. Outside the row, the end pixel is repeated. With
 * LEAVES_OUT, if the group's pixels extend past an end of the row (`over_ends`), pixels outside become START instead.
 * The result is the same, because the window contains the end pixel. If rows end with a whole quad, repeating is
 * faster in planes and small windows.
 */
inline void spread_quads(T *values, const quad *quads, int x, int width, bool over_ends, BITS inside)
{
    EACH(i, 0, READ) {
        quad v = quads[i];
        const int at = x + 4 * (i - SIDE);
        if (ALIGNED && !LEAVES_OUT && i != SIDE)
            SPREAD_ENDS(v, at, width)
        values[4 * i] = v.x;
        values[4 * i + 1] = v.y;
        values[4 * i + 2] = v.z;
        values[4 * i + 3] = v.w;
    }
    if (LEAVES_OUT && over_ends)
        EACH(i, 0, 4 * READ)
            values[i] = inside >> i & 1 ? values[i] : (T)START;
}

typedef struct {
    TO one[WIDE];
} results;

inline results results_of(COLUMN value)
{
    const union { COLUMN all; T one[WIDE]; } from = {value};
    results out;
    EACH(i, 0, WIDE)
    out.one[i] =
        FROM_TYPE == (TO_TYPE <= INT16 ? TO_TYPE : 0) ? (TO)from.one[i] : (TO)saturate((float)from.one[i], TO_TYPE);
    return out;
}

/*
 * For each pixel of a quad, writes the extremes over chords of every length to row `row` of local memory. `a` holds the
 * quad and its neighbours.
 */
inline void store_levels(local JOIN(T, 4) (*levels)[BAND][QUADS], const T *a, int row, int quad_number)
{
    T v[4];
    EACH(half_length, 0, REACH_X + 1) {
        EACH(e, 0, 4)
        v[e] = half_length == 0 ? a[4 * SIDE + e]
                                : PICK(v[e], PICK(a[4 * SIDE + e - half_length], a[4 * SIDE + e + half_length]));
        EACH(k, 0, LEVELS)
            if (halves[k] - 'A' == half_length)
                levels[k][row][quad_number] = (JOIN(T, 4))(v[0], v[1], v[2], v[3]);
    }
}

/* Discs of a plane for each |dz| around row `here`; each contains the next smaller one. */
inline void fold_discs(COLUMN *disc, local JOIN(T, 4) (*levels)[BAND][QUADS], int here, int lx)
{
    COLUMN v = START;
    EACH(n, 0, REACH_Z + 1) {
        const int dz = REACH_Z - n;
        EACH(dy, 0, REACH_Y + 1) {
            const int level = LEVEL(dy, dz);
            if (level >= 0 && (n == 0 || level != LEVEL(dy, n == 0 ? dz : dz + 1))) {
                v = PICK(v, COLUMN_AT(level, here + dy));
                if (dy > 0)
                    v = PICK(v, COLUMN_AT(level, here - dy));
            }
        }
        disc[dz] = v;
    }
}

__attribute__((reqd_work_group_size(LX, LY, 1))) kernel void window_extreme(INPUT(from), OUTPUT(to),
                                                                            int slices EPILOGUE_PARAMETERS)
{
    local JOIN(T, 4) levels[LEVELS][BAND][QUADS];
    const int lx = get_local_id(0), ly = get_local_id(1), item = ly * LX + lx;
    const int left = ((int)get_global_id(0) - lx) * WIDE, top = ((int)get_global_id(1) - ly) * ROWS;
    const int front = slices * (int)get_global_id(2), end = min(front + slices, to.depth);
    const bool over_ends = left < 4 * SIDE || left + LX * WIDE + 4 * SIDE > from.width;
    BITS inside[TURNS];     /* values that lie in the row */
    EACH(t, 0, TURNS)
        inside[t] = 0;
    if (LEAVES_OUT && over_ends)
        EACH(t, 0, TURNS)
            EACH(i, 0, 4 * READ)
                inside[t] |= (BITS)((uint)(left + 4 * ((item + t * ITEMS) % QUADS - SIDE) + i) < (uint)from.width) << i;
    COLUMN found[ROWS][2 * REACH_Z + 1];
    EACH(i, 0, ROWS)
        EACH(k, 0, 2 * REACH_Z + 1)
            found[i][k] = START;
    quad band[TURNS][READ];
    read_band(band, from_pixels, &from, left, top, front - REACH_Z, item);
    _Pragma("unroll 1") for (int z = front - REACH_Z; z < end + REACH_Z; z++) {
        EACH(t, 0, TURNS) {
            const int id = item + t * ITEMS;
            if (id < BAND * QUADS) {
                T a[4 * READ];
                spread_quads(a, band[t], left + 4 * (id % QUADS), from.width, over_ends, inside[t]);
                store_levels(levels, a, id / QUADS, id % QUADS);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (z + 1 < end + REACH_Z)
            read_band(band, from_pixels, &from, left, top, z + 1, item);
        EACH(i, 0, ROWS) {
            COLUMN disc[REACH_Z + 1];
            fold_discs(disc, levels, ly * ROWS + i + REACH_Y, lx);
            EACH(k, 0, 2 * REACH_Z)
                found[i][k] = PICK(found[i][k + 1], disc[k < REACH_Z ? REACH_Z - k : k - REACH_Z]);
            found[i][2 * REACH_Z] = disc[REACH_Z];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (z >= front + REACH_Z)
            EACH(i, 0, ROWS) {
                const int x = left + lx * WIDE, y = top + ly * ROWS + i;
                const results out = results_of(found[i][0]);
                if (y < to.height)
                    STORE_PIXELS(TO, WIDE, ALIGNED, to, x, y, z - REACH_Z, out.one)
            }
    }
}
