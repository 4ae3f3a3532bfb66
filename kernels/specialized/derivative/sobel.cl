/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sobel gradient as in kernels/derivative/derivative.cl, with the same roundings. A work-item computes four pixels of
 * ROWS rows and walks down the slices. Constants:
 *
 * - FROM, TO: element types. TO_TYPE: the number of type TO.
 * - ALIGNED: whether rows lie in vectors of four.
 * - FLAT: whether to ignore differences along z.
 * - LENGTH: whether to write the gradient's length; otherwise its square.
 * - SMALL: whether the source has 8 or 16 bits.
 */
enum { ROWS = 2, PIXELS = 4 };

/* Conversion from 16 bits is slow, so the bits are placed into a float. */
#if SMALL
#define value_of(pixel) (as_float(0x4b400000 + (int)(pixel)) - 0x1.8p23f)
#else
#define value_of(pixel) ((float)(pixel))
#endif

inline float sum_121(float a, float b, float c)
{
    return fma(2.0f, b, a) + c;     /* this equals a + 2 * b + c */
}

inline TO result_of(float squares)
{
#if LENGTH
    const float value = sqrt(squares);
    return (TO)saturate(TO_TYPE == FLOAT32 ? value : snap(value, ROUNDINGS_OF_ROOT), TO_TYPE);
#else
    return (TO)saturate(squares, TO_TYPE);
#endif
}

/* Reads pixels of a row of the source, with one more on either side; `columns` are their offsets. */
inline void read_row(float *v, line row, const INDEX *columns)
{
#if ALIGNED
    const JOIN(FROM, 4) four = QUAD_AT(row, columns[1]);
    v[0] = value_of(PIXEL_AT(row, columns[0]));
    v[1] = value_of(four.x);
    v[2] = value_of(four.y);
    v[3] = value_of(four.z);
    v[4] = value_of(four.w);
    v[5] = value_of(PIXEL_AT(row, columns[5]));
#else
    EACH(i, 0, PIXELS + 2)
        v[i] = value_of(PIXEL_AT(row, columns[i]));
#endif
}

__attribute__((reqd_work_group_size(32, 4, 1)))
kernel void sobel_rows(INPUT(from), OUTPUT(to), int slices PROLOGUE_PARAMETERS EPILOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    const int x = PIXELS * (int)get_global_id(0), y = ROWS * (int)get_global_id(1),
              front = slices * (int)get_global_id(2);
    if (!INSIDE(to, x, y, front))
        return;
    const int end = min(front + slices, to.depth);
    INDEX columns[PIXELS + 2], rows[ROWS + 2];
    EACH(i, 0, PIXELS + 2)
        columns[i] = (INDEX)clamp(x - 1 + i, 0, from.width - 1) * (INDEX)from.column;
    EACH(j, 0, ROWS + 2)
        rows[j] = (INDEX)from.offset + (INDEX)clamp(y - 1 + j, 0, from.height - 1) * (INDEX)from.row;
    /*
     * last_x, last_y, last: differences along x and along y, and smoothed values, of the last plane; both_x, both_y:
     * twice those differences plus those of the plane before it; before: smoothed values of the plane before it
     */
    float last_x[ROWS][PIXELS], last_y[ROWS][PIXELS], last[ROWS][PIXELS];
    float both_x[ROWS][PIXELS], both_y[ROWS][PIXELS], before[ROWS][PIXELS];
    EACH(j, 0, ROWS)
        EACH(i, 0, PIXELS)
            last_x[j][i] = last_y[j][i] = last[j][i] = both_x[j][i] = both_y[j][i] = before[j][i] = 0.0f;
    _Pragma("unroll 1") for (int z = FLAT ? front : front - 1; z < (FLAT ? end : end + 1); z++) {
        const INDEX plane = (INDEX)clamp(z, 0, from.depth - 1) * (INDEX)from.plane;
        float smooth[ROWS + 2][PIXELS], step[ROWS + 2][PIXELS], v[ROWS + 2][PIXELS + 2];
        EACH(j, 0, ROWS + 2)
            read_row(v[j], LINE_AT(from, plane + rows[j]), columns);
        if (ALIGNED && !WHOLE && x + PIXELS > from.width)       /* the pixel after the last one repeats the last one */
            EACH(j, 0, ROWS + 2)
                EACH(i, 2, PIXELS + 1)
                    v[j][i] = x + i - 1 < from.width ? v[j][i] : v[j][5];
        EACH(j, 0, ROWS + 2)
            EACH(i, 0, PIXELS) {
                smooth[j][i] = sum_121(v[j][i], v[j][i + 1], v[j][i + 2]);
                step[j][i] = v[j][i + 2] - v[j][i];
            }
        EACH(j, 0, ROWS) {
            TO out[PIXELS];
            EACH(i, 0, PIXELS) {
                const float dx = sum_121(step[j][i], step[j + 1][i], step[j + 2][i]),
                            dy = smooth[j + 2][i] - smooth[j][i];
                const float here = sum_121(smooth[j][i], smooth[j + 1][i], smooth[j + 2][i]);
                const float gx = FLAT ? dx : both_x[j][i] + dx, gy = FLAT ? dy : both_y[j][i] + dy,
                            gz = here - before[j][i];
                out[i] = result_of(FLAT ? gx * gx + gy * gy : gx * gx + gy * gy + gz * gz);
                both_x[j][i] = fma(2.0f, dx, last_x[j][i]);
                both_y[j][i] = fma(2.0f, dy, last_y[j][i]);
                before[j][i] = last[j][i];
                last_x[j][i] = dx;
                last_y[j][i] = dy;
                last[j][i] = here;
            }
            const int slice = FLAT ? z : z - 1;
            if (slice >= front && y + j < to.height)
                STORE_PIXELS(TO, 4, ALIGNED, to, x, y + j, slice, out)
        }
    }
}
