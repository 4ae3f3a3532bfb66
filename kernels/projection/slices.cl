/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Along z, from slice `first` on or all; y comes here with y and z exchanged. `sharing` rows of items, ROWS or 1, share the
 * slices of a row of pixels.
 */

#define POSITION                                                                                                                 \
    const int lx = get_local_id(0), ly = get_local_id(1), lz = sharing == 1 ? 0 : ly, x = (int)get_global_id(0) * 4;             \
    const int y = sharing == 1 ? (int)get_global_id(1) : (int)get_group_id(1);                                                   \
    const int inside = x < to.width && y < to.height, fx = min(x, from.width - 1), fy = min(y, from.height - 1);

#define STORE_FOUR(value)                                                                                                        \
    {                                                                                                                            \
        float four[4];                                                                                                           \
        vstore4(value, 0, four);                                                                                                 \
        for (int i = 0; i < 4 && x + i < to.width; i++)                                                                          \
            STORE(to, x + i, y, 0, four[i]);                                                                                     \
    }

/* Largest values, or smallest with sign -1. */
kernel void extreme_of_slices(INPUT(from), OUTPUT(to), int wide, int sharing, int first, int count, float sign)
{
    POSITION
    local float4 part[ROWS][COLUMNS];
    float4 most = (float4)(NAN);
    if (inside)
        for (int z = lz; z < count; z += sharing)
            most = fmax(most, sign * load_four(from_pixels, from, wide, fx, fy, first + z));
    part[ly][lx] = most;
    for (int half_size = sharing / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lz < half_size)
            part[lz][lx] = fmax(part[lz][lx], part[lz + half_size][lx]);
    }
    if (lz == 0 && inside)
        STORE_FOUR(sign * part[ly][lx])
}

/* Number of the first slice that has the largest value, or the smallest with sign -1. */
kernel void position_of_slices(INPUT(from), OUTPUT(to), int wide, int sharing, float sign)
{
    POSITION
    local float4 part[ROWS][COLUMNS];
    local int4 place[ROWS][COLUMNS];
    float4 most = (float4)(-INFINITY);
    int4 at = (int4)(from.depth);
    if (inside)
        for (int z = lz; z < from.depth; z += sharing) {
            const float4 value = sign * load_four(from_pixels, from, wide, fx, fy, z);
            const int4 better = (value > most) | ((value == most) & (at == from.depth));
            most = select(most, value, better);
            at = select(at, (int4)(z), better);
        }
    part[ly][lx] = most;
    place[ly][lx] = at;
    for (int half_size = sharing / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lz < half_size) {
            const float4 other = part[lz + half_size][lx];
            const int4 other_at = place[lz + half_size][lx];
            const int4 better = (other > part[lz][lx]) | ((other == part[lz][lx]) & (other_at < place[lz][lx]));
            part[lz][lx] = select(part[lz][lx], other, better);
            place[lz][lx] = select(place[lz][lx], other_at, better);
        }
    }
    if (lz == 0 && inside)
        STORE_FOUR(convert_float4(select(place[ly][lx], (int4)(0), place[ly][lx] == from.depth)))
}

#define COMBINE_ROWS(part, rest)                                                                                                 \
    for (int half_size = sharing / 2; half_size > 0; half_size /= 2) {                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                            \
        if (lz < half_size) {                                                                                                    \
            float4 a = part[lz][lx], b = rest[lz][lx] + rest[lz + half_size][lx];                                                \
            add(&a, &b, part[lz + half_size][lx]);                                                                               \
            part[lz][lx] = a;                                                                                                    \
            rest[lz][lx] = b;                                                                                                    \
        }                                                                                                                        \
    }

/* Sums divided by `divisor`. */
kernel void sum_of_slices(INPUT(from), OUTPUT(to), int wide, int sharing, int first, int count, float divisor)
{
    POSITION
    local float4 part[ROWS][COLUMNS], rest[ROWS][COLUMNS];
    float4 sum = (float4)(0.0f), low = (float4)(0.0f);
    if (inside)
        for (int z = lz; z < count; z += sharing)
            add(&sum, &low, load_four(from_pixels, from, wide, fx, fy, first + z));
    part[ly][lx] = sum;
    rest[ly][lx] = low;
    COMBINE_ROWS(part, rest)
    if (lz == 0 && inside)
        STORE_FOUR(divide_four(total(part[ly][lx], rest[ly][lx]), divisor))
}

/* Standard deviation of a sample, from distances to the first slice so that large values lose nothing. */
kernel void deviation_of_slices(INPUT(from), OUTPUT(to), int wide, int sharing)
{
    POSITION
    local float4 part[ROWS][COLUMNS], rest[ROWS][COLUMNS], squares[ROWS][COLUMNS], squares_rest[ROWS][COLUMNS];
    float4 sum = (float4)(0.0f), low = sum, square = sum, square_low = sum;
    if (inside) {
        const float4 origin = load_four(from_pixels, from, wide, fx, fy, 0);
        for (int z = lz; z < from.depth; z += sharing) {
            const float4 d = load_four(from_pixels, from, wide, fx, fy, z) - origin, product = d * d;
            add(&sum, &low, d);
            add(&square, &square_low, product);
            square_low += fma(d, d, -product);
        }
    }
    part[ly][lx] = sum;
    rest[ly][lx] = low;
    squares[ly][lx] = square;
    squares_rest[ly][lx] = square_low;
    COMBINE_ROWS(part, rest)
    COMBINE_ROWS(squares, squares_rest)
    if (lz != 0 || !inside)
        return;
    const float n = (float)from.depth;
    const float4 mean = divide_four(total(part[ly][lx], rest[ly][lx]), n), product = mean * part[ly][lx];
    float4 rest_of_sum = squares_rest[ly][lx] - fma(mean, part[ly][lx], -product) - mean * rest[ly][lx], all = squares[ly][lx];
    add(&all, &rest_of_sum, -product);
    STORE_FOUR(sqrt(fmax(divide_four(total(all, rest_of_sum), n - 1.0f), 0.0f)))
}
