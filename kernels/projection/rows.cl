/* SPDX-License-Identifier: BSD-3-Clause */
/* Projections along x: `to` has the rows along its x and the slices along its y. */
#include "four.cl"

#define ROW                                                                                                            \
    const int lx = get_local_id(0), row = get_local_id(1), y = (int)get_global_id(1), z = (int)get_global_id(2);       \
    const int inside = y < to.width && z < to.height, fy = min(y, from.height - 1), fz = min(z, from.depth - 1);

/* Reads four pixels of a row from x on; pixels past the end become `none`. */
#define FOUR(none)                                                                                                     \
    select((float4)(none), FOUR_AT(x, fy, fz), (int4)(x) + (int4)(0, 1, 2, 3) < (int4)(from.width))

kernel void extreme_of_rows(INPUT(from), OUTPUT(to), int wide, float sign PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    ROW
    local float part[ROWS][COLUMNS];
    float4 four = (float4)(NAN);
    if (inside)
        for (int x = lx * 4; x < from.width; x += COLUMNS * 4)
            four = fmax(four, sign * FOUR(NAN));
    part[row][lx] = fmax(fmax(four.x, four.y), fmax(four.z, four.w));
    for (int half_size = COLUMNS / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lx < half_size)
            part[row][lx] = fmax(part[row][lx], part[row][lx + half_size]);
    }
    if (lx == 0 && inside)
        STORE(to, y, z, 0, sign * part[row][0]);
}

/* Writes the index of the first pixel with the largest value, or with the smallest for sign -1. */
kernel void position_of_rows(INPUT(from), OUTPUT(to), int wide, float sign PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    ROW
    local float part[ROWS][COLUMNS];
    local int place[ROWS][COLUMNS];
    float4 four = (float4)(-INFINITY);
    int4 at = (int4)(from.width);
    if (inside)
        for (int x = lx * 4; x < from.width; x += COLUMNS * 4) {
            const float4 value = sign * FOUR(NAN);
            const int4 better = (value > four) | ((value == four) & (at == from.width));
            four = select(four, value, better);
            at = select(at, (int4)(x) + (int4)(0, 1, 2, 3), better);
        }
    const float max_value = fmax(fmax(four.x, four.y), fmax(four.z, four.w));
    at = select((int4)(from.width), at, four == max_value);
    part[row][lx] = max_value;
    place[row][lx] = min(min(at.x, at.y), min(at.z, at.w));
    for (int half_size = COLUMNS / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lx < half_size) {
            const float mine = part[row][lx], other = part[row][lx + half_size];
            const int here = place[row][lx], there = place[row][lx + half_size];
            part[row][lx] = fmax(mine, other);
            place[row][lx] = mine == other ? min(here, there) : mine > other ? here : there;
        }
    }
    if (lx == 0 && inside)
        STORE(to, y, z, 0, (float)(place[row][0] == from.width ? 0 : place[row][0]));
}

kernel void sum_of_rows(INPUT(from), OUTPUT(to), int wide, float divisor PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    ROW
    local float2 part[ROWS][COLUMNS];
    float4 sum = (float4)(0.0f), low = (float4)(0.0f);
    if (inside)
        for (int x = lx * 4; x < from.width; x += COLUMNS * 4)
            add(&sum, &low, FOUR(0.0f));
    const float2 a = pair(sum.x, low.x, sum.y, low.y), b = pair(sum.z, low.z, sum.w, low.w);
    part[row][lx] = pair(a.x, a.y, b.x, b.y);
    for (int half_size = COLUMNS / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lx < half_size) {
            const float2 mine = part[row][lx], other = part[row][lx + half_size];
            part[row][lx] = pair(mine.x, mine.y, other.x, other.y);
        }
    }
    if (lx == 0 && inside) {
        const float2 all = part[row][0];
        STORE(to, y, z, 0, divide_four(total((float4)(all.x), (float4)(all.y)), divisor).x);
    }
}
