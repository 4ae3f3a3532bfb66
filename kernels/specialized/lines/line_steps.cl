/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fourier transforms of lines of complex numbers, by Stockham steps in registers. Between two steps, work-items
 * exchange numbers through local memory. Constants:
 *
 * - N: number of complex numbers in a line. T: number of work-items per line.
 * - LINES: number of lines side by side in a work-group.
 * - STEPS: the steps, such as STEP(8,1)REORDER(8,1,4)STEP(4,8). BACK: steps of the same radices in reverse order.
 * - FIRST, LAST: the first and the last radix.
 * - VALUES: largest number of values per work-item.
 * - GAP: number of values in local memory after which a gap avoids bank conflicts; 0: no gaps.
 * - HALVES: whether the exchange runs in two halves because local memory is short.
 *
 * Work-items of lines beyond the image compute with zeros. If they computed with undefined numbers, a compiler could
 * conclude that such work-items do not exist, and drop the tests that keep them from storing.
 */
#include "line_butterflies.cl"
#ifdef STEPS
#if GAP
#define LINE_SPREAD(i) ((i) + (i) / GAP)
#else
#define LINE_SPREAD(i) (i)
#endif
#ifdef ROWS
#define LINE_PLACE(i) (line * LINE_SPREAD(N) + LINE_SPREAD(i))
#define LINE_FURTHER(i) LINE_SPREAD(i)
#define LINE_HERE const int t = (int)get_local_id(0), line = (int)get_local_id(1);
#define LINE_GROUP __attribute__((reqd_work_group_size(T, LINES, 1)))
enum { WAVE = 2 };      /* the waves are those of real rows, which are twice as long */

/* Images have no gaps between planes. */
#define LINE_ROW(image)                                                                                                \
    const int number = (int)get_global_id(1);                                                                          \
    const bool is = number < image.height * image.depth;
#define LINE_ROW_OF(image)                                                                                             \
    ((global float2 *)image##_pixels + ((INDEX)image.offset + (INDEX)number * (INDEX)image.row) / 2)
#else
#define LINE_PLACE(i) (LINE_SPREAD(i) * LINES + line)
#define LINE_FURTHER(i) (LINE_SPREAD(i) * LINES)
#define LINE_HERE const int line = (int)get_local_id(0), t = (int)get_local_id(1);
#define LINE_GROUP __attribute__((reqd_work_group_size(LINES, T, 1)))
enum { WAVE = 1 };

/* Lines along z are treated as one plane of lines, for all y. */
#define LINE_COLUMN(spectrum, axis)                                                                                    \
    const int number = (int)get_global_id(0), plane = (int)get_global_id(2);                                           \
    const bool is = number < (axis == 1 ? spectrum.width : (int)spectrum.plane) / 2;                                   \
    const INDEX stride = (INDEX)(axis == 1 ? spectrum.row : spectrum.plane) / 2;
#define LINE_COLUMN_OF(spectrum)                                                                                       \
    ((global float2 *)spectrum##_pixels + ((INDEX)spectrum.offset + (INDEX)plane * (INDEX)spectrum.plane) / 2 + number)
#endif
#if HALVES
#define LINE_TILE local float tile[LINE_SPREAD(N) * LINES];
#else
#define LINE_TILE local float2 tile[LINE_SPREAD(N) * LINES];
#endif
#define LINE_SYNC barrier(CLK_LOCAL_MEM_FENCE);

/* Number m of the work-item's butterfly number `round` of radix R. */
#define LINE_AT (t + round * T)
#define BUTTERFLIES(R) EACH(round, 0, (N / (R) + T - 1) / T) if (N / (R) % T == 0 || LINE_AT < N / (R))
#define HELD(R) v[round * (R) + m]

/*
 * Loops over all HELD(R) values of a work-item. Their positions in the line are those that the butterflies of the first
 * step read, or those that the butterflies of the last step write.
 */
#define LINE_EACH(R) BUTTERFLIES(R) EACH(m, 0, R)
#define LINE_I(R) (LINE_AT + m * (N / (R)))

/*
 * The position of number m of a butterfly after a step, when transforms of DONE numbers are complete, and the position
 * where the next step reads it. If N is a power of two, the distance between two numbers of a butterfly is constant.
 */
#define LINE_BASE(R, DONE) (LINE_AT / (DONE) * ((DONE) * (R)) + LINE_AT % (DONE))
#if (N & (N - 1)) == 0
#define LINE_LEFT(R, DONE) LINE_PLACE(LINE_BASE(R, DONE)) + LINE_FURTHER(m * (DONE))
#define LINE_TAKEN(R) LINE_PLACE(LINE_AT) + LINE_FURTHER(m * (N / (R)))
#else
#define LINE_LEFT(R, DONE) LINE_PLACE(LINE_BASE(R, DONE) + m * (DONE))
#define LINE_TAKEN(R) LINE_PLACE(LINE_I(R))
#endif

#define STEP(R, DONE)                                                                                                  \
    BUTTERFLIES(R) {                                                                                                   \
        float2 power[R];                                                                                               \
        power[1] = DONE > 1 ? waves[LINE_AT % (DONE) * (N / (R) / (DONE)) * WAVE] : (float2)(1.0f, 0.0f);              \
        EACH(m, 2, (DONE > 1 ? R : 0))                                                                                 \
            power[m] = line_product(power[m / 2], power[m - m / 2]);                                                   \
        EACH(m, 1, (DONE > 1 ? R : 0))                                                                                 \
            HELD(R) = line_product(HELD(R), power[m]);                                                                 \
        line_##R(v + round * R);                                                                                       \
    }
#define LINE_REORDER(PART, R, DONE, S)                                                                                 \
    LINE_SYNC BUTTERFLIES(R) EACH(m, 0, R) tile[LINE_LEFT(R, DONE)] = HELD(R)PART;                                     \
    LINE_SYNC LINE_EACH(S) HELD(S)PART = tile[LINE_TAKEN(S)];
#if HALVES
#define REORDER(R, DONE, S) LINE_REORDER(.x, R, DONE, S) LINE_REORDER(.y, R, DONE, S)
#else
#define REORDER(R, DONE, S) LINE_REORDER(, R, DONE, S)
#endif
/*
 * The inverse transform. It reads the waves through another pointer, so that the waves of the forward transform do not
 * occupy registers.
 */
#define LINE_BACK(again) { global const float2 *restrict waves = again; BACK }
/* applied before and after a transform, SWAP makes it the inverse transform */
#define SWAP EACH(n, 0, VALUES) v[n] = v[n].yx;

/* Packs half of a real row's spectrum into the numbers of its inverse transform, swapped. */
inline float2 line_packed(float2 a, float2 b, float2 wave, bool first)
{
    if (first)
        a.y = b.y = 0.0f;
    const float2 even = (float2)(a.x + b.x, a.y - b.y),
                 odd = line_product((float2)(-a.y - b.y, a.x - b.x), (float2)(wave.x, -wave.y));
    return (even + odd).yx;
}
#define LOAD_SPECTRUM(row, waves)                                                                                      \
    LINE_EACH(LAST) HELD(LAST) = line_packed(row[LINE_I(LAST)], row[N - LINE_I(LAST)], waves[LINE_I(LAST)], m == 0 &&  \
        LINE_AT == 0);

/* The reverse of line_packed: unpacks the transform of a real row that was treated as complex numbers. */
inline void line_unpack(global float2 *row, float2 a, float2 b, float2 wave, int i, bool first)
{
    const float2 even = 0.5f * (float2)(a.x + b.x, a.y - b.y),
                 odd = line_product(0.5f * (float2)(a.y + b.y, b.x - a.x), wave);
    row[i] = even + odd;
    if (first)
        row[N] = (float2)(even.x - odd.x, odd.y - even.y);
}
#define LINE_OPPOSITE LINE_PLACE(m == 0 && LINE_AT == 0 ? 0 : N - LINE_I(LAST))
#define STORE_SPECTRUM(row)                                                                                            \
    float2 other[VALUES];                                                                                              \
    LINE_SYNC LINE_EACH(LAST) tile[LINE_TAKEN(LAST)] = HELD(LAST);                                                     \
    LINE_SYNC LINE_EACH(LAST) other[round * LAST + m] = tile[LINE_OPPOSITE];                                           \
    if (is)                                                                                                            \
        LINE_EACH(LAST)                                                                                                \
            line_unpack(row, HELD(LAST), other[round * LAST + m], waves[LINE_I(LAST)], LINE_I(LAST), m == 0 &&         \
                LINE_AT == 0);
#endif
