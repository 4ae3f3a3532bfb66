/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Medians of windows of many pixels. A group makes a tile of pixels whose windows see a region of the copy. Keys up to a limit are
 * bits there, so that a word tells how many a chord has. A sorted sample of the region tells a limit that is below all medians and
 * near them; from it on the region's keys come in sorted portions, and each pixel counts those in its window up to its median.
 * All barriers are in one loop, for compilers that run groups as loops. This file comes after median.cl.
 */

enum {
    TILE_WIDE = 16,
    TILE_LANES = 256,
    COLUMN = 4,             /* slices that a work-item makes */
    REGION_ROWS = 1444,     /* this and the next as in native/ops/window/median.c */
    REGION_HALVES = 324,
    PORTION = 512           /* keys that are sorted at once */
};

/* Sorts by counting what comes before each; no two are equal. */
inline void sort_portion(local const ulong *list, int size, local ulong *sorted, int lane)
{
    for (int i = lane; i < size; i += TILE_LANES) {
        const ulong own = list[i];
        int place = 0;
        for (int k = 0; k < size; k++)
            place += list[k] < own;
        sorted[place] = own;
    }
}

/* Places of the region beyond the copy repeat its end: no window has them. */
#define REGION_KEY(x, y, z)                                                                                                      \
    ((global const uint *)keys_pixels)[AT(keys, min(left + (x), keys.width - 1), min(top + (y), keys.height - 1), min(front + (z), keys.depth - 1))]

/* Group: TILE_WIDE x lines x (TILE_LANES / TILE_WIDE / lines); it makes COLUMN times as many slices. */
kernel void median_tile(INPUT(keys), OUTPUT(to), int type, int rx, int ry, int rz, TABLE(chords), int rank, int pixels)
{
    enum { TURNS = 6, NEAR = 8, BETWEEN = 32 };
    local ulong rows[REGION_ROWS], list[PORTION], sorted[PORTION];
    local uint sample[PORTION], masks[REGION_HALVES];
    local int halves[REGION_HALVES], taken, most, open;
    constant short *half_chords = TABLE_OF(short, chords);
    const int column = get_local_id(0), line = get_local_id(1), slice = (int)get_local_id(2) * COLUMN;
    const int lines = get_local_size(1), slices = (int)get_local_size(2) * COLUMN;
    const int lane = (slice / COLUMN * lines + line) * TILE_WIDE + column;
    const int left = (int)get_global_id(0) - column, top = (int)get_global_id(1) - line, front = (int)get_global_id(2) * COLUMN - slice;
    const int wide = TILE_WIDE + 2 * rx, high = lines + 2 * ry, deep = slices + 2 * rz, all = wide * high * deep;
    for (int i = lane; i < (ry + 2) * (rz + 2); i += TILE_LANES) {     /* chords, and none beyond the last row and plane */
        const int dy = i % (ry + 2), dz = i / (ry + 2);
        const int half_length = dy <= ry && dz <= rz ? half_chords[dz * (ry + 1) + dy] : -1;
        halves[i] = half_length;
        masks[i] = half_length < 0 ? 0 : ((2u << 2 * half_length) - 1) << (rx - half_length);
    }
    for (int i = lane; i < PORTION; i += TILE_LANES) {
        const int at = (int)((uint)i * (uint)all / PORTION), row = at / wide;
        list[i] = (ulong)REGION_KEY(at % wide, row % high, row / high) << 32 | (ulong)i;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    sort_portion(list, PORTION, sorted, lane);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = lane; i < PORTION; i += TILE_LANES)
        sample[i] = (uint)(sorted[i] >> 32);

    /* All medians are at least `low`, and `count` keys of a window are below it. Beyond the image all is done. */
    int count[COLUMN], at = PORTION / 2, below = -1, turns = TURNS;
    uint low = 0, last = 0, median[COLUMN];
    EACH(j, COLUMN)
    {
        count[j] = INSIDE(to, left + column, top + line, front + slice + j) ? 0 : rank + 1;
        median[j] = 0;
    }
    const int step = (PORTION * PORTION / 2 + all - 1) / all;      /* for half a portion */
    bool searches = true, counts = true;        /* for the first limit; keys up to `last` rather than taking those from `low` on */
    do {
        int seen[COLUMN], place[COLUMN];
        EACH(j, COLUMN)
        {
            seen[j] = counts ? 0 : count[j];
            place[j] = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane == 0)
            taken = most = open = 0;
        if (searches)
            last = sample[at];
        if (counts && lane % 8 * 8 < wide)
            for (int row = lane / 8; row < high * deep; row += TILE_LANES / 8) {
                const int y = row % high, z = row / high;
                uint low_enough = 0;
                EACH(b, 8)
                    low_enough |= (uint)(REGION_KEY(lane % 8 * 8 + b, y, z) <= last) << b;
                ((local uchar *)rows)[row * 8 + lane % 8] = (uchar)low_enough;
            }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (counts) {
            for (int plane = 0; plane < COLUMN + 2 * rz; plane++)
                for (int dy = -ry; dy <= ry; dy++) {
                    const uint here = (uint)(rows[(slice + plane) * high + line + ry + dy] >> column);
                    EACH(j, COLUMN)
                        seen[j] += (int)popcount(here & masks[min((int)abs(plane - j - rz), rz + 1) * (ry + 2) + (int)abs(dy)]);
                }
            int own = 0;
            EACH(j, COLUMN)
                own = max(own, count[j] <= rank ? seen[j] : 0);
            atomic_max(&most, own);
        } else
            for (int row = lane / TILE_WIDE; row < high * deep; row += TILE_LANES / TILE_WIDE) {
                const int y = row % high, z = row / high;
                for (int x = column; x < wide; x += TILE_WIDE) {
                    const uint key = REGION_KEY(x, y, z);
                    if (key - low <= last - low) {
                        const int free = atomic_inc(&taken);
                        if (free < PORTION)
                            list[free] = (ulong)key << 32 | (ulong)(x | y << 8 | z << 16);
                    }
                }
            }
        barrier(CLK_LOCAL_MEM_FENCE);
        const bool crowded = taken > PORTION;
        const int size = crowded ? 0 : taken;
        sort_portion(list, size, sorted, lane);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int first = 0; first < size && min(min(seen[0], seen[1]), min(seen[2], seen[3])) <= rank; first += BETWEEN)
            for (int i = first; i < min(first + BETWEEN, size); i++) {
                const uint here = (uint)sorted[i];
                const int dx = abs((int)(here & 255) - column - rx), dy = min((int)abs((int)(here >> 8 & 255) - line - ry), ry + 1);
                const int dz = (int)(here >> 16) - slice - rz;
                EACH(j, COLUMN)
                {
                    seen[j] += dx <= halves[min((int)abs(dz - j), rz + 1) * (ry + 2) + dy];
                    place[j] += seen[j] <= rank;
                }
            }
        if (searches) {     /* the sample goes on by the share that the window has left */
            const int change = (rank - most) * PORTION / pixels;
            if (most <= rank) {
                EACH(j, COLUMN)
                    count[j] = count[j] <= rank ? seen[j] : count[j];
                low = last + 1;
                below = at;
            }
            at = most > rank ? max(at + change - NEAR, -1) : change > step ? min(at + change - 1, PORTION - 1) : -1;
            turns--;
            searches = at > below && (turns > 0 || below < 0);
            counts = searches;
            at = searches ? at : max(below, 0);
        } else if (crowded) {       /* fewer, or all of one key at once */
            counts = last == low;
            last = low + (last - low) / 2;
        } else {
            EACH(j, COLUMN)
                if (count[j] <= rank) {
                    if (seen[j] > rank)
                        median[j] = counts ? low : (uint)(sorted[place[j]] >> 32);
                    count[j] = seen[j];
                }
            counts = false;
            low = last + 1;
        }
        if (!searches && !counts && !crowded) {
            while (at < PORTION - 1 && sample[at] <= low)
                at = min(at + step, PORTION - 1);
            last = sample[at] > low ? sample[at] - 1 : UINT_MAX;
        }
        if (min(min(count[0], count[1]), min(count[2], count[3])) <= rank)
            atomic_or(&open, 1);
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (open);
    EACH(j, COLUMN)
        if (INSIDE(to, left + column, top + line, front + slice + j))
            store_key(to_pixels, to.type, AT(to, left + column, top + line, front + slice + j), median[j], type);
}
