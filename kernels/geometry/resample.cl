/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Resamples through a matrix whose positions have units of 2^-bits pixels; a work-item computes some rows of a column.
 */

inline float pixel_or_zero(global const uchar *pixels, const layout i, int x, int y, int z)
{
    if (x < 0 || y < 0 || z < 0 || x >= i.width || y >= i.height || z >= i.depth)
        return 0.0f;
    return load_float(pixels, i.type, AT(i, x, y, z));
}

/* Interpolates between two values. If the fraction is 0, the second value does not count, even if it is NaN. */
#define BETWEEN(fraction, first, second) ((fraction) > 0.0f ? between(fraction, first, second) : (first))

inline float between(float fraction, float first, float second)
{
    return first + fraction * (second - first);
}

inline float among_four(float a, float b, float c, float d, float fx, float fy)
{
    const float above = BETWEEN(fx, a, b), below = BETWEEN(fx, c, d);
    return BETWEEN(fy, above, below);
}

#define CORNER(dx, dy, dz) pixel_or_zero(pixels, image, x + (dx), y + (dy), z + (dz))

/* Value at any position; pixels beyond the border are 0. */
inline float value_at(global const uchar *pixels, const layout image, int x, int y, int z, float fx, float fy, float fz)
{
    if (x < -1 || y < -1 || z < -1 || x >= image.width || y >= image.height || z >= image.depth)
        return 0.0f;
    const float near = among_four(CORNER(0, 0, 0), CORNER(1, 0, 0), CORNER(0, 1, 0), CORNER(1, 1, 0), fx, fy);
    return fz > 0.0f ? between(fz, near,
                               among_four(CORNER(0, 0, 1), CORNER(1, 0, 1), CORNER(0, 1, 1), CORNER(1, 1, 1), fx, fy))
                     : near;
}

/* Like value_at, for the few positions at the border: pixels are loaded one after another. */
inline float value_at_border(global const uchar *pixels, const layout image, int x, int y, int z, float fx, float fy,
                             float fz)
{
    if (x < -1 || y < -1 || z < -1 || x >= image.width || y >= image.height || z >= image.depth)
        return 0.0f;
    float8 corners = 0.0f;
    ROLLED for (int n = 0; n < (fz > 0.0f ? 8 : 4); n++) corners =
        (float8)(corners.s1234, corners.s567,
                 pixel_or_zero(pixels, image, x + (n & 1), y + (n >> 1 & 1), z + (n >> 2)));
    if (!(fz > 0.0f))
        return among_four(corners.s4, corners.s5, corners.s6, corners.s7, fx, fy);
    return between(fz, among_four(corners.s0, corners.s1, corners.s2, corners.s3, fx, fy),
                   among_four(corners.s4, corners.s5, corners.s6, corners.s7, fx, fy));
}

/*
 * A work-group computes a block of 2^bits_x pixels by rows * 2^bits_y rows; the rest of its 2^BITS work-items go along
 * z. Work-items that run together are close along all axes, so rotated images are read from few rows at a time.
 */
enum { BITS = 7 };

#define COLUMN                                                                                                         \
    const int item = (int)get_local_id(0), bits_z = BITS - bits_x - bits_y;                                            \
    const int x = ((int)get_group_id(0) << bits_x) + (item & ((1 << bits_x) - 1));                                     \
    const int first = ((int)get_group_id(1) * rows << bits_y) + (item >> bits_x & ((1 << bits_y) - 1));                \
    const int z = ((int)get_group_id(2) << bits_z) + (item >> (bits_x + bits_y)), down = 1 << bits_y;                  \
    if (!INSIDE(to, x, first, z))                                                                                      \
        return;                                                                                                        \
    constant long *m = TABLE_OF(long, matrix);                                                                         \
    long px = m[0] * x + m[1] * first + m[2] * z + m[3], py = m[4] * x + m[5] * first + m[6] * z + m[7],               \
         pz = m[8] * x + m[9] * first + m[10] * z + m[11];

#define EACH_ROW                                                                                                       \
    for (int y = first; y < min(first + rows * down, to.height); y += down, px += m[1] << bits_y,                      \
        py += m[5] << bits_y, pz += m[9] << bits_y)

/*
 * Integer part of a position, and its fraction. If an int cannot hold the integer part, it is clamped to a position
 * outside the image.
 */
inline int pixels_of(long position, int bits)
{
    return bits == 32 ? (int)(position >> 32) : (int)clamp(position >> bits, -2L, 0x7fffffffL);
}

inline float fraction_of(long position, int bits)
{
    return bits == 32 ? (float)(uint)position * 0x1p-32f : (float)(position & ((1L << bits) - 1)) * ldexp(1.0f, -bits);
}

/* Interpolates between the eight pixels around a position, all of which lie in the image. */
#define DEFINE_AMONG_EIGHT(T)                                                                                          \
    inline float among_eight_##T(global const T *near, const layout i, float fx, float fy, float fz)                   \
    {                                                                                                                  \
        const INDEX column = (INDEX)i.column, row = (INDEX)i.row;                                                      \
        global const T *next = near + (INDEX)i.plane;                                                                  \
        const float a = near[0], b = near[column], c = near[row], d = near[row + column];                              \
        const float e = next[0], f = next[column], g = next[row], h = next[row + column];                              \
        const float value = among_four(a, b, c, d, fx, fy);                                                            \
        return BETWEEN(fz, value, among_four(e, f, g, h, fx, fy));                                                     \
    }
DEFINE_AMONG_EIGHT(uchar)
DEFINE_AMONG_EIGHT(char) DEFINE_AMONG_EIGHT(ushort) DEFINE_AMONG_EIGHT(short) DEFINE_AMONG_EIGHT(uint)
    DEFINE_AMONG_EIGHT(int) DEFINE_AMONG_EIGHT(float)

/* For an image whose type is known to the compiler. `level`: all positions lie in one slice. */
#define AMONG_PIXELS_OF(T)                                                                                             \
    {                                                                                                                  \
        global const T *near = (global const T *)from_pixels + AT(from, ix, iy, iz);                                   \
        value = level ? among_four(near[0], near[column], near[row], near[row + column], fx, fy)                       \
                      : among_eight_##T(near, from, fx, fy, fz);                                                       \
    }
#define AMONG_PIXELS_OF_ANY                                                                                            \
    switch (from.type) {                                                                                               \
    case UINT8: AMONG_PIXELS_OF(uchar) break;                                                                          \
    case INT8: AMONG_PIXELS_OF(char) break;                                                                            \
    case UINT16: AMONG_PIXELS_OF(ushort) break;                                                                        \
    case INT16: AMONG_PIXELS_OF(short) break;                                                                          \
    case UINT32: AMONG_PIXELS_OF(uint) break;                                                                          \
    case INT32: AMONG_PIXELS_OF(int) break;                                                                            \
    default: AMONG_PIXELS_OF(float)                                                                                    \
    }

/* Loops over the rows of a column. */
#define EACH_LINEAR(bits, among_pixels)                                                                                \
    EACH_ROW {                                                                                                         \
        const int ix = pixels_of(px, bits), iy = pixels_of(py, bits), iz = pixels_of(pz, bits);                        \
        const float fx = fraction_of(px, bits), fy = fraction_of(py, bits), fz = fraction_of(pz, bits);                \
        float value;                                                                                                   \
        if ((uint)ix < across && (uint)iy < down_to && (uint)iz < deep)                                                \
            among_pixels                                                                                               \
        else                                                                                                           \
            value = value_at_border(from_pixels, from, ix, iy, iz, fx, fy, fz);                                        \
        if (to.type == FLOAT32)                                                                                        \
            ((global float *)to_pixels)[AT(to, x, y, z)] = value;                                                      \
        else                                                                                                           \
            STORE_SNAPPED(to, x, y, z, value, ROUNDINGS_OF_INTERPOLATION);                                             \
    }                                                                                                                  \
    break;

    /* Positions of 32 bits, the usual case, need no shifts to be split; this case has a loop for each usual type. */
    kernel void resample_linear(INPUT(from), OUTPUT(to), TABLE(matrix), int bits, int bits_x, int bits_y, int rows)
{
    COLUMN
    const INDEX column = (INDEX)from.column, row = (INDEX)from.row;
    const int level = (((m[9] << bits_y) | pz) & ((1L << bits) - 1)) == 0;
    const uint across = from.width - 1, down_to = from.height - 1, deep = level ? from.depth : from.depth - 1;
    switch (bits == 32 ? from.type : 0) {
    case UINT8: EACH_LINEAR(32, AMONG_PIXELS_OF(uchar))
    case UINT16: EACH_LINEAR(32, AMONG_PIXELS_OF(ushort))
    case FLOAT32: EACH_LINEAR(32, AMONG_PIXELS_OF(float))
    default: EACH_LINEAR(bits, AMONG_PIXELS_OF_ANY)
    }
}

kernel void resample_nearest(INPUT(from), OUTPUT(to), TABLE(matrix), int bits, int bits_x, int bits_y, int rows)
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
