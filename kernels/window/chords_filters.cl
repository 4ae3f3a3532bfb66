/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Filters made of chords; chords.cl has the macros. Kernels for one slice take windows of any depth. The other kernels
 * process `slices` slices one after another, for windows that reach at most 3 or 10 slices along z.
 */
#include "chords.cl"

#define VALUE(v) (v)
#define AS_INTEGER(v) ((uint)(int)(v))
#define AS_PRESENCE(v) ((v) != 0.0f ? 1u : 0u)
#define PLUS(a, b) ((a) + (b))
#define DISC disc[k * ROWS + j]

/* ---- minimum and maximum */
#define EXTREME(pick) DISC = pick(DISC, pick(row[at], row[at + length - pixels]));

kernel void slice_chords_minimum(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int slices)
{
    enum { DISCS = 1, ROWS = 4 };
    SLICE(float, NAN, VALUE, fmin, SPANNED, EXTREME(fmin), STORE(to, x, y, z, disc[j]);)
}

kernel void march3_chords_minimum(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int slices)
{
    enum { DISCS = 4, ROWS = 2 };
    MARCH(float, NAN, VALUE, fmin, SPANNED, EXTREME(fmin), STORE(to, x, y, z, disc[j]);)
}

kernel void march10_chords_minimum(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count,
                                   int slices)
{
    enum { DISCS = 11, ROWS = 2 };
    MARCH(float, NAN, VALUE, fmin, SPANNED, EXTREME(fmin), STORE(to, x, y, z, disc[j]);)
}

kernel void slice_chords_maximum(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int slices)
{
    enum { DISCS = 1, ROWS = 4 };
    SLICE(float, NAN, VALUE, fmax, SPANNED, EXTREME(fmax), STORE(to, x, y, z, disc[j]);)
}

kernel void march3_chords_maximum(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int slices)
{
    enum { DISCS = 4, ROWS = 2 };
    MARCH(float, NAN, VALUE, fmax, SPANNED, EXTREME(fmax), STORE(to, x, y, z, disc[j]);)
}

kernel void march10_chords_maximum(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count,
                                   int slices)
{
    enum { DISCS = 11, ROWS = 2 };
    MARCH(float, NAN, VALUE, fmax, SPANNED, EXTREME(fmax), STORE(to, x, y, z, disc[j]);)
}

/* ---- sums: integers wrap around, and the final difference undoes this */
#define ADD_UP DISC += row[at + (length & (pixels - 1))];

kernel void slice_chords_count(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int slices)
{
    enum { DISCS = 1, ROWS = 4 };
    SLICE(uint, 0, AS_PRESENCE, PLUS, IN_BLOCKS, ADD_UP, STORE(to, x, y, z, (float)disc[j]);)
}

kernel void march3_chords_count(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int slices)
{
    enum { DISCS = 4, ROWS = 2 };
    MARCH(uint, 0, AS_PRESENCE, PLUS, IN_BLOCKS, ADD_UP, STORE(to, x, y, z, (float)disc[j]);)
}

#define STORE_MEAN                                                                                                     \
    STORE_SNAPPED(to, x, y, z, DIVIDE((FLOATV)(disc[j]), (FLOATV)((float)count)).s0, ROUNDINGS_OF_SUM(count));

kernel void slice_chords_mean(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int slices)
{
    enum { DISCS = 1, ROWS = 4 };
    SLICE_OF_SUMS(float, 0.0f, VALUE, PLUS, ADD_UP, true, STORE_MEAN)
}

kernel void march3_chords_mean(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int slices)
{
    enum { DISCS = 4, ROWS = 2 };
    MARCH(float, 0.0f, VALUE, PLUS, IN_BLOCKS, ADD_UP, STORE_MEAN)
}

/* For types of 8 and 16 bits and windows of at most 65536 pixels, whose sum modulo 2^32 determines the mean. */
inline float exact_mean(uint sum, int count, int from_type, int to_type)
{
    const bool is_negative = (from_type == INT8 || from_type == INT16) && (int)sum < 0;
    const uint size = is_negative ? -sum : sum;
    float mean = (float)(size / count);
    if (to_type == FLOAT32)
        mean = DIVIDE((FLOATV)((float)size), (FLOATV)((float)count)).s0;
    return is_negative ? -mean : mean;
}

#define STORE_EXACT STORE(to, x, y, z, exact_mean(disc[j], count, from.type, to.type));

kernel void slice_chords_exact_mean(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count,
                                    int slices)
{
    enum { DISCS = 1, ROWS = 4 };
    SLICE(uint, 0, AS_INTEGER, PLUS, IN_BLOCKS, ADD_UP, STORE_EXACT)
}

kernel void march3_chords_exact_mean(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count,
                                     int slices)
{
    enum { DISCS = 4, ROWS = 2 };
    MARCH(uint, 0, AS_INTEGER, PLUS, IN_BLOCKS, ADD_UP, STORE_EXACT)
}

/* ---- variance: mean and sum of squared differences from it, joined without cancellation (Chan, Golub, LeVeque 1979)
 */
inline float2 join_moments(float2 a, float2 b, float pixels)
{
    const float step = b.x - a.x;
    return (float2)(a.x + 0.5f * step, a.y + b.y + step * step * (0.5f * pixels));
}

inline float2 moments_of(float difference)
{
    const float pair[2] = {difference, 0.0f};
    return vload2(0, pair);
}

/* Values are relative to one pixel of the tile, which preserves small differences between large values. */
#define AS_MOMENTS(v) moments_of((v) - base)
#define JOIN_MOMENTS(a, b) join_moments(a, b, (float)pixels)
/* The shares need not be exact: equal means stay equal. */
#define ADD_MOMENTS                                                                                                    \
    {                                                                                                                  \
        const float2 block = row[at + (length & (pixels - 1))];                                                        \
        const float share = (float)pixels * native_recip(seen[j] + (float)pixels);                                     \
        const float step = block.x - DISC.x;                                                                           \
        DISC.x += step * share;                                                                                        \
        DISC.y += block.y + step * step * (seen[j] * share);                                                           \
        seen[j] += (float)pixels;                                                                                      \
    }
#define MOMENTS                                                                                                        \
    const float base = LOAD_CLAMPED(from, get_global_id(0) - get_local_id(0), (get_global_id(1) - get_local_id(1)) *   \
        ROWS,                                                                                                          \
                                    get_global_id(2));                                                                 \
    float seen[ROWS];                                                                                                  \
    EACH(j, ROWS)                                                                                                      \
        seen[j] = 0.0f;

/* A thin tile has fewer rows, so its band can hold larger windows. */
#define FOLD_MOMENTS(rows, store)                                                                                      \
    enum { DISCS = 1, ROWS = rows };                                                                                   \
    MOMENTS                                                                                                            \
    SLICE_OF_SUMS(float2, (float2)(0.0f), AS_MOMENTS, JOIN_MOMENTS, ADD_MOMENTS, false, store)

#define STORE_VARIANCE STORE_SNAPPED(to, x, y, z, disc[j].y / seen[j], 2 * ROUNDINGS_OF_SUM(seen[j]));
#define STORE_DEVIATION STORE_SNAPPED(to, x, y, z, sqrt(disc[j].y / seen[j]), 2 * ROUNDINGS_OF_SUM(seen[j]));

kernel void slice_chords_variance(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int slices)
{
    FOLD_MOMENTS(4, STORE_VARIANCE)
}

kernel void thin_chords_variance(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int slices)
{
    FOLD_MOMENTS(2, STORE_VARIANCE)
}

kernel void slice_chords_deviation(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count,
                                   int slices)
{
    FOLD_MOMENTS(4, STORE_DEVIATION)
}

kernel void thin_chords_deviation(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int slices)
{
    FOLD_MOMENTS(2, STORE_DEVIATION)
}
