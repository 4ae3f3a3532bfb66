/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fourier transforms of lines of complex numbers in local memory: Stockham's steps, in place by way of registers. A tile holds as many
 * lines as fit; a work-item does the same butterflies of a step as the others, of other places. Lengths have prime factors up to 7.
 */

enum { LINE_GROUP = 128, LINE_TILE = 2048 };

/* How often a work-item does a step's butterfly. */
#define LINE_ROUNDS(R) ((LINE_TILE / R + LINE_GROUP - 1) / LINE_GROUP)

typedef struct {
    int n, lines;       /* numbers of a line, lines of the tile */
    int step, apart;    /* in the tile, from one number to the next and from one line to the next */
    uint radices;       /* of the steps, four bits each, the first one lowest */
    int wave_step;      /* waves[k * wave_step] is exp(-2 pi i k / n) */
} line_tile;

/* Places of powers of 2 apart would all lie in one bank of the memory. */
inline int line_at(const line_tile t, int line, int i)
{
    const int at = line * t.apart + i * t.step;
    return at ^ (at >> 4 & 15);
}

/* Of numbers below 2^22, by the inverse of the second one; the usual conversions take devices as long as eight additions. */
inline int line_divide(int a, float inverse)
{
    const float quotient = fma(as_float(a | 0x4b000000) - 0x1p23f, inverse, 0.5f * inverse - 0.5f);
    return as_int(quotient + 0x1.8p23f) - 0x4b400000;
}

/* The butterfly that work-item and round do: its line, its place j, and j's place k in the transforms of `done` that there are. */
#define LINE_BUTTERFLY(R, round)                                                                                                 \
    const int b = (int)get_local_id(0) + (round)*LINE_GROUP, high = line_divide(b, by_inner), low = b - high * inner;            \
    const int line = t.step == 1 ? high : low, j = t.step == 1 ? low : high, block = line_divide(j, by_done), k = j - block * done; \
    if (b >= parts * t.lines)                                                                                                    \
        continue;

#define LINE_READ(R, ROUNDS)                                                                                                     \
    case R: {                                                                                                                    \
        const int parts = t.n / R, inner = t.step == 1 ? parts : t.lines, wave = parts / done * t.wave_step;                     \
        const float by_inner = 1.0f / (float)inner;                                                                              \
        _Pragma("unroll")                                                                                                        \
        for (int round = 0; round < ROUNDS; round++) {                                                                           \
            LINE_BUTTERFLY(R, round)                                                                                             \
            _Pragma("unroll")                                                                                                    \
            for (int m = 0; m < R; m++)                                                                                          \
                v[round * R + m] = tile[line_at(t, line, j + m * parts)];                                                        \
            if (done > 1) {                                                                                                      \
                float2 power[R];                                                                                                 \
                power[1] = waves[k * wave];                                                                                      \
                _Pragma("unroll")                                                                                                \
                for (int m = 2; m < R; m++)                                                                                      \
                    power[m] = line_product(power[m / 2], power[m - m / 2]);                                                     \
                _Pragma("unroll")                                                                                                \
                for (int m = 1; m < R; m++)                                                                                      \
                    v[round * R + m] = line_product(v[round * R + m], power[m]);                                                 \
            }                                                                                                                    \
            line_##R(v + round * R);                                                                                             \
        }                                                                                                                        \
        break;                                                                                                                   \
    }

#define LINE_WRITE(R, ROUNDS)                                                                                                    \
    case R: {                                                                                                                    \
        const int parts = t.n / R, inner = t.step == 1 ? parts : t.lines;                                                        \
        const float by_inner = 1.0f / (float)inner;                                                                              \
        _Pragma("unroll")                                                                                                        \
        for (int round = 0; round < ROUNDS; round++) {                                                                           \
            LINE_BUTTERFLY(R, round)                                                                                             \
            _Pragma("unroll")                                                                                                    \
            for (int m = 0; m < R; m++)                                                                                          \
                tile[line_at(t, line, block * done * R + k + m * done)] = v[round * R + m];                                      \
        }                                                                                                                        \
        break;                                                                                                                   \
    }

/* Each of them with the rounds that a tile takes. */
#define LINE_RADICES(ACTION)                                                                                                     \
    ACTION(2, LINE_ROUNDS(2)) ACTION(3, LINE_ROUNDS(3)) ACTION(4, LINE_ROUNDS(4)) ACTION(5, LINE_ROUNDS(5)) ACTION(6, LINE_ROUNDS(6)) \
    ACTION(7, LINE_ROUNDS(7)) ACTION(8, LINE_ROUNDS(8)) ACTION(9, LINE_ROUNDS(9))

/* In place. Begins with a barrier, and ends with one. */
inline void line_transform(local float2 *tile, const line_tile t, global const float2 *restrict waves)
{
    int done = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint radices = t.radices; radices; radices >>= 4) {
        const float by_done = 1.0f / (float)done;
        float2 v[LINE_TILE / LINE_GROUP + 8];
        switch (radices & 15) {
            LINE_RADICES(LINE_READ)
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        switch (radices & 15) {
            LINE_RADICES(LINE_WRITE)
        }
        done *= (int)(radices & 15);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
