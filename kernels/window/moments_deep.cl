/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variance over deep windows made of chords (rows of a disc). For each pixel of a band, the kernel extends a chord by
 * one pixel at both ends until it has the greatest length. After each extension, it adds the sums of chords of this
 * length to the sums of the disc. Sums of integers of 8 and 16 bits are exact. Other types are summed in doubles:
 * values are taken relative to a pixel of the same plane, and the sums are then converted to a base pixel of the slice.
 */
#include "chords.cl"
enum {
    DEEP_REACH = 15,
    DEEP_SPAN = TILE_X + 2 * DEEP_REACH,
    DEEP_BAND = TILE_Y + 2 * DEEP_REACH,
    DEEP_TURNS = (DEEP_BAND * TILE_X + LANE_COUNT - 1) / LANE_COUNT
};

inline float exact_variance(uint sum, ulong square, int count, int type)
{
    const ulong size = type == INT8 || type == INT16 ? abs((int)sum) : sum, n = (ulong)count;
    return DIVIDE((FLOATV)((float)(square * n - size * size)), (FLOATV)((float)(n * n))).s0;
}

#define ADD_INTEGER(at)                                                                                                \
    {                                                                                                                  \
        chord_sum[t] += (uint)pixels[at];                                                                              \
        chord_square[t] += (uint)pixels[at] * (uint)pixels[at];                                                        \
    }
#define ADD_DISC                                                                                                       \
    sum += disc_sum;                                                                                                   \
    square += disc_square;

#define DEEP_MOMENTS(VALUE, SUM, SQUARE, ADD_PIXEL, ADD_PLANE, variance_of)                                            \
    local VALUE pixels[DEEP_BAND * DEEP_SPAN];                                                                         \
    local SUM sums[DEEP_BAND * TILE_X];                                                                                \
    local SQUARE squares[DEEP_BAND * TILE_X];                                                                          \
    constant short *half_chords = TABLE_OF(short, chords);                                                             \
    const int lx = get_local_id(0), ly = get_local_id(1), lane = ly * TILE_X + lx, z = get_global_id(2);               \
    const int left = (int)get_global_id(0) - lx, top = (int)get_global_id(1) - ly;                                     \
    const int span = TILE_X + 2 * rx, band = TILE_Y + 2 * ry;                                                          \
    const VALUE slice_base = (VALUE)LOAD_CLAMPED(from, left, top, z);                                                  \
    SUM sum = 0;                                                                                                       \
    SQUARE square = 0;                                                                                                 \
    for (int dz = -rz; dz <= rz; dz++) {                                                                               \
        constant short *halves = half_chords + abs(dz) * (ry + 1);                                                     \
        const VALUE base = (VALUE)LOAD_CLAMPED(from, left, top, z + dz);                                               \
        SUM chord_sum[DEEP_TURNS], disc_sum = 0;                                                                       \
        SQUARE chord_square[DEEP_TURNS], disc_square = 0;                                                              \
        int count_there = 0;                                                                                           \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        for (int i = lane; i < band * span; i += LANE_COUNT)                                                           \
            pixels[i] = (VALUE)LOAD_CLAMPED(from, left - rx + i % span, top - ry + i / span, z + dz);                  \
        EACH(t, DEEP_TURNS)                                                                                            \
        {                                                                                                              \
            chord_sum[t] = 0;                                                                                          \
            chord_square[t] = 0;                                                                                       \
        }                                                                                                              \
        for (int half_length = 0; half_length <= rx; half_length++) {                                                  \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
            EACH(t, DEEP_TURNS)                                                                                        \
            {                                                                                                          \
                const int place = min(lane + t * LANE_COUNT, band * TILE_X - 1), at = place / TILE_X * span +          \
                    place % TILE_X + rx;                                                                               \
                ADD_PIXEL(at - half_length)                                                                            \
                if (half_length > 0)                                                                                   \
                    ADD_PIXEL(at + half_length)                                                                        \
                sums[place] = chord_sum[t];                                                                            \
                squares[place] = chord_square[t];                                                                      \
            }                                                                                                          \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
            for (int dy = 0; dy <= ry; dy++)                                                                           \
                if (halves[dy] == half_length)                                                                         \
                    for (int side = 0; side < (dy > 0 ? 2 : 1); side++) {                                              \
                        const int place = (ly + ry + (side == 0 ? -dy : dy)) * TILE_X + lx;                            \
                        disc_sum += sums[place];                                                                       \
                        disc_square += squares[place];                                                                 \
                        count_there += 2 * half_length + 1;                                                            \
                    }                                                                                                  \
        }                                                                                                              \
        ADD_PLANE                                                                                                      \
    }                                                                                                                  \
    if (INSIDE(to, left + lx, top + ly, z)) {                                                                          \
        const float variance = variance_of;                                                                            \
        STORE_SNAPPED(to, left + lx, top + ly, z, deviation ? sqrt(variance) : variance, ROUNDINGS_OF_ROOT);           \
    }

kernel void moments_deep_bytes(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int deviation)
{
    DEEP_MOMENTS(int, uint, uint, ADD_INTEGER, ADD_DISC, exact_variance(sum, square, count, from.type))
}

kernel void moments_deep_shorts(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count,
                                int deviation)
{
    DEEP_MOMENTS(int, uint, ulong, ADD_INTEGER, ADD_DISC, exact_variance(sum, square, count, from.type))
}

#ifdef DOUBLES
/* A variance below this share of the squared mean is a rounding error. */
inline float variance_of_doubles(double sum, double square, int count)
{
    const double mean = sum / count, variance = fma(-mean, sum, square) / count;
    return variance <= mean * mean * 0x1p-46 ? 0.0f : (float)variance;
}

#define ADD_DIFFERENCE(at)                                                                                             \
    {                                                                                                                  \
        const double difference = (double)pixels[at] - (double)base;                                                   \
        chord_sum[t] += difference;                                                                                    \
        chord_square[t] = fma(difference, difference, chord_square[t]);                                                \
    }
#define ADD_MOVED                                                                                                      \
    const double step = (double)base - (double)slice_base, n = (double)count_there;                                    \
    sum += fma(step, n, disc_sum);                                                                                     \
    square += fma(step, fma(step, n, 2 * disc_sum), disc_square);

kernel void moments_deep_doubles(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count,
                                 int deviation)
{
    DEEP_MOMENTS(float, double, double, ADD_DIFFERENCE, ADD_MOVED, variance_of_doubles(sum, square, count))
}
#endif
