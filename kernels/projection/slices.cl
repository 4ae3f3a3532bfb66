/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Projections along z, from slice `first` on or over all slices; for y the caller exchanges y and z. `sharing` rows of
 * work-items (all rows of a group, or one) share the slices of a row of pixels.
 */
#include "four.cl"
enum { ITEMS = 256, BATCH = 4 };

#define POSITION                                                                                                       \
    const int columns = get_local_size(0), me = get_local_id(1) * columns + get_local_id(0);                           \
    const int lz = sharing == 1 ? 0 : get_local_id(1), x = (int)get_global_id(0) * 4;                                  \
    const int y = sharing == 1 ? (int)get_global_id(1) : (int)get_group_id(1);                                         \
    const int inside = x < to.width && y < to.height, fx = min(x, from.width - 1), fy = min(y, from.height - 1);

/* Halves the rows of work-items until one is left; `join` adds the values of item `other`. */
#define EACH_HALF(join)                                                                                                \
    for (int half_size = sharing / 2; half_size > 0; half_size /= 2) {                                                 \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        const int other = me + half_size * columns;                                                                    \
        if (lz < half_size) {                                                                                          \
            join                                                                                                       \
        }                                                                                                              \
    }

#define STORE_FOUR(value)                                                                                              \
    {                                                                                                                  \
        float four[4];                                                                                                 \
        vstore4(value, 0, four);                                                                                       \
        for (int i = 0; i < 4 && x + i < to.width; i++)                                                                \
            STORE(to, x + i, y, 0, four[i]);                                                                           \
    }

/* Writes the largest values, or the smallest with sign -1. */
kernel void extreme_of_slices(INPUT(from), OUTPUT(to), int wide, int sharing, int first, int count,
                              float sign PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    POSITION
    local float4 part[ITEMS];
    float4 max_value = (float4)(NAN);
    if (inside)
        for (int z = lz; z < count; z += sharing)
            max_value = fmax(max_value, sign * FOUR_AT(fx, fy, first + z));
    part[me] = max_value;
    EACH_HALF(part[me] = fmax(part[me], part[other]);)
    if (lz == 0 && inside)
        STORE_FOUR(sign * part[me])
}

/* Writes the index of the first slice with the largest value, or with the smallest for sign -1. */
kernel void position_of_slices(INPUT(from), OUTPUT(to), int wide, int sharing, float sign PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    POSITION
    local float4 part[ITEMS];
    local int4 place[ITEMS];
    float4 max_value = (float4)(-INFINITY);
    int4 at = (int4)(from.depth);
    if (inside)
        for (int z = lz; z < from.depth; z += sharing) {
            const float4 value = sign * FOUR_AT(fx, fy, z);
            const int4 better = (value > max_value) | ((value == max_value) & (at == from.depth));
            max_value = select(max_value, value, better);
            at = select(at, (int4)(z), better);
        }
    part[me] = max_value;
    place[me] = at;
    EACH_HALF(
        const int4 better = (part[other] > part[me]) | ((part[other] == part[me]) & (place[other] < place[me]));
        part[me] = select(part[me], part[other], better);
        place[me] = select(place[me], place[other], better);)
    if (lz == 0 && inside)
        STORE_FOUR(convert_float4(select(place[me], (int4)(0), place[me] == from.depth)))
}

#define COMBINE_ROWS(part, rest)                                                                                       \
    EACH_HALF(float4 a = part[me]; float4 b = rest[me] + rest[other]; add(&a, &b, part[other]); part[me] = a;          \
        rest[me] = b;)

/* Writes sums divided by `divisor`. */
kernel void sum_of_slices(INPUT(from), OUTPUT(to), int wide, int sharing, int first, int count,
                          float divisor PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    POSITION
    local float4 part[ITEMS], rest[ITEMS];
    float4 sum = (float4)(0.0f), low = (float4)(0.0f);
    if (inside) {
        int z = lz;
        for (; z + (BATCH - 1) * sharing < count;
             z += BATCH * sharing) { /* loads come first, because each sum waits for the one before it */
            float4 batch[BATCH];
            for (int k = 0; k < BATCH; k++)
                batch[k] = FOUR_AT(fx, fy, first + z + k * sharing);
            for (int k = 0; k < BATCH; k++)
                add(&sum, &low, batch[k]);
        }
        for (; z < count; z += sharing)
            add(&sum, &low, FOUR_AT(fx, fy, first + z));
    }
    part[me] = sum;
    rest[me] = low;
    COMBINE_ROWS(part, rest)
    if (lz == 0 && inside)
        STORE_FOUR(divide_four(total(part[me], rest[me]), divisor))
}

/* Like deviation_of_columns. */
kernel void deviation_of_slices(INPUT(from), OUTPUT(to), int wide, int sharing PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    POSITION
    local float4 part[ITEMS], rest[ITEMS], squares[ITEMS], squares_rest[ITEMS];
    float4 sum = (float4)(0.0f), low = sum, square = sum, square_low = sum;
    if (inside) {
        const float4 origin = FOUR_AT(fx, fy, 0);
        for (int z = lz; z < from.depth; z += sharing) {
            const float4 d = FOUR_AT(fx, fy, z) - origin, product = d * d;
            add(&sum, &low, d);
            add(&square, &square_low, product);
            square_low += fma(d, d, -product);
        }
    }
    part[me] = sum;
    rest[me] = low;
    squares[me] = square;
    squares_rest[me] = square_low;
    COMBINE_ROWS(part, rest)
    COMBINE_ROWS(squares, squares_rest)
    if (lz != 0 || !inside)
        return;
    const float n = (float)from.depth;
    const float4 mean = divide_four(total(part[me], rest[me]), n), product = mean * part[me];
    float4 rest_of_sum = squares_rest[me] - fma(mean, part[me], -product) - mean * rest[me], all = squares[me];
    add(&all, &rest_of_sum, -product);
    const float4 variance = divide_four(total(all, rest_of_sum), n - 1.0f);
    STORE_FOUR(sqrt(select(variance, (float4)(0.0f), (variance <= 0.0f) | -(from.depth == 1))))
}
