/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Histograms in local memory, in several copies so that equal pixels collide less often. Each work-group adds its
 * copies to global memory once. `low` and `high` are arguments, or the minimum and maximum from a reduction of the
 * image. Pixels outside are not counted.
 */
#include "by_line.cl"
#include "by_line_rows.cl"
#include "reduction.cl"
#include "reduction_bins.cl"

#ifdef ON_CPU

/*
 * For a group of one work-item, which has the local memory to itself. Neighbours are often equal, so they use separate
 * counters and do not wait for each other.
 */
inline void count_alone(const binning *h, float4 a, float4 b, int4 keep)
{
    int found[4];
    vstore4(bins_of(h, a, keep), 0, found);
    for (int n = 0; n < 4; n++)
        if (found[n] >= 0 && h->copy_count > 0)
            h->copies[found[n] * h->copy_count + min(n, h->copy_count - 1)]++;
        else if (found[n] >= 0)
            atomic_inc((volatile global uint *)&h->bins[found[n]]);
}

OVER_LINE_IN_ANY_ORDER(count_line, const binning, count_alone)

#else

/* In global memory; counts equal neighbours together. */
inline void count_joined(const binning *h, float4 a, float4 b, int4 keep)
{
    int found[4];
    vstore4(bins_of(h, a, keep), 0, found);
    uint number = 1;
    for (int n = 0; n < 4; n++, number++)
        if (n == 3 || found[n + 1] != found[n]) {
            if (found[n] >= 0)
                atomic_add((volatile global uint *)&h->bins[found[n]], number);
            number = 0;
        }
}

/* In local memory, where `copies` begins with the work-item's own copy. */
inline void count_each(const binning *h, float4 a, float4 b, int4 keep)
{
    int found[4];
    vstore4(bins_between_borders(h, a, keep), 0, found);
    for (int n = 0; n < 4; n++)
        if (found[n] >= 0)
            atomic_inc((volatile local uint *)&h->copies[found[n] * h->copy_count]);
}

OVER_LINE_IN_ANY_ORDER(count_line_joined, const binning, count_joined)
OVER_LINE_IN_ANY_ORDER(count_line, const binning, count_each)

#endif

/*
 * The lowest minimum and the highest maximum of `ranges` pairs (minimum, maximum) at `all`, or `given` if `ranges` is
 * 0. Each work-group repeats this computation, because a separate launch takes longer. The barriers run even
 * without pairs, because PoCL miscompiles some kernels with barriers under a condition.
 */
inline float2 range_of(global const float *all, int ranges, float2 given, local float2 *group)
{
    const int lane = (int)get_local_id(0);
    float2 mine = ranges > 0 ? (float2)(INFINITY, -INFINITY) : given;
    for (int r = lane; r < ranges; r += (int)get_local_size(0)) {
        const float2 other = vload2(r, all);
        mine = (float2)(fmin(mine.x, other.x), fmax(mine.y, other.y));
    }
    group[lane] = mine;
    for (int half_size = ranges > 0 ? (int)get_local_size(0) / 2 : 0; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_size)
            group[lane] = (float2)(fmin(group[lane].x, group[lane + half_size].x),
                                   fmax(group[lane].y, group[lane + half_size].y));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return group[0];
}

/* Minimum and maximum of the finite pixels that each work-group reads; the first group clears the next bins. */
kernel void ranges_of_groups(INPUT(source), global float *ranges, global uint *bins, int bin_count, long count,
                             int is_line PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    local float2 group[EXACT_GROUP];
    const int lane = (int)get_local_id(0);
    for (int i = lane; i < bin_count && get_group_id(0) == 0; i += EXACT_GROUP)
        bins[i] = 0;
    reduction4 t;
    clear_reduction4(&t);
    SOURCE_IN_ANY_ORDER(find_finite_range, &t);
    const reduction mine = join_lanes(t);
    group[lane] = (float2)(mine.low, mine.high);
    for (int half_size = EXACT_GROUP / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_size)
            group[lane] = (float2)(fmin(group[lane].x, group[lane + half_size].x),
                                   fmax(group[lane].y, group[lane + half_size].y));
    }
    if (lane == 0)
        vstore2(group[0], get_group_id(0), ranges);
}

enum { MAX_ITEMS = 1024 };       /* of a group that counts */

/*
 * Histogram from low to high. If `ranges` is not 0, it is taken over the range of the `ranges` pairs at `all` instead,
 * and `range_found` receives this range. `copies` has copy_count + 1 numbers for each bin; on GPUs the last is the
 * bin's border. On CPUs, copy_count is 0 if the bins do not fit into local memory; they are then counted in global
 * memory. If `in_parts` is set, each work-group writes its own bins; otherwise all work-groups add to the same bins.
 */
kernel void histogram(INPUT(source), global const float *all, global uint *bins, local uint *copies, int bin_count,
                      int copy_count, int first_range, int ranges, global float *range_found, float low, float high,
                      long count, int is_line, int in_parts PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    local float2 group[MAX_ITEMS];
    const float2 range = range_of(all + 2 * first_range, ranges, (float2)(low, high), group);
    if (ranges > 0 && get_global_id(0) == 0)
        vstore2(range, 0, range_found);
    for (int i = (int)get_local_id(0); i < bin_count * copy_count; i += (int)get_local_size(0))
        copies[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    binning h = binning_of(range, bins, bin_count, copies, copy_count);
#ifndef ON_CPU
    local float *borders = (local float *)(copies + bin_count * copy_count);
    find_borders(&h, borders);
    barrier(CLK_LOCAL_MEM_FENCE);
    h.borders = borders;
    h.copies += (int)get_local_id(0) % copy_count;
#endif
    SOURCE_IN_ANY_ORDER(count_line, &h);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = (int)get_local_id(0); copy_count > 0 && i < bin_count; i += (int)get_local_size(0)) {
        uint sum = 0;
        for (int k = 0; k < copy_count; k++)
            sum += copies[i * copy_count + (k + i) % copy_count];   /* from different banks */
        if (in_parts)
            bins[(size_t)get_group_id(0) * bin_count + i] = sum;
        else if (sum > 0)
            atomic_add((volatile global uint *)&bins[i], sum);
    }
}

#ifndef ON_CPU
/* Like histogram, for bins that do not fit into local memory: they are counted in global memory. */
kernel void histogram_of_many_bins(INPUT(source), global const float *all, global uint *bins, int bin_count,
                                   int first_range, int ranges, global float *range_found, float low, float high,
                                   long count, int is_line PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    local float2 group[MAX_ITEMS];
    const float2 range = range_of(all + 2 * first_range, ranges, (float2)(low, high), group);
    if (ranges > 0 && get_global_id(0) == 0)
        vstore2(range, 0, range_found);
    const binning h = binning_of(range, bins, bin_count, (local uint *)0, 0);
    SOURCE_IN_ANY_ORDER(count_line_joined, &h);
}
#endif

/*
 * Adds the counts of `parts` parts and writes them as a row of pixels. All rows are equal, and pixels beyond the last
 * bin are 0. A work-group has JOINED x JOINED work-items and computes JOINED columns.
 */
kernel void histogram_image(global const uint *bins, OUTPUT(to), int bin_count, int parts)
{
    enum { JOINED = 16 };
    local uint some[JOINED][JOINED];
    const int column = (int)get_local_id(0) % JOINED, row = (int)get_local_id(0) / JOINED,
              x = JOINED * (int)get_group_id(0) + column;
    uint sum = 0;
    for (int part = row; part < parts && x < bin_count; part += JOINED)
        sum += bins[(size_t)part * bin_count + x];
    some[row][column] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 1; k < JOINED && row == 0; k++)
        sum += some[k][column];
    for (int z = 0; row == 0 && x < to.width && z < to.depth; z++)
        for (int y = 0; y < to.height; y++)
            STORE(to, x, y, z, (float)sum);
}
