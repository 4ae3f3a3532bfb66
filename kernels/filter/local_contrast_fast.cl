/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Equalization by the histograms of blocks whose centres lie on a grid. Each pixel is interpolated between the transfer
 * functions of the four blocks around it.
 */
#include "local_contrast.cl"
#include "quotient.cl"

#define CONTRAST_ITEMS 64

/* Sums a number over all work-items of the group. */
inline int sum_of_items(int mine, local int *parts)
{
    const int item = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    parts[item] = mine;
    for (int half_of = CONTRAST_ITEMS / 2; half_of > 0; half_of /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_of)
            parts[item] += parts[item + half_of];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return parts[0];
}

/* As clip_alone, for a work-group. `counts`: the four bins of this work-item. */
inline void clip_counts(int *counts, int last_bin, int limit, local int *parts)
{
    const int first = 4 * (int)get_local_id(0);
    int cut = 0, before;
    for (int round = 0; round < CONTRAST_ROUNDS; round++) {
        int mine = 0;
        for (int i = 0; i < 4; i++) {
            mine += max(counts[i] - limit, 0);
            counts[i] = min(counts[i], limit);
        }
        before = cut;
        cut = sum_of_items(mine, parts);
        const int each = cut / (last_bin + 1), rest = cut % (last_bin + 1), step = rest ? last_bin / rest : 1;
        for (int i = 0; i < 4; i++) {
            const int past = first + i - step / 2;
            if (first + i <= last_bin)
                counts[i] += each + (rest && past >= 0 && past % step == 0);
        }
        if (cut == before)
            return;
    }
}

/* Adds a column of the window. */
inline void count_column(global const uchar *slice, int x, int width, int top, int bottom, TABLE(bin_of),
                         local int *histogram)
{
    if (x < 0 || x >= width)
        return;
    for (int y = top + (int)get_local_id(0); y < bottom; y += CONTRAST_ITEMS)
        atomic_add(histogram + TABLE_OF(uchar, bin_of)[slice[(long)y * width + x]], 1);
}

/*
 * Computes the transfer function of a block in a work-group: the share of pixels up to each bin. `centres`: of columns,
 * then of rows.
 */
kernel void contrast_transfers(global const uchar *levels, TABLE(bin_of), int width, int height, int radius,
                               int last_bin, int limit, global const int *centres, int columns, int rows,
                               global float *transfers)
{
    local int histogram[CONTRAST_BINS], parts[CONTRAST_ITEMS], lowest;
    const int item = get_local_id(0), column = (int)get_global_id(0) / CONTRAST_ITEMS, row = get_global_id(1),
              z = get_global_id(2), centre_x = centres[column], centre_y = centres[columns + row];
    const int top = max(centre_y - radius, 0), bottom = min(centre_y + radius + 1, height),
              right = min(centre_x + radius + 1, width);
    int counts[4], below = 0, mine = CONTRAST_BINS;
    for (int i = 0; i < 4; i++)
        histogram[4 * item + i] = 0;
    if (item == 0)
        lowest = last_bin;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int x = max(centre_x - radius, 0); x < right; x++)
        count_column(levels + (long)z * width * height, x, width, top, bottom, bin_of_bytes, bin_of_at, histogram);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 4; i++)
        counts[i] = histogram[4 * item + i];
    clip_counts(counts, last_bin, limit, parts);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 4; i++) {
        histogram[4 * item + i] = counts[i];
        mine = counts[i] && mine == CONTRAST_BINS ? 4 * item + i : mine;
    }
    atomic_min(&lowest, mine);
    const int all = sum_of_items(counts[0] + counts[1] + counts[2] + counts[3], parts), first_count = histogram[lowest];
    for (int i = 0; i < 4 * item; i++)
        below += histogram[i];
    for (int i = 0; i < 4; i++) {
        below += counts[i];
        const float share = QUOTIENT((float)(below - first_count), (float)(all - first_count));
        transfers[(((long)z * rows + row) * columns + column) * CONTRAST_BINS + 4 * item + i] =
            all > first_count ? share : below < first_count ? -INFINITY : NAN;
    }
}

/* `cells`: for each column, the number of centres at or before it; then the same for rows. */
kernel void contrast_interpolate(global const uchar *levels, TABLE(bin_of), int width, int height, int depth,
                                 global const int *cells, global const int *centres, int columns, int rows,
                                 global const float *transfers, global uchar *made)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= width || y >= height || z >= depth)
        return;
    const int c = cells[x], c0 = max(c - 1, 0), c1 = min(c, columns - 1), r = cells[width + y], r0 = max(r - 1, 0),
              r1 = min(r, rows - 1), x1 = centres[c1], y1 = centres[columns + r1];
    const float along_x = QUOTIENT((float)(x1 - x), (float)(x1 - centres[c0])),
                along_y = QUOTIENT((float)(y1 - y), (float)(y1 - centres[columns + r0]));
    const long at = ((long)z * height + y) * width + x;
    global const float *of_bin =
        transfers + (long)z * rows * columns * CONTRAST_BINS + TABLE_OF(uchar, bin_of)[levels[at]];
#define TRANSFER(row, column) of_bin[((row)*columns + (column)) * CONTRAST_BINS]
    float upper = TRANSFER(r0, c0), lower = TRANSFER(r1, c0);
    if (c0 != c1) {
        upper = along_x * upper + (1.0f - along_x) * TRANSFER(r0, c1);
        lower = along_x * lower + (1.0f - along_x) * TRANSFER(r1, c1);
    }
    const float share = r0 == r1 ? upper : along_y * upper + (1.0f - along_y) * lower, value = share * 255.0f + 0.5f;
    made[at] = isnan(value) ? 0 : (uchar)clamp(value, 0.0f, 255.0f);
}
