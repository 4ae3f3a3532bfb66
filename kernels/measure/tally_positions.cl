/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of pixels, of their squares and of them times their position in one read. A group takes `rows` rows of a slice; an item
 * goes down a column of four pixels, of which it adds some rows in floats before the sum keeps what rounding loses.
 */

inline float2 times(float2 pair, float factor)
{
    const float high = pair.x * factor;
    return (float2)(high, fma(pair.x, factor, -high) + pair.y * factor);
}

/* Sums of some rows of a column: pixels, of them times the row's number, of squares. */
typedef struct {
    float4 pixels, numbered, squares;
} row_sums;

inline row_sums sums_of_rows(const float4 *a)
{
    return (row_sums){(a[0] + a[1]) + (a[2] + a[3]), fma(3.0f, a[3], fma(2.0f, a[2], a[1])),
                      fma(a[3], a[3], fma(a[2], a[2], fma(a[1], a[1], a[0] * a[0])))};
}

/* Of a column from x on: sums of pixels, of them times x and times y, of squares. */
inline tally tally_of_column(four_tallies t, int x, int top)
{
    tally all;
    float2 of_x[4];
    const float2 lanes[4] = {(float2)(t.sum[0].s0, t.lost[0].s0), (float2)(t.sum[0].s1, t.lost[0].s1),
                             (float2)(t.sum[0].s2, t.lost[0].s2), (float2)(t.sum[0].s3, t.lost[0].s3)};
    for (int k = 0; k < 4; k++)
        of_x[k] = times(lanes[k], (float)(x + k));
    const tally joined = join_lanes(t);
    all.sum[0] = joined.sum[0];
    all.sum[1] = add_pairs(add_pairs(of_x[0], of_x[1]), add_pairs(of_x[2], of_x[3]));
    all.sum[2] = add_pairs(joined.sum[1], times(joined.sum[0], (float)top));
    all.sum[3] = joined.sum[2];
    all.low = joined.low;
    all.high = joined.high;
    return all;
}

enum { ROUNDS = 2 };

/* Differences from `center`; groups (of the `in_slice` of a slice, slices), which count from group `group0` and slice `first`. */
kernel void tally_positions(INPUT(source), global const float *center, global float *results, int rows, int in_slice, int group0, int first, int wide,
                            int about)
{
    local tally group[TALLY_GROUP];
    const int lane = (int)get_local_id(0), z = (int)get_group_id(1), top = (int)get_group_id(0) * rows, bottom = min(top + rows, source.height);
    const int columns = (source.width + 3) / 4, across = min(columns, TALLY_GROUP), down = TALLY_GROUP / across;
    const float middle = about ? center[0] : 0.0f;
    tally mine = {{(float2)(0.0f), (float2)(0.0f), (float2)(0.0f), (float2)(0.0f)}, INFINITY, -INFINITY};
    for (int column = lane % across; lane / across < down && column < columns; column += across) {
        four_tallies t;
        clear_tallies(&t);
        const int x = 4 * column, aligned = wide && x + 4 <= source.width;
        const int4 keep = (int4)(0, 1, 2, 3) < (int4)(source.width - x);
        for (int y = top + lane / across; y < bottom; y += ROUNDS * BATCH * down) {
            row_sums all = {0.0f, 0.0f, 0.0f};
            for (int n = 0; n < ROUNDS; n++) {
                const int row = y + n * BATCH * down;
                float4 a[BATCH];
                if (aligned && row + (BATCH - 1) * down < bottom) {
                    load_batch(source_pixels, source.type, AT(source, x, row, z), down * (INDEX)source.row, a);
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
        mine = join_tallies(mine, tally_of_column(t, x, group0 * rows + top));
    }
    finish_group(group, mine, results + TALLY * ((size_t)(first + z) * in_slice + group0));
}

/* As in native/ops/measure/tally.h. */
enum { SUM_Z = TALLY, CENTRES = SUM_Z + 2, ORIGIN = CENTRES + 6, DISTANCES = ORIGIN + 2 };

/*
 * One group joins them: a tally, the sum of pixels times z, and behind them the two centres of the image, that of its mass and
 * that of its pixels.
 */
kernel void join_positions(global const float *partial, global const float *center, global float *results, int in_slice, int width, int height, int depth,
                           int about)
{
    const float origin = about ? center[0] : 0.0f;
    local tally group[TALLY_GROUP];
    local float2 along_z[TALLY_GROUP];
    const int lane = (int)get_local_id(0), groups = in_slice * depth;
    tally mine = {{(float2)(0.0f), (float2)(0.0f), (float2)(0.0f), (float2)(0.0f)}, INFINITY, -INFINITY};
    float2 of_z = (float2)(0.0f);
    for (int g = lane; g < groups; g += TALLY_GROUP) {
        const tally next = load_tally(partial + TALLY * (size_t)g);
        of_z = add_pairs(of_z, times(next.sum[0], (float)(g / in_slice)));
        mine = join_tallies(mine, next);
    }
    join_pairs(along_z, of_z);
    finish_group(group, mine, results);
    if (lane == 0) {
        vstore2(along_z[0], 0, results + SUM_Z);
        results[ORIGIN] = origin;
        const float middle[] = {0.5f * (width - 1), 0.5f * (height - 1), 0.5f * (depth - 1)};
        const float2 sum = group[0].sum[0], sums[] = {group[0].sum[1], group[0].sum[2], along_z[0]};
        const float2 mass = add_pairs(sum, times(times(times(pair_of(width), (float)height), (float)depth), origin));
        for (int axis = 0; axis < 3; axis++) {
            const float2 moment = add_pairs(sums[axis], times(sum, -middle[axis]));
            results[CENTRES + axis] = middle[axis] + moment.x / mass.x;
            results[CENTRES + 3 + axis] = middle[axis];
        }
    }
}

/* Sum of the distances of a block's pixels to a point: far away from how they scatter about its middle, near one by one. */
inline float distances_of(int3 corner, int3 extent, float3 point)
{
    const float3 size = convert_float3(extent), away = convert_float3(corner) - point, far = away + 0.5f * (size - 1.0f);
    const float square = dot(far, far);
    if (square > 1024.0f) {
        const float near = rsqrt(square);
        const float3 scatter = (size * size - 1.0f) * (1.0f / 12.0f), direction = far * near;
        const float bend = scatter.x + scatter.y + scatter.z - dot(scatter, direction * direction);
        return size.x * size.y * size.z * near * (square + 0.5f * bend);
    }
    float sum = 0.0f;
    for (int z = 0; z < extent.z; z++)
        for (int y = 0; y < extent.y; y++)
            for (int x = 0; x < extent.x; x++) {
                const float3 at = away + (float3)(x, y, z);
                const float from_point = dot(at, at);
                sum += from_point > 0.0f ? from_point * rsqrt(from_point) : 0.0f;
            }
    return sum;
}

/* Sums of the distances to both centres, a pair each for each group; items go on by as many blocks as there are items. */
kernel void distances_to_centres(global float *results, int width, int height, int depth)
{
    enum { SIDE = 4 };
    local float4 group[TALLY_GROUP];
    const int lane = (int)get_local_id(0);
    const int3 image = (int3)(width, height, depth), blocks = (image + (SIDE - 1)) / SIDE;
    const int first = (int)get_global_id(0), items = (int)get_global_size(0);
    const int3 step = (int3)(items % blocks.x, items / blocks.x % blocks.y, items / blocks.x / blocks.y);
    int3 at = (int3)(first % blocks.x, first / blocks.x % blocks.y, first / blocks.x / blocks.y);
    const float3 mass = vload3(0, results + CENTRES), pixels = vload3(1, results + CENTRES);
    float2 to_mass = (float2)(0.0f), to_pixels = (float2)(0.0f);
    while (at.z < blocks.z) {
        const int3 corner = SIDE * at, extent = min((int3)(SIDE), image - corner);
        to_mass = add_pairs(to_mass, (float2)(distances_of(corner, extent, mass), 0.0f));
        to_pixels = add_pairs(to_pixels, (float2)(distances_of(corner, extent, pixels), 0.0f));
        at += step;
        if (at.x >= blocks.x)
            at += (int3)(-blocks.x, 1, 0);
        if (at.y >= blocks.y)
            at += (int3)(0, -blocks.y, 1);
    }
    group[lane] = (float4)(to_mass, to_pixels);
    for (int half_size = TALLY_GROUP / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_size)
            group[lane] = (float4)(add_pairs(group[lane].xy, group[lane + half_size].xy), add_pairs(group[lane].zw, group[lane + half_size].zw));
    }
    if (lane == 0)
        vstore4(group[0], get_group_id(0), results + DISTANCES);
}
