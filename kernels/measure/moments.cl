/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums x^i y^j, with i and j from 0 to 2, over pixels that are not 0. A work-group takes a block of a slice, `columns`
 * (a multiple of 4) by `rows`, whose first pixel is the origin. native/ops/measure/central_moments.c chooses blocks in
 * which all sums are exact. A work-item walks down columns of four pixels.
 */
#include "batches.cl"

enum { ORDERS = 3, BLOCK_SUMS = ORDERS * ORDERS, MOMENT_GROUP = 256 };

/* Adds sums over four columns from x on, for one power of y. */
inline void add_columns(long *sums, int x, int4 of_y)
{
    const long4 column = convert_long4((int4)(x) + (int4)(0, 1, 2, 3)), number = convert_long4(of_y),
                first = column * number, second = column * first;
    sums[0] += (number.s0 + number.s1) + (number.s2 + number.s3);
    sums[1] += (first.s0 + first.s1) + (first.s2 + first.s3);
    sums[2] += (second.s0 + second.s1) + (second.s2 + second.s3);
}

#define ROWS_OF(T)                                                                                                     \
    inline void load_rows_##T(global const T *values, const layout i, int x, int y, int z, int down, int count,        \
                              INDEX second, INDEX third, INDEX fourth, float4 *rows)                                   \
    {                                                                                                                  \
        for (int k = 0; k < BATCH; k++) {                                                                              \
            global const T *row = values + AT(i, x, y + min(k * down, count - 1), z);                                  \
            rows[k] = k * down < count ? (float4)(row[0], row[second], row[third], row[fourth]) : (float4)(0.0f);      \
        }                                                                                                              \
    }
ROWS_OF(uchar)
ROWS_OF(char)
ROWS_OF(ushort)
ROWS_OF(short)
ROWS_OF(uint)
ROWS_OF(int)
ROWS_OF(float)

/* Like load_batch, for rows that are not aligned, from column x and row y on. Rows after the last `count` are 0. */
inline void load_rows(global const uchar *pixels, const layout *image, int x, int y, int z, int down, int count,
                      float4 *rows)
{
    const layout i = *image;
    const INDEX step = (INDEX)i.column, right = i.width - 1 - x;
    const INDEX second = min((INDEX)1, right) * step, third = min((INDEX)2, right) * step,
                fourth = min((INDEX)3, right) * step;
    switch (i.type) {
    case UINT8: load_rows_uchar(pixels, i, x, y, z, down, count, second, third, fourth, rows); break;
    case INT8: load_rows_char((global const char *)pixels, i, x, y, z, down, count, second, third, fourth, rows); break;
    case UINT16:
        load_rows_ushort((global const ushort *)pixels, i, x, y, z, down, count, second, third, fourth, rows);
        break;
    case INT16:
        load_rows_short((global const short *)pixels, i, x, y, z, down, count, second, third, fourth, rows);
        break;
    case UINT32:
        load_rows_uint((global const uint *)pixels, i, x, y, z, down, count, second, third, fourth, rows);
        break;
    case INT32: load_rows_int((global const int *)pixels, i, x, y, z, down, count, second, third, fourth, rows); break;
    default: load_rows_float((global const float *)pixels, i, x, y, z, down, count, second, third, fourth, rows);
    }
}

/* `first_row`: an earlier launch handled the rows above. `wide`: rows are aligned to four pixels. */
kernel void moments_of_blocks(INPUT(source), global long *results, int columns, int rows, int first_row, int wide)
{
    enum { SHARE = 16 };
    local long group[BLOCK_SUMS][MOMENT_GROUP];
    const int lane = (int)get_local_id(0), block = (int)get_group_id(0), line = (int)get_global_id(1),
              z = (int)get_global_id(2);
    const int left = block * columns, top = line * rows, end = min(rows, source.height - top);
    const int vectors = (min(columns, source.width - left) + 3) / 4, across = min(vectors, MOMENT_GROUP),
              down = MOMENT_GROUP / across;
    long sums[BLOCK_SUMS] = {0};
    for (int four = lane % across; lane / across < down && four < vectors; four += across) {
        const int x = left + 4 * four;
        int4 number = 0, first = 0, second = 0;
        for (int y = max(first_row - top, 0) + lane / across; y < end; y += BATCH * down) {
            float4 a[BATCH];
            if (wide && y + (BATCH - 1) * down < end)
                load_batch(source_pixels, source.type, AT(source, x, top + y, z), down * (INDEX)source.row, a);
            else
                load_rows(source_pixels, &source, x, top + y, z, down, end - y, a);
            for (int k = 0; k < BATCH; k++) {
                const int4 found = a[k] != 0.0f;
                const int row = y + k * down;
                number -= found;
                first += found & row;
                second += found & row * row;
            }
        }
        const int4 keep = (int4)(0, 1, 2, 3) < (int4)(source.width - x);
        add_columns(sums, 4 * four, number & keep);
        add_columns(sums + ORDERS, 4 * four, first & keep);
        add_columns(sums + 2 * ORDERS, 4 * four, second & keep);
    }
    for (int n = 0; n < BLOCK_SUMS; n++)
        group[n][lane] = sums[n];
    barrier(CLK_LOCAL_MEM_FENCE);
    const int n = lane / SHARE, share = lane % SHARE;
    for (int i = share + SHARE; n < BLOCK_SUMS && i < MOMENT_GROUP; i += SHARE)
        group[n][share] += group[n][i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane >= BLOCK_SUMS)
        return;
    global long *result =
        results + BLOCK_SUMS * (((long)z * ((source.height - 1) / rows + 1) + line) * get_num_groups(0) + block) + lane;
    long sum = top < first_row ? *result : 0;
    for (int i = 0; i < SHARE; i++)
        sum += group[lane][i];
    *result = sum;
}
