/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mean or variance of integers of 8 and 16 bits over flat windows. A work-item keeps the sums of its window. When it
 * moves down by one row, one pixel enters and one leaves in each column. Sums of integers are exact, so their order
 * does not matter. Constants:
 *
 * - FROM, TO: element types. FROM_IS_SIGNED: whether FROM is signed. TO_TYPE: the number of type TO.
 * - WANTED: one of the results below. SQUARE: type of sums of squares.
 * - REACH_X, REACH_Y: how far the window reaches. PIXELS: number of its pixels.
 * - HALVES: the window's reach up and down for every |dx|; 'A' is 0, '@' no pixel.
 * - LX: size of a work-group. ROWS: number of rows that a work-group walks down.
 */
#define MEAN 0
#define VARIANCE 1
#define DEVIATION 2
enum { SPAN = LX + 2 * REACH_X, HEIGHT = ROWS + 2 * REACH_Y, TURNS = (SPAN + LX - 1) / LX };

constant char halves[] = HALVES;
#define HALF(dx) (halves[(dx) < 0 ? -(dx) : (dx)] - 'A')

inline float result_of(uint sum, SQUARE square)
{
    const bool is_negative = FROM_IS_SIGNED && (int)sum < 0;
    const uint size = is_negative ? -sum : sum;
#if WANTED == MEAN
    const float mean =
        TO_TYPE == FLOAT32 ? DIVIDE((FLOATV)((float)size), (FLOATV)((float)PIXELS)).s0 : (float)(size / PIXELS);
    return saturate(is_negative ? -mean : mean, TO_TYPE);
#else
    const float variance = DIVIDE((FLOATV)((float)((ulong)square * PIXELS - (ulong)size * size)),
                                  (FLOATV)((float)((ulong)PIXELS * PIXELS)))
                               .s0;
    const float value = WANTED == DEVIATION ? sqrt(variance) : variance;
    return saturate(TO_TYPE == FLOAT32 ? value : snap(value, ROUNDINGS_OF_ROOT), TO_TYPE);
#endif
}

__attribute__((reqd_work_group_size(LX, 1, 1))) kernel void window_disc(INPUT(from), OUTPUT(to) EPILOGUE_PARAMETERS)
{
    local FROM tile[HEIGHT * SPAN];
    local uint column_sums[2][SPAN];
    local SQUARE column_squares[2][SPAN];
    const int lx = get_local_id(0), left = (int)get_global_id(0) - lx, top = ROWS * (int)get_global_id(1),
              z = get_global_id(2);
    const int plane = min(z, from.depth - 1);
    _Pragma("unroll 8") for (int i = lx; i < HEIGHT * SPAN; i += LX) {
        const int x = clamp(left - REACH_X + i % SPAN, 0, from.width - 1),
                  y = clamp(top - REACH_Y + i / SPAN, 0, from.height - 1);
        tile[i] = ((global const FROM *)from_pixels)[AT(from, x, y, plane)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    /*
     * sum the first window: all columns grow by a pixel at either end, and a column is added when it has the window's
     * height
     */
    uint sum = 0, grown[TURNS];
    SQUARE square = 0, grown_square[TURNS];
    EACH(t, 0, TURNS)
        grown[t] = grown_square[t] = 0;
    _Pragma("unroll 1") for (int half_height = 0, dx = REACH_X; half_height <= REACH_Y; half_height++) {
        EACH(t, 0, TURNS) {
            const int column = lx + t * LX;
            if (column < SPAN) {
                const int above = tile[(REACH_Y - half_height) * SPAN + column],
                          below = half_height ? tile[(REACH_Y + half_height) * SPAN + column] : 0;
                grown[t] += (uint)(above + below);
                column_sums[half_height & 1][column] = grown[t];
#if WANTED != MEAN
                grown_square[t] += (SQUARE)((uint)above * (uint)above) + (SQUARE)((uint)below * (uint)below);
                column_squares[half_height & 1][column] = grown_square[t];
#endif
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (; dx >= 0 && HALF(dx) <= half_height; dx--)
            for (int side = HALF(dx) < 0 ? 2 : dx == 0; side < 2; side++) {
                const int column = lx + REACH_X + (side ? dx : -dx);
                sum += column_sums[half_height & 1][column];
#if WANTED != MEAN
                square += column_squares[half_height & 1][column];
#endif
            }
    }
    local const FROM *row = tile + REACH_Y * SPAN + lx + REACH_X;
    _Pragma("unroll 1") for (int y = top; y < min(top + ROWS, to.height); y++, row += SPAN) {
        const TO result[1] = {(TO)result_of(sum, square)};
        STORE_PIXELS(TO, 1, false, to, left + lx, y, z, result)
        if (y + 1 < top + ROWS) {
            EACH(dx, -REACH_X, REACH_X + 1)
                if (HALF(dx) >= 0) {
                    const int enters = row[(HALF(dx) + 1) * SPAN + dx], leaves = row[-HALF(dx) * SPAN + dx];
                    sum += (uint)(enters - leaves);
#if WANTED != MEAN
                    square += (SQUARE)((long)(enters - leaves) * (enters + leaves));
#endif
                }
        }
    }
}
