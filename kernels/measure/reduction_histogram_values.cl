/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Histograms of 8-bit and 16-bit integers for CPUs. The frequency of each value is counted first, in tables of the
 * work-group, and a bin is computed once per value. This also yields the smallest and the largest value without another
 * pass.
 */
#include "by_line.cl"
#include "reduction_bins.cl"

enum { TABLES_OF_GROUP = 2 };        /* neighbours are often equal, so they use separate counters */

/* Reads eight bytes at a time, which are N values of BITS bits; `flips` maps the lowest value to 0. */
#define COUNT_VALUES(T, N, BITS)                                                                                       \
    inline void count_values_##T(global const T *restrict from, long count, ulong flips, global uint *restrict table,  \
        int values)                                                                                                    \
    {                                                                                                                  \
        global uint *restrict other = table + values;                                                                  \
        long i = 0;                                                                                                    \
        for (; i + N <= count; i += N) {                                                                               \
            const ulong some = as_ulong(JOIN(vload, N)(0, from + i)) ^ flips;                                          \
            UNROLLED(k, N / 2) {                                                                                       \
                table[(T)(some >> 2 * k * BITS)]++;                                                                    \
                other[(T)(some >> (2 * k + 1) * BITS)]++;                                                              \
            }                                                                                                          \
        }                                                                                                              \
        for (; i < count; i++)                                                                                         \
            table[(T)(from[i] ^ flips)]++;                                                                             \
    }
COUNT_VALUES(uchar, 8, 8)
COUNT_VALUES(ushort, 4, 16)

/* For an image whose pixels are contiguous; a group has one work-item and counts a stretch. */
kernel void count_values(INPUT(source), global uint *tables, int values, long count)
{
    const long group = get_global_id(0), stretch = count / (long)get_global_size(0) + 1,
               first = min(stretch * group, count);
    const long number = min(stretch, count - first), at = source.offset + first;
    global uint *table = tables + group * TABLES_OF_GROUP * values;
    for (int i = 0; i < TABLES_OF_GROUP * values; i++)
        table[i] = 0;
    if (source.type == UINT8 || source.type == INT8)
        count_values_uchar(source_pixels + at, number, source.type == INT8 ? 0x8080808080808080UL : 0, table, values);
    else
        count_values_ushort((global const ushort *)source_pixels + at, number,
                            source.type == INT16 ? 0x8000800080008000UL : 0, table, values);
}

/*
 * One work-item adds up the tables into the first one and computes the bins. They extend from `low` to `high` or, if
 * `measured`, over the values that occur, whose range is stored in `range_found`.
 */
kernel void bins_of_values(global uint *tables, int table_count, int values, int lowest, global uint *bins,
                           int bin_count, int measured, global float *range_found, float low, float high)
{
    for (int k = 1; k < table_count; k++)
        for (int i = 0; i < values; i++)
            tables[i] += tables[k * values + i];
    int first = 0, last = values - 1;
    while (first < last && tables[first] == 0)
        first++;
    while (last > first && tables[last] == 0)
        last--;
    const float2 range = measured ? (float2)((float)(lowest + first), (float)(lowest + last)) : (float2)(low, high);
    if (measured)
        vstore2(range, 0, range_found);
    for (int i = 0; i < bin_count; i++)
        bins[i] = 0;
    const binning h = binning_of(range, bins, bin_count, (local uint *)0, 0);
    for (int i = first; i <= last; i++) {
        const int bin = bins_of(&h, (float4)((float)(lowest + i)), ALL_FOUR).x;
        if (bin >= 0)
            bins[bin] += tables[i];
    }
}
