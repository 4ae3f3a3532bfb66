/* SPDX-License-Identifier: BSD-3-Clause */
/* Resampling through a matrix of positions in units of 2^-bits pixels; a work-item computes ROWS rows of a column. */
#define ROWS 4

inline float pixel_or_zero(global const uchar *pixels, const layout i, long x, long y, long z)
{
    if (x < 0 || y < 0 || z < 0 || x >= i.width || y >= i.height || z >= i.depth)
        return 0.0f;
    return load_float(pixels, i.type, AT(i, x, y, z));
}

/* Between two values; where the fraction is 0 the second does not count, whatever it is. */
#define BETWEEN(fraction, first, second) ((fraction) > 0.0f ? between(fraction, first, second) : (first))

inline float between(float fraction, float first, float second)
{
    return first + fraction * (second - first);
}

inline float on_line(global const uchar *pixels, const layout i, long x, long y, long z, float fx)
{
    return BETWEEN(fx, pixel_or_zero(pixels, i, x, y, z), pixel_or_zero(pixels, i, x + 1, y, z));
}

inline float on_plane(global const uchar *pixels, const layout i, long x, long y, long z, float fx, float fy)
{
    return BETWEEN(fy, on_line(pixels, i, x, y, z, fx), on_line(pixels, i, x, y + 1, z, fx));
}

#define COLUMN                                                                                                                   \
    const int x = (int)get_global_id(0), first = (int)get_global_id(1) * ROWS, z = (int)get_global_id(2);                        \
    if (!INSIDE(to, x, first, z))                                                                                                \
        return;                                                                                                                  \
    constant long *m = TABLE_OF(long, matrix);                                                                                   \
    long px = m[0] * x + m[1] * first + m[2] * z + m[3], py = m[4] * x + m[5] * first + m[6] * z + m[7],                         \
         pz = m[8] * x + m[9] * first + m[10] * z + m[11];

#define EACH_ROW for (int y = first; y < min(first + ROWS, to.height); y++, px += m[1], py += m[5], pz += m[9])

kernel void resample_linear(INPUT(from), OUTPUT(to), TABLE(matrix), int bits)
{
    COLUMN
    const long mask = (1L << bits) - 1;
    const float unit = ldexp(1.0f, -bits);
    EACH_ROW {
        const long ix = px >> bits, iy = py >> bits, iz = pz >> bits;
        const float fx = (float)(px & mask) * unit, fy = (float)(py & mask) * unit, fz = (float)(pz & mask) * unit;
        float value = 0.0f;
        if (ix >= -1 && iy >= -1 && iz >= -1 && ix < from.width && iy < from.height && iz < from.depth)
            value = BETWEEN(fz, on_plane(from_pixels, from, ix, iy, iz, fx, fy), on_plane(from_pixels, from, ix, iy, iz + 1, fx, fy));
        STORE_SNAPPED(to, x, y, z, value);
    }
}

kernel void resample_nearest(INPUT(from), OUTPUT(to), TABLE(matrix), int bits)
{
    COLUMN
    EACH_ROW {
        const long ix = px >> bits, iy = py >> bits, iz = pz >> bits;
        const INDEX target = AT(to, x, y, z);
        if (ix >= 0 && iy >= 0 && iz >= 0 && ix < from.width && iy < from.height && iz < from.depth) {
            MOVE(from, AT(from, ix, iy, iz), to, target)
        } else {
            store_bits(to_pixels, to.type, target, 0);
        }
    }
}
