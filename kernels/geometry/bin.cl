/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes one pixel for each box of `factor_x`, `factor_y` and `factor_z` pixels along the axes. Boxes at the end of the
 * image have fewer pixels.
 */

inline long whole_pixel(global const uchar *pixels, int type, INDEX at)
{
    switch (type) {
    case INT8: return ((global const char *)pixels)[at];
    case INT16: return ((global const short *)pixels)[at];
    case INT32: return ((global const int *)pixels)[at];
    default: return load_label(pixels, type, at);
    }
}

/* Sums integers as integers, and rounds the mean to nearest, halves upwards. */
inline void bin_pixel(global const uchar *from_pixels, const layout from, global uchar *to_pixels, const layout to,
                      int x, int y, int z, int factor_x, int factor_y, int factor_z)
{
    const int x_end = min((x + 1) * factor_x, from.width), y_end = min((y + 1) * factor_y, from.height),
              z_end = min((z + 1) * factor_z, from.depth);
    long sum = 0;
    float real_sum = 0;
    int count = 0;
    for (int k = z * factor_z; k < z_end; k++)
        for (int j = y * factor_y; j < y_end; j++)
            for (int i = x * factor_x; i < x_end; i++, count++)
                if (from.type == FLOAT32)
                    real_sum += LOAD(from, i, j, k);
                else
                    sum += whole_pixel(from_pixels, from.type, AT(from, i, j, k));
    count = max(count, 1);
    if (from.type == FLOAT32 || to.type == FLOAT32) {
        const float mean = (from.type == FLOAT32 ? real_sum : (float)sum) / (float)count;
        STORE(to, x, y, z, to.type == FLOAT32 ? mean : floor(mean + 0.5f));
    } else {
        const long above = 2 * sum + count, twice = 2 * count, mean = above / twice - (above % twice < 0);
        if (from.type == to.type)
            store_bits(to_pixels, to.type, AT(to, x, y, z), (uint)mean);
        else
            STORE(to, x, y, z, (float)mean);
    }
}

kernel void bin_mean(INPUT(from), OUTPUT(to), const int factor_x, const int factor_y, const int factor_z)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        bin_pixel(from_pixels, from, to_pixels, to, x, y, z, factor_x, factor_y, factor_z);
}

/* Writes the most frequent label of each box; the smallest one in a tie. */
kernel void bin_mode(INPUT(from), OUTPUT(to), const int factor_x, const int factor_y, const int factor_z)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int width = min(factor_x, from.width - x * factor_x), height = min(factor_y, from.height - y * factor_y);
    const int depth = min(factor_z, from.depth - z * factor_z),
              count = width > 0 && height > 0 ? width * height * depth : 0;
    uint best = 0;
    int max_count = 0;
    for (int i = 0; i < count; i++) {
        const uint label = LOAD_LABEL(from, x * factor_x + i % width, y * factor_y + i / width % height,
                                      z * factor_z + i / (width * height));
        int same = 0;
        for (int j = 0; j < count; j++)
            same += LOAD_LABEL(from, x * factor_x + j % width, y * factor_y + j / width % height,
                               z * factor_z + j / (width * height)) == label;
        if (same > max_count || (same == max_count && label < best)) {
            max_count = same;
            best = label;
        }
    }
    STORE_LABEL(to, x, y, z, best);
}
