/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entropy in bits of a window's values in 256 bins of the image's range. A value that comes for the c-th time adds
 * c log2 c - (c - 1) log2 (c - 1), so the bins are never searched. A work-item goes down RUN pixels of a column with its counts
 * in local memory, adds the row that enters and takes back the row that leaves; integers make that exact.
 */

enum { RUN = 32, BINS = 257 };      /* the image's maximum has a bin of its own */

/* What the value that finds `count` equal ones adds, in 2^-24 bits. */
inline long entropy_gain(uint count)
{
    const float c = (float)count;
    return count == 0 ? 0 : (long)((log2(c + 1.0f) + c * log1p(1.0f / c) * M_LOG2E_F) * 0x1p24f);
}

kernel void entropy_gains(global long *gains, uint count)
{
    const uint i = get_global_id(0);
    if (i < count)
        gains[i] = entropy_gain(i);
}

/* bin = floor(value / size), as in CLIJ2, counted from the bin of the minimum. A work-item makes a vector of pixels. */
kernel void entropy_bins(INPUT(from), OUTPUT(bins), global const float *range, int low)
{
    const int x = LANES * (int)get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(bins, x, y, z))
        return;
    const FLOATV size = (range[low + 1] - range[low]) / 256.0f, none = 0.0f;
    const FLOATV first = floor(DIVIDE((FLOATV)(range[low]), size)), value = load_row_lanes(from_pixels, &from, x, y, z, IN_VECTORS(from));
    const FLOATV bin = floor(DIVIDE(value, size)) - first;
    store_row_lanes(bins_pixels, &bins, x, y, z, clamp(select(none, bin, (size > 0.0f) & (isnan(bin) == 0)), 0.0f, 256.0f), IN_VECTORS(bins));
}

/* The window's pixels of row `row`; what is beyond the image repeats its border. */
#define EACH_COUNT(row, body)                                                                                                    \
    for (int dz = -rz; dz <= rz; dz++) {                                                                                         \
        const INDEX start = AT(bins, 0, clamp(row, 0, bins.height - 1), clamp(z + dz, 0, bins.depth - 1));                       \
        for (int dx = -rx; dx <= rx; dx++) {                                                                                     \
            local T *const count = mine + (int)values[start + clamp(x + dx, 0, bins.width - 1)] * ITEMS;                         \
            body                                                                                                                 \
        }                                                                                                                        \
    }

#define ENTROPY(gain_of)                                                                                                         \
    local T counts[BINS * ITEMS];                                                                                                \
    local T *const mine = counts + get_local_id(0);                                                                              \
    global const ushort *values = (global const ushort *)bins_pixels;                                                            \
    const int x = get_global_id(0), top = RUN * (int)get_global_id(1), z = get_global_id(2);                                     \
    if (!INSIDE(to, x, top, z))                                                                                                  \
        return;                                                                                                                  \
    for (int bin = 0; bin < BINS; bin++)                                                                                         \
        mine[bin * ITEMS] = 0;                                                                                                   \
    long sum = 0;                                                                                                                \
    for (int row = top - ry; row < top + ry; row++)                                                                              \
        EACH_COUNT(row, sum += gain_of(*count); ++*count;)                                                                       \
    for (int y = top; y < min(top + RUN, to.height); y++) {                                                                      \
        EACH_COUNT(y + ry, sum += gain_of(*count); ++*count;)                                                                    \
        STORE(to, x, y, z, fmax(log2(pixels) - (float)sum * 0x1p-24f / pixels, 0.0f));                                           \
        EACH_COUNT(y - ry, --*count; sum -= gain_of(*count);)                                                                    \
    }

#define LISTED(count) gains[count]

/* For windows of at most 255 and 65535 pixels, and of more. */
kernel void entropy_small(INPUT(bins), OUTPUT(to), int rx, int ry, int rz, global const long *gains, float pixels)
{
    typedef uchar T;
    enum { ITEMS = 64 };
    ENTROPY(LISTED)
}
kernel void entropy_medium(INPUT(bins), OUTPUT(to), int rx, int ry, int rz, global const long *gains, float pixels)
{
    typedef ushort T;
    enum { ITEMS = 32 };
    ENTROPY(LISTED)
}
kernel void entropy_large(INPUT(bins), OUTPUT(to), int rx, int ry, int rz, global const long *gains, float pixels)
{
    typedef uint T;
    enum { ITEMS = 16 };
    ENTROPY(entropy_gain)
}
