/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows made of chords: in the row at (dy, dz) the pixels from x - half to x + half, or none where half is negative.
 * A group brings bands of rows into local memory, where level k holds the result of 2^k neighbours for every start; a chord
 * takes what it needs from each level. So a window costs a few reads a row instead of one a pixel.
 */

enum { TILE_X = 32, TILE_Y = 8, LANE_COUNT = TILE_X * TILE_Y };

#define CHORD(dy, dz) half_chords[abs(dz) * (ry + 1) + abs(dy)]

/*
 * Calls `fold` for every level of every chord, with row[at] the chord's first start at this level, `length` the chord's
 * pixels and `pixels` those of the level. `join` makes one level from the one before.
 */
#define FOLD_CHORDS(T, CAPACITY, read, join, fold)                                                                               \
    constant short *half_chords = TABLE_OF(short, chords);                                                                       \
    local T rows[2 * CAPACITY];                                                                                                  \
    const int lx = get_local_id(0), ly = get_local_id(1), lane = ly * TILE_X + lx;                                               \
    const int x0 = (int)get_global_id(0) - lx, y0 = (int)get_global_id(1) - ly, z = (int)get_global_id(2);                       \
    const int width = TILE_X + 2 * rx, band = CAPACITY / width;                                                                  \
    for (int dz = -rz; dz <= rz; dz++) {                                                                                         \
        for (int first = -ry; first < TILE_Y + ry; first += band) {                                                              \
            const int height = min(band, TILE_Y + ry - first), size = height * width;                                            \
            local T *row = rows, *next = rows + CAPACITY;                                                                        \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                                        \
            for (int i = lane; i < size; i += LANE_COUNT)                                                                        \
                row[i] = read(LOAD_CLAMPED(from, x0 - rx + i % width, y0 + first + i / width, z + dz));                          \
            for (int pixels = 1;; pixels *= 2) {                                                                                 \
                barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
                for (int dy = max(first - ly, -ry); dy <= min(first + height - 1 - ly, ry); dy++) {                              \
                    const int half_length = CHORD(dy, dz), length = 2 * half_length + 1;                                         \
                    const int at = (dy + ly - first) * width + lx + rx - half_length;                                            \
                    if (pixels <= length) {                                                                                      \
                        fold                                                                                                     \
                    }                                                                                                            \
                }                                                                                                                \
                if (pixels > rx)                                                                                                 \
                    break;                                                                                                       \
                for (int i = lane; i < size; i += LANE_COUNT)                                                                    \
                    next[i] = i + pixels < size ? join(row[i], row[i + pixels]) : row[i];                                        \
                local T *const last = row;                                                                                       \
                row = next;                                                                                                      \
                next = last;                                                                                                     \
            }                                                                                                                    \
        }                                                                                                                        \
    }                                                                                                                            \
    const int x = x0 + lx, y = y0 + ly;                                                                                          \
    if (!INSIDE(to, x, y, z))                                                                                                    \
        return;

/* Chords with this bit in their length take one block here, after the blocks of lower bits. */
#define IN_BLOCKS(add)                                                                                                           \
    if (length & pixels)                                                                                                         \
        add(row[at + (length & (pixels - 1))])

#define VALUE(v) (v)
#define AS_INTEGER(v) ((uint)(int)(v))
#define AS_PRESENCE(v) ((v) != 0.0f ? 1u : 0u)
#define PLUS(a, b) ((a) + (b))

/* ---- minimum and maximum: two blocks that overlap */
#define EXTREME(pick)                                                                                                            \
    if (length < 2 * pixels)                                                                                                     \
        best = pick(best, pick(row[at], row[at + length - pixels]));

kernel void chords_minimum(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count)
{
    float best = INFINITY;
    FOLD_CHORDS(float, 2048, VALUE, fmin, EXTREME(fmin))
    STORE(to, x, y, z, best);
}

kernel void chords_maximum(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count)
{
    float best = -INFINITY;
    FOLD_CHORDS(float, 2048, VALUE, fmax, EXTREME(fmax))
    STORE(to, x, y, z, best);
}

/* ---- sums: integers wrap around, which the final difference undoes */
#define ADD_UP(value) sum += value;

kernel void chords_count(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count)
{
    uint sum = 0;
    FOLD_CHORDS(uint, 2048, AS_PRESENCE, PLUS, IN_BLOCKS(ADD_UP))
    STORE(to, x, y, z, (float)sum);
}

kernel void chords_mean(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count)
{
    float sum = 0.0f;
    FOLD_CHORDS(float, 2048, VALUE, PLUS, IN_BLOCKS(ADD_UP))
    STORE_SNAPPED(to, x, y, z, DIVIDE((FLOATV)(sum), (FLOATV)((float)count)).s0);
}

/* For types of 8 and 16 bits and windows of at most 65536 pixels, whose sum modulo 2^32 tells the sum. */
inline float exact_mean(uint sum, int count, int from_type, int to_type)
{
    const bool is_negative = (from_type == INT8 || from_type == INT16) && (int)sum < 0;
    const uint size = is_negative ? -sum : sum;
    float mean = (float)(size / count);
    if (to_type == FLOAT32)
        mean = DIVIDE((FLOATV)((float)size), (FLOATV)((float)count)).s0;
    return is_negative ? -mean : mean;
}

kernel void chords_mean_exact(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count)
{
    uint sum = 0;
    FOLD_CHORDS(uint, 2048, AS_INTEGER, PLUS, IN_BLOCKS(ADD_UP))
    STORE(to, x, y, z, exact_mean(sum, count, from.type, to.type));
}

/* ---- variance: mean and sum of squared differences from it, joined without cancellation (Chan, Golub, LeVeque 1979) */
inline float2 join_moments(float2 a, float2 b, float pixels)
{
    const float step = b.x - a.x;
    return (float2)(a.x + 0.5f * step, a.y + b.y + step * step * (0.5f * pixels));
}

/* Counted from one pixel of the tile, which keeps the digits of small differences between large values. */
#define AS_MOMENTS(v) ((float2)((v) - LOAD_CLAMPED(from, x0, y0, z), 0.0f))
#define JOIN_MOMENTS(a, b) join_moments(a, b, (float)pixels)
#define ADD_MOMENTS(value)                                                                                                       \
    {                                                                                                                            \
        const float2 block = value;                                                                                              \
        const float share = (float)pixels / (seen + (float)pixels), step = block.x - moments.x;                                  \
        moments.x += step * share;                                                                                               \
        moments.y += block.y + step * step * (seen * share);                                                                     \
        seen += (float)pixels;                                                                                                   \
    }

kernel void chords_variance(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count)
{
    float2 moments = (float2)(0.0f);
    float seen = 0.0f;
    FOLD_CHORDS(float2, 1024, AS_MOMENTS, JOIN_MOMENTS, IN_BLOCKS(ADD_MOMENTS))
    STORE_SNAPPED(to, x, y, z, moments.y / seen);
}

kernel void chords_deviation(INPUT(from), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count)
{
    float2 moments = (float2)(0.0f);
    float seen = 0.0f;
    FOLD_CHORDS(float2, 1024, AS_MOMENTS, JOIN_MOMENTS, IN_BLOCKS(ADD_MOMENTS))
    STORE_SNAPPED(to, x, y, z, sqrt(moments.y / seen));
}
