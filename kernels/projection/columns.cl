/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Extremes, sums and deviations along z on CPUs. A work-item computes RUN pixels of a row, slice after slice, as a
 * whole work-group of slices.cl does, and joins the sums in the same order. In a `plain` image, every sum is exact in
 * float32 in any order, because the image has few slices of small whole numbers. One sum without a rest then suffices.
 */
enum { RUN = 64, VECTORS = RUN / LANES, MAX_SHARING = 32 };

/* Adds to a sum and keeps the rounding error in `low`. */
inline void add_lanes(FLOATV *sum, FLOATV *low, FLOATV value)
{
    const FLOATV next = *sum + value, back = next - *sum;
    *low += (*sum - (next - back)) + (value - back);
    *sum = next;
}

inline FLOATV total_of_lanes(FLOATV sum, FLOATV low) { return select(sum, sum + low, isfinite(sum)); }

/* Joins RUN sums with their rests: the later half of the rows is added to the earlier half until one row is left. */
inline void join_rows(FLOATV *sums, FLOATV *rests, int sharing)
{
    for (int half_size = sharing / 2; half_size > 0; half_size /= 2)
        for (int k = 0; k < half_size * VECTORS; k++) {
            const int other = k + half_size * VECTORS;
            rests[k] += rests[other];
            add_lanes(&sums[k], &rests[k], sums[other]);
        }
}

inline void clear_rows(FLOATV *sums, FLOATV *rests, int rows)
{
    for (int k = 0; k < rows * VECTORS; k++)
        sums[k] = rests[k] = 0.0f;
}

/* The run of a work-item in slice z; the border of the image is repeated. */
inline void load_run(FLOATV *run, global const uchar *pixels, const layout *image, int x, int y, int z)
{
    const layout i = *image;
    const INDEX row = AT(i, 0, min(y, i.height - 1), z);
    for (int v = 0; v < VECTORS; v++) {
        const int from = min(x + v * LANES, i.width - 1);
        run[v] = load_line_lanes(pixels, i.type, row + (INDEX)from * (INDEX)i.column, i.column, i.width - from);
    }
}

inline void store_run(const FLOATV *run, global uchar *pixels, const layout *image, int x, int y)
{
    const layout i = *image;
    for (int v = 0; v < VECTORS; v++) {
        const int to = x + v * LANES;
        if (to < i.width)
            store_line_lanes(pixels, i.type, AT(i, to, y, 0), i.column, run[v], i.width - to);
    }
}

/* Writes the largest values, or the smallest with sign -1. */
kernel void extreme_of_columns(INPUT(from), OUTPUT(to), int sharing, int first, int count, float sign)
{
    const int x = (int)get_global_id(0) * RUN, y = (int)get_global_id(1);
    FLOATV run[VECTORS], max_value[MAX_SHARING * VECTORS];
    for (int k = 0; k < sharing * VECTORS; k++)
        max_value[k] = NAN;
    for (int z = 0; z < count; z++) {
        load_run(run, from_pixels, &from, x, y, first + z);
        for (int v = 0, k = z % sharing * VECTORS; v < VECTORS; v++, k++)
            max_value[k] = fmax(max_value[k], sign * run[v]);
    }
    for (int half_size = sharing / 2; half_size > 0; half_size /= 2)
        for (int k = 0; k < half_size * VECTORS; k++)
            max_value[k] = fmax(max_value[k], max_value[k + half_size * VECTORS]);
    for (int v = 0; v < VECTORS; v++)
        run[v] = sign * max_value[v];
    store_run(run, to_pixels, &to, x, y);
}

/* Writes sums divided by `divisor`. */
kernel void sum_of_columns(INPUT(from), OUTPUT(to), int plain, int sharing, int first, int count, float divisor)
{
    const int x = (int)get_global_id(0) * RUN, y = (int)get_global_id(1);
    FLOATV run[VECTORS], sums[MAX_SHARING * VECTORS], rests[MAX_SHARING * VECTORS];
    clear_rows(sums, rests, plain ? 1 : sharing);
    for (int z = 0; z < count; z++) {
        load_run(run, from_pixels, &from, x, y, first + z);
        if (plain)
            for (int v = 0; v < VECTORS; v++)
                sums[v] += run[v];
        else
            for (int v = 0, k = z % sharing * VECTORS; v < VECTORS; v++, k++)
                add_lanes(&sums[k], &rests[k], run[v]);
    }
    join_rows(sums, rests, plain ? 1 : sharing);
    for (int v = 0; v < VECTORS; v++)
        run[v] = DIVIDE(total_of_lanes(sums[v], rests[v]), (FLOATV)(divisor));
    store_run(run, to_pixels, &to, x, y);
}

/*
 * Writes the sample standard deviation, computed from differences to the first slice so that large values lose nothing;
 * 0 for one slice. If a value is not finite, the result is NaN, which fmax would replace.
 */
kernel void deviation_of_columns(INPUT(from), OUTPUT(to), int plain, int sharing)
{
    const int x = (int)get_global_id(0) * RUN, y = (int)get_global_id(1);
    FLOATV origin[VECTORS], run[VECTORS], sums[MAX_SHARING * VECTORS], rests[MAX_SHARING * VECTORS];
    FLOATV squares[MAX_SHARING * VECTORS], rests_of_squares[MAX_SHARING * VECTORS];
    clear_rows(sums, rests, plain ? 1 : sharing);
    clear_rows(squares, rests_of_squares, plain ? 1 : sharing);
    load_run(origin, from_pixels, &from, x, y, 0);
    for (int z = 0; z < from.depth; z++) {
        load_run(run, from_pixels, &from, x, y, z);
        for (int v = 0, k = plain ? 0 : z % sharing * VECTORS; v < VECTORS; v++, k++) {
            const FLOATV d = run[v] - origin[v], product = d * d;
            if (plain) {
                sums[v] += d;
                squares[v] += product;
                continue;
            }
            add_lanes(&sums[k], &rests[k], d);
            add_lanes(&squares[k], &rests_of_squares[k], product);
            rests_of_squares[k] += fma(d, d, -product);
        }
    }
    join_rows(sums, rests, plain ? 1 : sharing);
    join_rows(squares, rests_of_squares, plain ? 1 : sharing);
    const FLOATV n = (FLOATV)((float)from.depth);
    for (int v = 0; v < VECTORS; v++) {
        const FLOATV mean = DIVIDE(total_of_lanes(sums[v], rests[v]), n), product = mean * sums[v];
        FLOATV rest = rests_of_squares[v] - fma(mean, sums[v], -product) - mean * rests[v], all = squares[v];
        add_lanes(&all, &rest, -product);
        const FLOATV variance = DIVIDE(total_of_lanes(all, rest), n - 1.0f);
        run[v] = sqrt(select(variance, (FLOATV)(0.0f), (variance <= 0.0f) | -(from.depth == 1)));
    }
    store_run(run, to_pixels, &to, x, y);
}
