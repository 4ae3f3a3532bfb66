/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Equalization on GPUs. A work-item goes along a part of a row, with the histogram of the window in local memory. The
 * clipping leaves this histogram as it is: a bin that has reached the limit is full and stays full. A round counts the
 * full bins by their bits, and reads other bins only where one may reach the limit.
 */
#include "local_contrast.cl"
#include "quotient.cl"

enum { ROW_ITEMS = 32, BITS = 32, WORDS = CONTRAST_BINS / BITS, NO_BIN = -1 << 30 };

#define COUNT_OF(bin) histogram[(bin)*ROW_ITEMS]
#define HAS_BIT(words, bin) ((words) >> (bin) % BITS & 1)

/* For each step, a bit for every bin that receives one of the counts spread by this step; none for step 0. */
#define COMB(step, word) combs[(step)*WORDS + (word)]

/* Counts the rounds that gave a bin one of the counts that remained. */
inline int rests_of(global const uint *combs, const uchar *steps, int taken, int bin)
{
    int sum = 0;
    ROLLED for (int n = 0; n < taken; n++)
        sum += HAS_BIT(COMB(steps[n], bin / BITS), bin);
    return sum;
}

/* Number of bins up to `last` that receive a count. */
inline int spread_to(int last, int step)
{
    return step && last >= step / 2 ? (last - step / 2) / step + 1 : 0;
}

/* The equalized value of a pixel in bin `bin` of a window of `pixels` pixels. */
inline uchar equalized(local const int *histogram, int bin, int pixels, int last_bin, int limit,
                       global const uint *combs)
{
    uchar steps[CONTRAST_ROUNDS];
    uint full[WORDS];
    int highest[WORDS];         /* the largest count of a bin that is not full */
    int cut = 0, each = 0, step = 0, added = 0, taken = 0, below = 0, all = pixels, lowest = last_bin;
    UNROLLED(w, WORDS)
    {
        full[w] = 0;
        highest[w] = NO_BIN;
        for (int i = w * BITS; i < min((w + 1) * BITS, last_bin + 1); i++) {
            const int count = COUNT_OF(i);
            below += i <= bin ? count : 0;
            lowest = count ? min(lowest, i) : lowest;
            highest[w] = max(highest[w], count);
        }
    }
    for (int round = 0; round < CONTRAST_ROUNDS; round++) {
        const int before = cut;
        int cut_below = 0;
        cut = 0;
        UNROLLED(w, WORDS)
        {
            const int under = bin - w * BITS + 1;
            const uint comb = COMB(step, w), part = under >= BITS ? UINT_MAX : under > 0 ? (1u << under) - 1 : 0;
            cut += (int)popcount(full[w]) * each + (int)popcount(full[w] & comb);
            cut_below += (int)popcount(full[w] & part) * each + (int)popcount(full[w] & comb & part);
            if (highest[w] + added + taken >= limit) {
                highest[w] = NO_BIN;
                for (int i = w * BITS; i < min((w + 1) * BITS, last_bin + 1); i++) {
                    const int count = COUNT_OF(i);
                    if (HAS_BIT(full[w], i))
                        continue;
                    int over = count + added - limit;
                    if (over + taken >= 0)
                        over += rests_of(combs, steps, taken, i);
                    if (over >= 0) {
                        full[w] |= 1u << i % BITS;
                        cut += over;
                        cut_below += i <= bin ? over : 0;
                    } else
                        highest[w] = max(highest[w], count);
                }
            }
        }
        const int rest = cut % (last_bin + 1);
        each = cut / (last_bin + 1);
        step = rest ? last_bin / rest : 0;
        all += each * (last_bin + 1) - cut + spread_to(last_bin, step);
        below += each * (bin + 1) - cut_below + spread_to(bin, step);
        added += each;
        if (step)
            steps[taken++] = step;
        if (cut == before)
            break;
    }
    int first = added ? 0 : lowest, first_count = 0;
    for (int n = 0; n < taken; n++)
        first = min(first, steps[n] / 2);
    for (; first_count == 0 && first <= last_bin; first++) {
        uint word = 0;
        UNROLLED(w, WORDS)
            word = first / BITS == w ? full[w] : word;
        first_count = HAS_BIT(word, first) ? limit + each + (int)HAS_BIT(COMB(step, first / BITS), first)
                                           : COUNT_OF(first) + added + rests_of(combs, steps, taken, first);
    }
    return equal_part(below, all, first_count);
}

/* Adds or removes a column of the window. */
inline void count_pixels(global const uchar *slice, int x, int width, int height, int top, int bottom, int change,
                         local int *histogram)
{
    if (x >= 0 && x < width)
        for (int y = top; y < bottom; y++)
            atomic_add(&COUNT_OF(slice[(long)x * height + y]), change);
}

/* `bins`: the bin of each pixel, column by column, so that neighbouring work-items read neighbouring pixels. */
kernel void contrast_equalize(global const uchar *bins, global const uint *combs, int width, int height, int radius,
                              int last_bin, float slope, global const float *weights, int masked, int segment,
                              global uchar *made, local int *histograms)
{
    const int y = get_global_id(0), z = get_global_id(2), start = (int)get_global_id(1) * segment,
              end = min(start + segment, width), top = y < height ? max(y - radius, 0) : 0,
              bottom = y < height ? min(y + radius + 1, height) : 0;
    global const uchar *slice = bins + (long)z * width * height;
    local int *histogram = histograms + get_local_id(0);
    for (int i = 0; i <= last_bin; i++)
        COUNT_OF(i) = 0;
    for (int x = max(start - radius - 1, 0); x < min(start + radius, width); x++)
        count_pixels(slice, x, width, height, top, bottom, 1, histogram);
    for (int x = start; x < end; x++) {
        count_pixels(slice, x - radius - 1, width, height, top, bottom, -1, histogram);
        count_pixels(slice, x + radius, width, height, top, bottom, 1, histogram);
        barrier(CLK_LOCAL_MEM_FENCE);
        const int pixels = (bottom - top) * (min(x + radius + 1, width) - max(x - radius, 0));
        if (y < height)
            made[((long)z * height + y) * width + x] =
                equalized(histogram, slice[(long)x * height + y], pixels, last_bin,
                          count_limit(pixels, last_bin, SLOPE_AT(x, y, z)), combs);
    }
}

kernel void contrast_bins(global const uchar *levels, TABLE(bin_of), int width, int height, int depth,
                          global uchar *bins)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x < width && y < height && z < depth)
        bins[((long)z * width + x) * height + y] =
            TABLE_OF(uchar, bin_of)[levels[((long)z * height + y) * width + x]];
}
