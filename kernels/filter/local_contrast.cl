/* SPDX-License-Identifier: BSD-3-Clause */
/* Contrast-limited adaptive histogram equalization: a histogram of the window around each pixel. */
#include "quotient.cl"

#define CONTRAST_BINS 256

/* Rounds of clipping. Random histograms took up to 54. */
#define CONTRAST_ROUNDS 255

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

/*
 * Clips the histogram and spreads the clipped counts over all bins, until two rounds clip the same number.
 */
inline void clip_alone(int *counts, int last_bin, int limit)
{
    int cut = 0;
    for (int round = 0; round < CONTRAST_ROUNDS; round++) {
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
