/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of percentiles, from keys of sorted pixels. The same source serves devices with doubles and the host. */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "exact_orders.cl"
#include "shape_axes.cl"
#include "statistics.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/* The intensity of a key of `bits` bits; see key_at in intensity_orders.cl. */
METHOD double number_of_key(WORD key, int type, int bits)
{
    if (bits == 32)
        return exact_value_of(key, type);
    return (double)key - (type == INT8 ? 128 : type == INT16 ? 32768 : 0);
}

/* NaN for a label that has no pixels, a NaN, or more than `max_pixels` pixels, because counters could overflow. */
METHOD void fill_percentiles(SPACE const WORD *row, SPACE const WORD *keys, int count, int type, int bits,
                             WIDE max_pixels, SPACE double *cell)
{
    const WIDE pixels = pixels_of(row);
    const int known = pixels > 0 && pixels <= max_pixels && !isnan(value_of(~row[LOWEST], type)) &&
                      !isnan(value_of(row[HIGHEST], type));
    for (int i = 0; i < count; i++)
        cell[i] = known ? number_of_key(keys[i], type, bits) : (double)NAN;
}

#ifdef __OPENCL_VERSION__
kernel void percentile_columns(global const uint *rows, global const uint *keys, int quantiles, int type, int bits,
                               ulong max_pixels, uint count, global double *cells, int columns, int column)
{
    const uint i = get_global_id(0);
    if (i < count)
        fill_percentiles(rows + (ulong)i * ROW, keys + (ulong)i * quantiles, quantiles, type, bits, max_pixels,
                         cells + (ulong)i * columns + column);
}
#endif
#endif
