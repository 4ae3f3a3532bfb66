/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resample_linear for processors, where rows stay along x, in units of 2^-32 pixels: an item makes RUN pixels of a row in vectors. This file comes after
 * resample.cl.
 */
enum { RUN = 256 };

#define INTERPOLATED(fraction, first, second) select(first, interpolated(fraction, first, second), (fraction) > 0.0f)

inline FLOATV interpolated(FLOATV fraction, FLOATV first, FLOATV second) { return first + fraction * (second - first); }

/* Numbers of two neighbours on each of two rows, and how far between the first ones and the second ones. */
#define READ_PIXELS(T, READ)                                                                                                     \
    {                                                                                                                            \
        T a[LANES], b[LANES], c[LANES], d[LANES];                                                                                \
        UNROLLED(l, LANES) {                                                                                                     \
            const INDEX at = (INDEX)((px + l * step) >> 32) * column;                                                            \
            a[l] = READ(above + at);                                                                                             \
            b[l] = READ(above + at + column);                                                                                    \
            c[l] = READ(below + at);                                                                                             \
            d[l] = READ(below + at + column);                                                                                    \
        }                                                                                                                        \
        const FLOATV first = JOIN(convert_float, LANES)(JOIN(vload, LANES)(0, a)), third = JOIN(convert_float, LANES)(JOIN(vload, LANES)(0, c)); \
        high = INTERPOLATED(fx, first, JOIN(convert_float, LANES)(JOIN(vload, LANES)(0, b)));                                   \
        low = INTERPOLATED(fx, third, JOIN(convert_float, LANES)(JOIN(vload, LANES)(0, d)));                                    \
    }                                                                                                                            \
    break;
#define READ_UCHAR(at) pixels[at]
#define READ_USHORT(at) ((global const ushort *)pixels)[at]
#define READ_FLOAT(at) ((global const float *)pixels)[at]
#define READ_ANY(at) load_float(pixels, type, at)

/* Between rows that begin at `above` and `below`, at positions `step` apart, of which none needs a pixel outside. */
inline FLOATV among_rows(global const uchar *pixels, int type, INDEX above, INDEX below, INDEX column, long px, long step, FLOATV fx, float fy)
{
    FLOATV high, low;
    switch (type) {
    case UINT8: READ_PIXELS(uchar, READ_UCHAR)
    case UINT16: READ_PIXELS(ushort, READ_USHORT)
    case FLOAT32: READ_PIXELS(float, READ_FLOAT)
    default: READ_PIXELS(float, READ_ANY)
    }
    return INTERPOLATED((FLOATV)(fy), high, low);
}

inline FLOATV fractions_of(long px, long step)
{
    uint fraction[LANES];
    for (int l = 0; l < LANES; l++)
        fraction[l] = (uint)(px + l * step);
    return JOIN(convert_float, LANES)(JOIN(vload, LANES)(0, fraction)) * 0x1p-32f;
}

kernel void resample_linear_rows(INPUT(from), OUTPUT(to), TABLE(matrix))
{
    const int y = (int)get_global_id(1), z = (int)get_global_id(2), start = (int)get_global_id(0) * RUN, end = min(start + RUN, to.width);
    constant long *m = TABLE_OF(long, matrix);
    const long py = m[4 * 1 + 1] * y + m[4 * 1 + 2] * z + m[4 * 1 + 3], pz = m[4 * 2 + 1] * y + m[4 * 2 + 2] * z + m[4 * 2 + 3], step = m[0];
    const int iy = pixels_of(py, 32), iz = pixels_of(pz, 32);
    const float fy = fraction_of(py, 32), fz = fraction_of(pz, 32);
    const bool inside = iy >= 0 && iy < from.height - 1 && iz >= 0 && iz < (fz > 0.0f ? from.depth - 1 : from.depth);
    const INDEX column = (INDEX)from.column, row = (INDEX)from.row, plane = (INDEX)from.plane;
    for (int x = start; x < end; x += LANES) {
        const long px = step * x + m[1] * y + m[2] * z + m[3], last = px + (LANES - 1) * step;
        const int ix = pixels_of(px, 32), ix_of_last = pixels_of(last, 32), most = from.width - 2;
        const FLOATV fx = fractions_of(px, step);
        FLOATV value;
        if (inside && min(ix, ix_of_last) >= 0 && max(ix, ix_of_last) <= most) {
            const INDEX near = AT(from, 0, iy, iz);
            value = among_rows(from_pixels, from.type, near, near + row, column, px, step, fx, fy);
            if (fz > 0.0f)
                value = interpolated((FLOATV)(fz), value, among_rows(from_pixels, from.type, near + plane, near + plane + row, column, px, step, fx, fy));
        } else {
            float lanes[LANES];
            for (int l = 0; l < LANES; l++)
                lanes[l] = x + l < end ? value_at(from_pixels, from, pixels_of(px + l * step, 32), iy, iz, fraction_of(px + l * step, 32), fy, fz) : 0.0f;
            value = JOIN(vload, LANES)(0, lanes);
        }
        if (to.type != FLOAT32)
            value = snap_lanes(value, ROUNDINGS_OF_INTERPOLATION);
        store_line_lanes(to_pixels, to.type, AT(to, x, y, z), to.column, value, end - x);
    }
}
