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

/*
 * A group makes a block of 2^bits_x by ROWS 2^bits_y by what is left of its 2^BITS items; those that run together are near each
 * other along all axes, so that turned images are read from few rows at once.
 */
enum { BITS = 7 };

#define COLUMN                                                                                                                   \
    const int item = (int)get_local_id(0), bits_z = BITS - bits_x - bits_y;                                                      \
    const int x = ((int)get_group_id(0) << bits_x) + (item & ((1 << bits_x) - 1));                                               \
    const int first = ((int)get_group_id(1) * ROWS << bits_y) + (item >> bits_x & ((1 << bits_y) - 1));                          \
    const int z = ((int)get_group_id(2) << bits_z) + (item >> (bits_x + bits_y)), down = 1 << bits_y;                            \
    if (!INSIDE(to, x, first, z))                                                                                                \
        return;                                                                                                                  \
    constant long *m = TABLE_OF(long, matrix);                                                                                   \
    long px = m[0] * x + m[1] * first + m[2] * z + m[3], py = m[4] * x + m[5] * first + m[6] * z + m[7],                         \
         pz = m[8] * x + m[9] * first + m[10] * z + m[11];

#define EACH_ROW                                                                                                                 \
    for (int y = first; y < min(first + ROWS * down, to.height); y += down, px += m[1] << bits_y, py += m[5] << bits_y, pz += m[9] << bits_y)

/* The eight pixels around a position inside the image, in its own type. */
inline float among_eight(global const uchar *pixels, int type, INDEX at, INDEX dx, INDEX dy, INDEX dz, float fx, float fy, float fz)
{
    float4 near, next;
#define CORNERS(T)                                                                                                               \
    {                                                                                                                            \
        global const T *corner = (global const T *)pixels + at;                                                                  \
        near = (float4)(corner[0], corner[dy], corner[dz], corner[dy + dz]);                                                     \
        next = (float4)(corner[dx], corner[dx + dy], corner[dx + dz], corner[dx + dy + dz]);                                     \
    }
    if (type == FLOAT32)
        CORNERS(float)
    else
        switch (type) {
        case UINT8: CORNERS(uchar) break;
        case INT8: CORNERS(char) break;
        case UINT16: CORNERS(ushort) break;
        case INT16: CORNERS(short) break;
        case UINT32: CORNERS(uint) break;
        default: CORNERS(int)
        }
    const float4 line = fx > 0.0f ? near + fx * (next - near) : near;
    const float2 plane = fy > 0.0f ? line.xz + fy * (line.yw - line.xz) : line.xz;
    return BETWEEN(fz, plane.x, plane.y);
}

/* Whole pixels of a position, outside where an int is too small, and what is left of one. */
inline int pixels_of(long position, int bits)
{
    return bits == 32 ? (int)(position >> 32) : (int)clamp(position >> bits, -2L, 0x7fffffffL);
}

inline float fraction_of(long position, int bits)
{
    return bits == 32 ? (float)(uint)position * 0x1p-32f : (float)(position & ((1L << bits) - 1)) * ldexp(1.0f, -bits);
}

inline float linear_at(global const uchar *from_pixels, const layout from, long px, long py, long pz, int bits)
{
    const int x = pixels_of(px, bits), y = pixels_of(py, bits), z = pixels_of(pz, bits), next = z < from.depth - 1;
    const float fx = fraction_of(px, bits), fy = fraction_of(py, bits), fz = fraction_of(pz, bits);
    if (x >= 0 && y >= 0 && z >= 0 && x < from.width - 1 && y < from.height - 1 && (next || (z < from.depth && fz == 0.0f)))
        return among_eight(from_pixels, from.type, AT(from, x, y, z), (INDEX)from.column, (INDEX)from.row, next ? (INDEX)from.plane : 0, fx, fy, fz);
    if (x < -1 || y < -1 || z < -1 || x >= from.width || y >= from.height || z >= from.depth)
        return 0.0f;
    return BETWEEN(fz, on_plane(from_pixels, from, x, y, z, fx, fy), on_plane(from_pixels, from, x, y, (long)z + 1, fx, fy));
}

/* Words are cheaper to take apart than bits, which the usual 32 are: the other way is not even looked at. */
kernel void resample_linear(INPUT(from), OUTPUT(to), TABLE(matrix), int bits, int bits_x, int bits_y)
{
    COLUMN
    if (bits == 32) {
        EACH_ROW {
            const float value = linear_at(from_pixels, from, px, py, pz, 32);
            STORE_SNAPPED(to, x, y, z, value);
        }
    } else {
        EACH_ROW {
            const float value = linear_at(from_pixels, from, px, py, pz, bits);
            STORE_SNAPPED(to, x, y, z, value);
        }
    }
}

kernel void resample_nearest(INPUT(from), OUTPUT(to), TABLE(matrix), int bits, int bits_x, int bits_y)
{
    COLUMN
    EACH_ROW {
        const int ix = pixels_of(px, bits), iy = pixels_of(py, bits), iz = pixels_of(pz, bits);
        const INDEX target = AT(to, x, y, z);
        if (ix >= 0 && iy >= 0 && iz >= 0 && ix < from.width && iy < from.height && iz < from.depth) {
            MOVE(from, AT(from, ix, iy, iz), to, target)
        } else {
            store_bits(to_pixels, to.type, target, 0);
        }
    }
}
