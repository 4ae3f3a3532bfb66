/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Like reduce_positions, for CPUs and whole numbers of 8 and 16 bits. native/ops/measure/reduction.c uses this kernel
 * only if the sums of a work-group are exact in any order. A work-item sums a group in doubles. The sums over BATCH *
 * ROUNDS rows, in which squares are rounded, are the same as in reduce_positions.
 */
#include "batches.cl"
#include "reduction.cl"
#include "reduction_positions.cl"
#ifdef DOUBLES
#define DOUBLEV JOIN(double, LANES)

typedef struct {
    DOUBLEV pixels, along_x, along_y, squares;
    FLOATV low, high;
} exact_sums;

/* Adds `count` rows from y on, with a stride of `down` rows. */
IN_PLACE void add_exactly(exact_sums *all, global const uchar *pixels, const layout i, int type, int y, int z, int down,
                          int count, int top, float middle)
{
    enum { AT_ONCE = ROUNDS * BATCH };
    DOUBLEV before = 0.0;           /* sum of the vectors that precede the current one in the row */
    for (int x = 0; x < i.width; x += LANES) {
        const int left = i.width - x;
        const INDEX at = AT(i, x, y, z);
        FLOATV sum = 0.0f, numbered = 0.0f, squares = 0.0f;
        UNROLLED(n, ROUNDS) {
            FLOATV a[BATCH];
            UNROLLED(k, BATCH) {
                const int row = n * BATCH + k;
                a[k] = load_line_lanes(pixels, type, at + (INDEX)(min(row, count - 1) * down) * (INDEX)i.row, i.column,
                                       left);
                all->low = select(all->low, a[k], a[k] < all->low);
                all->high = select(all->high, a[k], a[k] > all->high);
                a[k] = row < count ? a[k] - middle : (FLOATV)(0.0f);
            }
            const FLOATV some = (a[0] + a[1]) + (a[2] + a[3]);
            sum += some;
            numbered +=
                fma((FLOATV)((float)(n * BATCH)), some, fma((FLOATV)(3.0f), a[3], fma((FLOATV)(2.0f), a[2], a[1])));
            squares += fma(a[3], a[3], fma(a[2], a[2], fma(a[1], a[1], a[0] * a[0])));
        }
        numbered = fma((FLOATV)((float)(y - top)), sum, (float)down * numbered);
        if (left < LANES) {
            const INTV keep = LANE_NUMBERS < (FLOATV)((float)left);
            sum = select((FLOATV)(0.0f), sum, keep);
            numbered = select((FLOATV)(0.0f), numbered, keep);
            squares = select((FLOATV)(0.0f), squares, keep);
        }
        before += JOIN(convert_double, LANES)(sum);
        all->along_x += before;
        all->along_y += JOIN(convert_double, LANES)(numbered);
        all->squares += JOIN(convert_double, LANES)(squares);
    }
    all->pixels += before;
}

inline void put_exactly(global float *out, double sum)
{
    const float high = (float)sum;
    vstore2((float2)(high, (float)(sum - (double)high)), 0, out);
}

#define ADD_EXACTLY(type) add_exactly(&all, source_pixels, source, type, y, z, down, count, top, middle)

/* Work-groups as in reduce_positions. */
kernel void reduce_whole_numbers(INPUT(source), global float *origin, global float *results, int rows, int in_slice,
                                 int group0, int first, int from_zero)
{
    const int z = (int)get_global_id(1), top = (int)get_global_id(0) * rows, bottom = min(top + rows, source.height);
    const int columns = (source.width + 3) / 4, down = REDUCTION_GROUP / min(columns, (int)REDUCTION_GROUP);
    const float middle = from_zero ? 0.0f : origin[0];
    if (from_zero && get_global_id(0) + get_global_id(1) == 0)
        origin[0] = middle;
    exact_sums all = {0.0, 0.0, 0.0, 0.0, INFINITY, -INFINITY};
    for (int start = top; start < bottom; start += ROUNDS * BATCH * down)
        for (int y = start; y < min(start + down, bottom); y++) {
            const int count = min((bottom - y - 1) / down + 1, (int)(ROUNDS * BATCH));
            switch (source.type) {      /* the usual types have separate loops */
            case UINT8: ADD_EXACTLY(UINT8); break;
            case UINT16: ADD_EXACTLY(UINT16); break;
            default: ADD_EXACTLY(source.type);
            }
        }
    double pixels[LANES], along_x[LANES], along_y[LANES], squares[LANES];
    float low[LANES], high[LANES];
    JOIN(vstore, LANES)(all.pixels, 0, pixels);
    JOIN(vstore, LANES)(all.along_x, 0, along_x);
    JOIN(vstore, LANES)(all.along_y, 0, along_y);
    JOIN(vstore, LANES)(all.squares, 0, squares);
    JOIN(vstore, LANES)(all.low, 0, low);
    JOIN(vstore, LANES)(all.high, 0, high);
    const int vectors = (source.width + LANES - 1) / LANES;
    double sum = 0.0, of_x = 0.0, of_y = 0.0, square = 0.0;
    for (int l = 0; l < LANES; l++) {
        sum += pixels[l];       /* along_x counts each vector once, and once more for each later vector */
        of_x += (double)(LANES * vectors + l) * pixels[l] - (double)LANES * along_x[l];
        of_y += along_y[l];
        square += squares[l];
        low[0] = min(low[0], low[l]);
        high[0] = max(high[0], high[l]);
    }
    of_y += (double)(group0 * rows + top) * sum;
    global float *out = results + REDUCTION * ((size_t)(first + z) * in_slice + group0 + get_global_id(0));
    put_exactly(out, sum);
    put_exactly(out + 2, of_x);
    put_exactly(out + 4, of_y);
    put_exactly(out + 6, square);
    out[2 * SUMS] = low[0];
    out[2 * SUMS + 1] = high[0];
}
#endif
