/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resample_linear for CPUs, if each row of the result lies in a slice of the source or between two. Positions are in
 * units of 2^-32 pixels. A work-item computes RUN pixels of a row in vectors.
 */
#include "resample.cl"
enum { RUN = 256 };

/* Positions of a vector's pixels along x or y: of the first one, and the step to the next. */
typedef struct {
    long first, step;
} line_of_positions;

inline FLOATV interpolated(FLOATV fraction, FLOATV first, FLOATV second)
{
    return select(first, first + fraction * (second - first), fraction > 0.0f);
}

inline FLOATV fractions_of(line_of_positions p)
{
    uint fraction[LANES];
    for (int l = 0; l < LANES; l++)
        fraction[l] = (uint)(p.first + l * p.step);
    return JOIN(convert_float, LANES)(JOIN(vload, LANES)(0, fraction)) * 0x1p-32f;
}

/* Whether all pixels of the vector have two neighbours along an axis of this extent. */
inline bool lies_inside(line_of_positions p, int extent)
{
    const int first = pixels_of(p.first, 32), last = pixels_of(p.first + (LANES - 1) * p.step, 32);
    return min(first, last) >= 0 && max(first, last) < extent - 1;
}

/* Interpolates between four neighbours, along rows first. */
#define AMONG_PIXELS(T, READ)                                                                                          \
    {                                                                                                                  \
        T a[LANES], b[LANES], c[LANES], d[LANES];                                                                      \
        UNROLLED(l, LANES) {                                                                                           \
            const INDEX at = slice + (INDEX)((x.first + l * x.step) >> 32) * column +                                  \
                (INDEX)((y.first + l * y.step) >> 32) * row;                                                           \
            a[l] = READ(at);                                                                                           \
            b[l] = READ(at + column);                                                                                  \
            c[l] = READ(at + row);                                                                                     \
            d[l] = READ(at + row + column);                                                                            \
        }                                                                                                              \
        above = interpolated(fx, JOIN(convert_float, LANES)(JOIN(vload, LANES)(0, a)),                                 \
            JOIN(convert_float, LANES)(JOIN(vload, LANES)(0, b)));                                                     \
        below = interpolated(fx, JOIN(convert_float, LANES)(JOIN(vload, LANES)(0, c)),                                 \
            JOIN(convert_float, LANES)(JOIN(vload, LANES)(0, d)));                                                     \
    }                                                                                                                  \
    break;
#define READ_UCHAR(at) pixels[at]
#define READ_USHORT(at) ((global const ushort *)pixels)[at]
#define READ_FLOAT(at) ((global const float *)pixels)[at]
#define READ_ANY(at) load_float(pixels, i.type, at)

inline FLOATV values_in_slice(global const uchar *pixels, const layout *image, int z, line_of_positions x,
                              line_of_positions y, FLOATV fx, FLOATV fy)
{
    const layout i = *image;
    const INDEX slice = AT(i, 0, 0, z), column = (INDEX)i.column, row = (INDEX)i.row;
    FLOATV above, below;
    switch (i.type) {
    case UINT8: AMONG_PIXELS(uchar, READ_UCHAR)
    case UINT16: AMONG_PIXELS(ushort, READ_USHORT)
    case FLOAT32: AMONG_PIXELS(float, READ_FLOAT)
    default: AMONG_PIXELS(float, READ_ANY)
    }
    return interpolated(fy, above, below);
}

kernel void resample_linear_rows(INPUT(from), OUTPUT(to), TABLE(matrix))
{
    const int v = (int)get_global_id(1), w = (int)get_global_id(2), start = (int)get_global_id(0) * RUN,
              end = min(start + RUN, to.width);
    constant long *m = TABLE_OF(long, matrix);
    const long pz = m[9] * v + m[10] * w + m[11];
    const int iz = pixels_of(pz, 32);
    const float fz = fraction_of(pz, 32);
    const bool has_slices = iz >= 0 && iz < (fz > 0.0f ? from.depth - 1 : from.depth);
    for (int u = start; u < end; u += LANES) {
        const line_of_positions x = {m[0] * u + m[1] * v + m[2] * w + m[3], m[0]},
                                y = {m[4] * u + m[5] * v + m[6] * w + m[7], m[4]};
        FLOATV value;
        if (has_slices && lies_inside(x, from.width) && lies_inside(y, from.height)) {
            const FLOATV fx = fractions_of(x), fy = fractions_of(y);
            value = values_in_slice(from_pixels, &from, iz, x, y, fx, fy);
            if (fz > 0.0f)
                value = interpolated((FLOATV)(fz), value, values_in_slice(from_pixels, &from, iz + 1, x, y, fx, fy));
        } else {
            float lanes[LANES];
            for (int l = 0; l < LANES; l++) {
                const long px = x.first + l * x.step, py = y.first + l * y.step;
                const int ix = pixels_of(px, 32), iy = pixels_of(py, 32);
                lanes[l] = u + l < end
                               ? value_at(from_pixels, from, ix, iy, iz, fraction_of(px, 32), fraction_of(py, 32), fz)
                               : 0.0f;
            }
            value = JOIN(vload, LANES)(0, lanes);
        }
        if (to.type != FLOAT32)
            value = snap_lanes(value, ROUNDINGS_OF_INTERPOLATION);
        store_line_lanes(to_pixels, to.type, AT(to, u, v, w), to.column, value, end - u);
    }
}
