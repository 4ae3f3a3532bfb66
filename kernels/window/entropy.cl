/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entropy in bits of a window's values in 256 bins of the image's range. A value that comes for the c-th time adds
 * c log2 c - (c - 1) log2 (c - 1), so the bins are never searched.
 */

inline float times_log2(float count)
{
    return count > 0.0f ? count * log2(count) : 0.0f;
}

/* bin = floor(value / size), as in CLIJ2, counted from the bin of the minimum. */
inline int entropy_bin(float value, float size, float first)
{
    const float bin = size > 0.0f ? floor(DIVIDE((FLOATV)(value), (FLOATV)(size)).s0) - first : 0.0f;
    return (int)clamp(isnan(bin) ? 0.0f : bin, 0.0f, 256.0f);
}

#define EACH_BIN(body)                                                                                                           \
    for (int dz = -rz; dz <= rz; dz++)                                                                                           \
        for (int dy = -ry; dy <= ry; dy++)                                                                                       \
            for (int dx = -rx; dx <= rx; dx++) {                                                                                 \
                const int bin = entropy_bin(LOAD_CLAMPED(from, x + dx, y + dy, z + dz), size, first);                            \
                body                                                                                                             \
            }

kernel void entropy_window(INPUT(from), OUTPUT(to), int rx, int ry, int rz, global const float *range, int low,
                           float pixels)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const float size = (range[low + 1] - range[low]) / 256.0f;
    const float first = size > 0.0f ? floor(DIVIDE((FLOATV)(range[low]), (FLOATV)(size)).s0) : 0.0f;
    uint counts[257];
    EACH_BIN(counts[bin] = 0;)
    float sum = 0.0f;
    EACH_BIN(const float count = (float)counts[bin]++; sum += times_log2(count + 1.0f) - times_log2(count);)
    STORE(to, x, y, z, fmax(log2(pixels) - sum / pixels, 0.0f));
}
