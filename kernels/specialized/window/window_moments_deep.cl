/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variance over deep windows made of chords, in the order of kernels/window/moments_deep.cl. A work-group visits the
 * slices in order. For each slice, it computes the sums of one chord length after another around all pixels of its
 * band. A work-item adds the chords to its discs, one disc for each |dz|, and adds the discs to the results of all
 * slices that need this plane. Constants:
 *
 * - FROM, TO: element types. TO_TYPE: the number of type TO.
 * - VALUE, SUM, SQUARE: types of pixels, of their sums, and of the sums of their squares.
 * - FLOATS: whether these sums are rounded.
 * - DEVIATION: whether the result is the standard deviation.
 * - REACH_X, REACH_Y, REACH_Z: how far the window reaches.
 * - PIXELS: number of pixels in the window. DISCS: number of pixels for each |dz|.
 * - ALL(X): X(h) for every half length h of chords, from 0 on.
 * - HALF_h(Y): Y(dy, dz) for every |dy| and |dz| whose chord has half length h.
 *
 * ALL and HALF_h are text rather than loops, because compilers would not unroll loops this far.
 */
enum {
    GROUP_X = 32,
    GROUP_Y = 8,
    ITEMS = GROUP_X * GROUP_Y,
    SPAN = GROUP_X + 2 * REACH_X,
    BAND = GROUP_Y + 2 * REACH_Y,
    PLACES = BAND * GROUP_X,
    TURNS = (PLACES + ITEMS - 1) / ITEMS,
    WAITING = 2 * REACH_Z + 1,
    MAX_SLICES = 128,           /* as in native/ops/window/exact_moments.c */
    BUFFERS = 2
};

constant int disc_pixels[] = {DISCS};

typedef struct {
    SUM sum;
    SQUARE square;
} moments;

inline moments add_pixel(moments m, VALUE pixel, VALUE base)
{
#if FLOATS
    const double difference = (double)pixel - (double)base;
    return (moments){m.sum + difference, fma(difference, difference, m.square)};
#else
    return (moments){m.sum + (uint)pixel, m.square + (SQUARE)((uint)pixel * (uint)pixel)};
#endif
}

inline moments add_moments(moments a, moments b)
{
    return (moments){a.sum + b.sum, a.square + b.square};
}

/* Converts sums of differences from one value to those from a value that is `step` lower. */
inline moments move_base(moments m, int count, VALUE step_from, VALUE step_to)
{
#if FLOATS
    const double step = (double)step_from - (double)step_to, n = (double)count;
    return (moments){fma(step, n, m.sum), fma(step, fma(step, n, 2 * m.sum), m.square)};
#else
    return m;
#endif
}

inline float variance_of(moments m)
{
#if FLOATS
    const double mean = m.sum / PIXELS, variance = fma(-mean, m.sum, m.square) / PIXELS;
    return variance <= mean * mean * 0x1p-46 ? 0.0f : (float)variance;      /* anything smaller is rounding */
#else
    const ulong size = FROM_IS_SIGNED ? abs((int)m.sum) : m.sum;
    return DIVIDE((FLOATV)((float)((ulong)m.square * PIXELS - size * size)), (FLOATV)((float)((ulong)PIXELS * PIXELS)))
        .s0;
#endif
}

#define CHORD_AT(row)                                                                                                  \
    (moments){sums[buffer][(ly + REACH_Y + (row)) * GROUP_X + lx],                                                     \
        squares[buffer][(ly + REACH_Y + (row)) * GROUP_X + lx]}
#define ADD_CHORDS(dy, dz)                                                                                             \
    disc[dz] = add_moments(disc[dz], CHORD_AT(-dy));                                                                   \
    if (dy > 0)                                                                                                        \
        disc[dz] = add_moments(disc[dz], CHORD_AT(dy));
#define FOLD_CHORDS(half_length)                                                                                       \
    {                                                                                                                  \
        const int buffer = half_length % BUFFERS;                                                                      \
        EACH(t, 0, TURNS) {                                                                                            \
            const int place = min(item + t * ITEMS, (int)PLACES - 1), at = place / GROUP_X * SPAN + place % GROUP_X +  \
                REACH_X;                                                                                               \
            chord[t] = add_pixel(chord[t], pixels[at - half_length], base);                                            \
            if (half_length > 0)                                                                                       \
                chord[t] = add_pixel(chord[t], pixels[at + half_length], base);                                        \
            sums[buffer][place] = chord[t].sum;                                                                        \
            squares[buffer][place] = chord[t].square;                                                                  \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        HALF_##half_length(ADD_CHORDS)                                                                                 \
    }

__attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1)))
kernel void window_moments_deep(INPUT(from), OUTPUT(to), int slices EPILOGUE_PARAMETERS)
{
    local VALUE pixels[BAND * SPAN], bases[MAX_SLICES + 2 * REACH_Z];
    local SUM sums[BUFFERS][PLACES];
    local SQUARE squares[BUFFERS][PLACES];
    const int lx = get_local_id(0), ly = get_local_id(1), item = ly * GROUP_X + lx;
    const int left = (int)get_global_id(0) - lx, top = (int)get_global_id(1) - ly;
    const int front = slices * (int)get_global_id(2), end = min(front + slices, to.depth);
    global const FROM *source = (global const FROM *)from_pixels;
    for (int i = item; i < end - front + 2 * REACH_Z; i += ITEMS)
        bases[i] = source[AT(from, min(left, from.width - 1), min(top, from.height - 1),
                             clamp(front - REACH_Z + i, 0, from.depth - 1))];
    moments found[WAITING];         /* moments of slices that still need planes */
    EACH(k, 0, WAITING)
        found[k] = (moments){0, 0};
    _Pragma("unroll 1") for (int z = front - REACH_Z; z < end + REACH_Z; z++) {
        const int plane = clamp(z, 0, from.depth - 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = item; i < BAND * SPAN; i += ITEMS)
            pixels[i] = source[AT(from, clamp(left - REACH_X + i % SPAN, 0, from.width - 1),
                                  clamp(top - REACH_Y + i / SPAN, 0, from.height - 1), plane)];
        barrier(CLK_LOCAL_MEM_FENCE);
        const VALUE base = bases[z - front + REACH_Z];
        moments chord[TURNS], disc[REACH_Z + 1];
        EACH(t, 0, TURNS)
            chord[t] = (moments){0, 0};
        EACH(dz, 0, REACH_Z + 1)
            disc[dz] = (moments){0, 0};
        ALL(FOLD_CHORDS)
        EACH(k, 0, WAITING) {
            const int dz = k < REACH_Z ? REACH_Z - k : k - REACH_Z;
            const moments before = k < WAITING - 1 ? found[k < WAITING - 1 ? k + 1 : k] : (moments){0, 0};
            found[k] = add_moments(before, move_base(disc[dz], disc_pixels[dz], base,
                                                     bases[clamp(z - front + k, 0, end - front + 2 * REACH_Z - 1)]));
        }
        if (z >= front + REACH_Z) {
            const int x = left + lx, y = top + ly;
            const float variance = variance_of(found[0]), value = DEVIATION ? sqrt(variance) : variance;
            const TO result[1] = {(TO)saturate(TO_TYPE == FLOAT32 ? value : snap(value, ROUNDINGS_OF_ROOT), TO_TYPE)};
            if (y < to.height)
                STORE_PIXELS(TO, 1, false, to, x, y, z - REACH_Z, result)
        }
    }
}
