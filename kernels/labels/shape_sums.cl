/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integers from which the shape of each label follows: sums of powers of positions, relative to the corner of the
 * label's box, and counts of configurations. native/ops/labels/measure_labels.h lists the fields.
 */
#include "statistics.cl"
#include "statistics_runs.cl"

enum { POWER_SUMS = 16, SECOND_POWERS = 6, POWER_FIELDS = 2 * POWER_SUMS };

inline void collect_powers(volatile local uint *slot, const uint *run, int sums)
{
    for (int i = 0; i < sums; i++)
        add_words(slot + 2 * i, long_of(run + 2 * i));
}

inline void emit_powers(volatile global uint *row, const uint *run, int sums)
{
    for (int i = 0; i < sums; i++)
        add_sum(row + 4 * i, long_of(run + 2 * i));
}

/* Stores the sums of a run of n pixels from y on, for each power: xx yy zz xy xz yz, then those of order 3. */
inline void keep_powers(uint *run, ulong n, ulong x, ulong y, ulong z, int sums)
{
    const ulong t1 = n * (n - 1) / 2, t2 = (n - 1) * n * (2 * n - 1) / 6;
    const ulong s1 = n * y + t1, s2 = n * y * y + 2 * y * t1 + t2;
    keep_long(run, n * x * x);
    keep_long(run + 2, s2);
    keep_long(run + 4, n * z * z);
    keep_long(run + 6, x * s1);
    keep_long(run + 8, n * x * z);
    keep_long(run + 10, z * s1);
    if (sums == SECOND_POWERS)
        return;
    keep_long(run + 12, n * x * x * x);
    keep_long(run + 14, n * y * y * y + 3 * y * y * t1 + 3 * y * t2 + t1 * t1);
    keep_long(run + 16, n * z * z * z);
    keep_long(run + 18, x * x * s1);
    keep_long(run + 20, n * x * x * z);
    keep_long(run + 22, x * s2);
    keep_long(run + 24, z * s2);
    keep_long(run + 26, n * x * z * z);
    keep_long(run + 28, z * z * s1);
    keep_long(run + 30, x * z * s1);
}

kernel void shape_powers(INPUT(labels), uint first, uint last, int rows, int capacity, global const uint *count,
                         global const uint4 *list, int sums, global const uint *rows_of_labels,
                         volatile global uint *powers)
{
    EACH_RUN(POWER_FIELDS, , , , , global const uint *row = rows_of_labels + (ulong)label * ROW;
             keep_powers(run, (ulong)(y - start), (ulong)((uint)x - ~row[LOW]), (ulong)((uint)start - ~row[LOW + 1]),
                         (ulong)((uint)z - ~row[LOW + 2]), sums);
             , collect_powers(slot, run, sums);, emit_powers(powers + (ulong)label * 4 * POWER_SUMS, run, sums);)
}

/*
 * The number of a pixel's label, counted from `first`. Returns NOBODY outside the image and for labels that are not
 * measured.
 */
inline uint label_or_nobody(global const uchar *pixels, const layout *image, int x, int y, int z, uint first, uint last)
{
    const layout l = *image;
    if (x < 0 || y < 0 || z < 0 || x >= l.width || y >= l.height || z >= l.depth)
        return NOBODY;
    const uint label = load_label(pixels, l.type, AT(l, x, y, z)) - first;
    return label <= last - first ? label : NOBODY;
}

#define LABELS_ACROSS(y)                                                                                               \
    (uint4)(flat ? NOBODY : label_or_nobody(labels_pixels, &labels, x - 1, y, z - 1, first, last),                     \
            flat ? NOBODY : label_or_nobody(labels_pixels, &labels, x, y, z - 1, first, last),                         \
            label_or_nobody(labels_pixels, &labels, x - 1, y, z, first, last),                                         \
            label_or_nobody(labels_pixels, &labels, x, y, z, first, last))

/*
 * Counts for each label the configurations of 2 x 2 x 2 neighbouring pixels that belong to it, except those that all
 * eight pixels share. Bit x + 2 y + 4 z of a configuration stands for the pixel at x, y, z. A plane has 16
 * configurations instead.
 */
kernel void count_configurations(INPUT(labels), uint first, uint last, int rows, volatile global uint *counts)
{
    const int x = (int)get_global_id(0), top = (int)get_global_id(1) * rows, z = (int)get_global_id(2);
    const int flat = labels.depth == 1, shift = flat ? 4 : 8;
    if (x > labels.width || z > labels.depth - flat || top > labels.height)
        return;
    const int bottom = min(top + rows, labels.height + 1);
    uint4 above = LABELS_ACROSS(top - 1);
    for (int y = top; y < bottom; y++) {
        const uint4 below = LABELS_ACROSS(y);
        const uint8 of = (uint8)(above.xy, below.xy, above.zw, below.zw);
        above = below;
        if (all(of == (uint8)(of.s0)))
            continue;
        uint8 left = of;
        ROLLED for (int i = 0; i < 8; i++, left = left.s12345670) {
            if (left.s0 == NOBODY)
                continue;
            const uint label = left.s0;
            const int8 same = of == (uint8)(label);
            const int8 bits = same & (int8)(1, 2, 4, 8, 16, 32, 64, 128);
            const int4 four = bits.lo | bits.hi;
            const uint configuration = (uint)(four.x | four.y | four.z | four.w);
            atomic_inc(counts + ((ulong)label << shift) + (flat ? configuration >> 4 : configuration));
            left = select(left, (uint8)(NOBODY), left == (uint8)(label));
        }
    }
}
