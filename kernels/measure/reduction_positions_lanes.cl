/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce_positions for CPUs: one work-item computes the sums of a whole work-group in the order of that group's items,
 * one vector per step.
 */
#include "batches.cl"
#include "reduction.cl"
#include "reduction_lanes.cl"
#include "reduction_positions.cl"
enum { BLOCK = 4 * LANES };     /* pixels of LANES columns */

/*
 * Values that a vector of pixels gathers down its columns: sums of pixels, of pixels times their row, and of squares.
 */
typedef struct {
    FLOATV sum[3], lost[3], low, high;
} gathered;

inline void gather(gathered *g, int n, FLOATV value)
{
    const FLOATV sum = g->sum[n] + value, part = sum - g->sum[n];
    g->lost[n] += (g->sum[n] - (sum - part)) + (value - part);
    g->sum[n] = sum;
}

/*
 * Reads every `down`-th row of a slice from pixel x and row `first` on, as a work-item of reduce_positions does. `left`
 * is the number of pixels that exist.
 */
IN_PLACE gathered gather_rows(global const uchar *pixels, const layout i, int type, int x, int first, int top,
                              int bottom, int down, int z, int wide, float middle)
{
    const int left = i.width - x;
    gathered g = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, INFINITY, -INFINITY};
    for (int y = first; y < bottom; y += ROUNDS * BATCH * down) {
        FLOATV all = 0.0f, numbered = 0.0f, squares = 0.0f;
        for (int n = 0; n < ROUNDS; n++) {
            const int row = y + n * BATCH * down;
            const bool whole = row + (BATCH - 1) * down < bottom;
            FLOATV a[BATCH];
            for (int k = 0; k < BATCH; k++)
                a[k] = load_line_lanes(pixels, type, AT(i, x, min(row + k * down, bottom - 1), z), i.column, left);
            if (type != FLOAT32 && whole) {        /* the extremes of whole numbers do not depend on the order */
                for (int k = 0; k < BATCH; k++) {
                    g.low = select(g.low, a[k], a[k] < g.low);
                    g.high = select(g.high, a[k], a[k] > g.high);
                    a[k] -= middle;
                }
            } else if (wide && whole) {
                g.low = fmin(g.low, fmin(fmin(a[0], a[1]), fmin(a[2], a[3])));
                g.high = fmax(g.high, fmax(fmax(a[0], a[1]), fmax(a[2], a[3])));
                for (int k = 0; k < BATCH; k++)
                    a[k] -= middle;
            } else {
                for (int k = 0; k < BATCH; k++)
                    if (row + k * down < bottom) {
                        g.low = fmin(g.low, a[k]);
                        g.high = fmax(g.high, a[k]);
                        a[k] -= middle;
                    } else {
                        a[k] = 0.0f;
                    }
            }
            const FLOATV sum = (a[0] + a[1]) + (a[2] + a[3]);
            all += sum;
            numbered +=
                fma((FLOATV)((float)(n * BATCH)), sum, fma((FLOATV)(3.0f), a[3], fma((FLOATV)(2.0f), a[2], a[1])));
            squares += fma(a[3], a[3], fma(a[2], a[2], fma(a[1], a[1], a[0] * a[0])));
        }
        gather(&g, 0, all);
        gather(&g, 1, fma((FLOATV)((float)(y - top)), all, (float)down * numbered));
        gather(&g, 2, squares);
    }
    return g;
}

/* Every fourth number of a block from the k-th on: the k-th pixels of the columns. */
inline FLOATV every_fourth(const float *block, int k)
{
#if LANES == 16
    const float16 a = vload16(0, block), b = vload16(1, block), c = vload16(2, block), d = vload16(3, block);
    switch (k) {
    case 0: return (float16)(a.s048c, b.s048c, c.s048c, d.s048c);
    case 1: return (float16)(a.s159d, b.s159d, c.s159d, d.s159d);
    case 2: return (float16)(a.s26ae, b.s26ae, c.s26ae, d.s26ae);
    default: return (float16)(a.s37bf, b.s37bf, c.s37bf, d.s37bf);
    }
#else
    float lanes[LANES];
    for (int l = 0; l < LANES; l++)
        lanes[l] = block[4 * l + k];
    return JOIN(vload, LANES)(0, lanes);
#endif
}

#define GATHER(type) gather_rows(pixels, *image, type, x + v, first, top, bottom, down, z, wide, middle)

/* The reductions of the columns of a block; reduction_of_column computes one of them. */
inline reductions reductions_of_block(global const uchar *pixels, const layout *image, int x, int first, int top,
                                      int bottom, int down, int z, int wide, float middle, int top_of_image)
{
    float blocks[2 * 3 + 2][BLOCK];
    const int width = image->width, type = image->type;
    for (int v = 0; v < BLOCK; v += LANES) {
        const bool inside = x + v < width;
        const INTV keep = LANE_NUMBERS < (FLOATV)((float)(width - x - v));
        gathered g = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, INFINITY, -INFINITY};
        if (inside)
            switch (type) {     /* the usual types have separate loops */
            case UINT8: g = GATHER(UINT8); break;
            case UINT16: g = GATHER(UINT16); break;
            default: g = GATHER(type);
            }
        for (int n = 0; n < 3; n++) {
            JOIN(vstore, LANES)(select((FLOATV)(0.0f), g.sum[n], keep), 0, blocks[2 * n] + v);
            JOIN(vstore, LANES)(select((FLOATV)(0.0f), g.lost[n], keep), 0, blocks[2 * n + 1] + v);
        }
        JOIN(vstore, LANES)(g.low, 0, blocks[6] + v);
        JOIN(vstore, LANES)(g.high, 0, blocks[7] + v);
    }
    const FLOATV column = (FLOATV)((float)x) + 4.0f * LANE_NUMBERS;
    pairs joined[3], of_x[4], lanes[4];
    for (int n = 2; n >= 0; n--) {
        for (int k = 0; k < 4; k++)
            lanes[k] = (pairs){every_fourth(blocks[2 * n], k), every_fourth(blocks[2 * n + 1], k)};
        joined[n] = add_lanes_of_pairs(add_lanes_of_pairs(lanes[0], lanes[1]), add_lanes_of_pairs(lanes[2], lanes[3]));
        joined[n] = add_lanes_of_pairs(joined[n], (pairs){0.0f, 0.0f});
    }
    for (int k = 0; k < 4; k++)
        of_x[k] = lanes_times(lanes[k], column + (float)k);
    reductions r;
    r.sum[0] = joined[0];
    r.sum[1] = add_lanes_of_pairs(add_lanes_of_pairs(of_x[0], of_x[1]), add_lanes_of_pairs(of_x[2], of_x[3]));
    r.sum[2] = add_lanes_of_pairs(joined[1], lanes_times(joined[0], (FLOATV)((float)top_of_image)));
    r.sum[3] = joined[2];
    r.low = fmin(fmin(every_fourth(blocks[6], 0), every_fourth(blocks[6], 1)),
                 fmin(every_fourth(blocks[6], 2), every_fourth(blocks[6], 3)));
    r.high = fmax(fmax(every_fourth(blocks[7], 0), every_fourth(blocks[7], 1)),
                  fmax(every_fourth(blocks[7], 2), every_fourth(blocks[7], 3)));
    return r;
}

/* Work-groups as in reduce_positions. */
kernel void reduce_positions_alone(INPUT(source), global float *origin, global float *results, int rows, int in_slice,
                                   int group0, int first, int wide, int from_zero)
{
    const int z = (int)get_global_id(1), top = (int)get_global_id(0) * rows, bottom = min(top + rows, source.height);
    const int columns = (source.width + 3) / 4, across = min(columns, (int)REDUCTION_GROUP),
              down = REDUCTION_GROUP / across;
    const float middle = from_zero ? 0.0f : origin[0];
    if (from_zero && get_global_id(0) + get_global_id(1) == 0)
        origin[0] = middle;
    float numbers[REDUCTION][GROUP_AND_MORE];
    clear_group(numbers);
    for (int start = 0; start < columns; start += across)
        for (int row = 0; row < down; row++)
            for (int c = 0; c < min(across, columns - start); c += LANES) {
                const reductions r = reductions_of_block(source_pixels, &source, 4 * (start + c), top + row, top,
                                                         bottom, down, z, wide, middle, group0 * rows + top);
                const int item = row * across + c;
                put_reductions(numbers, item, join_lanes_of(reductions_at(numbers, item), r),
                               min(across, columns - start) - c);
            }
    finish_numbers(numbers, results + REDUCTION * ((size_t)(first + z) * in_slice + group0 + get_global_id(0)));
}
