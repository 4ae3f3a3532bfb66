/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One axis of a separable filter over a window of 2 radius + 1 pixels with repeated borders. Every kernel folds a
 * window in order of position, so their results are bit-identical. The _wide kernels need rows in vectors. The y
 * kernels compute RUN pixels of a column per work-item. The z axis uses the y kernels with exchanged axes of the
 * layout.
 */

enum { RUN = 8, STEP = 4 };     /* pixels that a work-item computes; pixels that it reads at a time */

/*
 * Folds RUN windows at once. `read` sets v[STEP] to the pixels from position d on, counted from the first window's
 * centre. `fold` handles pixels of some windows. Pixels that belong to all windows go through `middle`, RUN at a time,
 * which advances d, or through `common`.
 */
#define RUN_OF_WINDOWS(T, first, read, start, fold, middle, common, join)                                              \
    T sum[RUN], shared = start;                                                                                        \
    UNROLLED(k, RUN)                                                                                                   \
        sum[k] = start;                                                                                                \
    for (int d = first; d < RUN + radius; d += STEP) {                                                                 \
        middle                                                                                                         \
        T v[STEP];                                                                                                     \
        read                                                                                                           \
        if (d >= RUN - 1 - radius && d + STEP - 1 <= radius) {                                                         \
            UNROLLED(t, STEP)                                                                                          \
                common                                                                                                 \
        } else {                                                                                                       \
            UNROLLED(t, STEP)                                                                                          \
                UNROLLED(k, RUN)                                                                                       \
                    if (abs(d + t - k) <= radius)                                                                      \
                        sum[k] = fold(sum[k], d + t - k, v[t]);                                                        \
        }                                                                                                              \
    }                                                                                                                  \
    UNROLLED(k, RUN)                                                                                                   \
        sum[k] = join(sum[k], shared);

#define PLAIN_X(start, fold, store)                                                                                    \
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);                         \
    if (!INSIDE(to, x, y, z))                                                                                          \
        return;                                                                                                        \
    float sum = start;                                                                                                 \
    for (int i = -radius; i <= radius; i++)                                                                            \
        sum = fold(sum, i, LOAD_CLAMPED(from, x + i, y, z));                                                           \
    store(to, x, y, z, sum);

#define PLAIN_Y(start, fold, middle, common, join, store)                                                              \
    const int x = (int)get_global_id(0), y = RUN * (int)get_global_id(1), z = (int)get_global_id(2);                   \
    if (!INSIDE(to, x, y, z))                                                                                          \
        return;                                                                                                        \
    RUN_OF_WINDOWS(float, -radius,                                                                                     \
                   UNROLLED(t, STEP) v[t] = LOAD(from, x, clamp(y + d + t, 0, from.height - 1), z);                    \
                   , start, fold, middle, common, join)                                                                \
    for (int k = 0; k < RUN && y + k < to.height; k++)                                                                 \
        store(to, x, y + k, z, sum[k]);

#define WIDE_Y(start, fold, middle, common, join, finish)                                                              \
    const int x = LANES * (int)get_global_id(0), y = RUN * (int)get_global_id(1), z = (int)get_global_id(2);           \
    if (!INSIDE(to, x, y, z))                                                                                          \
        return;                                                                                                        \
    RUN_OF_WINDOWS(FLOATV, -radius, read_column(v, from_pixels, &from, AT(from, x, 0, z), y + d);, start, fold,        \
        middle, common, join)                                                                                          \
    for (int k = 0; k < RUN && y + k < to.height; k++)                                                                 \
        store_row_lanes(to_pixels, &to, x, y + k, z, finish(sum[k]), true);

inline void read_column(FLOATV *v, global const uchar *pixels, const layout *from, INDEX at, int y)
{
    if (from->type == FLOAT32) {        /* loads without a branch between them overlap better */
        UNROLLED(t, STEP)
            v[t] = *CONST_VECTOR_AT(float, pixels, at + (INDEX)clamp(y + t, 0, from->height - 1) * (INDEX)from->row);
    } else {
        UNROLLED(t, STEP)
            v[t] = load_lanes(pixels, from->type, at + (INDEX)clamp(y + t, 0, from->height - 1) * (INDEX)from->row);
    }
}

#if LANES != 16 /* with 16 lanes this is in row_windows.cl */
inline void read_row(float *v, global const uchar *pixels, const layout *from, INDEX at, int x)
{
    if (x >= 0 && x + STEP <= from->width) {
        const FLOATV four =
            from->type == FLOAT32 ? *CONST_VECTOR_AT(float, pixels, at + x) : load_lanes(pixels, from->type, at + x);
        v[0] = four.s0;
        v[1] = four.s1;
        v[2] = four.s2;
        v[3] = four.s3;
    } else {
        UNROLLED(t, STEP)
            v[t] = load_float(pixels, from->type, at + clamp(x + t, 0, from->width - 1));
    }
}

#define WIDE_X(start, fold, middle, common, join, finish)                                                              \
    const int x = RUN * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);                   \
    if (!INSIDE(to, x, y, z))                                                                                          \
        return;                                                                                                        \
    const INDEX at = AT(from, 0, y, z);                                                                                \
    RUN_OF_WINDOWS(float, -((radius + STEP - 1) / STEP * STEP), read_row(v, from_pixels, &from, at, x + d);            \
                   , start, fold, middle, common, join)                                                                \
    UNROLLED(half_run, 2)                                                                                              \
        if (x + half_run * LANES < to.width)                                                                           \
            store_row_lanes(to_pixels, &to, x + half_run * LANES, y, z,                                                \
                            finish((float4)(sum[half_run * LANES], sum[half_run * LANES + 1],                          \
                                sum[half_run * LANES + 2],                                                             \
                                            sum[half_run * LANES + 3])), true);
#endif

#define FOLD_ALL(fold) UNROLLED(k, RUN) sum[k] = fold(sum[k], d + t - k, v[t]);
#define FOLD_SHARED(fold) shared = fold(shared, 0, v[t]);
#define FIRST(a, b) (a)
#define SNAP_FOR_TYPE(value) (to.type == FLOAT32 ? (value) : snap_lanes(value, roundings))

/* ---- Gaussian: a weight for each position */
#define STORE_SUM(i, x, y, z, value) STORE_SNAPPED(i, x, y, z, value, roundings)
#define WEIGHTED(sum, i, v) fma(weight[i], v, sum)
#define WEIGHTS constant float *weight = TABLE_OF(float, weights) + radius;
/*
 * The table has the weights along x, then those along y, because some devices allow only one table in constant memory.
 */
#define WEIGHTS_FROM(first) constant float *weight = TABLE_OF(float, weights) + (first) + radius;

/*
 * A pixel has RUN weights, one for each window; the next pixel has the same weights shifted by one. Each weight stays
 * in its register until it is replaced.
 */
#define WEIGHTED_MIDDLE(T, read_from)                                                                                  \
    if (d >= RUN - 1 - radius && d + RUN - 1 <= radius) {                                                              \
        float live[RUN];                                                                                               \
        UNROLLED(k, RUN - 1)                                                                                           \
            live[k + 1] = weight[d - RUN + 1 + k];                                                                     \
        for (; d + RUN - 1 <= radius; d += RUN) {                                                                      \
            T w[RUN];                                                                                                  \
            read_from(w, d)                                                                                            \
            read_from(w + STEP, d + STEP)                                                                              \
            UNROLLED(t, RUN)                                                                                           \
            {                                                                                                          \
                live[t] = weight[d + t];                                                                               \
                UNROLLED(k, RUN)                                                                                       \
                    sum[k] = fma(live[(t - k) & (RUN - 1)], w[t], sum[k]);                                             \
            }                                                                                                          \
        }                                                                                                              \
    }
#define FROM_COLUMN(w, d) read_column(w, from_pixels, &from, AT(from, x, 0, z), y + (d));
#define FROM_ROW(w, d) read_row(w, from_pixels, &from, at, x + (d));

kernel void gaussian_x(INPUT(from), OUTPUT(to), int radius, float roundings, TABLE(weights))
{
    WEIGHTS PLAIN_X(0.0f, WEIGHTED, STORE_SUM)
}
kernel void gaussian_y(INPUT(from), OUTPUT(to), int radius, float roundings, TABLE(weights))
{
    WEIGHTS PLAIN_Y(0.0f, WEIGHTED, , FOLD_ALL(WEIGHTED), FIRST, STORE_SUM)
}
kernel void gaussian_x_wide(INPUT(from), OUTPUT(to), int radius, float roundings, TABLE(weights))
{
    WEIGHTS WIDE_X(0.0f, WEIGHTED, WEIGHTED_MIDDLE(float, FROM_ROW), FOLD_ALL(WEIGHTED), FIRST, SNAP_FOR_TYPE)
}
kernel void gaussian_y_wide(INPUT(from), OUTPUT(to), int radius, float roundings, TABLE(weights))
{
    WEIGHTS WIDE_Y(0.0f, WEIGHTED, WEIGHTED_MIDDLE(FLOATV, FROM_COLUMN), FOLD_ALL(WEIGHTED), FIRST, SNAP_FOR_TYPE)
}
