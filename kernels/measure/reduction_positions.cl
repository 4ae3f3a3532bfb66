/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of pixels, of their squares, and of pixels times their position, in one read. A work-group takes `rows` rows of
 * a slice. A work-item walks down a column of four pixels; it adds some rows in plain floats before it updates the sum
 * that keeps rounding errors.
 */
#include "batches.cl"
#include "reduction.cl"

inline float2 times(float2 pair, float factor)
{
    const float high = pair.x * factor;
    return (float2)(high, fma(pair.x, factor, -high) + pair.y * factor);
}

/* Sums over some rows of a column: pixels, pixels times the row's number, squares. */
typedef struct {
    float4 pixels, numbered, squares;
} row_sums;

inline row_sums sums_of_rows(const float4 *a)
{
    return (row_sums){(a[0] + a[1]) + (a[2] + a[3]), fma(3.0f, a[3], fma(2.0f, a[2], a[1])),
                      fma(a[3], a[3], fma(a[2], a[2], fma(a[1], a[1], a[0] * a[0])))};
}

/* Converts the sums of a column that starts at x to sums of pixels, of pixels times x and times y, and of squares. */
inline reduction reduction_of_column(reduction4 t, int x, int top)
{
    reduction all;
    float2 of_x[4];
    const float2 lanes[4] = {(float2)(t.sum[0].s0, t.lost[0].s0), (float2)(t.sum[0].s1, t.lost[0].s1),
                             (float2)(t.sum[0].s2, t.lost[0].s2), (float2)(t.sum[0].s3, t.lost[0].s3)};
    for (int k = 0; k < 4; k++)
        of_x[k] = times(lanes[k], (float)(x + k));
    const reduction joined = join_lanes(t);
    all.sum[0] = joined.sum[0];
    all.sum[1] = add_pairs(add_pairs(of_x[0], of_x[1]), add_pairs(of_x[2], of_x[3]));
    all.sum[2] = add_pairs(joined.sum[1], times(joined.sum[0], (float)top));
    all.sum[3] = joined.sum[2];
    all.low = joined.low;
    all.high = joined.high;
    return all;
}

enum { ROUNDS = 2, FROM_ZERO = 0, FROM_ORIGIN, FROM_SAMPLE };

/*
 * Sums differences from an origin: 0, the number at `origin`, or the sample, which is then stored there (`origin_is`).
 * The grid covers work-groups from `group0` and slices from `first` on; each slice has `in_slice` work-groups.
 */
kernel void reduce_positions(INPUT(source), global float *origin, global float *results, int rows, int in_slice,
                             int group0, int first, int wide, int origin_is)
{
    local reduction group[REDUCTION_GROUP];
    local float2 some[REDUCTION_GROUP];
    const int lane = (int)get_local_id(0), z = (int)get_group_id(1), top = (int)get_group_id(0) * rows,
              bottom = min(top + rows, source.height);
    const int columns = (source.width + 3) / 4, across = min(columns, REDUCTION_GROUP), down = REDUCTION_GROUP / across;
    const float middle =
        origin_is == FROM_SAMPLE
            ? sample_of(sampled(source_pixels, &source, (long)source.width * source.height * source.depth), some)
        : origin_is == FROM_ORIGIN ? origin[0]
                                   : 0.0f;
    if (origin_is != FROM_ORIGIN && lane + (int)get_group_id(0) + z == 0)
        origin[0] = middle;
    reduction mine = {{(float2)(0.0f), (float2)(0.0f), (float2)(0.0f), (float2)(0.0f)}, INFINITY, -INFINITY};
    for (int column = lane % across; lane / across < down && column < columns; column += across) {
        reduction4 t;
        clear_reduction4(&t);
        const int x = 4 * column, left = source.width - x;
        const int4 keep = (int4)(0, 1, 2, 3) < (int4)(left);
        for (int y = top + lane / across; y < bottom; y += ROUNDS * BATCH * down) {
            row_sums all = {0.0f, 0.0f, 0.0f};
            for (int n = 0; n < ROUNDS; n++) {
                const int row = y + n * BATCH * down;
                float4 a[BATCH];
                if (wide && row + (BATCH - 1) * down < bottom) {
                    load_batch(source_pixels, source.type, AT(source, x, row, z), down * (INDEX)source.row, a);
                    if (left < 4)
                        for (int k = 0; k < BATCH; k++)
                            a[k] = select(a[k].xxxx, a[k], keep);
                    t.low = fmin(t.low, fmin(fmin(a[0], a[1]), fmin(a[2], a[3])));
                    t.high = fmax(t.high, fmax(fmax(a[0], a[1]), fmax(a[2], a[3])));
                    for (int k = 0; k < BATCH; k++)
                        a[k] -= middle;
                } else {
                    for (int k = 0; k < BATCH; k++) {
                        const int4 there = keep & (int4)(-(row + k * down < bottom));
                        const float4 v = load_at(source_pixels, &source, x, min(row + k * down, bottom - 1), z);
                        t.low = fmin(t.low, select((float4)(INFINITY), v, there));
                        t.high = fmax(t.high, select((float4)(-INFINITY), v, there));
                        a[k] = select((float4)(0.0f), v - middle, there);
                    }
                }
                const row_sums some = sums_of_rows(a);
                all.pixels += some.pixels;
                all.numbered += fma((float)(n * BATCH), some.pixels, some.numbered);
                all.squares += some.squares;
            }
            add_four(&t, 0, all.pixels);
            add_four(&t, 1, fma((float)(y - top), all.pixels, (float)down * all.numbered));
            add_four(&t, 2, all.squares);
        }
        /* lanes past the end of the row have repeated its last pixel and must not count */
        for (int n = 0; n < SUMS && left < 4; n++) {
            t.sum[n] = select((float4)(0.0f), t.sum[n], keep);
            t.lost[n] = select((float4)(0.0f), t.lost[n], keep);
        }
        mine = join_reductions(mine, reduction_of_column(t, x, group0 * rows + top));
    }
    finish_group(group, mine, results + REDUCTION * ((size_t)(first + z) * in_slice + group0));
}

/*
 * Joins the partial sums in one work-group: a reduction, the sum of pixels times z, and the origin, as in
 * native/ops/measure/reduction.h.
 */
kernel void join_positions(global const float *partial, global const float *origin, global float *results, int in_slice,
                           int depth)
{
    enum { SUM_Z = REDUCTION, ORIGIN = SUM_Z + 2 };
    local reduction group[REDUCTION_GROUP];
    local float2 along_z[REDUCTION_GROUP];
    const int lane = (int)get_local_id(0), groups = in_slice * depth;
    reduction mine = {{(float2)(0.0f), (float2)(0.0f), (float2)(0.0f), (float2)(0.0f)}, INFINITY, -INFINITY};
    float2 of_z = (float2)(0.0f);
    for (int g = lane; g < groups; g += REDUCTION_GROUP) {
        const reduction next = load_reduction(partial + REDUCTION * (size_t)g);
        of_z = add_pairs(of_z, times(next.sum[0], (float)(g / in_slice)));
        mine = join_reductions(mine, next);
    }
    join_pairs(along_z, of_z);
    finish_group(group, mine, results);
    if (lane == 0) {
        vstore2(along_z[0], 0, results + SUM_Z);
        results[ORIGIN] = origin[0];
    }
}
