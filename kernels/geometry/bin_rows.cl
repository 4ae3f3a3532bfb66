/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bin_mean for CPUs, if the result has the source's type. A work-item computes OF_ITEM pixels of a row; vectors hold
 * whole bins.
 */
#include "bin.cl"
enum { OF_ITEM = 256, FEW_IN_BIN = 1 << 13 /* an int holds twice the sum of this many 16-bit pixels */ };

/* Adds the pixels of LANES bins in one row, in order of position. */
#define ADD_BINS(T, S)                                                                                                 \
    inline JOIN(S, LANES) add_bins_##T(JOIN(S, LANES) sum, global const T *row, int factor)                            \
    {                                                                                                                  \
        if (factor == 2) {                                                                                             \
            const JOIN(T, LANES) a = JOIN(vload, LANES)(0, row), b = JOIN(vload, LANES)(1, row);                       \
            sum += JOIN(JOIN(convert_, S), LANES)((JOIN(T, LANES))(a.even, b.even));                                   \
            return sum + JOIN(JOIN(convert_, S), LANES)((JOIN(T, LANES))(a.odd, b.odd));                               \
        }                                                                                                              \
        for (int i = 0; i < factor; i++) {                                                                             \
            T lanes[LANES];                                                                                            \
            for (int l = 0; l < LANES; l++)                                                                            \
                lanes[l] = row[l * factor + i];                                                                        \
            sum += JOIN(JOIN(convert_, S), LANES)(JOIN(vload, LANES)(0, lanes));                                       \
        }                                                                                                              \
        return sum;                                                                                                    \
    }

/* Returns the mean, rounded to nearest, halves upwards. */
inline INTV mean_int(INTV sum, int count)
{
    const INTV above = 2 * sum + count;
    const int twice = 2 * count, shift = 31 - (int)clz(twice);
    if (1 << shift == twice)
        return above >> shift;
    const INTV quotient = above / twice;
    return quotient + (above - quotient * twice < 0);
}

inline FLOATV mean_float(FLOATV sum, int count) { return sum / (FLOATV)((float)count); }

#define STORE_BINS(T, S)                                                                                               \
    ADD_BINS(T, S)                                                                                                     \
    inline void store_bins_##T(global const T *from, global T *to, INDEX row, INDEX plane, int factor, int rows,       \
        int slices)                                                                                                    \
    {                                                                                                                  \
        JOIN(S, LANES) sum = 0;                                                                                        \
        for (int k = 0; k < slices; k++)                                                                               \
            for (int j = 0; j < rows; j++)                                                                             \
                sum = add_bins_##T(sum, from + k * plane + j * row, factor);                                           \
        JOIN(vstore, LANES)(JOIN(JOIN(convert_, T), LANES)(mean_##S(sum, factor * rows * slices)), 0, to);             \
    }
STORE_BINS(uchar, int)
STORE_BINS(char, int)
STORE_BINS(ushort, int)
STORE_BINS(short, int)
STORE_BINS(float, float)

#define BINS(T)                                                                                                        \
    store_bins_##T((global const T *)from_pixels + at, (global T *)to_pixels + target, from.row, from.plane, factor_x, \
                   rows, slices)

kernel void bin_mean_rows(INPUT(from), OUTPUT(to), const int factor_x, const int factor_y, const int factor_z)
{
    const int y = (int)get_global_id(1), z = (int)get_global_id(2), start = (int)get_global_id(0) * OF_ITEM,
              end = min(start + OF_ITEM, to.width);
    const int rows = min(factor_y, from.height - y * factor_y), slices = min(factor_z, from.depth - z * factor_z);
    const bool few = from.type == FLOAT32 || factor_x * factor_y * factor_z <= FEW_IN_BIN;
    const bool whole = few && from.column == 1 && to.column == 1 && rows > 0 && slices > 0 && from.type != UINT32 &&
                       from.type != INT32;
    for (int x = start; x < end; x += LANES) {
        if (!whole || x + LANES > end || (long)(x + LANES) * factor_x > from.width) {
            for (int l = x; l < min(x + LANES, end); l++)
                bin_pixel(from_pixels, from, to_pixels, to, l, y, z, factor_x, factor_y, factor_z);
            continue;
        }
        const INDEX at = AT(from, x * factor_x, y * factor_y, z * factor_z), target = AT(to, x, y, z);
        switch (from.type) {
        case UINT8: BINS(uchar); break;
        case INT8: BINS(char); break;
        case UINT16: BINS(ushort); break;
        case INT16: BINS(short); break;
        default: BINS(float);
        }
    }
}
