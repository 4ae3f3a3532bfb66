/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Equalization on GPUs. A work-item goes along a part of a row, with the histogram of the window in local memory. The
 * clipping leaves the counts as they are: a bin that has reached the limit is full and stays full. A round counts the
 * full bins by their bits, and reads other bins only where one may reach the limit. The upper bits of such a bin hold
 * how many rounds gave it one of the counts that remained after equal spreading.
 */
#include "local_contrast.cl"

enum {
    ROW_ITEMS = 32,
    BITS = 32,
    WORDS = CONTRAST_BINS / BITS,
    NO_BIN = -1 << 30,
    COUNT_BITS = 24,            /* a window has fewer than 1 << 24 pixels */
    COUNT_MASK = (1 << COUNT_BITS) - 1
};

#define COUNT_OF(bin) histogram[(bin)*ROW_ITEMS]
#define HAS_BIT(words, bin) ((words) >> (bin) % BITS & 1)

/* For each step, a bit for every bin that receives one of the counts spread by this step; none for step 0. */
#define COMB(step, word) combs[(step)*WORDS + (word)]

/* Counts the rounds from `first` on that gave a bin one of the counts that remained. */
inline uint rests_of(global const uint *combs, const uchar *steps, int first, int taken, int bin)
{
    uint sum = 0;
    ROLLED for (int n = first; n < taken; n++)
        sum += HAS_BIT(COMB(steps[n], bin / BITS), bin);
    return sum;
}

/* Number of bins up to `last` that receive a count. */
inline int spread_to(int last, int step)
{
    return step && last >= step / 2 ? (last - step / 2) / step + 1 : 0;
}

/*
 * Clips the bins of a word that are not full to `room` counts, which is the limit less the counts that all bins
 * received. Adds the excess of all these bins to `cut`, and the excess of the bins up to `bin` to `cut_below`. Returns
 * the largest count of a bin that is not full.
 */
inline int clip_word(local uint *histogram, int word, uint *full, int room, int bin, int last_bin, int known, int taken,
                     const uchar *steps, global const uint *combs, int *cut, int *cut_below)
{
    const uint newest = taken ? COMB(steps[taken - 1], word) : 0;
    int highest = NO_BIN;
    _Pragma("unroll 4") for (int i = word * BITS; i < (word + 1) * BITS; i++) {
        if (i > last_bin || HAS_BIT(*full, i))
            continue;
        const uint kept = COUNT_OF(i),
                   rests = taken == known + 1 ? HAS_BIT(newest, i) : rests_of(combs, steps, known, taken, i);
        const int count = (int)((kept & COUNT_MASK) + (kept >> COUNT_BITS) + rests);
        if (count >= room) {
            *full |= 1u << i % BITS;
            *cut += count - room;
            *cut_below += i <= bin ? count - room : 0;
        } else {
            highest = max(highest, count);
            COUNT_OF(i) = kept + (rests << COUNT_BITS);
        }
    }
    return highest;
}

/* The equalized value of a pixel in bin `bin` of a window of `pixels` pixels. */
inline uchar equalized(local uint *histogram, int bin, int pixels, int last_bin, int limit,
                       global const uint *combs)
{
    uchar steps[CONTRAST_ROUNDS];
    uint full[WORDS];
    int highest[WORDS];         /* the largest count of a bin that is not full, after `known` rounds */
    int known[WORDS];           /* number of rounds whose remaining counts the word's bins hold */
    int cut = 0, each = 0, step = 0, added = 0, taken = 0, below = 0, all = pixels, lowest = last_bin;
    UNROLLED(w, WORDS)
    {
        full[w] = 0;
        highest[w] = NO_BIN;
        known[w] = 0;
        _Pragma("unroll 8") for (int i = w * BITS; i < (w + 1) * BITS; i++) {
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
            if (highest[w] + added + taken - known[w] >= limit) {
                const int room = limit - added;
                highest[w] = clip_word(histogram, w, &full[w], room, bin, last_bin, known[w], taken, steps, combs, &cut,
                                       &cut_below);
                known[w] = taken;
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
        if (HAS_BIT(word, first))
            first_count = limit + each + (int)HAS_BIT(COMB(step, first / BITS), first);
        else
            first_count =
                (int)((COUNT_OF(first) & COUNT_MASK) + rests_of(combs, steps, 0, taken, first)) + added;
    }
    UNROLLED(w, WORDS)
        if (known[w])
            _Pragma("unroll 8") for (int i = w * BITS; i < (w + 1) * BITS; i++)
                COUNT_OF(i) &= COUNT_MASK;
    return equal_part(below, all, first_count);
}

/*
 * Adds a column of the window, or removes it if `change` is -1. Several pixels are read before the first is counted;
 * otherwise, a work-item would wait for each.
 */
inline void count_pixels(global const uchar *slice, int x, int width, int height, int top, int bottom, int change,
                         local uint *histogram)
{
    enum { AT_ONCE = 16 };
    if (x < 0 || x >= width)
        return;
    global const uchar *column = slice + (long)x * height;
    int y = top;
    for (; y + AT_ONCE <= bottom; y += AT_ONCE) {
        uchar pixels[AT_ONCE];
        UNROLLED(i, AT_ONCE)
            pixels[i] = column[y + i];
        UNROLLED(i, AT_ONCE)
            atomic_add(&COUNT_OF(pixels[i]), (uint)change);
    }
    ROLLED for (; y < bottom; y++)
        atomic_add(&COUNT_OF(column[y]), (uint)change);
}

/* `bins`: the bin of each pixel, column by column, so that neighbouring work-items read neighbouring pixels. */
kernel void contrast_equalize(global const uchar *bins, global const uint *combs, int width, int height, int radius,
                              int last_bin, float slope, global const float *weights, int masked, int segment,
                              global uchar *made, local uint *histograms)
{
    const int y = get_global_id(0), z = get_global_id(2), start = (int)get_global_id(1) * segment,
              end = min(start + segment, width), top = y < height ? max(y - radius, 0) : 0,
              bottom = y < height ? min(y + radius + 1, height) : 0;
    global const uchar *slice = bins + (long)z * width * height;
    local uint *histogram = histograms + get_local_id(0);
    for (int i = 0; i < CONTRAST_BINS; i++)
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
