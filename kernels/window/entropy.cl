/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entropy in bits of a window's values, in 256 bins over the range of the image. The c-th occurrence of a value adds c
 * log2 c - (c - 1) log2 (c - 1), so the bins are never searched. A work-item walks down RUN pixels of a column with its
 * counts in local memory. It adds the row that enters and removes the row that leaves, which is exact in integers.
 */

enum { RUN = 32, BINS = 257 };      /* the image's maximum has a separate bin */

/* Contribution of a value that occurs for the `count`-th time, in units of 2^-24 bits. */
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

/*
 * bin = floor(value / size), as in CLIJ2, relative to the bin of the minimum. A work-item computes a vector of pixels.
 */
kernel void entropy_bins(INPUT(from), OUTPUT(bins), global const float *range, int low)
{
    const int x = LANES * (int)get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(bins, x, y, z))
        return;
    const FLOATV size = (range[low + 1] - range[low]) / 256.0f, none = 0.0f;
    const FLOATV first = floor(DIVIDE((FLOATV)(range[low]), size)),
                 value = load_row_lanes(from_pixels, &from, x, y, z, IN_VECTORS(from));
    const FLOATV bin = floor(DIVIDE(value, size)) - first;
    store_row_lanes(bins_pixels, &bins, x, y, z,
                    clamp(select(none, bin, (size > 0.0f) & (isnan(bin) == 0)), 0.0f, 256.0f), IN_VECTORS(bins));
}

inline long gain_listed(global const long *gains, uint count) { return gains[count]; }
inline long gain_found(global const long *gains, uint count) { return entropy_gain(count); }

/* Position of a work-item's windows. */
typedef struct {
    layout bins;
    int x, z, rx, ry, rz;
} column_of_windows;

/*
 * Defines NAME, which writes a work-item's pixels. The counts of its bins are in `mine`, with a stride of ITEMS.
 * NAME_row adds `step` to the counts of a row's pixels, with repeated borders, and returns the change of the entropy.
 */
#define ENTROPY(NAME, T, ITEMS, gain_of)                                                                               \
    inline long NAME##_row(local T *mine, global const ushort *values, const column_of_windows *w, int row, int step,  \
                           global const long *gains)                                                                   \
    {                                                                                                                  \
        long gain = 0;                                                                                                 \
        for (int dz = -w->rz; dz <= w->rz; dz++) {                                                                     \
            const INDEX start = AT(w->bins, 0, clamp(row, 0, w->bins.height - 1),                                      \
                clamp(w->z + dz, 0, w->bins.depth - 1));                                                               \
            for (int dx = -w->rx; dx <= w->rx; dx++) {                                                                 \
                local T *const count = mine + (int)values[start + clamp(w->x + dx, 0, w->bins.width - 1)] * ITEMS;     \
                if (step > 0)                                                                                          \
                    gain += gain_of(gains, (*count)++);                                                                \
                else                                                                                                   \
                    gain -= gain_of(gains, --*count);                                                                  \
            }                                                                                                          \
        }                                                                                                              \
        return gain;                                                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    inline void NAME(local T *mine, global const ushort *values, const column_of_windows *w, global uchar *to_pixels,  \
                     const layout to, global const long *gains, float pixels)                                          \
    {                                                                                                                  \
        const int top = RUN * (int)get_global_id(1);                                                                   \
        for (int bin = 0; bin < BINS; bin++)                                                                           \
            mine[bin * ITEMS] = 0;                                                                                     \
        long sum = 0;                                                                                                  \
        for (int row = top - w->ry; row < top + w->ry; row++)                                                          \
            sum += NAME##_row(mine, values, w, row, 1, gains);                                                         \
        for (int y = top; y < min(top + RUN, to.height); y++) {                                                        \
            sum += NAME##_row(mine, values, w, y + w->ry, 1, gains);                                                   \
            STORE(to, w->x, y, w->z, fmax(log2(pixels) - (float)sum * 0x1p-24f / pixels, 0.0f));                       \
            sum += NAME##_row(mine, values, w, y - w->ry, -1, gains);                                                  \
        }                                                                                                              \
    }

/* Number of work-items for windows of at most 255 pixels, of at most 65535 pixels, and of more. */
enum { ITEMS_SMALL = 64, ITEMS_MEDIUM = 32, ITEMS_LARGE = 16 };
ENTROPY(go_down_small, uchar, ITEMS_SMALL, gain_listed)
ENTROPY(go_down_medium, ushort, ITEMS_MEDIUM, gain_listed)
ENTROPY(go_down_large, uint, ITEMS_LARGE, gain_found)

kernel void entropy_small(INPUT(bins), OUTPUT(to), int rx, int ry, int rz, global const long *gains, float pixels)
{
    local uchar counts[BINS * ITEMS_SMALL];
    const column_of_windows w = {bins, get_global_id(0), get_global_id(2), rx, ry, rz};
    if (INSIDE(to, w.x, RUN * (int)get_global_id(1), w.z))
        go_down_small(counts + get_local_id(0), (global const ushort *)bins_pixels, &w, to_pixels, to, gains, pixels);
}

kernel void entropy_medium(INPUT(bins), OUTPUT(to), int rx, int ry, int rz, global const long *gains, float pixels)
{
    local ushort counts[BINS * ITEMS_MEDIUM];
    const column_of_windows w = {bins, get_global_id(0), get_global_id(2), rx, ry, rz};
    if (INSIDE(to, w.x, RUN * (int)get_global_id(1), w.z))
        go_down_medium(counts + get_local_id(0), (global const ushort *)bins_pixels, &w, to_pixels, to, gains, pixels);
}

kernel void entropy_large(INPUT(bins), OUTPUT(to), int rx, int ry, int rz, global const long *gains, float pixels)
{
    local uint counts[BINS * ITEMS_LARGE];
    const column_of_windows w = {bins, get_global_id(0), get_global_id(2), rx, ry, rz};
    if (INSIDE(to, w.x, RUN * (int)get_global_id(1), w.z))
        go_down_large(counts + get_local_id(0), (global const ushort *)bins_pixels, &w, to_pixels, to, gains, pixels);
}
