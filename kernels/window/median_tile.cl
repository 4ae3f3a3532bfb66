/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Medians of windows of many pixels. A work-group computes a tile of pixels whose windows cover a region of the copy.
 * In this region, one bit per key says whether the key is at most a limit, so one word gives the count of a chord. A
 * sorted sample of the region yields a limit just below all medians. From this limit on, the region's keys come in
 * sorted portions, and each pixel counts those in its window up to its median. All barriers are in one loop, for
 * compilers that run work-groups as loops.
 */
#include "chords.cl"
#include "median.cl"
#include "median_region.cl"

/* Work-group: TILE_WIDE x lines x (TILE_LANES / TILE_WIDE / lines); it computes COLUMN times as many slices. */
kernel void median_tile(INPUT(keys), OUTPUT(to), int type, int rx, int ry, int rz, TABLE(chords), int rank, int pixels)
{
    enum { TURNS = 6, BETWEEN = 32 };
    local ulong rows[REGION_ROWS], list[PORTION], sorted[PORTION];
    local uint sample[PORTION], masks[REGION_HALVES];
    local int halves[REGION_HALVES], taken, max_below, open;
    const int column = get_local_id(0), line = get_local_id(1), slice = (int)get_local_id(2) * COLUMN,
              lines = get_local_size(1);
    const int lane = (slice / COLUMN * lines + line) * TILE_WIDE + column;
    const int x = get_global_id(0), y = get_global_id(1), z = (int)get_global_id(2) * COLUMN;
    const key_region r = {(global const uint *)keys_pixels, keys, x - column, y - line, z - slice,
                          TILE_WIDE + 2 * rx, lines + 2 * ry, (int)get_local_size(2) * COLUMN + 2 * rz};
    const int step =
        (PORTION * PORTION / 2 + r.wide * r.high * r.deep - 1) / (r.wide * r.high * r.deep); /* for half a portion */
    prepare_chords(halves, masks, TABLE_OF(short, chords), rx, ry, rz, lane);
    list_sample(list, &r, lane);
    barrier(CLK_LOCAL_MEM_FENCE);
    sort_portion(list, PORTION, sorted, lane);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = lane; i < PORTION; i += TILE_LANES)
        sample[i] = (uint)(sorted[i] >> 32);
    key_search s = {0, 0, PORTION / 2, -1, TURNS, true, true};
    int count[COLUMN];          /* keys of a window below `low`; pixels beyond the image are already done */
    uint median[COLUMN];
    EACH(j, COLUMN)
    {
        count[j] = INSIDE(to, x, y, z + j) ? 0 : rank + 1;
        median[j] = 0;
    }
    do {
        int seen[COLUMN], place[COLUMN];
        begin_turn(seen, place, count, s.counts);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane == 0)
            taken = max_below = open = 0;
        if (s.searches)
            s.last = sample[s.at];
        if (s.counts)
            mark_low_keys(rows, &r, s.last, lane);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (s.counts) {
            count_low_keys(seen, rows, masks, r.high, column, line, slice, ry, rz);
            atomic_max(&max_below, max_seen(count, seen, rank));
        } else
            list_keys(list, &taken, &r, s.low, s.last, column, lane);
        barrier(CLK_LOCAL_MEM_FENCE);
        const bool crowded = taken > PORTION;
        const int size = crowded ? 0 : taken;
        sort_portion(list, size, sorted, lane);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int first = 0; first < size && min_of(seen) <= rank; first += BETWEEN)
            count_sorted(seen, place, sorted, halves, first, min(first + BETWEEN, size), rank,
                         (int3)(column + rx, line + ry, slice + rz), ry, rz);
        advance(&s, count, median, seen, place, sorted, sample, max_below, crowded, rank, pixels, step);
        if (min_of(count) <= rank)
            atomic_or(&open, 1);
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (open);
    EACH(j, COLUMN)
        if (INSIDE(to, x, y, z + j))
            store_key(to_pixels, to.type, AT(to, x, y, z + j), median[j], type);
}
