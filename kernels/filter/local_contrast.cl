/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contrast-limited adaptive histogram equalization. A work-group of CONTRAST_ITEMS goes along a part of a row; each
 * work-item keeps four bins of the histogram of the window around the current pixel.
 */
#include "quotient.cl"

#define CONTRAST_ITEMS 64
#define CONTRAST_BINS  256

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

/*
 * Clips the histogram and spreads the clipped counts over all bins, until two rounds clip the same number. `counts`:
 * the bins of this work-item.
 */
inline void clip_counts(int *counts, int last_bin, int limit, local int *parts)
{
    enum { MAX_ROUNDS = 4096 };
    const int first = 4 * (int)get_local_id(0);
    int cut = 0, before;
    for (int round = 0; round < MAX_ROUNDS; round++) {
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

/* A mask with a small weight limits the contrast. */
#define SLOPE_AT(x, y, z)                                                                                              \
    (masked ? 1 + weights[((long)(z) * height + (y)) * width + (x)] * (slope - 1) : slope)

/* Returns the largest count of a bin. A limit above `pixels` cuts nothing off, and might not fit an int. */
inline int count_limit(int pixels, int last_bin, float slope)
{
    return (int)fmin(QUOTIENT(slope * pixels, (float)last_bin) + 0.5f, (float)pixels);
}

/* Returns 255 times the share of pixels up to a bin. `first_count`: number of pixels in the first bin that has any. */
inline uchar equal_part(int below, int all, int first_count)
{
    const float part = QUOTIENT((float)(below - first_count), (float)(all - first_count)) * 255.0f + 0.5f;
    return all == first_count ? (below > first_count ? 255 : 0) : (uchar)((int)part & 255);
}

/* The equalized value of a pixel in bin `bin`. */
inline uchar equalized(const int *counts, int bin, local int *parts, local int *lowest)
{
    const int first = 4 * (int)get_local_id(0);
    int below = 0, all = 0, mine = CONTRAST_BINS;
    for (int i = 0; i < 4; i++) {
        below += first + i <= bin ? counts[i] : 0;
        all += counts[i];
        mine = counts[i] && mine == CONTRAST_BINS ? i : mine;
    }
    if (get_local_id(0) == 0)
        *lowest = CONTRAST_BINS;
    below = sum_of_items(below, parts);
    all = sum_of_items(all, parts);
    if (mine < CONTRAST_BINS)
        atomic_min(lowest, first + mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    const int at = *lowest - first, first_count = sum_of_items(at >= 0 && at < 4 ? counts[at & 3] : 0, parts);
    return equal_part(below, all, first_count);
}

/* Adds or removes a column of the window. */
inline void count_column(global const uchar *slice, int x, int width, int top, int bottom, TABLE(bin_of), int change,
                         local int *histogram)
{
    if (x < 0 || x >= width)
        return;
    for (int y = top + (int)get_local_id(0); y < bottom; y += CONTRAST_ITEMS)
        atomic_add(histogram + TABLE_OF(uchar, bin_of)[slice[(long)y * width + x]], change);
}

kernel void contrast_equalize(global const uchar *levels, TABLE(bin_of), int width, int height, int depth, int radius,
                              int last_bin, float slope, global const float *weights, int masked, int segment,
                              global uchar *made)
{
    local int histogram[CONTRAST_BINS], parts[CONTRAST_ITEMS], lowest;
    const int item = get_local_id(0), y = get_global_id(1), z = get_global_id(2),
              start = (int)get_global_id(0) / CONTRAST_ITEMS * segment, end = min(start + segment, width),
              top = max(y - radius, 0), bottom = min(y + radius + 1, height);
    global const uchar *slice = levels + (long)z * width * height;
    for (int i = 0; i < 4; i++)
        histogram[4 * item + i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int x = max(start - radius - 1, 0); x < min(start + radius, width); x++)
        count_column(slice, x, width, top, bottom, bin_of_bytes, bin_of_at, 1, histogram);
    for (int x = start; x < end; x++) {
        count_column(slice, x - radius - 1, width, top, bottom, bin_of_bytes, bin_of_at, -1, histogram);
        count_column(slice, x + radius, width, top, bottom, bin_of_bytes, bin_of_at, 1, histogram);
        barrier(CLK_LOCAL_MEM_FENCE);
        const int pixels = (bottom - top) * (min(x + radius + 1, width) - max(x - radius, 0)),
                  limit = count_limit(pixels, last_bin, SLOPE_AT(x, y, z));
        int counts[4];
        for (int i = 0; i < 4; i++)
            counts[i] = histogram[4 * item + i];
        clip_counts(counts, last_bin, limit, parts);
        const long at = (long)y * width + x;
        const uchar value = equalized(counts, TABLE_OF(uchar, bin_of)[slice[at]], parts, &lowest);
        if (item == 0)
            made[(long)z * width * height + at] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* As clip_counts, for a single work-item. */
inline void clip_alone(int *counts, int last_bin, int limit)
{
    enum { MAX_ROUNDS = 4096 };
    int cut = 0;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        const int before = cut;
        cut = 0;
        for (int i = 0; i <= last_bin; i++) {
            cut += max(counts[i] - limit, 0);
            counts[i] = min(counts[i], limit);
        }
        const int each = cut / (last_bin + 1), rest = cut % (last_bin + 1), step = rest ? last_bin / rest : 1;
        for (int i = 0; i <= last_bin; i++)
            counts[i] += each;
        for (int i = step / 2; rest && i <= last_bin; i += step)
            counts[i]++;
        if (cut == before)
            return;
    }
}

/* Equalizes the levels on CPUs, where a work-item goes along a row. */
kernel void contrast_equalize_in_order(global const uchar *levels, TABLE(bin_of), int width, int height, int depth,
                                       int radius, int last_bin, float slope, global const float *weights,
                                       int masked, global uchar *made)
{
    const int y = get_global_id(0), z = get_global_id(1), top = max(y - radius, 0),
              bottom = min(y + radius + 1, height);
    if (y >= height || z >= depth)
        return;
    constant uchar *bins = TABLE_OF(uchar, bin_of);
    global const uchar *slice = levels + (long)z * width * height;
    int histogram[CONTRAST_BINS] = {0}, counts[CONTRAST_BINS];
    for (int x = -radius; x < width; x++) {
        for (int j = top; j < bottom; j++) {
            if (x + radius < width)
                histogram[bins[slice[(long)j * width + x + radius]]]++;
            if (x - radius - 1 >= 0)
                histogram[bins[slice[(long)j * width + x - radius - 1]]]--;
        }
        if (x < 0)
            continue;
        const int pixels = (bottom - top) * (min(x + radius + 1, width) - max(x - radius, 0)),
                  bin = bins[slice[(long)y * width + x]];
        for (int i = 0; i <= last_bin; i++)
            counts[i] = histogram[i];
        clip_alone(counts, last_bin, count_limit(pixels, last_bin, SLOPE_AT(x, y, z)));
        int below = 0, all = 0, first_count = 0;
        for (int i = 0; i <= last_bin; i++) {
            below += i <= bin ? counts[i] : 0;
            all += counts[i];
            first_count = first_count ? first_count : counts[i];
        }
        made[((long)z * height + y) * width + x] = equal_part(below, all, first_count);
    }
}
